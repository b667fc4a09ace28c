"""The embedded Postgres of a command: started in a thread, so that the rest of the program loads meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Self

from memdb.embedded.cluster import EmbeddedPostgres
from memdb.embedded.layout import Layout
from memdb.errors import ConfigurationError


class StartingPostgres:
    """A start under way. Leaving the `with` block gives up this process's share in the server, however far it came."""

    def __init__(self, data_dir: Path, say: Callable[[str], None]) -> None:
        self._data_dir = data_dir
        self._say = say
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="memdb-postgres-start")
        self._leaving = Event()
        self._started: Future[EmbeddedPostgres] | None = None

    def __enter__(self) -> Self:
        self._started = self._pool.submit(EmbeddedPostgres.start, self._data_dir, progress=self._say, given_up=self._leaving.is_set)
        return self

    @property
    def started(self) -> Future[EmbeddedPostgres]:
        """The running server, once it runs. Raises what `EmbeddedPostgres.start` raises."""
        assert self._started is not None, "entered"
        return self._started

    def give_up(self) -> None:
        """End a start that is under way; one that is over is left as it is."""
        self._leaving.set()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.give_up()
        self._pool.shutdown(wait=True)
        if not self.started.cancelled() and self.started.exception() is None:
            self.started.result().stop()


def require_database(data_dir: Path) -> None:
    """Pass when the folder has a database.

    Raises:
        ConfigurationError: it has none; a command that only looks must not make one.
    """
    if not Layout(data_dir.expanduser().absolute()).pgdata.exists():
        raise ConfigurationError(
            f"there is no database in {data_dir}; name its folder with --data-dir or MEMDB_DATA_DIR, or make one with `memdb up`"
        )
