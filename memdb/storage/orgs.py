"""Rows of orgs. Everything here but the look-up by name needs the owner of the database: memdb_app may only read orgs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, Table, Text, column, delete, func, select, table, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.expression import TableClause

from memdb.storage import erasure_tables, quarantine_tables
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.spaces import vector_tables
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")

IN_ORDER: Sequence[Table] = (
    t.api_keys,  # first, so that nobody writes any more
    t.policies,
    t.idempotency_keys,
    t.recalls,
    t.feedback_queries,
    t.outcomes,
    quarantine_tables.review_requests,
    quarantine_tables.hold_targets,
    quarantine_tables.session_holds,
    t.holds,
    t.hold_actions,
    t.conflicts,
    t.units,
    t.forgotten,
    t.derivations,
    t.reconciliations,
    t.extractions,
    t.snapshots,
    t.turns,
    t.sessions,
    t.links,
    t.memory_entities,
    t.entities,
    t.memory_fragments,
    t.fragments,
    t.episodes,
    t.embedding_pending,
    t.memory_stats,
    t.memory_version_index,
    t.memory_index,
    t.topics,
    t.memory_versions,
    t.memories,
    t.term_deltas,
    t.term_stats,
    t.corpus_stats,
    t.looks,
    erasure_tables.erasure_decisions,
    erasure_tables.erasures,
    t.brain_access,
    t.brain_members,
    t.team_members,
    t.alias_sightings,
    t.subject_aliases,
    t.subject_redirects,
    t.subject_identities,
    t.brains,
    t.subjects,
)
"""Every table with rows of an org but the audit and the ledger, which stay: what refers to others before what it refers to."""


@dataclass(frozen=True, slots=True)
class OrgRow:
    """An org."""

    id: UUID
    name: str
    created_at: datetime


async def find_org(conn: AsyncConnection, name: str) -> OrgRow | None:
    """The org of this name; needs no identity."""
    o = t.orgs.c
    row = (await conn.execute(select(o.id, o.name, o.created_at).where(o.name == name))).first()
    return None if row is None else OrgRow(*row)


async def get_name(conn: AsyncConnection, org_id: UUID) -> str:
    """The name of an org that exists."""
    name: str = (await conn.execute(select(t.orgs.c.name).where(t.orgs.c.id == org_id))).scalar_one()
    return name


async def list_orgs(conn: AsyncConnection) -> list[OrgRow]:
    """Every org, by name."""
    o = t.orgs.c
    return [OrgRow(*row) for row in await conn.execute(select(o.id, o.name, o.created_at).order_by(o.name))]


async def insert_org(conn: WriteConn, org_id: UUID, name: str, now: datetime) -> bool:
    """False when the name is taken."""
    row = insert(t.orgs).values(id=org_id, name=name, created_at=now)
    done = await conn.execute(row.on_conflict_do_nothing().returning(t.orgs.c.id))
    return done.first() is not None


async def delete_org(conn: WriteConn, org_id: UUID) -> None:
    """Delete the org itself, once no row refers to it."""
    await conn.execute(delete(t.orgs).where(t.orgs.c.id == org_id))


async def list_tenant_tables(conn: ReadConn) -> list[TableClause]:
    """What `delete_rows` empties, in order; vectors of every embedding space first."""
    names = (await conn.execute(select(t.embedding_spaces.c.name).order_by(t.embedding_spaces.c.name))).scalars()
    vectors = [table(name, column("org_id"), schema="mem") for space in names for name in vector_tables(space)]
    return [*vectors, *IN_ORDER]


async def delete_rows(conn: WriteConn, tenant_table: TableClause, org_id: UUID, at_most: int) -> int:
    """Delete some rows of an org; returns how many, fewer than `at_most` when none are left."""
    # A row of a partitioned table is known by its partition and its place there.
    partition, slot = column("tableoid", BigInteger()), column("ctid", Text())
    place = tuple_(partition, slot)
    some = select(partition, slot).select_from(tenant_table).where(tenant_table.c.org_id == org_id).limit(at_most)
    done = await conn.execute(delete(tenant_table).where(tenant_table.c.org_id == org_id, place.in_(some)))
    return done.rowcount


async def count_rows(conn: ReadConn, tenant_table: TableClause, org_id: UUID) -> int:
    """Rows of an org in a table."""
    counted = await conn.execute(select(func.count()).select_from(tenant_table).where(tenant_table.c.org_id == org_id))
    return int(counted.scalar_one())


async def delete_jobs(conn: WriteConn, org_id: UUID) -> int:
    """Delete what the queue holds of an org; how many jobs."""
    return (await conn.execute(_STATEMENTS["delete_jobs"].clause, {"org_id": str(org_id)})).rowcount


async def record_root_key(conn: AsyncConnection, key_id: str, now: datetime) -> None:
    """Note that rows of this database are sealed with a root key; no change when it is known."""
    await conn.execute(insert(t.secret_keys).values(key_id=key_id, first_used_at=now).on_conflict_do_nothing())
