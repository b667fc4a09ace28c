"""Contexts of memories, which are derived from fragments: who depends on which, and what has to be made anew."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select, update

from memdb.keyring import Keyring
from memdb.storage import tables as t
from memdb.storage.database import WriteConn, set_local
from memdb.storage.seals import seal_context
from memdb.storage.statements import load
from memdb.text.lexemes import Analysis

_STATEMENTS = load("memdb.storage.sql")


async def list_depending(
    conn: WriteConn, org_id: UUID, brain_ids: Collection[UUID], fragment_ids: Collection[UUID]
) -> list[tuple[UUID, tuple[UUID, ...], str]]:
    """(memory id, fragments of its context, its language) of memories of these brains with a context from one of the fragments, by id."""
    wanted = {"org_id": org_id, "brain_ids": list(brain_ids), "fragment_ids": list(fragment_ids)}
    # SECURITY: memdb_search sees index rows of every org; the statement binds org and brains, and the role ends with it.
    await set_local(conn, role="memdb_search")
    rows = (await conn.execute(_STATEMENTS["list_depending"].clause, wanted)).all()
    await set_local(conn, role="none")
    return [(row.memory_id, tuple(row.context_fragments), row.language) for row in rows]


async def set_context(conn: WriteConn, keyring: Keyring, of: tuple[UUID, UUID], context: Analysis, fragment_ids: Sequence[UUID]) -> None:
    """Replace the context of the index row of a memory, (org, id)."""
    org_id, memory_id = of
    i = t.memory_index.c
    values: dict[str, object] = {"context": context.tsvector(), "context_count": context.length, "context_fragments": list(fragment_ids)}
    values["context_mac"] = seal_context(keyring, of, context, fragment_ids)
    await conn.execute(update(t.memory_index).where(i.org_id == org_id, i.memory_id == memory_id).values(values))


async def renew_context_vectors(conn: WriteConn, org_id: UUID, memory_ids: Collection[UUID], now: datetime) -> None:
    """Remove vectors over contexts that changed or went; what still has a context waits for the backfill."""
    for row in (await conn.execute(select(t.embedding_spaces.c.name, t.embedding_spaces.c.dimension))).all():
        table = t.vector_table(row.name, row.dimension)
        old = delete(table).where(table.c.org_id == org_id, table.c.memory_id.in_(memory_ids), table.c.field == "context")
        await conn.execute(old)
        waiting = {"org_id": org_id, "space": row.name, "memory_ids": sorted(memory_ids), "now": now, "all": False}
        await conn.execute(_STATEMENTS["await_vectors"].clause, waiting)


async def list_after(conn: WriteConn, org_id: UUID, fragment_ids: Collection[UUID], near: int) -> list[tuple[UUID, UUID, int, str]]:
    """(memory id, episode, position of its own fragment, its language) of memories whose fragment stands at most `near` places behind one
    of these in its episode, by memory and position.
    """
    wanted = {"org_id": org_id, "fragment_ids": list(fragment_ids), "near": near}
    rows = (await conn.execute(_STATEMENTS["list_after"].clause, wanted)).all()
    return sorted((row.memory_id, row.episode_id, row.position, row.language) for row in rows)


async def list_fragments_of(conn: WriteConn, org_id: UUID, memory_ids: Collection[UUID]) -> dict[UUID, tuple[UUID, ...]]:
    """Memory -> the fragments that its context is made of."""
    i = t.memory_index.c
    query = select(i.memory_id, i.context_fragments).where(i.org_id == org_id, i.memory_id.in_(memory_ids))
    return {row.memory_id: tuple(row.context_fragments) for row in await conn.execute(query)}
