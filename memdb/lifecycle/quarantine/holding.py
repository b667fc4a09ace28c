"""One chunk of an action: some memories of one brain are held, or no longer held by it, in one transaction.

INVARIANT: the holds of a memory, its seal, what branches filter by, the counts of its words, contexts made of it and the event that tells
of it change together. Of overlapping actions each changes its own hold alone; a memory is served once the last one is gone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from governance.audit import AuditEvent, DetailValue
from governance.scopes import of_job
from memdb.formation.rebuild import rebuild_contexts, restore_contexts
from memdb.ids import make_id
from memdb.lifecycle.duplicate_keys import key_of
from memdb.models.memory import Memory
from memdb.runtime import Runtime
from memdb.storage import duplicate_keys, holding, origins
from memdb.storage.audit import Auditor, record_all
from memdb.storage.database import WriteConn
from memdb.storage.memories import Stored


@dataclass(frozen=True, slots=True)
class Chunk:
    """Where a chunk is done: a transaction that may write in the brain, and who is told of as the one who acts."""

    runtime: Runtime
    conn: WriteConn
    auditor: Auditor
    org_id: UUID
    brain_id: UUID
    now: datetime


async def hold_some(at: Chunk, action_id: UUID, ids: Collection[UUID]) -> int:
    """Let an action hold memories; how many it holds now that it did not. What is gone is passed over."""
    found = await holding.lock_many(at.conn, of_job(at.org_id, at.brain_id), ids, at.runtime.keyring)
    new = {one: row for one, row in found.items() if action_id not in row.holds}
    served = sorted(one for one, row in new.items() if not row.held)
    await holding.hold(at.conn, at.org_id, (at.brain_id, action_id), sorted(new), at.now)
    after = {one: tuple(sorted((*row.holds, action_id))) for one, row in new.items()}
    if served:
        await holding.set_held(at.conn, at.org_id, served, [make_id() for _ in served], held=True)
        withheld = await origins.list_withheld(at.conn, at.org_id, served)
        await rebuild_contexts(at.conn, at.runtime.keyring, (at.org_id, [at.brain_id]), at.now, gone=withheld)
    await _tell(at, "memory.hold", new, after, [action_id])
    return len(new)


async def release_some(at: Chunk, action_ids: Collection[UUID], ids: Collection[UUID], *, at_write: bool = False) -> int:
    """Delete the holds that these actions have on memories; of how many memories. Those that nothing holds any more are served again.

    `at_write`: one of them held a memory when it was written, under a key that no repetition meets; from now on it has its own.
    """
    found = await holding.lock_many(at.conn, of_job(at.org_id, at.brain_id), ids, at.runtime.keyring)
    freed = {one: row for one, row in found.items() if set(row.holds) & set(action_ids)}
    after = {one: tuple(h for h in row.holds if h not in action_ids) for one, row in freed.items()}
    served = sorted(one for one, holds in after.items() if not holds)
    await holding.unhold(at.conn, at.org_id, action_ids, ids)
    if served:
        await holding.set_held(at.conn, at.org_id, served, [make_id() for _ in served], held=False)
        back = await origins.list_fragment_ids(at.conn, at.org_id, served)
        await restore_contexts(at.conn, at.runtime.keyring, at.org_id, back, at.now)
    if at_write:
        await _renew_keys(at, [row.memory for row in freed.values() if row.intact])
    await _tell(at, "memory.release", freed, after, action_ids)
    return len(freed)


async def _renew_keys(at: Chunk, released: Sequence[Memory]) -> None:
    for memory in released:
        before = await duplicate_keys.find(at.conn, at.org_id, memory.id)
        if before is not None:
            key = await key_of(at.conn, at.runtime.keyring, at.org_id, memory, held=False)
            if key != before:
                await duplicate_keys.put(at.conn, at.org_id, memory.id, key)


async def _tell(
    at: Chunk, action: str, rows: dict[UUID, Stored], after: dict[UUID, tuple[UUID, ...]], action_ids: Collection[UUID]
) -> None:
    """Seal what was intact anew, and record one event for each memory.

    SECURITY: a row that does not match its seal keeps it, so that holding and releasing do not make a forged one genuine.
    """
    intact = [(row.memory, after[one]) for one, row in sorted(rows.items()) if row.intact]
    states = await holding.set_seals(at.conn, at.runtime.keyring, intact)
    events: list[AuditEvent] = []
    for one, row in sorted(rows.items()):
        detail: dict[str, DetailValue] = {
            "version": row.memory.version,
            "actions": sorted(action_ids),
            "holds": len(after[one]),
            "intact": row.intact,
        }
        events.append(at.auditor.event(action, ("memory", one), brain_id=at.brain_id, detail=detail, commitment=states.get(one)))
    await record_all(at.conn, events)
