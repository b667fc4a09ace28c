"""Databases for tests: a template that is migrated once, and clones of it that live for one test or module.

Everything here is shared by all xdist workers and by repeated runs. A template is named after what it was made from, so that another
schema makes another template; names of clones hold the process id, so that those of killed runs are swept.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

import psycopg
from procrastinate.schema import SchemaManager
from psycopg import sql

from memdb.providers.embedding.base import EmbeddingSpace
from memdb.storage.migrate import migrate
from memdb.storage.schema_file import load_source

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL_SPACE = EmbeddingSpace("tests_8", "tests", "none", 8, "1")
_SETUP_LOCK = 7236521900


class Cluster(Protocol):
    """What tests need of a Postgres: three ways in, and a password for the app role once the schema has made it."""

    @property
    def owner_url(self) -> str: ...
    @property
    def superuser_url(self) -> str: ...
    @property
    def app_url(self) -> str: ...
    def set_app_password(self) -> None: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class FreshDatabase:
    """A database of its own; the roles belong to the whole cluster."""

    name: str
    owner_url: str
    app_url: str
    superuser_url: str


@dataclass(frozen=True, slots=True)
class ExternalCluster:
    """A Postgres that somebody else runs, such as an older version; the three URLs hold passwords."""

    owner_url: str
    superuser_url: str
    app_url: str

    def set_app_password(self) -> None:
        password = urlsplit(self.app_url).password or ""
        with psycopg.connect(self.superuser_url, autocommit=True) as conn:
            conn.execute(sql.SQL("ALTER ROLE memdb_app LOGIN PASSWORD {}").format(sql.Literal(password)))


def external_cluster() -> ExternalCluster | None:
    """The cluster that TEST_OWNER_URL, TEST_SUPERUSER_URL and TEST_APP_URL name; None when they are not set."""
    urls = [os.environ.get(name) for name in ("TEST_OWNER_URL", "TEST_SUPERUSER_URL", "TEST_APP_URL")]
    owner, superuser, app = urls
    return ExternalCluster(owner, superuser, app) if owner and superuser and app else None


def in_database(url: str, name: str) -> str:
    """The same URL for another database of the cluster."""
    return urlsplit(url)._replace(path=f"/{name}").geturl()


@cache
def template_of(cluster: Cluster, space: EmbeddingSpace) -> str:
    """Name of a migrated database without connections; made by whoever comes first, while the others wait."""
    name = f"memdb_template_{_fingerprint(space)}"
    with _setup(cluster) as conn:
        if not _exists(conn, name):
            draft = f"{name}_draft"
            _drop(conn, draft)
            _create(cluster, conn, draft)
            migrate(in_database(cluster.owner_url, draft), space, now=datetime.now(UTC))
            conn.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(draft), sql.Identifier(name)))
        cluster.set_app_password()
        _sweep(conn)
    return name


@contextmanager
def clone(cluster: Cluster, space: EmbeddingSpace = SMALL_SPACE) -> Iterator[FreshDatabase]:
    """A migrated database with no row; dropped at the end, whoever is still connected."""
    template = template_of(cluster, space)
    with _fresh(cluster) as (conn, name):
        conn.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(_owner(cluster)), sql.Identifier(template)
            )
        )
        yield _urls(cluster, name)


@contextmanager
def empty(cluster: Cluster, *, extension: bool = True) -> Iterator[FreshDatabase]:
    """A database that nothing has migrated, by default with the vector extension, as `memdb up` leaves it for `memdb migrate`."""
    with _fresh(cluster) as (conn, name):
        _create(cluster, conn, name, extension=extension)
        yield _urls(cluster, name)


@dataclass(frozen=True, slots=True)
class LoginRole:
    """A role for one test; `url` leads to no database of the test's, see `in_database`."""

    name: str
    url: str


@contextmanager
def login_role(cluster: Cluster, attributes: str = "", *grants: str) -> Iterator[LoginRole]:
    """A role with these attributes and grants, in which `{me}` stands for its name; gone at the end. Roles belong to the whole cluster."""
    name = f"tests_{os.getpid()}_{secrets.token_hex(3)}"
    with _maintenance(cluster) as conn:
        conn.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'tests' {attributes}".encode())
        try:
            for grant in grants:
                conn.execute(grant.format(me=name).encode())
            _, _, server = cluster.superuser_url.partition("@")
            yield LoginRole(name, f"postgresql://{name}:tests@{server}")
        finally:
            conn.execute(f"DROP ROLE {name}".encode())


def _urls(cluster: Cluster, name: str) -> FreshDatabase:
    return FreshDatabase(
        name,
        in_database(cluster.owner_url, name),
        in_database(cluster.app_url, name),
        in_database(cluster.superuser_url, name),
    )


def _fingerprint(space: EmbeddingSpace) -> str:
    source = load_source()
    parts = [source.script, *(u.script for u in source.upgrades), SchemaManager.get_schema(), repr(space), f"{datetime.now(UTC):%Y-%m}"]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def _owner(cluster: Cluster) -> str:
    return urlsplit(cluster.owner_url).username or "memdb_owner"


def _maintenance(cluster: Cluster) -> psycopg.Connection:
    return psycopg.connect(in_database(cluster.superuser_url, "postgres"), autocommit=True)


@contextmanager
def _setup(cluster: Cluster) -> Iterator[psycopg.Connection]:
    with _maintenance(cluster) as conn:
        conn.execute("SELECT pg_advisory_lock(%s)", (_SETUP_LOCK,))
        yield conn


@contextmanager
def _fresh(cluster: Cluster) -> Iterator[tuple[psycopg.Connection, str]]:
    name = f"memdb_test_{os.getpid()}_{secrets.token_hex(4)}"
    with _maintenance(cluster) as conn:
        try:
            yield conn, name
        finally:
            _drop(conn, name)


def _create(cluster: Cluster, conn: psycopg.Connection, name: str, *, extension: bool = True) -> None:
    conn.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(_owner(cluster))))
    if extension:
        with psycopg.connect(in_database(cluster.superuser_url, name), autocommit=True) as inside:
            inside.execute("CREATE EXTENSION vector")


def _exists(conn: psycopg.Connection, name: str) -> bool:
    return conn.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is not None


def _drop(conn: psycopg.Connection, name: str) -> None:
    conn.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _sweep(conn: psycopg.Connection) -> None:
    names = [row[0] for row in conn.execute(r"SELECT datname FROM pg_database WHERE datname LIKE 'memdb\_test\_%'").fetchall()]
    for name in names:
        if not _is_alive(int(name.split("_")[2])):
            _drop(conn, name)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
