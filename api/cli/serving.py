"""From settings and a listening socket to a served application, and back to nothing left running."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

import structlog
import uvicorn
from fastapi import FastAPI

from api.app import create_app
from api.cli.lazy import Lazy
from api.cli.loops import run_async
from api.cli.secret import open_keyring, read_keyring
from api.cli.signals import StopSignal
from api.cli.sockets import url_of
from api.cli.spaces import find_space
from api.container import build_runtime, close_runtime, warm
from memdb.clock import SystemClock
from memdb.config import Settings
from memdb.directory.orgs import ensure_first_org
from memdb.embedded.cluster import EmbeddedPostgres
from memdb.embedded.watch import keep_running
from memdb.errors import ConfigurationError
from memdb.keyring import Keyring
from memdb.storage.database import Database
from memdb.storage.migrate import migrate

if TYPE_CHECKING:
    from api.cli import working
    from api.learning_metrics import LearningMetrics
    from memdb.runtime import Runtime
else:
    working = Lazy("api.cli.working")

GRACE_S: Final = 5  # requests under way get as long to end after Ctrl-C

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Ready:
    """What a server that is ready tells: `admin_key` once, when it is new or preset; `database_url` is the owner's, if it is known."""

    url: str
    admin_key: str | None
    database_url: str | None
    data_dir: Path

    def document(self) -> dict[str, str | None]:
        """The line of `--json`."""
        return {"url": self.url, "admin_key": self.admin_key, "database_url": self.database_url, "data_dir": str(self.data_dir)}


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A database that can be served: as memdb_app, and as the owner where the owner is known. `cluster` if it is ours to look after.
    `works`: jobs are done beside serving.
    """

    app_url: str
    owner_url: str | None
    data_dir: Path
    keyring: Keyring
    admin_key: str | None
    cluster: EmbeddedPostgres | None
    works: bool = True


class _Server(uvicorn.Server):
    """Uvicorn without its signal handlers: the command has its own, which are in place before the server is."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self.force_exit:
            # A second Ctrl-C cuts requests short, not this: it takes no time, and the loop would tear it down with a traceback in the log.
            await self.lifespan.shutdown()


def serve_embedded(
    settings: Settings, listener: socket.socket, started: Future[EmbeddedPostgres], stop: StopSignal, tell: Callable[[Ready], None]
) -> None:
    """Serve the embedded database in the foreground until a signal; a Postgres that ends meanwhile is started again.

    Args:
        settings: of this process.
        listener: bound and listening.
        started: the server of the database.
        stop: gets hold of the server once it runs.
        tell: called once, when requests are answered.

    Raises:
        WrongSecret, ConfigurationError, SchemaMismatch: it cannot be served.
        StorageUnavailable: Postgres ended and did not come back.
    """

    async def prepare() -> _Prepared:
        cluster = await asyncio.wrap_future(started)  # no thread waits for it, so an interrupt need not either
        keyring, key = await _bring_up(settings, cluster.owner_url)
        await asyncio.to_thread(cluster.set_app_password)
        return _Prepared(cluster.app_url, cluster.owner_url, cluster.data_dir, keyring, key, cluster)

    run_async(_serve(settings, listener, prepare, stop, tell))


def serve_external(settings: Settings, listener: socket.socket, stop: StopSignal, tell: Callable[[Ready], None], *, bring_up: bool) -> None:
    """The same for the Postgres of MEMDB_DATABASE_URL. `bring_up`: migrate it and make the first org, where MEMDB_OWNER_URL is set.

    Raises:
        UnsafeRole: the role is not bound by row-level security; has the statements to run.
        WrongSecret, ConfigurationError, SchemaMismatch, StorageUnavailable: it cannot be served.
    """
    if settings.database_url is None:
        raise ConfigurationError("set MEMDB_DATABASE_URL to a Postgres, as the role memdb_app; `memdb up` brings a Postgres of its own")
    app_url = settings.database_url.get_secret_value()
    owner_url = None if settings.owner_url is None else settings.owner_url.get_secret_value()
    data_dir = settings.data_dir.expanduser().resolve()

    async def prepare() -> _Prepared:
        if bring_up and owner_url is not None:
            keyring, key = await _bring_up(settings, owner_url)
        else:
            keyring, key = await asyncio.to_thread(read_keyring, settings), None
        return _Prepared(app_url, owner_url, data_dir, keyring, key, None, works=bring_up)

    run_async(_serve(settings, listener, prepare, stop, tell))


async def _bring_up(settings: Settings, owner_url: str) -> tuple[Keyring, str | None]:
    """Secret, schema, first org; the key to tell, if any."""
    keyring = await asyncio.to_thread(open_keyring, settings, owner_url)
    space, now = await find_space(settings), SystemClock().now()
    await asyncio.to_thread(lambda: migrate(owner_url, space, now=now))
    preset = None if settings.admin_key is None else settings.admin_key.get_secret_value()
    owner = Database(owner_url, pool_size=1, statement_timeout_ms=settings.statement_timeout_ms)
    try:
        key = await ensure_first_org(owner, keyring, now, preset)
    finally:
        await owner.aclose()
    return keyring, None if key is None else key.render()


async def _serve(
    settings: Settings,
    listener: socket.socket,
    prepare: Callable[[], Awaitable[_Prepared]],
    stop: StopSignal,
    tell: Callable[[Ready], None],
) -> None:
    prepared = await prepare()
    runtime = await build_runtime(settings, app_url=prepared.app_url, keyring=prepared.keyring)
    try:
        app = create_app(runtime)
        server = _Server(http_config(app))
        ready = Ready(url_of(listener), prepared.admin_key, prepared.owner_url, prepared.data_dir)
        stop.hand_to(lambda: _ask_to_stop(server, stop))
        told = _tell_when_started(server, lambda: tell(ready))
        jobs = _work(runtime, prepared.app_url, server, app.state.metrics.learning) if prepared.works else asyncio.sleep(0)
        async with _background(warm(runtime)), _background(told), _background(jobs), _looked_after(prepared.cluster, server):
            await server.serve(sockets=[listener])
    finally:
        await close_runtime(runtime)


def http_config(app: FastAPI) -> uvicorn.Config:
    """How the application is served over HTTP."""
    return uvicorn.Config(
        app,
        http="httptools",  # named, because where it is missing a slower one in Python would be taken in silence
        log_config=None,
        access_log=False,  # it would hold URLs; the application logs routes
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_S,
    )


def _ask_to_stop(server: uvicorn.Server, stop: StopSignal) -> None:
    server.should_exit = True
    server.force_exit = stop.count > 1  # a second Ctrl-C does not wait for requests


@contextlib.asynccontextmanager
async def _looked_after(cluster: EmbeddedPostgres | None, server: uvicorn.Server) -> AsyncIterator[None]:
    """Start Postgres again whenever it ends during the block. When it does not come back the server is stopped and the reason raised."""
    if cluster is None:
        yield
        return

    def tell() -> None:
        _log.warning("postgres_ended", data_dir=str(cluster.data_dir), advice="it is started again; requests are answered 503 meanwhile")

    async def watch() -> None:
        try:
            await asyncio.to_thread(keep_running, cluster, ended, tell)
        finally:
            server.should_exit = True

    ended = Event()
    task = asyncio.create_task(watch())
    try:
        yield
    finally:
        # INVARIANT: no restart is under way when the block has ended, or a server would be left after the last stop.
        ended.set()
        await task


async def _tell_when_started(server: uvicorn.Server, tell: Callable[[], None]) -> None:
    while not server.started:  # noqa: ASYNC110 - the server has no event for it
        await asyncio.sleep(0.01)
    tell()


async def _work(runtime: Runtime, app_url: str, server: uvicorn.Server, metrics: LearningMetrics) -> None:
    """Do jobs once requests are answered: the queue takes half a second to load, and a server that starts has none to spare."""
    while not server.started:  # noqa: ASYNC110 - the server has no event for it
        await asyncio.sleep(0.05)
    async with working.beside(runtime, app_url, metrics):
        await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def _background(work: Awaitable[None]) -> AsyncIterator[None]:
    """Run something beside the block, and end it with the block."""
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
