"""What verification of the audit reads, as the owner and within one snapshot: pages in the order of their keys, never a table at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from psycopg import sql
from psycopg.rows import namedtuple_row

from memdb.storage.chain import FIRST_CHAINED
from memdb.storage.policies import document_digest
from memdb.storage.spaces import vector_tables
from memdb.storage.statements import catalogue

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

UNPLACED_MAX: Final = 1_000
VERSION_GONE: Final = "memory.erase_version"
"""The action of the event that tells that an older version was erased."""
GONE: Final = ("memory.delete", "memory.expire", "memory.erase", "memory.purge")
"""Actions after which a memory may have no row."""


def chained_since(conn: Connection) -> datetime | None:
    """When an older database got the chain; None for one that has had it from the first."""
    query = "SELECT max(applied_at) FILTER (WHERE version = %s), min(version) FROM mem.schema_versions"
    ((applied_at, first),) = _rows(conn, query, (FIRST_CHAINED,))
    return cast("datetime | None", applied_at) if first < FIRST_CHAINED else None


def list_orgs(conn: Connection) -> list[tuple[str, UUID]]:
    """Name and id of every org, by name."""
    return [(row.name, row.id) for row in _rows(conn, "SELECT name, id FROM mem.orgs ORDER BY name")]


def list_chain(conn: Connection, org_id: UUID, after: int, limit: int) -> list[Any]:
    """Places of the log behind one, each with its event; `id` is None where that is gone."""
    return _named(conn, "list_chain", {"org_id": org_id, "after": after, "limit": limit})


def list_waiting(conn: Connection, org_id: UUID, after: int, limit: int) -> list[Any]:
    """Events that wait for their place, in the order in which they were written; `id` is None where the event is gone."""
    return _named(conn, "list_waiting", {"org_id": org_id, "after": after, "limit": limit})


def list_unplaced(conn: Connection, org_id: UUID) -> list[UUID]:
    """Events that neither have a place nor wait for one, at most UNPLACED_MAX."""
    query = (
        "SELECT e.id FROM mem.audit_events e WHERE e.org_id = %s"
        " AND NOT EXISTS (SELECT FROM mem.audit_chain c WHERE c.org_id = e.org_id AND c.event_id = e.id)"
        " AND NOT EXISTS (SELECT FROM mem.audit_pending p WHERE p.org_id = e.org_id AND p.event_id = e.id)"
        " ORDER BY e.id LIMIT %s"
    )
    return [row.id for row in _rows(conn, query, (org_id, UNPLACED_MAX))]


def find_end(conn: Connection, org_id: UUID) -> tuple[int, bytes] | None:
    """The last position of the log and its link."""
    rows = _rows(conn, "SELECT position, link FROM mem.audit_chain WHERE org_id = %s ORDER BY position DESC LIMIT 1", (org_id,))
    return (rows[0].position, bytes(rows[0].link)) if rows else None


def accounted_for(conn: Connection, org_id: UUID, ids: Sequence[UUID]) -> set[UUID]:
    """Those of the memories that have a row, or of which an event tells that they went. Index: audit_events_object_idx."""
    present = {row.id for row in _rows(conn, "SELECT id FROM mem.memories WHERE org_id = %s AND id = ANY(%s)", (org_id, list(ids)))}
    missing = [str(one) for one in ids if one not in present]
    if not missing:
        return present
    query = (
        "SELECT DISTINCT e.object_id FROM mem.audit_events e"
        " WHERE e.org_id = %s AND e.object_id = ANY(%s) AND e.object_kind = 'memory' AND e.action = ANY(%s)"
    )
    return present | {UUID(row.object_id) for row in _rows(conn, query, (org_id, missing, list(GONE)))}


def is_org_gone(conn: Connection, org_id: UUID) -> bool:
    """True when an event tells that the org was deleted with all that it held."""
    query = "SELECT FROM mem.audit_events WHERE org_id = %s AND object_id = %s AND action = 'org.delete_begin' LIMIT 1"
    return bool(_rows(conn, query, (org_id, str(org_id))))


def list_memories(conn: Connection, org_id: UUID, after: UUID | None, limit: int) -> list[Any]:
    """Rows of memories with their holds, by id."""
    query = (
        "SELECT m.*, ARRAY(SELECT h.action_id FROM mem.holds h WHERE h.org_id = m.org_id AND h.memory_id = m.id) AS holds"
        " FROM mem.memories m WHERE m.org_id = %s AND (%s::uuid IS NULL OR m.id > %s::uuid) ORDER BY m.id LIMIT %s"
    )
    return _rows(conn, query, (org_id, after, after, limit))


def find_memory(conn: Connection, org_id: UUID, memory_id: UUID) -> Any:  # noqa: ANN401 - a database row
    """One row as `list_memories` gives it; None when there is none."""
    query = (
        "SELECT m.*, ARRAY(SELECT h.action_id FROM mem.holds h WHERE h.org_id = m.org_id AND h.memory_id = m.id) AS holds"
        " FROM mem.memories m WHERE m.org_id = %s AND m.id = %s"
    )
    return next(iter(_rows(conn, query, (org_id, memory_id))), None)


def last_commitments(conn: Connection, org_id: UUID, ids: Sequence[UUID]) -> dict[UUID, bytes]:
    """What the last event that tells of each memory's state vouches for. What waits is later than what has a place. Index:
    audit_events_object_idx.
    """
    rows = _named(conn, "last_commitments", {"org_id": org_id, "ids": [str(each) for each in ids]})
    return {UUID(row.object_id): bytes(row.commitment) for row in rows}


def list_versions(conn: Connection, org_id: UUID, ids: Sequence[UUID]) -> list[Any]:
    """Older versions of memories with the words that they are found by, as Postgres writes them; None: there is no index row."""
    return _named(conn, "list_versions", {"org_id": org_id, "ids": list(ids)})


def erased_versions(conn: Connection, org_id: UUID, ids: Sequence[UUID]) -> set[tuple[UUID, int]]:
    """(memory, version) of older versions of which an event tells that they were erased. Index: audit_events_object_idx."""
    query = (
        "SELECT e.object_id, (e.detail->>'version')::integer AS version FROM mem.audit_events e"
        " WHERE e.org_id = %s AND e.object_id = ANY(%s) AND e.object_kind = 'memory' AND e.action = %s"
    )
    rows = _rows(conn, query, (org_id, [str(each) for each in ids], VERSION_GONE))
    return {(UUID(row.object_id), row.version) for row in rows}


def list_index(conn: Connection, org_id: UUID, ids: Sequence[UUID]) -> list[Any]:
    """Index rows of memories, words and context as Postgres writes them."""
    query = (
        "SELECT memory_id, brain_id, kind, topic, about, said_by, tags, facets, language, words::text AS words, context::text AS context,"
        " word_count, context_count, context_fragments, recorded_from,"
        " status, held, valid_from, valid_to, event_from, event_to, expires_at, created_at, placement, words_mac, context_mac"
        " FROM mem.memory_index WHERE org_id = %s AND memory_id = ANY(%s)"
    )
    return _rows(conn, query, (org_id, list(ids)))


def list_spaces(conn: Connection) -> list[str]:
    """Names of the embedding spaces."""
    return [row.name for row in _rows(conn, "SELECT name FROM mem.embedding_spaces ORDER BY name")]


def list_vectors(conn: Connection, org_id: UUID, space: str, ids: Collection[UUID]) -> list[Any]:
    """Vectors of memories as Postgres writes them; `version` is None for that of the current one."""
    live, past = (sql.Identifier("mem", table) for table in vector_tables(space))
    query = sql.SQL(
        "SELECT memory_id, brain_id, field, NULL::integer AS version, embedding::text AS embedding, mac FROM {live}"
        " WHERE org_id = %(org)s AND memory_id = ANY(%(ids)s)"
        " UNION ALL SELECT memory_id, brain_id, 'text', version, embedding::text, mac FROM {past}"
        " WHERE org_id = %(org)s AND memory_id = ANY(%(ids)s)"
    ).format(live=live, past=past)
    with conn.cursor(row_factory=namedtuple_row) as cursor:
        return cursor.execute(query, {"org": org_id, "ids": list(ids)}).fetchall()


def list_unembedded(conn: Connection, org_id: UUID, ids: Sequence[UUID]) -> list[UUID]:
    """Those of the memories that wait for a vector."""
    query = "SELECT DISTINCT memory_id FROM mem.embedding_pending WHERE org_id = %s AND memory_id = ANY(%s)"
    return [row.memory_id for row in _rows(conn, query, (org_id, list(ids)))]


def list_policies(conn: Connection, org_id: UUID) -> list[tuple[int, bytes, bytes | None, datetime]]:
    """(version, digest of the document, what its event vouches for, when it was set) of every version of an org's policy.

    None: no event tells of it.
    """
    query = (
        "SELECT p.version, p.document, p.created_at, (SELECT e.commitment FROM mem.audit_events e WHERE e.org_id = p.org_id"
        " AND e.object_kind = 'policy' AND e.object_id = p.version::text ORDER BY e.id DESC LIMIT 1) AS commitment"
        " FROM mem.policies p WHERE p.org_id = %s ORDER BY p.version"
    )
    return [
        (row.version, document_digest(row.document), None if row.commitment is None else bytes(row.commitment), row.created_at)
        for row in _rows(conn, query, (org_id,))
    ]


def _rows(conn: Connection, query: str, parameters: Sequence[object] = ()) -> list[Any]:
    with conn.cursor(row_factory=namedtuple_row) as cursor:
        return cursor.execute(query.encode(), parameters).fetchall()


def _named(conn: Connection, name: str, values: Mapping[str, object]) -> list[Any]:
    with conn.cursor(row_factory=namedtuple_row) as cursor:
        return cursor.execute(catalogue(name), values).fetchall()
