"""From settings to a worker that does jobs until a signal, and back to nothing left running."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import structlog
from prometheus_client import CollectorRegistry, start_http_server

from api.cli.embedded import require_database
from api.cli.loops import run_async
from api.cli.secret import read_keyring
from api.cli.signals import StopSignal
from api.container import build_runtime, close_learner, close_runtime, make_learner
from api.learning_metrics import LearningMetrics, Watched
from memdb.config import Settings
from memdb.embedded.cluster import EmbeddedPostgres
from memdb.errors import PortInUse
from memdb.jobs.worker import make_app, work

if TYPE_CHECKING:
    from memdb.runtime import Runtime

_log = structlog.get_logger(__name__)


def run(settings: Settings, stop: StopSignal, figures: tuple[str, int] | None) -> None:
    """Work in the foreground until a signal.

    Args:
        settings: of this process.
        stop: the signal.
        figures: host and port at which Prometheus may ask for figures; None: nowhere.

    Raises:
        PortInUse: somebody else listens there.
        ConfigurationError: there is no database, or it is not one of this release.
        StorageUnavailable: it cannot be reached.
    """
    with _database(settings) as app_url:
        run_async(_run(settings, app_url, stop, figures))


@contextmanager
def _database(settings: Settings) -> Iterator[str]:
    """The database as memdb_app: MEMDB_DATABASE_URL, or the embedded one, started if need be."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    require_database(settings.data_dir)
    with EmbeddedPostgres.start(settings.data_dir) as cluster:
        yield cluster.app_url


async def _run(settings: Settings, app_url: str, stop: StopSignal, figures: tuple[str, int] | None) -> None:
    metrics = LearningMetrics(CollectorRegistry())
    with _told(metrics, figures):
        await _work(settings, app_url, stop, metrics)


async def _work(settings: Settings, app_url: str, stop: StopSignal, metrics: LearningMetrics) -> None:
    runtime = await build_runtime(settings, app_url=app_url, keyring=read_keyring(settings))
    try:
        async with beside(runtime, app_url, metrics):
            stopped = asyncio.Event()
            loop = asyncio.get_running_loop()
            stop.hand_to(lambda: _tell(loop, stopped))
            _log.info("worker_started")
            await stopped.wait()
    finally:
        await close_runtime(runtime)


@contextmanager
def _told(metrics: LearningMetrics, figures: tuple[str, int] | None) -> Iterator[None]:
    """Let Prometheus ask for the figures during the block. Nothing but the figures is served, and no key is asked for."""
    if figures is None:
        yield
        return
    host, port = figures
    try:
        server, thread = start_http_server(port, host, metrics.registry)
    except OSError:
        raise PortInUse(f"the figures cannot be served at {host}:{port}; choose another --metrics-port or --metrics-host") from None
    _log.info("figures_served", host=host, port=server.server_port)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _tell(loop: asyncio.AbstractEventLoop, stopped: asyncio.Event) -> None:
    loop.call_soon_threadsafe(stopped.set)


@asynccontextmanager
async def beside(runtime: Runtime, app_url: str, metrics: LearningMetrics) -> AsyncIterator[None]:
    """Do jobs while the block runs, and count them. A job under way at its end is done again by whoever comes next."""
    learner = Watched(make_learner(runtime.settings), metrics)
    task = asyncio.create_task(work(make_app(runtime, learner, app_url, tell=metrics.tried)))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await close_learner(learner)
