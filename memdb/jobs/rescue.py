"""Jobs of workers that no longer give a sign of life, put back into the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Status

from memdb.storage.queue import QUEUE

if TYPE_CHECKING:
    from procrastinate import App

log = structlog.get_logger()


async def rescue(app: App, stalled_after_s: float) -> int:
    """Put them back, each by itself: one that cannot be does not keep the others waiting. How many were.

    Args:
        app: open.
        stalled_after_s: how long a worker has been silent.
    """
    jobs = app.job_manager
    taken = 0
    for job in await jobs.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=stalled_after_s):
        assert job.id is not None, "it comes from the table"
        try:
            await jobs.retry_job(job)
        except UniqueViolation:
            # The same work has been deferred meanwhile. What it waits for may be the lock that the dead job holds, so this one has to go.
            await jobs.finish_job(job, Status.FAILED, delete_job=True)
        except ConnectorException as error:
            log.warning("job_not_taken_over", job_id=job.id, error_type=type(error).__qualname__)  # another worker was faster
            continue
        taken += 1
        log.warning("job_taken_over", job_id=job.id)
    return taken
