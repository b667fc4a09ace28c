"""What an org keeps for a time only: questions, and memories by kind since they were last confirmed. A legal hold keeps both."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.audit import OWNER
from memdb.formation.rebuild import rebuild_contexts
from memdb.lifecycle.legal_hold import is_deletable
from memdb.storage import memories, origins, subjects, upkeep
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Identity, WriteConn
from memdb.storage.upkeep import RECALLS_MAX

if TYPE_CHECKING:
    from governance.audit import DetailValue
    from governance.policy.document import OrgPolicy
    from memdb.models.memory import Memory
    from memdb.runtime import Runtime

ROUNDS_MAX: Final = 20  # transactions for the questions of one org in one pass


async def remove_outdated(runtime: Runtime, org_id: UUID, policy: OrgPolicy) -> tuple[int, int]:
    """Delete what the policy of an org keeps no longer; how many questions and memories."""
    now, hold = runtime.clock.now(), policy.legal_hold
    async with runtime.database.read(Identity(org_id)) as conn:
        kept = (await subjects.expand(conn, org_id, hold.subjects)).members | hold.subjects
    recalls = 0 if policy.retention.recalls is None else await _forget_recalls(runtime, org_id, now - policy.retention.recalls, kept)
    deleted = 0
    for kind, time in policy.retention.memories.items():
        async with runtime.database.read(Identity(org_id)) as conn:
            found = await upkeep.list_unconfirmed(conn, kind, now - time, hold.brains, kept)
        for brain_id, ids in found.items():
            for memory_id in ids:
                async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as write:
                    memory = await upkeep.lock_unconfirmed(write, org_id, memory_id, now - time)
                    if memory is not None and await is_deletable(write, hold, memory):
                        await erase_outdated(runtime, write, memory, now, {"policy": policy.version})
                        deleted += 1
    return recalls, deleted


async def erase_outdated(runtime: Runtime, conn: WriteConn, memory: Memory, now: datetime, detail: Mapping[str, DetailValue]) -> None:
    """Delete a locked memory because its time is over."""
    auditor = Auditor(runtime.keyring, memory.org_id, OWNER, at=now, request_id=None)
    await memories.remove_terms(conn, memory.org_id, memory.id)
    gone = await origins.delete_orphans(conn, memory.org_id, memory.id)
    state = await memories.erase(conn, runtime.keyring, memory, now)
    await rebuild_contexts(conn, runtime.keyring, (memory.org_id, [memory.brain_id]), now, gone=gone)
    event = auditor.event("memory.expire", ("memory", memory.id), brain_id=memory.brain_id, detail=detail, commitment=state)
    await record(conn, event)


async def _forget_recalls(runtime: Runtime, org_id: UUID, before: datetime, kept: frozenset[UUID]) -> int:
    gone = 0
    for _ in range(ROUNDS_MAX):
        async with runtime.database.write(Identity(org_id)) as conn:
            count = await upkeep.forget_recalls(conn, floor_of(before), kept)
        gone += count
        if count < RECALLS_MAX:
            break
    return gone


def floor_of(moment: datetime) -> UUID:
    """The lowest id that could have been made at a moment."""
    milliseconds = int(moment.timestamp() * 1000)
    return UUID(int=(milliseconds << 80) | (7 << 76) | (2 << 62))
