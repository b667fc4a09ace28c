"""From settings to a worker that does jobs until a signal, and back to nothing left running."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import structlog

from api.cli.embedded import require_database
from api.cli.loops import run_async
from api.cli.secret import read_keyring
from api.cli.signals import StopSignal
from api.container import build_runtime, close_learner, close_runtime, make_learner
from memdb.config import Settings
from memdb.embedded.cluster import EmbeddedPostgres
from memdb.jobs.worker import make_app, work

if TYPE_CHECKING:
    from memdb.runtime import Runtime

_log = structlog.get_logger(__name__)


def run(settings: Settings, stop: StopSignal) -> None:
    """Work in the foreground until a signal.

    Raises:
        ConfigurationError: there is no database, or it is not one of this release.
        StorageUnavailable: it cannot be reached.
    """
    with _database(settings) as app_url:
        run_async(_run(settings, app_url, stop))


@contextmanager
def _database(settings: Settings) -> Iterator[str]:
    """The database as memdb_app: MEMDB_DATABASE_URL, or the embedded one, started if need be."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    require_database(settings.data_dir)
    with EmbeddedPostgres.start(settings.data_dir) as cluster:
        yield cluster.app_url


async def _run(settings: Settings, app_url: str, stop: StopSignal) -> None:
    runtime = await build_runtime(settings, app_url=app_url, keyring=read_keyring(settings))
    try:
        async with beside(runtime, app_url):
            stopped = asyncio.Event()
            loop = asyncio.get_running_loop()
            stop.hand_to(lambda: _tell(loop, stopped))
            _log.info("worker_started")
            await stopped.wait()
    finally:
        await close_runtime(runtime)


def _tell(loop: asyncio.AbstractEventLoop, stopped: asyncio.Event) -> None:
    loop.call_soon_threadsafe(stopped.set)


@asynccontextmanager
async def beside(runtime: Runtime, app_url: str) -> AsyncIterator[None]:
    """Do jobs while the block runs. A job under way at its end is done again by whoever comes next."""
    learner = make_learner(runtime.settings)
    task = asyncio.create_task(work(make_app(runtime, learner, app_url)))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await close_learner(learner)
