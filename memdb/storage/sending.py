"""Statements past SQLAlchemy, on its connections: several in one round trip, and rows without what it does for each statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import psycopg
from psycopg.rows import namedtuple_row
from sqlalchemy import exc

from memdb.storage.statements import clause, numbered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

WAITING = "memdb_waiting"
"""Execution option of a connection: the list of what is sent with its next statement."""
COMMIT: Final = b"COMMIT"
Command = tuple[bytes, "Sequence[object] | None"]
Row = Any
"""A named tuple with the columns of a statement."""


async def fetch(conn: AsyncConnection, sql: str, values: Mapping[str, object]) -> list[Row]:
    """The rows of a statement. As `conn.execute`, in half the time: of a look-up by key SQLAlchemy's part is the largest.

    Args:
        conn: in a transaction.
        sql: a fixed text with `:named` parameters, lists cast to the type of the array.
        values: by name; those that the statement does not name are ignored.

    Raises:
        sqlalchemy.exc.DBAPIError: as `conn.execute` does.
    """
    if _is_watched(conn):
        await send(conn, [])
        return list(await conn.execute(clause(sql), dict(values)))
    driver, before = await driver_of(conn), _take_waiting(conn)
    try:
        async with psycopg.AsyncRawCursor(driver, row_factory=namedtuple_row) as cursor:
            if before:
                async with driver.pipeline():
                    await _run(driver, before)
                    await cursor.execute(*_command(sql, values), binary=True)
            else:
                await cursor.execute(*_command(sql, values), binary=True)
            return await cursor.fetchall()
    except psycopg.Error as error:
        raise await _wrapped(conn, driver, error) from error
    except BaseException as error:
        # Where it was interrupted is not known, so nobody gets this connection again.
        await conn.invalidate(error)
        raise


async def fetch_between(
    conn: AsyncConnection, sql: str, values: Mapping[str, object], around: tuple[Sequence[bytes], Sequence[bytes]]
) -> list[Row]:
    """The rows of a statement that is sent between others, all in one round trip: settings for it alone, and back.

    If it fails, the transaction is over, and what was to follow does not matter any more. Arguments and errors as of `fetch`.
    """
    before, after = around
    if _is_watched(conn):
        await send(conn, before)
        rows = list(await conn.execute(clause(sql), dict(values)))
        await send(conn, after)
        return rows
    driver, waiting = await driver_of(conn), _take_waiting(conn)
    try:
        async with psycopg.AsyncRawCursor(driver, row_factory=namedtuple_row) as cursor:
            async with driver.pipeline():
                await _run(driver, [*waiting, *((statement, None) for statement in before)])
                await cursor.execute(*_command(sql, values), binary=True)
                await _run(driver, [(statement, None) for statement in after])
            return await cursor.fetchall()
    except psycopg.Error as error:
        raise await _wrapped(conn, driver, error) from error
    except BaseException as error:
        # Where it was interrupted is not known, so nobody gets this connection again.
        await conn.invalidate(error)
        raise


async def fetch_alone(conn: AsyncConnection, beginning: Sequence[bytes], sql: str, values: Mapping[str, object]) -> list[Row]:
    """The rows of a statement with its whole transaction, from `beginning` to COMMIT, in one round trip. It is prepared at once.

    Raises:
        psycopg.Error: the connection is given up, because where it was interrupted is not known.
    """
    driver = await driver_of(conn)
    try:
        async with psycopg.AsyncRawCursor(driver, row_factory=namedtuple_row) as cursor:
            async with driver.pipeline():
                await _run(driver, [(statement, None) for statement in beginning])
                await cursor.execute(*_command(sql, values), prepare=True, binary=True)
                await _run(driver, [(COMMIT, None)])
            return await cursor.fetchall()
    except BaseException as error:
        await conn.invalidate(error)
        raise


async def run_with_next(conn: AsyncConnection, sql: str, values: Mapping[str, object]) -> None:
    """Send a statement whose rows nobody needs together with the next one, at the latest with the commit, which then fails if it fails.

    Arguments as of `fetch`.
    """
    if _is_watched(conn):
        await conn.execute(clause(sql), dict(values))
    else:
        _waiting(conn).append(_command(sql, values))


def _command(sql: str, values: Mapping[str, object]) -> tuple[bytes, list[object]]:
    statement, names = numbered(sql)
    return statement, [_plain(values[name]) for name in names]


def _plain(value: object) -> object:
    """Lists of UUIDs as Postgres writes arrays; the driver takes six times as long for them."""
    if isinstance(value, list) and value and isinstance(value[0], UUID):
        return "{" + ",".join([item.hex for item in value]) + "}"
    return value


def _is_watched(conn: AsyncConnection) -> bool:
    # Whoever listens to what SQLAlchemy executes, for tracing or to see a statement's plan, is to hear of these statements as well.
    listened = conn.sync_engine.dispatch
    return bool(listened.before_execute or listened.before_cursor_execute)


async def _wrapped(conn: AsyncConnection, driver: psycopg.AsyncConnection[Any], error: psycopg.Error) -> exc.DBAPIError:
    """An error of the driver as SQLAlchemy raises it, and what it does when the connection is lost."""
    if driver.closed:
        await conn.invalidate(error)
        await conn.engine.dispose()
    wrapped = exc.DBAPIError.instance(None, None, error, psycopg.Error, hide_parameters=True, connection_invalidated=driver.closed)
    assert isinstance(wrapped, exc.DBAPIError), "it was given an error of the driver"
    return wrapped


def _waiting(conn: AsyncConnection) -> list[Command]:
    assert conn.sync_connection is not None, "in a transaction"
    waiting: list[Command] = conn.sync_connection.get_execution_options()[WAITING]
    return waiting


def _take_waiting(conn: AsyncConnection) -> list[Command]:
    waiting = _waiting(conn)
    taken = waiting.copy()
    waiting.clear()
    return taken


async def send_with_next(conn: AsyncConnection, statements: Sequence[bytes]) -> None:
    if _is_watched(conn):
        await send(conn, statements)
    else:
        _waiting(conn).extend((statement, None) for statement in statements)


async def send(conn: AsyncConnection, statements: Sequence[bytes]) -> None:
    """Run statements, and before them what waits, in one round trip."""
    commands = [*_take_waiting(conn), *((statement, None) for statement in statements)]
    if not commands:
        return
    driver = await driver_of(conn)
    try:
        async with driver.pipeline():
            await _run(driver, commands)
    except psycopg.Error:
        raise
    except BaseException as error:
        # Where it was interrupted is not known, so nobody gets this connection again.
        await conn.invalidate(error)
        raise


async def _run(driver: psycopg.AsyncConnection[Any], commands: Sequence[Command]) -> None:
    async with psycopg.AsyncRawCursor(driver) as cursor:
        for statement, values in commands:
            await cursor.execute(statement, values)


async def driver_of(conn: AsyncConnection) -> psycopg.AsyncConnection[Any]:
    driver = (await conn.get_raw_connection()).driver_connection
    assert isinstance(driver, psycopg.AsyncConnection), "the engine runs on psycopg"
    return driver
