"""What policy held, before a reviewer: read with its reasons and sources, released, or purged.

A reviewer reads held memories of every brain of the org and nothing else there; each is read and decided as a job bound to its brain.
Release takes every hold off, and from then on the memory is served like any other; purge deletes it for good.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

from governance.audit import AuditEvent, DetailValue, actor_of
from governance.errors import NotFound
from governance.principals import Capability, require
from governance.scopes import of_job
from memdb.directory.authentication import Authenticated
from memdb.errors import IntegrityFailed
from memdb.formation.rebuild import rebuild_contexts
from memdb.lifecycle.duplicate_keys import key_of
from memdb.lifecycle.legal_hold import require_deletable
from memdb.models.memory import Memory
from memdb.runtime import Runtime
from memdb.storage import erasing, forgotten, holds, memories, origins, topics
from memdb.storage.audit import Auditor, record, record_all
from memdb.storage.database import Identity, WriteConn, tried_again
from memdb.storage.memories import Stored
from memdb.storage.origins import SourceRow
from memdb.text.lexemes import analyse


@dataclass(frozen=True, slots=True)
class Held:
    """A memory that waits for a reviewer. `reasons`: codes of every action that holds it; `intact` False: it can only be purged."""

    memory: Memory
    reasons: tuple[str, ...]
    sources: tuple[SourceRow, ...]
    intact: bool


async def list_held(runtime: Runtime, who: Authenticated, *, after: UUID | None, limit: int) -> tuple[list[Held], UUID | None]:
    """What waits in the org, oldest first, at most `limit` of those behind `after`; the id that the next page begins behind. Audited.

    Raises:
        AccessDenied: the caller lacks the capability reviewer.
    """
    require(who.principal, Capability.REVIEWER)
    org_id = who.principal.org_id
    async with runtime.database.read(who.identity) as conn:
        waiting = await holds.list_held(conn, after=after, limit=limit + 1)
    page = waiting[:limit]
    found: dict[UUID, Held] = {}
    for brain_id in sorted({brain for _, brain in page}):
        ids = [memory_id for memory_id, brain in page if brain == brain_id]
        found |= await _read(runtime, org_id, brain_id, ids)
    if found:
        events = [_event(runtime, who, "review.read", each.memory) for each in found.values()]
        async with runtime.database.write(who.identity) as conn:
            await record_all(conn, events)
    return [found[memory_id] for memory_id, _ in page if memory_id in found], page[-1][0] if len(waiting) > limit else None


async def _read(runtime: Runtime, org_id: UUID, brain_id: UUID, ids: list[UUID]) -> dict[UUID, Held]:
    async with runtime.database.read(Identity(org_id, job_brain_id=brain_id)) as conn:
        rows = await memories.list_by_id(conn, of_job(org_id, brain_id), ids, runtime.keyring)
        reasons = await holds.list_reasons(conn, org_id, ids)
        wanted = [(row.memory.id, row.memory.version) for row in rows.values()]
        sources = await origins.list_sources(conn, org_id, [brain_id], wanted)
    return {
        memory_id: Held(row.memory, tuple(reasons.get(memory_id, ())), tuple(s for s in sources if s.memory_id == memory_id), row.intact)
        for memory_id, row in rows.items()
        if row.held
    }


async def release(runtime: Runtime, who: Authenticated, memory_id: UUID) -> Memory:
    """Let a held memory be served; it as it is then.

    Raises:
        AccessDenied: the caller lacks the capability reviewer.
        NotFound: no such memory waits for a reviewer.
        IntegrityFailed: it was changed behind the product's back; it can only be purged.
    """

    async def do(conn: WriteConn, found: Stored) -> Memory:
        memory, keyring = found.memory, runtime.keyring
        if not found.intact:
            raise IntegrityFailed(f"memory {memory_id} does not match its seal and is not released; purge it")
        key = await key_of(conn, keyring, memory.org_id, memory, held=False)
        state = await memories.replace(conn, keyring, memory, key, ())
        await topics.keep_topic(conn, memory)
        await holds.release(conn, memory.org_id, memory_id)
        await memories.add_terms(conn, memory, analyse(memory.content, memory.language))
        await record(conn, _event(runtime, who, "review.release", memory, state))
        return memory

    return await _decide(runtime, who, memory_id, do)


async def purge(runtime: Runtime, who: Authenticated, memory_id: UUID) -> None:
    """Delete a held memory for good. Raises AccessDenied and NotFound as `release`, and UnderLegalHold for what the org must keep."""

    async def do(conn: WriteConn, found: Stored) -> Memory:
        memory, now = found.memory, runtime.clock.now()
        await require_deletable(conn, who.policy.legal_hold, memory)
        await forgotten.keep(conn, memory.org_id, memory_id, now)
        gone = await origins.delete_orphans(conn, memory.org_id, memory_id)
        state = await memories.erase(conn, runtime.keyring, memory, now)
        await rebuild_contexts(conn, runtime.keyring, (memory.org_id, [memory.brain_id]), now, gone=gone)
        await record(conn, _event(runtime, who, "review.purge", memory, state))
        return memory

    await _decide(runtime, who, memory_id, do)


async def _decide(runtime: Runtime, who: Authenticated, memory_id: UUID, do: Callable[[WriteConn, Stored], Awaitable[Memory]]) -> Memory:
    """Do it with the locked memory, if it waits for a reviewer."""
    require(who.principal, Capability.REVIEWER)
    org_id = who.principal.org_id
    async with runtime.database.read(who.identity) as conn:
        brain_id = await erasing.find_brain_of(conn, org_id, "memory", memory_id)
    if brain_id is None:
        raise NotFound("no such memory waits for a reviewer")

    async def once() -> Memory:
        async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
            await origins.lock_sources(conn, org_id, [brain_id], memory_id)
            found = await memories.lock(conn, of_job(org_id, brain_id), memory_id, runtime.keyring, to_delete=True)
            if found is None or not found.held or await holds.is_unattributed(conn, org_id, memory_id):
                raise NotFound("no such memory waits for a reviewer")
            return await do(conn, found)

    return await tried_again(once)


def _event(runtime: Runtime, who: Authenticated, action: str, memory: Memory, state: bytes | None = None) -> AuditEvent:
    auditor = Auditor(runtime.keyring, memory.org_id, actor_of(who.principal), at=runtime.clock.now(), request_id=who.request_id)
    detail: dict[str, DetailValue] = {"version": memory.version}
    return auditor.event(action, ("memory", memory.id), brain_id=memory.brain_id, detail=detail, commitment=state)
