"""Rows of extractions: what became of each snapshot under each handler; and of derivations, which memory came of which snapshot."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert

from memdb.models.memory import Kind
from memdb.models.turn import ExtractionState, Snapshot
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn, search
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")
_E = t.extractions.c
_D = t.derivations.c
_COLUMNS = (
    _E.snapshot_id, _E.handler, _E.brain_id, _E.session_id, _E.state, _E.run, _E.attempts, _E.failure, _E.extractor, _E.found, _E.added,
    _E.updated, _E.reinforced, _E.ended, _E.refused, _E.tokens_in, _E.tokens_out, _E.cost_micros, _E.created_at, _E.changed_at,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a handler made of a snapshot so far. `failure`: the code of the last error. Tokens and cost (millionths) are of all tries."""

    snapshot_id: UUID
    handler: Kind
    brain_id: UUID
    session_id: UUID
    state: ExtractionState
    run: int
    attempts: int
    failure: str | None
    extractor: str | None
    found: int
    added: int
    updated: int
    reinforced: int
    ended: int
    refused: int
    tokens_in: int
    tokens_out: int
    cost_micros: int
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """That a memory came of a snapshot, at this version: what the write path did and why, and the turns that it rests on."""

    id: UUID
    memory_id: UUID
    version: int
    snapshot_id: UUID
    handler: Kind
    run: int
    action: str
    reason: str
    turn_ids: tuple[UUID, ...]
    created_at: datetime


async def add(conn: WriteConn, org_id: UUID, snapshots: Sequence[Snapshot], handlers: Collection[Kind], now: datetime) -> None:
    """Let each handler have each snapshot to read; what it has already stays."""
    rows = [
        {
            "org_id": org_id, "snapshot_id": one.id, "handler": handler.value, "brain_id": one.brain_id, "session_id": one.session_id,
            "state": ExtractionState.WAITING.value, "run": 1, "attempts": 0, "found": 0, "added": 0, "updated": 0, "reinforced": 0,
            "ended": 0, "refused": 0, "tokens_in": 0, "tokens_out": 0, "cost_micros": 0, "created_at": now, "changed_at": now,
        }
        for one in snapshots
        for handler in handlers
    ]  # fmt: skip
    if rows:
        await conn.execute(insert(t.extractions).on_conflict_do_nothing(), rows)


async def find(conn: ReadConn | WriteConn, org_id: UUID, snapshot_id: UUID, handler: Kind, *, lock: bool = False) -> Extraction | None:
    """The extraction of a brain that the transaction's identity may read. `lock`: until the transaction ends."""
    query = select(*_COLUMNS).where(*_one(org_id, snapshot_id, handler))
    row = (await conn.execute(query.with_for_update() if lock else query)).first()
    return None if row is None else _extraction(row)


async def list_of_snapshots(conn: ReadConn | WriteConn, org_id: UUID, snapshot_ids: Collection[UUID]) -> dict[UUID, list[Extraction]]:
    """Extractions by snapshot, in the order of their handlers."""
    found: dict[UUID, list[Extraction]] = {}
    if snapshot_ids:
        query = select(*_COLUMNS).where(_E.org_id == org_id, _E.snapshot_id.in_(snapshot_ids)).order_by(_E.handler)
        for row in await conn.execute(query):
            found.setdefault(row.snapshot_id, []).append(_extraction(row))
    return found


async def finish(conn: WriteConn, org_id: UUID, done: Extraction) -> None:
    """Store what an extraction has become."""
    changed = ("state", "run", "attempts", "failure", "extractor", "found", "added", "updated", "reinforced", "ended", "refused",
               "tokens_in", "tokens_out", "cost_micros", "changed_at")  # fmt: skip
    values = {name: getattr(done, name) for name in changed}
    await conn.execute(update(t.extractions).where(*_one(org_id, done.snapshot_id, done.handler)).values(values))


async def list_unfinished(
    conn: ReadConn, org_id: UUID, state: ExtractionState, *, before: datetime, after: tuple[datetime, UUID] | None, limit: int
) -> list[Extraction]:
    """Extractions of an org in a state that is not DONE, unchanged since `before`, the longest first; of every brain, as memdb_search."""
    asked: dict[str, object] = {"org_id": org_id, "state": state.value, "before": before, "limit": limit}
    asked |= {"after": None if after is None else after[0], "after_id": None if after is None else after[1]}
    return [_extraction(row) for row in await search(conn, _STATEMENTS["list_unfinished_extractions"].sql, asked)]


async def count_waiting(conn: ReadConn, org_id: UUID) -> dict[Kind, int]:
    """Extractions of an org that wait, by handler; of every brain, as memdb_search."""
    rows = await search(conn, _STATEMENTS["count_waiting_extractions"].sql, {"org_id": org_id})
    return {Kind(row.handler): row.extractions for row in rows}


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Extractions of every org in one state under one handler. `since`: when the first of them was begun that has never been done."""

    state: ExtractionState
    handler: Kind
    extractions: int
    since: datetime | None


async def count_unfinished(conn: ReadConn) -> list[Unfinished]:
    """Extractions of every org that are not done; as memdb_search."""
    rows = await search(conn, _STATEMENTS["count_unfinished_extractions"].sql, {})
    return [Unfinished(ExtractionState(row.state), Kind(row.handler), row.extractions, row.since) for row in rows]


async def sum_tokens(conn: ReadConn, org_id: UUID, since: datetime) -> int:
    """Tokens, in both directions, of an org's extractions that were worked on since then; of every brain, as memdb_search."""
    (row,) = await search(conn, _STATEMENTS["sum_extraction_tokens"].sql, {"org_id": org_id, "since": since})
    return int(row.tokens)


# ------------------------------------------------------------------------------------------------------------ derivations
async def derive(conn: WriteConn, org_id: UUID, brain_id: UUID, rows: Sequence[Derivation]) -> None:
    """Record what came of a snapshot."""
    if rows:
        names = [name for name in Derivation.__dataclass_fields__ if name != "turn_ids"]
        values = [
            {"org_id": org_id, "brain_id": brain_id, "turn_ids": list(row.turn_ids)} | {name: getattr(row, name) for name in names}
            for row in rows
        ]
        await conn.execute(insert(t.derivations), values)


async def list_of_memories(conn: ReadConn | WriteConn, org_id: UUID, memory_ids: Collection[UUID]) -> list[Derivation]:
    """What memories came of, the earliest first."""
    query = select(t.derivations).where(_D.org_id == org_id, _D.memory_id.in_(memory_ids)).order_by(_D.memory_id, _D.id)
    return [_derivation(row) for row in await conn.execute(query)] if memory_ids else []


async def list_of_snapshot(conn: ReadConn | WriteConn, org_id: UUID, snapshot_id: UUID, handler: Kind | None = None) -> list[Derivation]:
    """What came of a snapshot, by handler and time."""
    query = select(t.derivations).where(_D.org_id == org_id, _D.snapshot_id == snapshot_id)
    if handler is not None:
        query = query.where(_D.handler == handler.value)
    return [_derivation(row) for row in await conn.execute(query.order_by(_D.handler, _D.id))]


async def keep_derivations(conn: WriteConn, org_id: UUID, ids: Collection[UUID], run: int) -> None:
    """Derivations that a later run came to again."""
    if ids:
        await conn.execute(update(t.derivations).where(_D.org_id == org_id, _D.id.in_(ids)).values(run=run))


async def forget(conn: WriteConn, org_id: UUID, ids: Collection[UUID]) -> None:
    """Take derivations out."""
    if ids:
        await conn.execute(delete(t.derivations).where(_D.org_id == org_id, _D.id.in_(ids)))


def _one(org_id: UUID, snapshot_id: UUID, handler: Kind) -> tuple[Any, ...]:
    return (_E.org_id == org_id, _E.snapshot_id == snapshot_id, _E.handler == handler.value)


def _extraction(row: Any) -> Extraction:  # noqa: ANN401 - a database row
    values = {name: getattr(row, name) for name in Extraction.__dataclass_fields__}
    return Extraction(**values | {"handler": Kind(row.handler), "state": ExtractionState(row.state)})


def _derivation(row: Any) -> Derivation:  # noqa: ANN401 - a database row
    values = {name: getattr(row, name) for name in Derivation.__dataclass_fields__}
    return Derivation(**values | {"handler": Kind(row.handler), "turn_ids": tuple(row.turn_ids)})
