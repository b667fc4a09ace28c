"""Deletion of one memory: content, versions, index, vectors, links and sole fragments go in one transaction; id, times and who remain."""

from __future__ import annotations

from uuid import UUID

from governance.audit import actor_of
from governance.errors import NotFound
from governance.principals import Role
from governance.scopes import readable_by, require_role
from memdb.errors import VersionConflict
from memdb.formation.pipeline import Writer
from memdb.formation.rebuild import rebuild_contexts
from memdb.lifecycle.legal_hold import require_deletable
from memdb.runtime import Runtime
from memdb.storage import forgotten, memories, origins
from memdb.storage.audit import Auditor, record
from memdb.storage.database import identity_of, tried_again


async def delete(runtime: Runtime, writer: Writer, memory_id: UUID, expected_version: int | None, *, for_good: bool = True) -> None:
    """Delete a memory that is served. `for_good`: what was said until now does not bring it back when it is learned from later.

    Raises:
        NotFound: unknown, deleted, held, expired or in a brain that the caller may not read.
        AccessDenied: the caller may read it but not write.
        UnderLegalHold: the org must keep it.
        VersionConflict: it is at another version than `expected_version`.
    """
    await tried_again(lambda: _delete(runtime, writer, memory_id, expected_version, for_good=for_good))


async def _delete(runtime: Runtime, writer: Writer, memory_id: UUID, expected_version: int | None, *, for_good: bool) -> None:
    now, principal = runtime.clock.now(), writer.principal
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=writer.request_id)
    async with runtime.database.write(identity_of(principal)) as conn:
        scope = readable_by(principal, writer.access)
        await origins.lock_sources(conn, scope.org_id, scope.brain_ids, memory_id)
        found = await memories.lock(conn, scope, memory_id, runtime.keyring, to_delete=True)
        expired = found is not None and found.memory.expires_at is not None and found.memory.expires_at <= now
        if found is None or found.held or expired:
            raise NotFound("no such memory among those that this key may read")
        memory = found.memory
        require_role(principal, writer.access, memory.brain_id, Role.WRITER)
        await require_deletable(conn, writer.legal_hold, memory)
        if expected_version is not None and expected_version != memory.version:
            raise VersionConflict(f"expected_version is {expected_version}, the memory is at {memory.version}; read it again")
        if for_good:
            await forgotten.keep(conn, memory.org_id, memory_id, now)
        await memories.remove_terms(conn, memory.org_id, memory_id)
        gone = await origins.delete_orphans(conn, memory.org_id, memory_id)
        state = await memories.erase(conn, runtime.keyring, memory, now)
        await rebuild_contexts(conn, runtime.keyring, (memory.org_id, [memory.brain_id]), now, gone=gone)
        detail = {"version": memory.version, "kind": memory.kind.value}
        event = auditor.event("memory.delete", ("memory", memory_id), brain_id=memory.brain_id, detail=detail, commitment=state)
        await record(conn, event)
