"""`memdb migrate`: brings a database to the schema of this release, under a lock and in one transaction.

| the database | what happens |
| --- | --- |
| is empty | schema.sql is applied, statement by statement |
| has an older version | the numbered files in `migrations/` are applied, in order |
| has this version | nothing |
| has a newer version, or a schema `mem` of another product | it is refused |

Then the configured embedding space and the job queue get their tables, and the coming months their partitions. Runs as the owner of the
tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

import psycopg
from psycopg import errors, sql

from memdb.errors import ConfigurationError, SchemaMismatch, StorageError, StorageUnavailable
from memdb.storage.owner import connect
from memdb.storage.prerequisites import administrator_statements, available_vector, require_server, require_vector
from memdb.storage.queue_schema import make_queue
from memdb.storage.schema_file import SCHEMA_VERSION as SCHEMA_VERSION  # noqa: PLC0414 - re-exported: callers look for it here
from memdb.storage.schema_file import load_source
from memdb.storage.spaces import use_space
from memdb.storage.statements import split

if TYPE_CHECKING:
    from datetime import datetime

    from memdb.providers.embedding.base import EmbeddingSpace
    from memdb.storage.owner import Connection
    from memdb.storage.schema_file import SchemaSource

LOCK_KEY = 7236521000  # any constant that no other advisory lock of the product has; mem.ensure_partitions has the next
LOCK_TIMEOUT_S = 60.0
MONTHS_AHEAD = 3


@dataclass(frozen=True, slots=True)
class MigrationReport:
    """What a run changed. `version_before` is None for a database that was empty; `steps` are sentences, in order."""

    version_before: int | None
    version: int
    space: str
    partitions_made: int
    steps: tuple[str, ...]

    @property
    def changed(self) -> bool:
        return bool(self.steps)

    def lines(self) -> tuple[str, ...]:
        """For people: one line per step, or that there was nothing to do."""
        if not self.changed:
            return (f"nothing to do: schema version {self.version}, embedding space {self.space}",)
        return self.steps


def migrate(
    owner_url: str,
    space: EmbeddingSpace,
    *,
    now: datetime,
    source: SchemaSource | None = None,
    lock_timeout_s: float = LOCK_TIMEOUT_S,
) -> MigrationReport:
    """Bring a database to the schema of `source`, by default that of this release. All or nothing; a second run changes nothing.

    Two runs at once wait for each other, and the later one finds nothing to do.

    Args:
        owner_url: connects as the role that owns, or will own, the tables.
        space: the configured embedding space.
        now: recorded as the time of each step; partitions are made for its month (UTC) and the next three.
        source: what to apply.
        lock_timeout_s: how long to wait for another run, and for locks of statements that are running.

    Raises:
        SchemaMismatch: the version is newer or unknown, `mem` is not ours, or another embedding space is in use.
        DimensionMismatch: the embedding space in use has another dimension.
        ConfigurationError: the server or pgvector is too old or missing, or the role lacks rights; lists the statements to run.
        StorageUnavailable: no connection, or a lock was not granted in time.
        StorageError: a statement of the schema failed.
    """
    source = source or load_source()
    with connect(owner_url) as conn:
        try:
            _take_lock(conn, lock_timeout_s)
            return _migrate(conn, source, space, now)
        except errors.LockNotAvailable as error:
            raise StorageUnavailable(
                f"a table stayed locked for {lock_timeout_s:g} s; nothing was changed; end long transactions and run memdb migrate again"
            ) from error
        except errors.InsufficientPrivilege as error:
            raise _lacks_rights(conn, error) from error
        except psycopg.OperationalError as error:
            raise StorageUnavailable("the database went away; nothing was changed; run memdb migrate again") from error
        except psycopg.Error as error:
            raise StorageError(
                f"a statement of the schema failed ({error.sqlstate}: {error.diag.message_primary}); nothing was changed"
            ) from error


def find_version(conn: Connection) -> int | None:
    """The schema version of a database; None when it has no schema `mem`.

    Raises:
        SchemaMismatch: there is a schema `mem` that memdb did not make.
    """
    row = conn.execute("SELECT to_regnamespace('mem') IS NOT NULL, to_regclass('mem.schema_versions') IS NOT NULL").fetchone()
    assert row is not None, "a SELECT without FROM has one row"
    has_schema, has_versions = row
    if not has_schema:
        return None
    version = None
    if has_versions:
        found = conn.execute("SELECT max(version) FROM mem.schema_versions").fetchone()
        version = found[0] if found else None
    if version is None:
        raise SchemaMismatch("this database has a schema mem that does not come from memdb; use another database, or rename that schema")
    return int(version)


def _take_lock(conn: Connection, timeout_s: float) -> None:
    conn.execute(sql.SQL("SET lock_timeout = {}").format(sql.Literal(round(timeout_s * 1000))))
    try:
        # Held until the connection closes: a transaction's lock would be given back before another run sees its commit.
        conn.execute("SELECT pg_advisory_lock(%s)", (LOCK_KEY,))
    except errors.LockNotAvailable as error:
        raise StorageUnavailable(
            f"another memdb migrate has been running for {timeout_s:g} s; wait until it ends, or end it, and run this again"
        ) from error


def _migrate(conn: Connection, source: SchemaSource, space: EmbeddingSpace, now: datetime) -> MigrationReport:
    require_server(conn)
    with conn.transaction():
        # Lets one transaction change tenant tables and orgs on a distributed Postgres; a plain one takes it as an unknown setting.
        conn.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
        before = find_version(conn)
        steps = _apply_schema(conn, source, now) if before is None else _upgrade(conn, source, before, now)
        require_vector(conn)
        steps += use_space(conn, space, now)
        steps += make_queue(conn)
        steps += _let_app_connect(conn)
        row = conn.execute("SELECT mem.ensure_partitions(%s, %s)", (now, MONTHS_AHEAD + 1)).fetchone()
        made = int(row[0]) if row else 0
        if made:
            steps += (f"{made} monthly partitions made, from {now.astimezone(UTC):%Y-%m} on",)
    return MigrationReport(before, source.version, space.name, made, steps)


def _apply_schema(conn: Connection, source: SchemaSource, now: datetime) -> tuple[str, ...]:
    if available_vector(conn) is None:
        raise ConfigurationError("the server has no pgvector; install pgvector 0.8 or newer on it and run memdb migrate again")
    conn.execute("CREATE EXTENSION IF NOT EXISTS vector")
    require_vector(conn)
    _run(conn, source.script)
    _record(conn, source.version, now)
    return (f"schema version {source.version} applied",)


def _upgrade(conn: Connection, source: SchemaSource, version: int, now: datetime) -> tuple[str, ...]:
    if version > source.version:
        raise SchemaMismatch(
            f"this database has schema version {version}, newer than the {source.version} of this release; install a newer memdb-server"
        )
    pending = source.upgrades_after(version)
    if len(pending) != source.version - version:
        raise SchemaMismatch(
            f"this database has schema version {version}, and this release has no upgrade from there to {source.version}; "
            "install the releases between one after another"
        )
    for upgrade in pending:
        _run(conn, upgrade.script)
        _record(conn, upgrade.version, now)
    return tuple(f"upgrade {upgrade.name} applied" for upgrade in pending)


def _let_app_connect(conn: Connection) -> tuple[str, ...]:
    # The right to connect belongs to the database, not to the schema, and is not everybody's where PUBLIC has lost it.
    row = conn.execute("SELECT has_database_privilege('memdb_app', current_database(), 'CONNECT'), current_database()").fetchone()
    assert row is not None, "a SELECT without FROM has one row"
    if row[0]:
        return ()
    conn.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO memdb_app").format(sql.Identifier(row[1])))
    return ("memdb_app may connect",)


def _run(conn: Connection, script: str) -> None:
    for statement in split(script):
        conn.execute(statement.encode())


def _record(conn: Connection, version: int, now: datetime) -> None:
    conn.execute("INSERT INTO mem.schema_versions (version, applied_at) VALUES (%s, %s)", (version, now))


def _lacks_rights(conn: Connection, error: errors.InsufficientPrivilege) -> ConfigurationError:
    statements = administrator_statements(conn)
    reason = error.diag.message_primary or "permission denied"
    if not statements:
        return ConfigurationError(
            f"the role {conn.info.user} may not apply the schema ({reason}); run memdb migrate as the owner of schema mem"
        )
    listed = "\n".join(f"  {statement}" for statement in statements)
    return ConfigurationError(
        f"the role {conn.info.user} may not apply the schema ({reason}); an administrator must run in this database:\n{listed}"
    )
