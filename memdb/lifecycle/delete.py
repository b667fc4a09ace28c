"""Deletion of one memory: content, versions, index, vectors, links and sole fragments go in one transaction; id, times and who remain."""

from __future__ import annotations

from uuid import UUID

from governance.audit import actor_of
from governance.errors import NotFound
from governance.principals import Role
from governance.scopes import readable_by, require_role
from memdb.errors import VersionConflict
from memdb.formation.context import context_words
from memdb.formation.pipeline import Writer
from memdb.runtime import Runtime
from memdb.storage import memories, origins
from memdb.storage.audit import Auditor, record
from memdb.storage.database import WriteConn, identity_of


async def delete(runtime: Runtime, writer: Writer, memory_id: UUID, expected_version: int | None) -> None:
    """Delete a memory that is served.

    Raises:
        NotFound: unknown, deleted, held or in a brain that the caller may not read.
        AccessDenied: the caller may read it but not write.
        VersionConflict: it is at another version than `expected_version`.
    """
    now, principal = runtime.clock.now(), writer.principal
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=writer.request_id)
    async with runtime.database.write(identity_of(principal)) as conn:
        found = await memories.lock(conn, readable_by(principal, writer.access), memory_id, runtime.keyring)
        if found is None or found.held:
            raise NotFound("no such memory among those that this key may read")
        memory = found.memory
        require_role(principal, writer.access, memory.brain_id, Role.WRITER)
        if expected_version is not None and expected_version != memory.version:
            raise VersionConflict(f"expected_version is {expected_version}, the memory is at {memory.version}; read it again")
        await memories.remove_terms(conn, memory.org_id, memory_id)
        gone = await origins.delete_orphans(conn, memory.org_id, memory_id)
        await memories.erase(conn, runtime.keyring, memory, now)
        await rebuild_contexts(conn, memory.org_id, gone)
        detail = {"version": memory.version, "kind": memory.kind.value}
        await record(conn, auditor.event("memory.delete", ("memory", memory_id), brain_id=memory.brain_id, detail=detail))


async def rebuild_contexts(conn: WriteConn, org_id: UUID, gone: list[UUID]) -> None:
    """Take the words of fragments that went out of every context that was derived from them."""
    if not gone:
        return
    for memory_id, fragment_ids, language in await memories.list_depending(conn, org_id, gone):
        kept = [f for f in fragment_ids if f not in set(gone)]
        texts = await origins.list_texts(conn, org_id, kept) if kept else []
        context = context_words([text for _, text in texts], language)
        await memories.set_context(conn, org_id, memory_id, context, kept)
