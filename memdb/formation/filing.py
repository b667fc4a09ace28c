"""What a write changes beside the memory itself when it has a topic: the topic's row, the unit that stands for it, and its conflicts."""

from __future__ import annotations

from datetime import datetime

from governance.audit import AuditEvent
from governance.principals import Principal
from memdb.ids import make_id
from memdb.models.memory import Memory
from memdb.storage import conflicts, topics
from memdb.storage.audit import Auditor
from memdb.storage.database import WriteConn
from memdb.text.normalise import fold


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
    """Flag that the first version took the place of the second without having seen it; the event that tells of it."""
    after, before = versions
    side, other = (after.id, after.version), (before.id, before.version)
    raised = (principal.subject_id, principal.key_id)
    new = conflicts.NewConflict(make_id(), after.brain_id, side, other, reason, None, raised)
    await conflicts.insert_conflict(conn, after.org_id, new, now)
    detail = {"version": after.version, "other_version": before.version, "reason": reason.value}
    return auditor.event("memory.conflict", ("memory", after.id), brain_id=after.brain_id, detail=detail)
