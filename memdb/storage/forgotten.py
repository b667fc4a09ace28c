"""When statements were deleted, by the key under which their brain held them: of the text nothing is kept."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import literal, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from memdb.storage import tables as t
from memdb.storage.database import WriteConn

_F = t.forgotten.c
Held = tuple[UUID, str, bytes]
"""Brain, kind and duplicate key."""


async def keep(conn: WriteConn, org_id: UUID, memory_id: UUID, now: datetime) -> None:
    """Keep that a memory was deleted; before its key is erased. Of one that may repeat there is no key."""
    m = t.memories.c
    row = select(m.org_id, m.brain_id, m.kind, m.duplicate_key, literal(now, t.TIME)).where(
        m.org_id == org_id, m.id == memory_id, m.duplicate_key.is_not(None)
    )
    kept = insert(t.forgotten).from_select([_F.org_id, _F.brain_id, _F.kind, _F.duplicate_key, _F.forgotten_at], row)
    await conn.execute(kept.on_conflict_do_update(constraint="forgotten_pk", set_={"forgotten_at": kept.excluded.forgotten_at}))


async def find(conn: WriteConn, org_id: UUID, keys: Collection[Held]) -> dict[Held, datetime]:
    """When each of the statements was last deleted, if it was."""
    if not keys:
        return {}
    wanted = tuple_(_F.brain_id, _F.kind, _F.duplicate_key).in_(sorted(keys))
    rows = await conn.execute(select(_F.brain_id, _F.kind, _F.duplicate_key, _F.forgotten_at).where(_F.org_id == org_id, wanted))
    return {(row.brain_id, row.kind, bytes(row.duplicate_key)): row.forgotten_at for row in rows}
