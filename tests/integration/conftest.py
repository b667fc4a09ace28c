"""A running product without its network: runtime, application and an org with an administrator's key."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx
import pytest
import structlog
from fastapi import FastAPI

from api.app import create_app
from api.container import build_runtime, close_runtime
from api.logging import configure
from memdb.config import Settings, load_settings
from memdb.directory.authentication import Authenticated, Authenticator
from memdb.directory.orgs import CreatedOrg, create_org
from memdb.keyring import Keyring, make_root_key
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.providers.embedding.registry import make_embedder
from memdb.runtime import Runtime
from memdb.storage.database import Database
from tests.support.database import FreshDatabase

ENVIRONMENT = {"MEMDB_EMBEDDING_PROVIDER": "hashing", "MEMDB_POOL_SIZE": "4"}


class SteppingClock:
    """The machine's time plus what a test adds."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@dataclass(frozen=True, slots=True)
class Org:
    """An org made for a test and its administrator's key as text."""

    name: str
    created: CreatedOrg

    @property
    def key(self) -> str:
        return self.created.key.render()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    @property
    def id(self) -> UUID:
        return self.created.org_id


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return load_settings(ENVIRONMENT, audit_heads=tmp_path_factory.mktemp("heads"))


@pytest.fixture(scope="session")
def space(settings: Settings) -> EmbeddingSpace:
    return make_embedder(settings.embedding).space


@pytest.fixture(scope="session")
def keyring() -> Keyring:
    return Keyring((make_root_key(),))


@pytest.fixture(scope="module")
def module_clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def clock(module_clock: SteppingClock) -> Iterator[SteppingClock]:
    """The clock of `runtime`; it is right again after the test."""
    yield module_clock
    module_clock.ahead = timedelta()


@pytest.fixture(scope="module")
async def runtime(
    module_database: FreshDatabase, settings: Settings, keyring: Keyring, module_clock: SteppingClock
) -> AsyncIterator[Runtime]:
    """One for the tests of a module: each makes orgs of its own in it."""
    built = await build_runtime(settings, app_url=module_database.app_url, keyring=keyring, clock=module_clock)
    yield built
    await close_runtime(built)


@pytest.fixture(scope="module")
async def owner(module_database: FreshDatabase) -> AsyncIterator[Database]:
    """The database of `runtime` as its owner: no row-level security."""
    opened = Database(module_database.owner_url, pool_size=1, statement_timeout_ms=60_000)
    yield opened
    await opened.aclose()


async def make_org(owner: Database, keyring: Keyring, clock: SteppingClock, *, operator: bool = False) -> Org:
    """An org that no other test knows."""
    name = f"org-{secrets.token_hex(6)}"
    return Org(name, await create_org(owner, keyring, name, clock.now(), operator=operator))


@pytest.fixture
async def org(owner: Database, keyring: Keyring, clock: SteppingClock) -> Org:
    return await make_org(owner, keyring, clock, operator=True)


@pytest.fixture
async def other_org(owner: Database, keyring: Keyring, clock: SteppingClock) -> Org:
    return await make_org(owner, keyring, clock)


@pytest.fixture
async def who(runtime: Runtime, org: Org) -> Authenticated:
    """The administrator of `org`."""
    return await Authenticator(runtime.database, runtime.clock, runtime.keyring).authenticate(org.key, None, "test")


@pytest.fixture
def app(runtime: Runtime) -> FastAPI:
    return create_app(runtime)


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """No credential of its own, and not from this machine: send `org.headers`."""
    transport = httpx.ASGITransport(app=app, client=("203.0.113.9", 40_000))
    async with httpx.AsyncClient(transport=transport, base_url="http://memdb.example") as opened:
        yield opened


@pytest.fixture
def json_logs(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], str]]:
    """Logs as a server writes them; call it for what was written since."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    configure("info", "json")
    yield lambda: capsys.readouterr().err
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()
