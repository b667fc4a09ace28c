"""Access to the database as its owner: MEMDB_OWNER_URL, or the embedded server of the data directory, started if need be."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from api.cli.embedded import require_database
from memdb.config import Settings
from memdb.embedded.binaries import Binaries, find_binaries
from memdb.embedded.cluster import EmbeddedPostgres
from memdb.errors import ConfigurationError
from memdb.storage.checks import check_schema
from memdb.storage.database import Database
from memdb.storage.owner import connect

_STATEMENT_TIMEOUT_MS = 600_000  # deletions and the like; nobody waits behind them


@dataclass(frozen=True, slots=True)
class Owned:
    """A database and how to reach it as its owner. `cluster` is None for a Postgres that somebody else runs."""

    url: str = field(repr=False)
    binaries: Binaries
    cluster: EmbeddedPostgres | None

    @property
    def data_dir(self) -> Path | None:
        return None if self.cluster is None else self.cluster.data_dir


@contextmanager
def own(settings: Settings, *, make: bool = False) -> Iterator[Owned]:
    """The database until the block ends.

    Args:
        settings: of this process.
        make: an embedded one that is not there is made; else it is refused.

    Raises:
        ConfigurationError: only the URL of the app is set, or there is no database.
    """
    if settings.owner_url is not None:
        yield Owned(settings.owner_url.get_secret_value(), find_binaries(), None)
        return
    if settings.database_url is not None:
        raise ConfigurationError("this needs the owner of the database; set MEMDB_OWNER_URL")
    if not make:
        require_database(settings.data_dir)
    with EmbeddedPostgres.start(settings.data_dir) as cluster:
        yield Owned(cluster.owner_url, cluster.binaries, cluster)


@asynccontextmanager
async def open_database(owned: Owned) -> AsyncIterator[Database]:
    """The same as a pool of one connection, once its schema is this release's.

    Raises:
        SchemaMismatch: it is another one.
        StorageUnavailable: the database cannot be reached.
    """
    with connect(owned.url) as conn:
        check_schema(conn)
    database = Database(owned.url, pool_size=1, statement_timeout_ms=_STATEMENT_TIMEOUT_MS)
    try:
        yield database
    finally:
        await database.aclose()
