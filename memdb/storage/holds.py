"""Rows of holds: which actions keep a memory from being served, and what waits for somebody to say whom it is about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, exists, insert, select

from governance.policy.rules import UNATTRIBUTED
from governance.scopes import ScopeFilter
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn


async def add_holds(conn: WriteConn, org_id: UUID, rows: Sequence[tuple[UUID, UUID, list[str], UUID, UUID | None]], now: datetime) -> None:
    """Store one action per held write: (action id, memory id, reason codes, brain id, subject)."""
    if rows:
        await conn.execute(
            insert(t.hold_actions),
            [
                {"org_id": org_id, "id": a, "kind": _hold_kind(r), "reasons": r, "created_at": now, "created_by": s}
                for a, _, r, _, s in rows
            ],
        )
        await conn.execute(
            insert(t.holds),
            [{"org_id": org_id, "memory_id": m, "action_id": a, "brain_id": b, "created_at": now} for a, m, _, b, _ in rows],
        )


def _hold_kind(reasons: list[str]) -> str:
    # What is held for any other reason as well is a matter for reviewers, not for whoever sorts a notebook.
    return UNATTRIBUTED if reasons == [UNATTRIBUTED] else "write"


async def list_unattributed(conn: ReadConn, scope: ScopeFilter, brain_id: UUID, *, after: UUID | None, limit: int) -> list[UUID]:
    """Memories of a brain that wait to be attributed and for nothing else, oldest first; at most `limit` of those behind `after`."""
    query = _waiting(scope.org_id).where(t.holds.c.brain_id == brain_id, t.holds.c.brain_id.in_(scope.brain_ids))
    if after is not None:
        query = query.where(t.holds.c.memory_id > after)
    return [row.memory_id for row in await conn.execute(query.order_by(t.holds.c.memory_id).limit(limit))]


async def is_unattributed(conn: ReadConn | WriteConn, org_id: UUID, memory_id: UUID) -> bool:
    """True when the memory waits to be attributed and for nothing else."""
    return (await conn.execute(_waiting(org_id).where(t.holds.c.memory_id == memory_id))).first() is not None


def _waiting(org_id: UUID) -> Select[tuple[UUID]]:
    h, a = t.holds.c, t.hold_actions.c
    both = t.holds.join(t.hold_actions, (a.org_id == h.org_id) & (a.id == h.action_id))
    other = t.holds.alias("other")
    o = other.c
    # What something else holds as well, such as a quarantine, is for reviewers, and until they release it for nobody else.
    alone = ~exists().where(o.org_id == org_id, o.memory_id == h.memory_id, o.action_id != h.action_id)
    return select(h.memory_id).select_from(both).where(h.org_id == org_id, a.org_id == org_id, a.kind == UNATTRIBUTED, alone)
