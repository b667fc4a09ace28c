"""The worker: does the jobs of the queue, in a process of its own or beside a server. Several may run; a killed one's jobs are taken over.

| job | when | what it does |
| --- | --- | --- |
| sweep | every 5 seconds | cuts sessions that are due, defers what was lost |
| rescue | every 10 seconds | puts the jobs of workers that no longer give a sign of life back into the queue |
| erase | deferred with its erasure | goes on until it is complete or somebody has to decide |
| extract | deferred with its snapshot | one handler reads one snapshot; after TRIES failures it is given up; over budget it waits |

The next try of an extraction is a job of its own, deferred where the failure is counted: the queue's own retries would put the same job
back, and fail where another one for the same extraction waits already. What a worker has to leave when it ends goes back at once.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import structlog
from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision

from governance.errors import ServiceError
from memdb.extraction.extract import Task as ExtractTask
from memdb.extraction.extract import extract
from memdb.jobs.outcome import Outcome, Tell, Tried, tell_nobody
from memdb.jobs.rescue import rescue
from memdb.jobs.sweep import sweep
from memdb.lifecycle.erasure.run import run as run_erasure
from memdb.models.memory import Kind
from memdb.models.turn import ExtractionState
from memdb.providers.chat.base import Spent
from memdb.storage import extractions
from memdb.storage.database import tried_again
from memdb.storage.queue import ALIVE_WITHIN_S, QUEUE, Task, defer, extract_job
from memdb.storage.queue_schema import SCHEMA

if TYPE_CHECKING:
    from procrastinate.jobs import Job

    from memdb.extraction.extractor import Extractor
    from memdb.runtime import Runtime
    from memdb.storage.extractions import Extraction

TRIES: Final = 5
BACK_OFF_S: Final = 4
"""The pause before the second try; each further one is this many times as long: 4, 16, 64 and 256 seconds."""
FIRST: Final = 1
"""The priority of what comes round again and again: it must not stand behind thousands of extractions."""
CONCURRENCY: Final = 4
GRACE_S: Final = 5.0
PAUSE_S: Final = 1.0
CONNECTIONS: Final = 4
UNEXPECTED: Final = "unexpected"

log = structlog.get_logger()


class _Unfinished(BaseRetryStrategy):
    """Puts back what was under way when its worker was told to end."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        del job
        return RetryDecision(retry_in={"seconds": 0}) if isinstance(exception, asyncio.CancelledError) else None


def make_app(runtime: Runtime, extractor: Extractor, app_url: str, *, back_off_s: int = BACK_OFF_S, tell: Tell = tell_nobody) -> App:
    """The queue with its tasks, not yet open.

    Args:
        runtime: what the process holds.
        extractor: reads transcripts.
        app_url: the database as memdb_app; the queue has connections of its own.
        back_off_s: the base of the pauses between tries.
        tell: is told of each try.
    """
    settings = {"options": f"-c search_path={SCHEMA}"}
    connector = PsycopgConnector(conninfo=app_url, kwargs=settings, min_size=1, max_size=CONNECTIONS)
    app = App(connector=connector)

    @app.periodic(cron="* * * * * */5", queueing_lock=Task.SWEEP, lock=Task.SWEEP)
    @app.task(name=Task.SWEEP, queue=QUEUE, priority=FIRST)
    async def run_sweep(timestamp: int) -> None:
        del timestamp
        try:
            await sweep(runtime)
        except ServiceError as error:
            log.warning("sweep_failed", code=error.code)

    # Without a lock: a worker that is killed while it holds it could not be helped by anyone.
    @app.periodic(cron="* * * * * */10", queueing_lock=Task.RESCUE)
    @app.task(name=Task.RESCUE, queue=QUEUE, priority=FIRST)
    async def run_rescue(timestamp: int) -> None:
        del timestamp
        await rescue(app, ALIVE_WITHIN_S)

    @app.task(name=Task.ERASE, queue=QUEUE, priority=FIRST, retry=_Unfinished())
    async def run_erase(**arguments: Any) -> None:  # noqa: ANN401 - as deferred
        try:
            await run_erasure(runtime, UUID(arguments["org_id"]), UUID(arguments["erasure_id"]))
        except ServiceError as error:
            log.warning("erasure_interrupted", code=error.code)  # the sweep defers it again
        except Exception as error:  # noqa: BLE001 - a defect in one erasure must not stop the rest
            log.error("erasure_failed", error_type=type(error).__qualname__)  # noqa: TRY400 - the text may quote what is erased

    @app.task(name=Task.EXTRACT, queue=QUEUE, retry=_Unfinished())
    async def run_extract(**arguments: Any) -> None:  # noqa: ANN401 - as deferred
        task = ExtractTask(
            UUID(arguments["org_id"]), UUID(arguments["brain_id"]), UUID(arguments["snapshot_id"]), Kind(arguments["handler"])
        )
        done, code, spent = None, None, Spent()
        try:
            done = await extract(runtime, extractor, task)
        except ServiceError as error:
            code, spent = error.code, Spent.of(error)
        except Exception as error:  # noqa: BLE001 - a defect in one snapshot must not stop the rest
            log.error("extraction_failed", error_type=type(error).__qualname__, snapshot_id=str(task.snapshot_id))  # noqa: TRY400 - the text may quote what was said
            code = UNEXPECTED
        if done is not None:
            tell(Tried.of(done, runtime.clock.now()))
        failed = None if code is None else await tried_again(partial(_failed, runtime, task, code, spent, back_off_s))
        if failed is not None:
            tell(Tried(task.handler, Outcome.FAILED if failed.state is ExtractionState.WAITING else Outcome.DEAD, failed))

    return app


async def _failed(runtime: Runtime, task: ExtractTask, code: str, spent: Spent, back_off_s: int) -> Extraction | None:
    """Count the failure and what it cost, and defer the next try or give the extraction up; it as it is then. None: it waits no longer."""
    async with runtime.database.write(task.identity) as conn:
        current = await extractions.find(conn, task.org_id, task.snapshot_id, task.handler, lock=True)
        if current is None or current.state is not ExtractionState.WAITING:
            return None
        attempts = current.attempts + 1
        again = attempts < TRIES
        state = ExtractionState.WAITING if again else ExtractionState.DEAD
        total = Spent(current.tokens_in, current.tokens_out, current.cost_micros) + spent
        counted = replace(current, state=state, attempts=attempts, failure=code, changed_at=runtime.clock.now(), **asdict(total))
        await extractions.finish(conn, task.org_id, counted)
        if again:
            job = extract_job(task.org_id, task.brain_id, task.snapshot_id, task.handler.value, wait_s=back_off_s**attempts)
            await defer(conn, [job])
    log.warning("extraction_tried" if again else "extraction_given_up", handler=task.handler.value, code=code, attempts=attempts)
    return counted


async def work(app: App, *, concurrency: int = CONCURRENCY) -> None:
    """Do jobs until cancelled. When the database goes away the work is taken up again once it is back."""
    own = asyncio.current_task()
    assert own is not None, "it runs in a task"
    while not own.cancelling():  # opening the queue's pool can turn a cancellation into an error of its own
        try:
            async with app.open_async():
                await app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=concurrency,
                    install_signal_handlers=False,
                    delete_jobs="always",
                    shutdown_graceful_timeout=GRACE_S,
                    stalled_worker_timeout=ALIVE_WITHIN_S,
                )
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the queue fails with, the next round may do
            log.warning("worker_interrupted", error_type=type(error).__qualname__)
        if not own.cancelling():
            await asyncio.sleep(PAUSE_S)


async def work_off(app: App) -> None:
    """Do the jobs that wait now, and those that they defer, then return. Jobs that wait for their next try stay."""
    async with app.open_async():
        await app.run_worker_async(
            queues=[QUEUE], concurrency=1, wait=False, install_signal_handlers=False, delete_jobs="always", listen_notify=False
        )
