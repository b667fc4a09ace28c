"""Rows of quarantine: actions with their state, what they have selected, and sessions that they hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update

from memdb.models.turn import ExtractionState
from memdb.storage import quarantine_tables as q
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn, search
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")
_A, _G, _SH = t.hold_actions.c, q.hold_targets.c, q.session_holds.c
QUARANTINE = "quarantine"


class ActionState(StrEnum):
    """How far an action has come."""

    RUNNING = "running"
    DONE = "done"
    RELEASING = "releasing"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class ActionRow:
    """An action that holds memories. `reason` is redacted; `selection` has ids, moments and words of the product.

    `memories` were selected; `done` of them are held, or while and after it is released, are not held by it any more.
    """

    id: UUID
    kind: str
    reasons: tuple[str, ...]
    created_at: datetime
    created_by: UUID | None
    created_key: str | None
    state: ActionState
    reason: str | None = field(repr=False)
    selection: Mapping[str, Any]
    memories: int
    sessions: int
    done: int
    changed_at: datetime | None
    released_at: datetime | None
    released_by: UUID | None
    released_key: str | None


async def add_action(conn: WriteConn, org_id: UUID, action: ActionRow) -> None:
    """Store a new action."""
    values = {name: getattr(action, name) for name in ActionRow.__dataclass_fields__}
    values |= {"org_id": org_id, "state": action.state.value, "reasons": list(action.reasons), "selection": dict(action.selection)}
    await conn.execute(insert(t.hold_actions).values(values))


async def find_action(conn: ReadConn | WriteConn, org_id: UUID, action_id: UUID) -> ActionRow | None:
    """An action of the org, of whatever kind."""
    row = (await conn.execute(select(t.hold_actions).where(_A.org_id == org_id, _A.id == action_id))).first()
    return None if row is None else _action(row)


async def find_actions(conn: ReadConn | WriteConn, org_id: UUID, ids: Collection[UUID]) -> dict[UUID, ActionRow]:
    """Actions by id."""
    query = select(t.hold_actions).where(_A.org_id == org_id, _A.id.in_(ids))
    return {row.id: _action(row) for row in await conn.execute(query)} if ids else {}


async def lock_action(conn: WriteConn, org_id: UUID, action_id: UUID, *, wait: bool) -> ActionRow | None:
    """The action, locked until the transaction ends; None when it is gone, or without `wait` when somebody else is at it."""
    query = select(t.hold_actions).where(_A.org_id == org_id, _A.id == action_id)
    row = (await conn.execute(query.with_for_update(skip_locked=not wait, key_share=True))).first()
    return None if row is None else _action(row)


async def list_actions(conn: ReadConn, org_id: UUID, *, before: UUID | None, limit: int) -> list[ActionRow]:
    """Quarantines of an org, newest first; at most `limit` of those before an id. Index: hold_actions_quarantine_idx."""
    query = select(t.hold_actions).where(_A.org_id == org_id, _A.kind == QUARANTINE)
    if before is not None:
        query = query.where(_A.id < before)
    return [_action(row) for row in await conn.execute(query.order_by(_A.id.desc()).limit(limit))]


async def list_open_actions(conn: ReadConn, org_id: UUID) -> list[UUID]:
    """Actions that are to be carried on, the oldest first. Index: hold_actions_open_idx."""
    query = select(_A.id).where(_A.org_id == org_id, _A.state.in_((ActionState.RUNNING.value, ActionState.RELEASING.value)))
    return list((await conn.execute(query.order_by(_A.id))).scalars())


async def list_said(conn: ReadConn, org_id: UUID) -> list[tuple[UUID, str]]:
    """(action, reason) of the quarantines of an org that say one. Index: hold_actions_quarantine_idx."""
    query = select(_A.id, _A.reason).where(_A.org_id == org_id, _A.kind == QUARANTINE, _A.reason.is_not(None))
    return [(row.id, row.reason) for row in await conn.execute(query.order_by(_A.id))]


async def set_action(conn: WriteConn, org_id: UUID, action_id: UUID, **values: object) -> None:
    """Change columns of a locked action."""
    await conn.execute(update(t.hold_actions).where(_A.org_id == org_id, _A.id == action_id).values(values))


# ---------------------------------------------------------------------------------------------------------------- targets
async def add_targets(conn: WriteConn, org_id: UUID, action_id: UUID, targets: Sequence[tuple[UUID, UUID]]) -> None:
    """Note what a new action selected: (brain, memory)."""
    for start in range(0, len(targets), 5_000):
        rows = [
            {"org_id": org_id, "action_id": action_id, "brain_id": brain, "memory_id": memory}
            for brain, memory in targets[start : start + 5_000]
        ]
        await conn.execute(insert(q.hold_targets), rows)


async def list_targets(conn: ReadConn, org_id: UUID, action_id: UUID, limit: int) -> list[tuple[UUID, UUID]]:
    """(brain, memory) of what an action has selected and not held yet, in order. Index: hold_targets_pk."""
    query = select(_G.brain_id, _G.memory_id).where(_G.org_id == org_id, _G.action_id == action_id)
    return [(row.brain_id, row.memory_id) for row in await conn.execute(query.order_by(_G.brain_id, _G.memory_id).limit(limit))]


async def drop_targets(conn: WriteConn, org_id: UUID, action_id: UUID, memory_ids: Collection[UUID] | None = None) -> int:
    """Forget some of them, or all; how many."""
    query = delete(q.hold_targets).where(_G.org_id == org_id, _G.action_id == action_id)
    return (await conn.execute(query if memory_ids is None else query.where(_G.memory_id.in_(memory_ids)))).rowcount


# --------------------------------------------------------------------------------------------------------------- sessions
async def hold_session(conn: WriteConn, org_id: UUID, of: tuple[UUID, UUID], session_id: UUID, now: datetime) -> None:
    """Let an action hold a session: `of` is (brain, action). Whoever cuts it or stores what was learned from it comes before or sees it."""
    await conn.execute(select(t.sessions.c.id).where(t.sessions.c.org_id == org_id, t.sessions.c.id == session_id).with_for_update())
    values = {"org_id": org_id, "session_id": session_id, "action_id": of[1], "brain_id": of[0], "created_at": now}
    await conn.execute(insert(q.session_holds).values(values))


async def lock_extractions(conn: WriteConn, org_id: UUID, session_id: UUID) -> list[tuple[UUID, str]]:
    """(snapshot, handler) of the extractions of a session that wait, locked: what stores one has committed by then, or waits."""
    e, n = t.extractions.c, t.snapshots.c
    mine = select(n.id).where(n.org_id == org_id, n.session_id == session_id)
    query = select(e.snapshot_id, e.handler).where(e.org_id == org_id, e.snapshot_id.in_(mine), e.state == ExtractionState.WAITING.value)
    rows = await conn.execute(query.order_by(e.snapshot_id, e.handler).with_for_update())
    return [(row.snapshot_id, row.handler) for row in rows]


async def unhold_session(conn: WriteConn, org_id: UUID, action_id: UUID, session_id: UUID) -> None:
    """Delete the hold that an action has on a session."""
    await conn.execute(delete(q.session_holds).where(_SH.org_id == org_id, _SH.session_id == session_id, _SH.action_id == action_id))


async def is_session_held(conn: ReadConn | WriteConn, org_id: UUID, session_id: UUID) -> bool:
    """True when any action holds the session, which lies in a brain that the transaction's identity reads."""
    query = select(_SH.session_id).where(_SH.org_id == org_id, _SH.session_id == session_id)
    return (await conn.execute(query.limit(1))).first() is not None


async def list_sessions_of(conn: ReadConn, org_id: UUID, action_id: UUID) -> list[tuple[UUID, UUID]]:
    """(session, brain) that an action holds, by brain."""
    rows = await search(conn, _STATEMENTS["list_sessions_of"].sql, {"org_id": org_id, "action_id": action_id})
    return [(row.session_id, row.brain_id) for row in rows]


def _action(row: Any) -> ActionRow:  # noqa: ANN401 - a database row
    values = {name: getattr(row, name) for name in ActionRow.__dataclass_fields__}
    return ActionRow(**values | {"reasons": tuple(row.reasons), "state": ActionState(row.state)})
