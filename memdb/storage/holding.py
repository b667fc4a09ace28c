"""Rows of holds that many memories get or lose at once, with their seals and what branches and statistics know of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert

from governance.scopes import ScopeFilter
from memdb.keyring import Keyring
from memdb.models.memory import Memory
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn, search
from memdb.storage.memories import Stored, list_by_id
from memdb.storage.rows import to_json
from memdb.storage.seals import make_seals
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")
_H = t.holds.c


async def lock_many(conn: WriteConn, scope: ScopeFilter, ids: Collection[UUID], keyring: Keyring) -> dict[UUID, Stored]:
    """Current rows of the one brain in scope, locked in the order of their ids until the transaction ends; what is gone is absent."""
    (brain_id,) = scope.brain_ids
    await conn.execute(_STATEMENTS["lock_many"].clause, {"org_id": scope.org_id, "brain_id": brain_id, "ids": sorted(ids)})
    return await list_by_id(conn, scope, ids, keyring)


async def set_seals(conn: WriteConn, keyring: Keyring, states: Sequence[tuple[Memory, tuple[UUID, ...]]]) -> dict[UUID, bytes]:
    """Seal locked memories anew with the actions that hold them now, nothing else of them having changed; the new states by id."""
    rows, made = [], {}
    for memory, holds in states:
        key_id, version, state = make_seals(keyring, memory, holds)
        rows.append({"id": memory.id, "mac_key_id": key_id, "mac_version": version, "mac_state": state})
        made[memory.id] = state
    if rows:
        await conn.execute(_STATEMENTS["set_seals"].clause, {"org_id": states[0][0].org_id, "rows": to_json(rows)})
    return made


async def hold(conn: WriteConn, org_id: UUID, of: tuple[UUID, UUID], memory_ids: Sequence[UUID], now: datetime) -> None:
    """Let an action hold memories of a brain: `of` is (brain, action)."""
    rows = [{"org_id": org_id, "brain_id": of[0], "action_id": of[1], "memory_id": one, "created_at": now} for one in memory_ids]
    if rows:
        await conn.execute(insert(t.holds), rows)


async def unhold(conn: WriteConn, org_id: UUID, action_ids: Collection[UUID], memory_ids: Collection[UUID]) -> int:
    """Delete the holds that these actions have on memories; how many."""
    query = delete(t.holds).where(_H.org_id == org_id, _H.action_id.in_(action_ids), _H.memory_id.in_(memory_ids))
    return (await conn.execute(query)).rowcount


async def list_held_by(conn: ReadConn, org_id: UUID, action_id: UUID, limit: int) -> list[tuple[UUID, UUID]]:
    """(brain, memory) of some that an action holds, in order."""
    rows = await search(conn, _STATEMENTS["list_held_by"].sql, {"org_id": org_id, "action_id": action_id, "limit": limit})
    return sorted((row.brain_id, row.memory_id) for row in rows)


async def count_held(conn: ReadConn, org_id: UUID, memory_ids: Collection[UUID]) -> int:
    """How many of them are held by any action."""
    (row,) = await search(conn, _STATEMENTS["count_held"].sql, {"org_id": org_id, "ids": list(memory_ids)})
    return int(row.held)


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A held memory, and the actions that hold it in the order of their ids."""

    memory_id: UUID
    brain_id: UUID
    action_ids: tuple[UUID, ...]


async def list_reviews(
    conn: ReadConn, org_id: UUID, *, brain_id: UUID | None, action_id: UUID | None, after: UUID | None, limit: int
) -> list[HeldRow]:
    """Held memories of an org, oldest first, of one brain or of one action; at most `limit` of those behind an id."""
    asked = {"org_id": org_id, "brain": brain_id, "action_id": action_id, "after": after, "limit": limit}
    rows = await search(conn, _STATEMENTS["list_reviews"].sql, asked)
    return [HeldRow(row.memory_id, row.brain_id, tuple(row.action_ids)) for row in rows]


async def set_held(conn: WriteConn, org_id: UUID, memory_ids: Collection[UUID], delta_ids: Sequence[UUID], *, held: bool) -> None:
    """Let branches pass over memories or find them again, and take their words out of the statistics or add them.

    Args:
        conn: allowed to write in their brain.
        org_id: theirs.
        memory_ids: of locked memories that were the other way until now.
        delta_ids: as many new ids.
        held: which way.
    """
    ids = sorted(memory_ids)
    await conn.execute(_STATEMENTS["set_held"].clause, {"org_id": org_id, "ids": ids, "held": held})
    counted = {"org_id": org_id, "ids": ids, "delta_ids": list(delta_ids), "sign": -1 if held else 1}
    await conn.execute(_STATEMENTS["count_words"].clause, counted)
