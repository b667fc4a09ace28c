"""What a write changes beside the memory itself when it has a topic: the topic's row, the unit that stands for it, and its conflicts."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from governance.audit import AuditEvent
from governance.principals import Principal
from governance.scopes import ScopeFilter
from memdb.ids import make_id
from memdb.models.memory import Memory
from memdb.storage import conflicts, memories, topics
from memdb.storage.audit import Auditor
from memdb.storage.database import WriteConn
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.formation.work import Work


async def leave_topic(conn: WriteConn, before: Memory, after: Memory, *, unit: bool) -> None:
    """Behind an update: let a unit follow its memory, and take the former topic out if nothing has it any more."""
    was, now = (None if topic is None else fold(topic) for topic in (before.topic, after.topic))
    if was == now:
        return
    if unit:
        await topics.move_unit(conn, after)
    if was is not None:
        await topics.forget_topic(conn, before.org_id, before.brain_id, was)


async def flag(
    conn: WriteConn,
    principal: Principal,
    auditor: Auditor,
    versions: tuple[Memory, Memory],
    reason: conflicts.ConflictReason,
    now: datetime,
) -> AuditEvent:
    """Flag that the first version took the place of the second without having seen it, or contradicts it; the event that tells of it."""
    after, before = versions
    side, other = (after.id, after.version), (before.id, before.version)
    raised = (principal.subject_id, principal.key_id)
    new = conflicts.NewConflict(make_id(), after.brain_id, side, other, reason, None, raised)
    await conflicts.insert_conflict(conn, after.org_id, new, now)
    detail: dict[str, int | str | UUID] = {"version": after.version, "other_version": before.version, "reason": reason.value}
    if after.id != before.id:
        detail |= {"other": before.id}
    return auditor.event("memory.conflict", ("memory", after.id), brain_id=after.brain_id, detail=detail)


async def flag_against(w: Work, brain_id: UUID, memory_id: UUID, against: Collection[UUID]) -> bool:
    """Flag that a memory and others say different values of one thing; False when none of them is served. Each two are flagged once."""
    scope = w.scope_of(brain_id)
    found = await memories.list_by_id(w.conn, scope, {memory_id, *against}, w.runtime.keyring)
    memory = found[memory_id].memory
    sides = [row.memory for one, row in sorted(found.items()) if one != memory_id and row.intact and not row.held]
    open_ones = (
        {frozenset((row.memory_id, row.other_id)) for row in await conflicts.list_open(w.conn, scope, [memory_id])} if sides else set()
    )
    for side in sides:
        if frozenset((memory_id, side.id)) not in open_ones:
            w.events.append(await flag(w.conn, w.principal, w.auditor, (memory, side), conflicts.ConflictReason.SPEAKERS, w.now))
    return bool(sides)


async def settle_speakers(conn: WriteConn, scope: ScopeFilter, principal: Principal, memory_id: UUID, now: datetime) -> None:
    """Close what was flagged between speakers about a memory that has ended: the other side holds."""
    rows = [row for row in await conflicts.list_open(conn, scope, [memory_id]) if row.reason is conflicts.ConflictReason.SPEAKERS]
    for resolution, ids in (
        (conflicts.Resolution.RESTORED, [row.id for row in rows if row.memory_id == memory_id]),
        (conflicts.Resolution.KEPT, [row.id for row in rows if row.memory_id != memory_id]),
    ):
        if ids:
            await conflicts.settle(conn, scope.org_id, ids, resolution, (principal.subject_id, principal.key_id), now)
