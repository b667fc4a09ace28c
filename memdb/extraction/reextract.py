"""Reading a snapshot anew: after a new prompt, with another model, or for a handler that was switched on later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import UUID

from governance.audit import actor_of
from governance.errors import NotFound, PolicyRejected
from governance.principals import Role
from governance.scopes import readable_by, require_role
from memdb.extraction.extract import Difference, Task, preview
from memdb.lifecycle.switches import enabled_handlers
from memdb.models.turn import ExtractionState, Snapshot
from memdb.storage import extractions, sessions
from memdb.storage.audit import Auditor, record
from memdb.storage.database import identity_of
from memdb.storage.queue import defer, extract_job, remind

if TYPE_CHECKING:
    from memdb.extraction.extractor import Extractor
    from memdb.formation.pipeline import Writer
    from memdb.models.memory import Kind
    from memdb.runtime import Runtime
    from memdb.storage.database import ReadConn, WriteConn
    from memdb.storage.extractions import Extraction


async def read_again(
    runtime: Runtime, writer: Writer, session_id: UUID, snapshot_id: UUID, handlers: Sequence[Kind] | None
) -> tuple[Snapshot, list[Extraction]]:
    """Let handlers read a snapshot once more, in the background; the snapshot and all its extractions as they are now.

    What it alone had made under a handler is replaced by what the handler finds now; nothing else is touched.

    Raises:
        NotFound: the snapshot is in no brain that the caller may read, or not of this session.
        AccessDenied: the caller may read it but not write.
        PolicyRejected: a handler that is named is switched off; with None all that are on read it.
    """
    handlers = _enabled(runtime, writer, handlers)
    principal, now = writer.principal, runtime.clock.now()
    async with runtime.database.write(identity_of(principal)) as conn:
        snapshot = await _require(conn, writer, session_id, snapshot_id)
        await extractions.add(conn, principal.org_id, [snapshot], handlers, now)
        for handler in handlers:
            job = extract_job(principal.org_id, snapshot.brain_id, snapshot_id, handler.value)
            current = await extractions.find(conn, principal.org_id, snapshot_id, handler, lock=True)
            assert current is not None, "added above"
            if current.state is not ExtractionState.WAITING:
                again = replace(current, state=ExtractionState.WAITING, run=current.run + 1, attempts=0, failure=None, changed_at=now)
                await extractions.finish(conn, principal.org_id, again)
                await defer(conn, [job])
            else:
                await remind(conn, [job])
        auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=writer.request_id)
        detail = {"handlers": [handler.value for handler in handlers]}
        event = auditor.event("snapshot.extract", ("snapshot", snapshot_id), brain_id=snapshot.brain_id, detail=detail)
        await record(conn, event)
        states = await extractions.list_of_snapshots(conn, principal.org_id, [snapshot_id])
    return snapshot, states.get(snapshot_id, [])


async def preview_again(
    runtime: Runtime, extractor: Extractor, writer: Writer, at: tuple[UUID, UUID], handlers: Sequence[Kind] | None
) -> list[Difference]:
    """What that would change, without changing it, for each handler. `at`: session and snapshot. Raises as `read_again`, and whatever a
    model fails with.
    """
    handlers = _enabled(runtime, writer, handlers)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        snapshot = await _require(conn, writer, *at)
    org_id = writer.principal.org_id
    return [await preview(runtime, extractor, Task(org_id, snapshot.brain_id, snapshot.id, handler)) for handler in handlers]


def _enabled(runtime: Runtime, writer: Writer, handlers: Sequence[Kind] | None) -> Sequence[Kind]:
    enabled = enabled_handlers(runtime.settings, writer.memory)
    off = [handler.value for handler in handlers or () if handler not in enabled]
    if off:
        raise PolicyRejected("extraction is switched off by policy or setting for: " + ", ".join(off))
    return enabled if handlers is None else handlers


async def _require(conn: ReadConn | WriteConn, writer: Writer, session_id: UUID, snapshot_id: UUID) -> Snapshot:
    scope = readable_by(writer.principal, writer.access)
    snapshot = await sessions.find_snapshot(conn, scope, snapshot_id)
    if snapshot is None or snapshot.session_id != session_id:
        raise NotFound("no such snapshot of this session among those that this key may read", field="snapshot_id")
    require_role(writer.principal, writer.access, snapshot.brain_id, Role.WRITER)
    return snapshot
