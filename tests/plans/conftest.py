"""A database with enough rows that the planner has something to choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memdb.keyring import Keyring, make_root_key
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.storage.database import Database
from tests.plans.loading import Loaded, load_rows
from tests.support.database import Cluster, FreshDatabase, clone

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

PLAN_SPACE = EmbeddingSpace("plans_64", "tests", "none", 64, "1")
ROWS = 20_000


@pytest.fixture(scope="session")
def space() -> EmbeddingSpace:
    return PLAN_SPACE


@pytest.fixture(scope="session")
def keyring() -> Keyring:
    return Keyring((make_root_key(),))


@pytest.fixture(scope="package")
def loaded_database(cluster: Cluster) -> Iterator[FreshDatabase]:
    with clone(cluster, PLAN_SPACE) as fresh:
        yield fresh


@pytest.fixture(scope="package")
def loaded(loaded_database: FreshDatabase, keyring: Keyring) -> Loaded:
    """20,000 memories of three orgs; nobody changes them."""
    return load_rows(loaded_database, PLAN_SPACE, ROWS, keyring.current_id)


@pytest.fixture(scope="package")
async def app(loaded_database: FreshDatabase) -> AsyncIterator[Database]:
    """The product's pool, as memdb_app."""
    opened = Database(loaded_database.app_url, pool_size=2, statement_timeout_ms=60_000)
    yield opened
    await opened.aclose()
