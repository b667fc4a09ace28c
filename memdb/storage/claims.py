"""Memories by what they tell of their subjects: the attribute that extraction wrote into `data.attribute`.

Found as memdb_search, within the brain of the caller's transaction; what is found is read and written as memdb_app.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select, tuple_, update

from memdb.models.memory import Kind
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn, search
from memdb.storage.rows import facets_of
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")
Where = tuple[UUID, UUID, Kind]
"""Org, brain and kind."""


async def lock_names(conn: WriteConn, names: Sequence[str]) -> None:
    """Take advisory locks by name, in the order given, until the transaction ends."""
    for name in names:
        await conn.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


async def find(conn: ReadConn | WriteConn, where: Where, about: Sequence[UUID], attribute: str, since: datetime) -> UUID | None:
    """The memory of exactly these subjects that tells this attribute and holds at `since`; the newest of several.

    Args:
        conn: in a transaction.
        where: (org, brain, kind).
        about: sorted.
        attribute: as `data.attribute` of what extraction wrote.
        since: one that began later is another period, and stays.
    """
    rows = await search(conn, _STATEMENTS["find_claim"].sql, _telling(where, about, attribute) | {"since": since})
    return rows[0].memory_id if rows else None


async def find_next(
    conn: ReadConn | WriteConn, where: Where, about: Sequence[UUID], attribute: str, since: datetime
) -> tuple[UUID, datetime] | None:
    """The memory that tells, or told, this attribute from the first moment after `since` on, and that moment. Arguments as of `find`."""
    rows = await search(conn, _STATEMENTS["find_next_claim"].sql, _telling(where, about, attribute) | {"since": since})
    return (rows[0].memory_id, rows[0].valid_from) if rows else None


async def end_past(conn: WriteConn, where: Where, about: Sequence[UUID], attribute: str, since: datetime) -> None:
    """Let what held at `since`, and has been taken over later, end then: another value is known now to have begun. Arguments as of `find`.

    What was known when stays as it is; only the index tells when an older version stopped being true.
    """
    rows = await search(conn, _STATEMENTS["list_past_claims"].sql, _telling(where, about, attribute) | {"since": since})
    v = t.memory_version_index.c
    past = [(row.memory_id, row.version) for row in rows]
    if past:
        ended = update(t.memory_version_index).where(v.org_id == where[0], tuple_(v.memory_id, v.version).in_(past))
        await conn.execute(ended.values(valid_to=since))


async def list_all(conn: ReadConn, where: Where, about: Sequence[UUID], attribute: str, limit: int) -> list[UUID]:
    """All of them, whenever they hold, the newest first."""
    rows = await search(conn, _STATEMENTS["list_claims"].sql, _telling(where, about, attribute) | {"limit": limit})
    return [row.memory_id for row in rows]


def _telling(where: Where, about: Sequence[UUID], attribute: str) -> dict[str, object]:
    org_id, brain_id, kind = where
    told = {"about": list(about), "facets": facets_of({"attribute": attribute})}
    return {"org_id": org_id, "brain_id": brain_id, "kind": kind.value} | told
