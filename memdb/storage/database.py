"""Connections: the one way to the database for a serving process.

A transaction begins with the request's identity (`SET LOCAL`, one statement per call: settings travel to the shards of a distributed
Postgres only that way). Read and write connections are different types, and a read transaction is READ ONLY in the database as well.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NewType, TypeVar
from uuid import UUID

import psycopg
import structlog
from psycopg import sql
from sqlalchemy import event, exc, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from memdb.errors import AlreadyExists, StorageError, StorageUnavailable
from memdb.storage.sending import COMMIT, WAITING, Row, fetch_alone, fetch_between, send, send_with_next

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncEngine

    from governance.principals import Principal

T = TypeVar("T")
ReadConn = NewType("ReadConn", AsyncConnection)
WriteConn = NewType("WriteConn", AsyncConnection)

POOL_WAIT_S = 5.0  # a request that gets no connection in this time is refused as overloaded rather than queued for ever
CONNECT_TIMEOUT_S = 5
# Of the whole session, so that transactions need not repeat them; a distributed Postgres passes SET LOCAL on only with the last one.
_SESSION = "-c timezone=UTC -c statement_timeout={} -c citus.propagate_set_commands=local"
TRIES = 4  # of a whole transaction that lost to a concurrent one
PAUSE_S = 0.05  # at most, before the second try; grows with each, and its length is random so that the same two do not meet again
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Identity:
    """What row-level security sees of a request: an org, and either a subject with a key or a job bound to one brain."""

    org_id: UUID
    subject_id: UUID | None = None
    key_id: str | None = None
    job_brain_id: UUID | None = None


def identity_of(principal: Principal) -> Identity:
    """The identity of a principal's transactions."""
    if principal.job_brain_id is not None:
        return Identity(principal.org_id, job_brain_id=principal.job_brain_id)
    return Identity(principal.org_id, principal.subject_id, principal.key_id)


class Database:
    """A pool of connections as memdb_app."""

    def __init__(self, url: str, *, pool_size: int, statement_timeout_ms: int) -> None:
        self._engine: AsyncEngine = create_async_engine(
            sqlalchemy_url(url),
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=POOL_WAIT_S,
            pool_pre_ping=False,  # a dead connection is noticed by BEGIN's first statement and mapped to a retryable error
            pool_use_lifo=True,
            # Autocommit: the driver would send a BEGIN of its own and wait for it; here BEGIN travels with the settings.
            connect_args={"connect_timeout": CONNECT_TIMEOUT_S, "options": _SESSION.format(statement_timeout_ms), "autocommit": True},
            hide_parameters=True,  # SECURITY: parameters hold memory text and would be part of error messages
        )
        event.listen(self._engine.sync_engine, "handle_error", _drop_pool_when_disconnected)

    @asynccontextmanager
    async def read(self, identity: Identity) -> AsyncIterator[ReadConn]:
        """One READ ONLY transaction under this identity.

        Raises:
            StorageUnavailable: no connection in time, or the server went away.
        """
        async with self._transaction((_BEGIN_READ_ONLY, *_settings(identity))) as conn:
            yield ReadConn(conn)

    @asynccontextmanager
    async def write(self, identity: Identity) -> AsyncIterator[WriteConn]:
        """One transaction under this identity; commits when the block ends, rolls back when it raises."""
        async with self._transaction((_BEGIN, *_settings(identity))) as conn:
            yield WriteConn(conn)

    @asynccontextmanager
    async def answer(self, identity: Identity) -> AsyncIterator[tuple[ReadConn, WriteConn]]:
        """One transaction, to read rows by their keys and to store a row whose loss in a crash is acceptable: what was recalled.

        The commit returns before it is on disk, and one plan serves all keys.
        """
        async with self._transaction((_BEGIN, *_settings(identity), *_ANSWER)) as conn:
            yield ReadConn(conn), WriteConn(conn)

    @asynccontextmanager
    async def bare(self) -> AsyncIterator[AsyncConnection]:
        """A transaction without identity: sees reference tables and no tenant row. For start-up checks, log-in and jobs' rounds."""
        async with self._transaction((_BEGIN,), replaced=False) as conn:
            yield conn

    @asynccontextmanager
    async def _transaction(self, beginning: Sequence[bytes], *, replaced: bool = True) -> AsyncIterator[AsyncConnection]:
        with mapped_errors():
            # SQLAlchemy begins its own bookkeeping with the first statement; whatever is not committed here the pool rolls back.
            async with self._entered(beginning, replaced=replaced) as conn:
                yield conn
                await send(conn, [COMMIT])

    @asynccontextmanager
    async def _entered(self, beginning: Sequence[bytes], *, replaced: bool) -> AsyncIterator[AsyncConnection]:
        """A connection whose transaction has begun with these settings. One that turns out to be dead is replaced once: nothing has run."""
        for fresh in (not replaced, True):
            async with self._engine.connect() as plain:
                conn = await plain.execution_options(**{WAITING: []})
                try:
                    # One round trip for BEGIN and all settings; each is still a statement of its own.
                    await send(conn, beginning)
                except psycopg.OperationalError as error:
                    await self._replace(conn, error, again=not fresh)
                    continue
                yield conn
                return

    async def look_up(self, identity: Identity, sql: str, values: Mapping[str, object]) -> Row | None:
        """The first row of one statement, read in a READ ONLY transaction of its own; from BEGIN to COMMIT it is one round trip.

        Args:
            identity: of the transaction.
            sql: a fixed text with `:named` parameters; it is prepared, and one plan serves all values.
            values: by name.

        Raises:
            StorageUnavailable: no connection in time, or the server went away.
        """
        rows = await self._alone((_BEGIN_READ_ONLY, *_settings(identity), _ONE_PLAN), sql, values)
        return rows[0] if rows else None

    async def search_alone(self, identity: Identity, sql: str, values: Mapping[str, object]) -> list[Row]:
        """The rows of one statement of the search role, as `search`, in a READ ONLY transaction of its own and one round trip."""
        return await self._alone((_BEGIN_READ_ONLY, *_settings(identity), *_AS_SEARCH), sql, values)

    async def _alone(self, beginning: Sequence[bytes], sql: str, values: Mapping[str, object]) -> list[Row]:
        with mapped_errors():
            for fresh in (False, True):
                async with self._engine.connect() as conn:
                    try:
                        return await fetch_alone(conn, beginning, sql, values)
                    except psycopg.errors.QueryCanceled:
                        raise
                    except psycopg.OperationalError as error:
                        await self._replace(conn, error, again=not fresh)
        raise AssertionError("the second try returns or raises")

    async def _replace(self, conn: AsyncConnection, error: psycopg.OperationalError, *, again: bool) -> None:
        # After a restart of Postgres every pooled connection is dead: drop them all instead of one request each.
        await conn.invalidate(error)
        await self._engine.dispose()
        if not again:
            raise StorageUnavailable("the database did not answer; try again") from error

    @property
    def checked_out(self) -> int:
        """Connections in use now; for metrics and for the test that none is out while a model runs."""
        return int(self._engine.pool.checkedout())  # type: ignore[attr-defined]  # every pool that create_async_engine makes has it

    async def ping(self) -> None:
        """Raise StorageUnavailable unless the database answers."""
        async with self.bare() as conn:
            await conn.execute(text("SELECT 1"))

    async def aclose(self) -> None:
        await self._engine.dispose()


@lru_cache(maxsize=1024)
def _settings(identity: Identity) -> tuple[bytes, ...]:
    # SET takes no bind parameters, so the driver quotes the values.
    values = {
        "org_id": identity.org_id,
        "job_brain_id": identity.job_brain_id,
        "subject_id": identity.subject_id,
        "key_id": identity.key_id,
    }
    return tuple(
        sql.SQL("SET LOCAL {} = {}").format(sql.Identifier("mem", name), sql.Literal(str(value))).as_bytes()
        for name, value in values.items()
        if value is not None
    )


_BEGIN = b"BEGIN"
_BEGIN_READ_ONLY = b"BEGIN READ ONLY"
_ONE_PLAN = b"SET LOCAL plan_cache_mode = force_generic_plan"
_ANSWER = (b"SET LOCAL synchronous_commit = off", _ONE_PLAN)


async def set_local(conn: AsyncConnection, **values: str | int) -> None:
    """Set parameters until the transaction or savepoint ends, in one round trip; `__` in a name stands for the dot."""
    await send(conn, [_set_local(name, value) for name, value in values.items()])


@lru_cache(maxsize=256)
def _set_local(name: str, value: str | int) -> bytes:
    return sql.SQL("SET LOCAL {} = {}").format(sql.Identifier(*name.split("__")), sql.Literal(value)).as_bytes()


_AS_SEARCH = (_set_local("role", "memdb_search"), _set_local("plan_cache_mode", "force_custom_plan"))


async def search(conn: ReadConn | WriteConn, sql: str, values: Mapping[str, object], *, one_plan: bool = False) -> list[Row]:
    """The rows of one statement of the search role, in one round trip.

    SECURITY: memdb_search sees rows of every org; the statement binds org and brains, and the role ends with it.

    Args:
        conn: in a transaction.
        sql: a named statement.
        values: by name.
        one_plan: of the transaction, as `Database.answer` sets it; the statement itself is always planned for its values.
    """
    plan = "force_generic_plan" if one_plan else "auto"
    after = [_set_local("role", "none"), _set_local("plan_cache_mode", plan)]
    return await fetch_between(conn, sql, values, (_AS_SEARCH, after))


_SAVEPOINT = b"SAVEPOINT memdb_step"
_RELEASE = b"RELEASE SAVEPOINT memdb_step"
_ROLLBACK = b"ROLLBACK TO SAVEPOINT memdb_step"


@asynccontextmanager
async def stepping(
    conn: AsyncConnection, entry: Mapping[str, str | int], leave: Mapping[str, str | int], *, fetched: bool = False
) -> AsyncIterator[Steps]:
    """Several steps in one transaction, each of which may fail without the others; settings for all of them, and for what follows.

    Args:
        conn: in a transaction.
        entry: settings of the steps.
        leave: settings from then on.
        fetched: all statements inside are sent by `fetch`. Then settings and savepoints have no round trip of their own; they travel with
            the next of those, and a statement sent otherwise would run without them.
    """
    steps = Steps(conn, send_with_next if fetched else send)
    await steps.begin([_set_local(name, value) for name, value in entry.items()])
    yield steps
    # SECURITY: sent at once, so that whatever runs next, and however, has the role that it is meant to have.
    await send(conn, [_RELEASE, *(_set_local(name, value) for name, value in leave.items())])


class Steps:
    """The savepoint of the step that runs."""

    def __init__(self, conn: AsyncConnection, send: Callable[[AsyncConnection, Sequence[bytes]], Awaitable[None]]) -> None:
        self._conn = conn
        self._send = send

    async def begin(self, before: Sequence[bytes]) -> None:
        """Begin a step, after these statements."""
        await self._send(self._conn, [*before, _SAVEPOINT])

    async def next(self, **values: str | int) -> None:
        """Keep what the step did, and begin the next one with these settings."""
        await self.begin([_RELEASE, *(_set_local(name, value) for name, value in values.items())])

    async def undo(self) -> None:
        """Undo the step, which failed."""
        await send(self._conn, [_ROLLBACK])


def sqlalchemy_url(url: str) -> str:
    """`postgresql://…` as SQLAlchemy's psycopg dialect wants it."""
    for scheme in ("postgresql://", "postgres://"):
        if url.startswith(scheme):
            return "postgresql+psycopg://" + url.removeprefix(scheme)
    return url


class mapped_errors:  # noqa: N801 - used as a context manager, reads like one
    """Turns driver errors into storage errors. The driver's text can hold row values, so it is not part of the message."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, (exc.SQLAlchemyError, psycopg.Error)):  # the latter of what runs past SQLAlchemy, in a pipeline
            raise map_error(error) from error


def map_error(error: exc.SQLAlchemyError | psycopg.Error) -> StorageError:
    """The storage error of a driver error, by SQLSTATE class; constraint names do not arrive from every Postgres."""
    state = getattr(getattr(error, "orig", error), "sqlstate", None) or ""
    if isinstance(error, exc.TimeoutError):
        return StorageUnavailable("no free database connection in time; try again or raise MEMDB_POOL_SIZE")
    if state == "53100":
        return StorageUnavailable("the disk of the database is full; free some space and try again")
    lost = (exc.OperationalError, exc.InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
    if isinstance(error, lost) or state.startswith(("08", "40", "53", "57", "58")):
        return StorageUnavailable(f"the database did not answer ({state or 'connection lost'}); try again")
    if state == "23505":
        return AlreadyExists("a concurrent request stored the same object; read it and try again")
    return StorageError(f"the database refused a statement ({state or type(error).__name__})")


async def tried_again(work: Callable[[], Awaitable[T]]) -> T:
    """The result of `work`, which is one whole transaction; tried up to `TRIES` times when it loses to a concurrent one.

    Nothing of a lost transaction was kept: a deadlock, a serialization failure, or a row that somebody else stored a moment before, which
    the next try finds.
    """
    for attempt in range(1, TRIES):
        try:
            return await work()
        except (StorageUnavailable, AlreadyExists) as error:
            lost_to = getattr(getattr(error.__cause__, "orig", error.__cause__), "sqlstate", None)
            if lost_to not in _LOST:
                raise
            _log.info("transaction tried again", attempt=attempt, sqlstate=lost_to)
        await asyncio.sleep(random.uniform(0, PAUSE_S * attempt))  # noqa: S311 - spreads tries, guards nothing
    return await work()


_LOST = {"40P01", "40001", "23505", "23503"}  # deadlock, serialization failure, unique violation, a row referred to that has just gone


def _drop_pool_when_disconnected(context: object) -> None:
    # After a restart of Postgres every pooled connection is dead: drop them all at the first sign instead of one request each.
    if getattr(context, "is_disconnect", False):
        context.invalidate_pool_on_disconnect = True  # type: ignore[attr-defined]  # SQLAlchemy's ExceptionContext
