"""Rows about archived segments of logs, as the owner: what says that they were archived, and what was left behind of their events."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

from psycopg import errors, sql
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

PAGE: Final = 2_000
LOCK_TIMEOUT_MS: Final = 2_000
STATE: Final = ""
"""The place of what vouches for a thing as it is."""


class Carried(NamedTuple):
    """What archived events say of one thing: the last of them, and what it vouches for."""

    object_kind: str
    object_id: str
    place: str
    position: int
    commitment: bytes | None

    @property
    def key(self) -> tuple[str, str, str]:
        return self.object_kind, self.object_id, self.place


def list_statements(conn: Connection, org_id: UUID) -> list[tuple[int, int, Mapping[str, Any]]]:
    """(first position, last position, signed statement) of what is archived, in order."""
    query = "SELECT first_position, last_position, statement FROM mem.audit_archives WHERE org_id = %s ORDER BY last_position"
    return [(first, last, dict(statement)) for first, last, statement in conn.execute(query, (org_id,))]


def iterate_carried(conn: Connection, org_id: UUID) -> Iterator[list[Carried]]:
    """Everything that was left behind, in pages in the order of its key."""
    after = ("", "", "")
    query = (
        "SELECT object_kind, object_id, place, position, commitment FROM mem.audit_carried"
        " WHERE org_id = %s AND (object_kind, object_id, place) > (%s, %s, %s) ORDER BY object_kind, object_id, place LIMIT %s"
    )
    while page := _carried(conn, query, (org_id, *after, PAGE)):
        after = page[-1].key
        yield page


def find_carried(conn: Connection, org_id: UUID, kind: str, ids: Collection[str]) -> list[Carried]:
    """What was left behind of some things of one kind."""
    query = (
        "SELECT object_kind, object_id, place, position, commitment FROM mem.audit_carried"
        " WHERE org_id = %s AND object_kind = %s AND object_id = ANY(%s)"
    )
    return _carried(conn, query, (org_id, kind, list(ids)))


def _carried(conn: Connection, query: str, values: tuple[object, ...]) -> list[Carried]:
    with conn.cursor(row_factory=class_row(Carried)) as cursor:
        found = cursor.execute(query.encode(), values).fetchall()
    return [row._replace(commitment=None if row.commitment is None else bytes(row.commitment)) for row in found]


def lock(conn: Connection, org_id: UUID) -> bool:
    """Become the one that archives the log of an org, until the connection ends; False when another is at it."""
    query = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
    ((locked,),) = conn.execute(query, (f"memdb audit archive {org_id}",)).fetchall()
    return bool(locked)


def take_out(
    conn: Connection, org_id: UUID, span: tuple[int, int], statement: Mapping[str, object], archived_at: datetime
) -> tuple[int, int]:
    """Delete places and their events, which are in a file; how many events, and places. What is left behind is of the same transaction."""
    first, last = span
    conn.execute(
        "INSERT INTO mem.audit_archives (org_id, last_position, first_position, statement, archived_at) VALUES (%s, %s, %s, %s, %s)",
        (org_id, last, first, Jsonb(dict(statement)), archived_at),
    )
    events = conn.execute(
        "DELETE FROM mem.audit_events e USING mem.audit_chain c"
        " WHERE c.org_id = %s AND c.position BETWEEN %s AND %s AND e.org_id = c.org_id AND e.id = c.event_id",
        (org_id, first, last),
    )
    places = conn.execute("DELETE FROM mem.audit_chain WHERE org_id = %s AND position BETWEEN %s AND %s", (org_id, first, last))
    return events.rowcount, places.rowcount


def leave_behind(conn: Connection, org_id: UUID, kept: Iterable[Carried], dropped: Iterable[tuple[str, str, str]]) -> None:
    """Exchange what is left behind."""
    with conn.cursor() as cursor:
        cursor.executemany(
            "DELETE FROM mem.audit_carried WHERE org_id = %s AND object_kind = %s AND object_id = %s AND place = %s",
            [(org_id, *key) for key in dropped],
        )
        cursor.executemany(
            "INSERT INTO mem.audit_carried (org_id, object_kind, object_id, place, position, commitment) VALUES (%s, %s, %s, %s, %s, %s)"
            " ON CONFLICT (org_id, object_kind, object_id, place)"
            " DO UPDATE SET position = excluded.position, commitment = excluded.commitment",
            [(org_id, *row) for row in kept],
        )


def drop_empty_months(conn: Connection, before: datetime) -> int:
    """Drop partitions of events that lie wholly before a moment and have no row any more; how many. One that is busy stays until next time.

    Args:
        conn: outside a transaction.
        before: a moment.
    """
    query = "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'mem.audit_events'::regclass"
    month = f"audit_events_{before:%Y_%m}"
    dropped = 0
    for (name,) in sorted(row for row in conn.execute(query) if row[0] < month):
        table = sql.Identifier("mem", name)
        try:
            with conn.transaction():
                conn.execute(sql.SQL("SET LOCAL lock_timeout = {}").format(sql.Literal(LOCK_TIMEOUT_MS)))
                conn.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(table))
                ((used,),) = conn.execute(sql.SQL("SELECT EXISTS (SELECT FROM {})").format(table)).fetchall()
                if not used:
                    conn.execute(sql.SQL("DROP TABLE {}").format(table))
                    dropped += 1
        except errors.LockNotAvailable:
            continue
    return dropped
