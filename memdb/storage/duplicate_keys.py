"""Duplicate keys of stored memories, read and set apart from the rows that they belong to; no seal covers them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import func, select, update

from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn


async def list_old(conn: ReadConn, limit: int) -> Sequence[tuple[UUID, UUID]]:
    """Brain and id of memories of the transaction's org whose key an earlier release made; in that order, at most `limit`."""
    old = func.mem.list_old_keys(limit).table_valued("brain_id", "memory_id")
    return [(row.brain_id, row.memory_id) for row in await conn.execute(select(old.c.brain_id, old.c.memory_id))]


async def find(conn: WriteConn, org_id: UUID, memory_id: UUID) -> bytes | None:
    """The duplicate key of a memory that is there; None for what may repeat."""
    m = t.memories.c
    found = (await conn.execute(select(m.duplicate_key).where(m.org_id == org_id, m.id == memory_id))).scalar_one()
    return None if found is None else bytes(found)


async def put(conn: WriteConn, org_id: UUID, memory_id: UUID, key: bytes | None) -> None:
    """Give a locked memory another duplicate key; nothing else of it changes."""
    m = t.memories.c
    await conn.execute(update(t.memories).where(m.org_id == org_id, m.id == memory_id).values(duplicate_key=key))
