"""Plain connections for the owner's work and for start-up checks: no pool, no identity, one at a time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
from psycopg.rows import TupleRow

from memdb.errors import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

Connection = psycopg.Connection[TupleRow]

CONNECT_TIMEOUT_S = 10


@contextmanager
def connect(url: str) -> Iterator[Connection]:
    """An autocommit connection in UTC, closed at the end; transactions are opened by `conn.transaction()`.

    Raises:
        StorageUnavailable: no answer in time, no such database, or the password is wrong. The driver's text, which names host, user and
            database but no password, is part of the message.
    """
    try:
        conn = psycopg.connect(psycopg_url(url), autocommit=True, connect_timeout=CONNECT_TIMEOUT_S, options="-c timezone=UTC")
    except psycopg.OperationalError as error:
        reason = " ".join(str(error).split())
        raise StorageUnavailable(f"cannot connect to the database: {reason}") from error
    with conn:
        yield conn


def psycopg_url(url: str) -> str:
    """The URL without SQLAlchemy's driver name.

    >>> psycopg_url("postgresql+psycopg://u@h/d")
    'postgresql://u@h/d'
    """
    return url.replace("postgresql+psycopg://", "postgresql://", 1)
