"""Extractions that are not done, for an admin: what waits, what was given up, another try for it. Ids and codes, never what was said."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from governance.audit import actor_of
from governance.errors import NotFound
from memdb.errors import VersionConflict
from memdb.models.turn import ExtractionState
from memdb.storage import extractions
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Identity
from memdb.storage.queue import defer, extract_job

if TYPE_CHECKING:
    from memdb.directory.authentication import Authenticated
    from memdb.models.memory import Kind
    from memdb.runtime import Runtime
    from memdb.storage.extractions import Extraction

After = tuple[datetime, UUID]
"""Where a page ended: time of the last change, and snapshot."""


async def list_jobs(runtime: Runtime, who: Authenticated, state: ExtractionState, *, after: After | None, limit: int) -> list[Extraction]:
    """Extractions of the caller's org in a state other than DONE, the longest unchanged first, at most `limit` of those behind `after`.

    The caller has the capability admin; brains do not matter, because nothing of what was said is told.
    """
    async with runtime.database.read(Identity(who.principal.org_id)) as conn:
        return await extractions.list_unfinished(conn, who.principal.org_id, state, before=runtime.clock.now(), after=after, limit=limit)


async def retry_job(runtime: Runtime, who: Authenticated, brain_id: UUID, snapshot_id: UUID, handler: Kind) -> Extraction:
    """Let a handler that was given up try again, from the first try on.

    Raises:
        NotFound: the brain has no such extraction.
        VersionConflict: it was not given up: it is done, or waits as it is.
    """
    org_id, now = who.principal.org_id, runtime.clock.now()
    async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
        current = await extractions.find(conn, org_id, snapshot_id, handler, lock=True)
        if current is None or current.brain_id != brain_id:
            raise NotFound("no such extraction in this brain", field="snapshot_id")
        if current.state is not ExtractionState.DEAD:
            raise VersionConflict(f"this extraction was not given up: it is {current.state.value}")
        again = replace(current, state=ExtractionState.WAITING, attempts=0, failure=None, changed_at=now)
        await extractions.finish(conn, org_id, again)
        await defer(conn, [extract_job(org_id, brain_id, snapshot_id, handler.value)])
        auditor = Auditor(runtime.keyring, org_id, actor_of(who.principal), at=now, request_id=who.request_id)
        detail = {"handler": handler.value}
        await record(conn, auditor.event("extraction.retry", ("snapshot", snapshot_id), brain_id=brain_id, detail=detail))
        return again
