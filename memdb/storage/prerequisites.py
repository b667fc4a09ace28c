"""What a Postgres must bring before schema.sql can be applied, and the SQL that an administrator runs where the owner may not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from psycopg import sql

from memdb.errors import ConfigurationError
from memdb.storage.statements import catalogue

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

OLDEST_SERVER = 15
NEWEST_SERVER = 18
OLDEST_VECTOR = (0, 8)


@dataclass(frozen=True, slots=True)
class Prerequisites:
    """What is there already, who asks, and who owns schema mem (None: nobody yet)."""

    vector: bool
    search_role: bool
    app_role: bool
    search_granted: bool
    may_create: bool
    user: str
    database: str
    schema_owner: str | None


def require_server(conn: Connection) -> None:
    """Pass on a Postgres of major version 15 to 18.

    Raises:
        ConfigurationError: it is another one.
    """
    major = conn.info.server_version // 10_000
    if not OLDEST_SERVER <= major <= NEWEST_SERVER:
        raise ConfigurationError(
            f"this is Postgres {major}; memdb works with {OLDEST_SERVER} to {NEWEST_SERVER}; use a server of one of these versions"
        )


def require_vector(conn: Connection) -> None:
    """Pass when pgvector 0.8 or newer is installed in this database and its types are found without naming their schema.

    Raises:
        ConfigurationError: it is absent, too old, or outside the search path; says the statement to run.
    """
    row = conn.execute(
        "SELECT e.extversion, n.nspname, to_regtype('halfvec') IS NOT NULL FROM pg_catalog.pg_extension e"
        " JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
    ).fetchone()
    if row is None:
        raise ConfigurationError(
            "the extension pgvector is not installed in this database; run as an administrator: CREATE EXTENSION vector;"
        )
    version, schema, visible = row
    if parse_version(version) < OLDEST_VECTOR:
        raise ConfigurationError(
            f"pgvector {version} is too old; install 0.8 or newer on the server and run: ALTER EXTENSION vector UPDATE;"
        )
    if not visible:
        raise ConfigurationError(
            f"the types of pgvector are in schema {schema}, outside the search path; run: "
            f"ALTER ROLE {quote(conn.info.user)} SET search_path = public, {quote(schema)};"
        )


def parse_version(text: str) -> tuple[int, ...]:
    """The leading numbers of a version.

    >>> parse_version("0.8.5"), parse_version("0.9-dev")
    ((0, 8, 5), (0, 9))
    """
    numbers: list[int] = []
    for part in text.split("."):
        digits = part[: next((i for i, c in enumerate(part) if not c.isdigit()), len(part))]
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)


def available_vector(conn: Connection) -> str | None:
    """The pgvector version that the server could install; None when its files are missing."""
    row = conn.execute("SELECT default_version FROM pg_catalog.pg_available_extensions WHERE name = 'vector'").fetchone()
    return None if row is None else str(row[0])


def administrator_statements(conn: Connection) -> tuple[str, ...]:
    """What is missing in this database and cluster for `memdb migrate` to run as the connected role; in the order to run it."""
    row = conn.execute(catalogue("read_facts")).fetchone()
    assert row is not None, "a SELECT without FROM has one row"
    return statements_for(Prerequisites(*row))


def statements_for(there: Prerequisites) -> tuple[str, ...]:
    """The SQL for an administrator; empty when nothing is missing."""
    user = quote(there.user)
    if there.schema_owner not in (None, there.user):
        return (f"GRANT {quote(there.schema_owner)} TO {user};",)
    wanted = (
        (there.vector, "CREATE EXTENSION vector;"),
        (there.search_role, "CREATE ROLE memdb_search NOLOGIN NOINHERIT;"),
        (there.app_role, "CREATE ROLE memdb_app LOGIN NOINHERIT;"),
        (there.search_granted, "GRANT memdb_search TO memdb_app;"),
        (there.may_create, f"GRANT CREATE ON DATABASE {quote(there.database)} TO {user};"),
    )
    return tuple(statement for present, statement in wanted if not present)


def quote(name: str) -> str:
    """The name as an SQL identifier, bare where that is the same.

    >>> quote("memdb_app"), quote("Ana role")
    ('memdb_app', '"Ana role"')
    """
    return name if _BARE.fullmatch(name) else sql.Identifier(name).as_string(None)


_BARE = re.compile(r"[a-z_][a-z0-9_]*")
