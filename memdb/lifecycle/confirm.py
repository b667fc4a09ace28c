"""Confirmation: somebody says that a memory still holds. It is fresh again; nothing else of it changes."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from governance.audit import actor_of
from governance.errors import NotFound
from governance.principals import Role
from governance.scopes import readable_by, require_role
from memdb.errors import IntegrityFailed, VersionConflict
from memdb.formation.pipeline import Writer
from memdb.models.memory import Memory
from memdb.runtime import Runtime
from memdb.storage import memories
from memdb.storage.audit import Auditor, record
from memdb.storage.database import identity_of


async def confirm(runtime: Runtime, writer: Writer, memory_id: UUID, expected_version: int | None) -> Memory:
    """Renew the freshness of a memory that is served; the memory as it is then.

    Raises:
        NotFound: unknown, deleted, held, expired or in a brain that the caller may not read.
        AccessDenied: the caller may read it but not write.
        VersionConflict: it is at another version than `expected_version`: what was read is not what would be confirmed.
        IntegrityFailed: the row was changed behind the product's back.
    """
    now, principal = runtime.clock.now(), writer.principal
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=writer.request_id)
    async with runtime.database.write(identity_of(principal)) as conn:
        found = await memories.lock(conn, readable_by(principal, writer.access), memory_id, runtime.keyring)
        expired = found is not None and found.memory.expires_at is not None and found.memory.expires_at <= now
        if found is None or found.held or expired:
            raise NotFound("no such memory among those that this key may read")
        memory = found.memory
        if not found.intact:
            raise IntegrityFailed(f"memory {memory_id} does not match its seal and is not served")
        require_role(principal, writer.access, memory.brain_id, Role.WRITER)
        if expected_version is not None and expected_version != memory.version:
            message = f"expected_version is {expected_version}, the memory is at {memory.version}; read it again"
            raise VersionConflict(message, current=memory.version)
        renewed = replace(memory, confirmed_at=max(now, memory.confirmed_at))
        state = await memories.restate(conn, runtime.keyring, renewed, found.holds)
        event = auditor.event(
            "memory.confirm", ("memory", memory_id), brain_id=memory.brain_id, detail={"version": memory.version}, commitment=state
        )
        await record(conn, event)
    return renewed
