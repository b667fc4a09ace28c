"""The queue of a brain: imported statements that wait until somebody says whom they are about. No door serves them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from governance.audit import actor_of
from governance.errors import InvalidInput, NotFound, ServiceError
from governance.principals import Role
from governance.scopes import of_brain, require_role
from governance.trust import Trust
from memdb.directory.authentication import Authenticated
from memdb.directory.resolving import Asked, Resolved, resolve
from memdb.formation.authorise import authorise
from memdb.formation.batch import Batch
from memdb.formation.pipeline import Formed, Writer, form_authorised
from memdb.formation.rebuild import rebuild_contexts
from memdb.lifecycle.legal_hold import require_deletable
from memdb.models.memory import Memory
from memdb.models.submission import Source, SourceKind, Submission
from memdb.runtime import Runtime
from memdb.storage import holds, memories, origins
from memdb.storage.audit import Auditor, record
from memdb.storage.database import identity_of, tried_again
from memdb.storage.subjects import SubjectRow


@dataclass(frozen=True, slots=True)
class Queued:
    """A statement that waits. `candidates`: who may be meant by the name that it was filed under, as of now."""

    memory: Memory
    named: str | None
    candidates: tuple[SubjectRow, ...]


async def list_unattributed(
    runtime: Runtime, who: Authenticated, writer: Writer, brain_id: UUID, *, after: UUID | None, limit: int
) -> tuple[list[Queued], UUID | None]:
    """Statements of a brain's queue, oldest first, at most `limit` of those behind `after`; the id that the next page begins behind.

    Raises:
        NotFound: the brain is unknown or not readable.
        AccessDenied: the caller may read it but not write: who decides for others may write there.
    """
    require_role(writer.principal, writer.access, brain_id, Role.WRITER)
    scope = of_brain(writer.principal, writer.access, brain_id)
    async with runtime.database.read(who.identity) as conn:
        ids = await holds.list_unattributed(conn, scope, brain_id, after=after, limit=limit + 1)
        found = await memories.list_by_id(conn, scope, ids[:limit], runtime.keyring)
    queued = []
    for memory_id in ids[:limit]:
        stored = found.get(memory_id)
        if stored is not None and stored.intact:
            named = stored.memory.data.get("named") if isinstance(stored.memory.data, dict) else None
            name = named if isinstance(named, str) else None
            meant = None if name is None else await resolve(runtime, who, Asked(name, brain_id=brain_id))
            queued.append(Queued(stored.memory, name, _may_be(meant)))
    return queued, ids[limit - 1] if len(ids) > limit else None


def _may_be(meant: Resolved | None) -> tuple[SubjectRow, ...]:
    if meant is None:
        return ()
    return tuple(c.row for c in meant.candidates) if meant.subject is None else (meant.subject.row,)


async def assign(runtime: Runtime, writer: Writer, brain_id: UUID, memory_id: UUID, about: Sequence[UUID]) -> Formed:
    """Say whom a waiting statement is about: it is written as a memory of theirs, and leaves the queue. One receipt or error.

    Raises:
        NotFound: the brain is unknown or not readable, or no such statement waits there.
        AccessDenied: the caller may read the brain but not write.
        InvalidInput: nobody is named, or the org does not have them.
    """
    if not about:
        raise InvalidInput("name at least one subject", field="about")
    memory = await _find(runtime, writer, brain_id, memory_id)
    now, principal = runtime.clock.now(), writer.principal
    kind = None if memory.source_kind is None else SourceKind(memory.source_kind)
    submission = Submission(
        content=memory.content,
        kind=memory.kind,
        brain_id=brain_id,
        about=tuple(about),
        tags=memory.tags,
        source=Source(kind=kind),
        trust=Trust.parse(memory.trust),
    )
    batch = Batch.of([submission]).each(lambda s: authorise(s, principal=principal, access=writer.access, home_brain_id=None, now=now))
    formed = await form_authorised(runtime, writer, batch, None, now)
    if not isinstance(formed.outcomes[0], ServiceError):
        await _remove(runtime, writer, memory, "memory.attribute", now)
    return formed


async def discard(runtime: Runtime, writer: Writer, brain_id: UUID, memory_id: UUID) -> None:
    """Delete a waiting statement. Raises NotFound and AccessDenied as `assign`, and UnderLegalHold for what the org must keep."""
    memory = await _find(runtime, writer, brain_id, memory_id)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        await require_deletable(conn, writer.legal_hold, memory)
    await _remove(runtime, writer, memory, "memory.delete", runtime.clock.now())


async def _find(runtime: Runtime, writer: Writer, brain_id: UUID, memory_id: UUID) -> Memory:
    require_role(writer.principal, writer.access, brain_id, Role.WRITER)
    scope = of_brain(writer.principal, writer.access, brain_id)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        waiting = await holds.is_unattributed(conn, scope.org_id, memory_id)
        found = (await memories.list_by_id(conn, scope, [memory_id], runtime.keyring)).get(memory_id)
    if not waiting or found is None or not found.intact:
        raise NotFound("no such statement waits in this brain", field="memory_id")
    return found.memory


async def _remove(runtime: Runtime, writer: Writer, memory: Memory, action: str, now: datetime) -> None:
    principal = writer.principal
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=writer.request_id)

    async def once() -> None:
        async with runtime.database.write(identity_of(principal)) as conn:
            scope = of_brain(principal, writer.access, memory.brain_id)
            await origins.lock_sources(conn, scope.org_id, scope.brain_ids, memory.id)
            if await memories.lock(conn, scope, memory.id, runtime.keyring, to_delete=True) is None:
                return
            gone = await origins.delete_orphans(conn, memory.org_id, memory.id)
            state = await memories.erase(conn, runtime.keyring, memory, now)
            await rebuild_contexts(conn, runtime.keyring, (memory.org_id, [memory.brain_id]), now, gone=gone)
            target, detail = ("memory", memory.id), {"version": memory.version}
            await record(conn, auditor.event(action, target, brain_id=memory.brain_id, detail=detail, commitment=state))

    await tried_again(once)
