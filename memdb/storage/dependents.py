"""What hangs on memories, in rows by table: what goes with them when they are erased."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import any_, func, literal, or_, select

from memdb.storage import quarantine_tables
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn

_BY_MEMORY: Final = (
    t.memory_versions,
    t.memory_index,
    t.memory_version_index,
    t.memory_stats,
    t.embedding_pending,
    t.memory_fragments,
    t.memory_entities,
    t.derivations,
    t.reconciliations,
    t.outcomes,
    t.holds,
    quarantine_tables.review_requests,
    t.units,
)


async def count(conn: ReadConn | WriteConn, org_id: UUID, memory_ids: Sequence[UUID]) -> dict[str, int]:
    """Rows by table that belong to these memories, vectors of every space among them; tables without one are absent."""
    if not memory_ids:
        return {}
    wanted = any_(literal(list(memory_ids), t.UUIDS))
    spaces = (await conn.execute(select(t.embedding_spaces.c.name, t.embedding_spaces.c.dimension))).all()
    vectors = [made(row.name, row.dimension) for row in spaces for made in (t.vector_table, t.version_vector_table)]
    counts = [
        select(func.count()).where(table.c.org_id == org_id, table.c.memory_id == wanted).scalar_subquery().label(table.name)
        for table in (*_BY_MEMORY, *vectors)
    ]
    link, conflict = t.links.c, t.conflicts.c
    both = (
        (t.links, link.org_id, link.from_id, link.to_id),
        (t.conflicts, conflict.org_id, conflict.memory_id, conflict.other_id),
    )
    counts += [
        select(func.count()).where(org == org_id, or_(one == wanted, other == wanted)).scalar_subquery().label(table.name)
        for table, org, one, other in both
    ]
    row = (await conn.execute(select(*counts))).one()
    return {name: number for name, number in row._asdict().items() if number}
