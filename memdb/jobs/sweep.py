"""What a worker looks at again and again: sessions that are due to be cut, extractions that nobody works on, and quarantines that are not
finished.

The state of an extraction is the truth, a job only the reminder: one that was lost, with a backup or by hand, or that was put off because
its org had spent enough, is deferred again. What the queue still knows of is not: a model may take longer than any pause.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

import structlog

from governance.errors import ServiceError
from memdb.extraction.spending import is_exhausted
from memdb.lifecycle.quarantine.acting import carry_on_all
from memdb.models.turn import ExtractionState
from memdb.sessions.cutting import cut_due
from memdb.storage import erasures, extractions, orgs, sessions
from memdb.storage.database import Identity, tried_again
from memdb.storage.queue import erase_job, extract_job, remind

if TYPE_CHECKING:
    from memdb.runtime import Runtime

SESSIONS_MAX: Final = 500
"""Of one org in one round."""
FORGOTTEN_AFTER: Final = timedelta(minutes=10)
"""Longer than the last pause between two tries, so that what waits for its next try is not taken for lost."""
FORGOTTEN_MAX: Final = 500
QUARANTINE_S: Final = 4.0
"""Of one org in one round, so that no org keeps the others waiting."""
ERASURES_MAX: Final = 50

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Swept:
    """What a round did, in rows. `held`: memories that a quarantine holds now, or no longer."""

    snapshots: int = 0
    deferred: int = 0
    held: int = 0


async def sweep(runtime: Runtime) -> Swept:
    """One round over every org; an org in which it fails does not keep the others waiting.

    Raises:
        StorageUnavailable: the database is away.
    """
    async with runtime.database.bare() as conn:
        every = [org.id for org in await orgs.list_orgs(conn)]
    snapshots = deferred = held = 0
    for org_id in every:
        try:
            snapshots += await _cut(runtime, org_id)
            deferred += await _remind(runtime, org_id)
            held += await carry_on_all(runtime, org_id, QUARANTINE_S)
            deferred += await _remind_of_erasures(runtime, org_id)
        except ServiceError as error:
            log.warning("sweep_failed", code=error.code)
    return Swept(snapshots, deferred, held)


async def _cut(runtime: Runtime, org_id: UUID) -> int:
    async with runtime.database.read(Identity(org_id)) as conn:
        due = await sessions.list_due(conn, org_id, runtime.clock.now(), SESSIONS_MAX)
    return sum([len(await cut_due(runtime, org_id, one)) for one in due])


async def _remind(runtime: Runtime, org_id: UUID) -> int:
    before = runtime.clock.now() - FORGOTTEN_AFTER
    async with runtime.database.read(Identity(org_id)) as conn:
        lost = await extractions.list_unfinished(conn, org_id, ExtractionState.WAITING, before=before, after=None, limit=FORGOTTEN_MAX)
    if not lost or await is_exhausted(runtime, org_id):
        return 0
    jobs = [extract_job(org_id, one.brain_id, one.snapshot_id, one.handler.value) for one in lost]

    async def once() -> int:
        async with runtime.database.write(Identity(org_id)) as conn:
            return await remind(conn, jobs)

    return await tried_again(once)


async def _remind_of_erasures(runtime: Runtime, org_id: UUID) -> int:
    async with runtime.database.read(Identity(org_id)) as conn:
        free = await erasures.list_unfinished(conn, org_id, runtime.clock.now(), ERASURES_MAX)
    if not free:
        return 0
    jobs = [erase_job(org_id, one) for one in free]

    async def once() -> int:
        async with runtime.database.write(Identity(org_id)) as conn:
            return await remind(conn, jobs)

    return await tried_again(once)
