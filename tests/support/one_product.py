"""Fixtures of a folder of tests with one running product, in which each test has an org of its own. A folder's conftest.py imports them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta

import pytest

from memdb.config import Settings
from memdb.providers.embedding.base import EmbeddingSpace
from tests.support.database import Cluster, FreshDatabase, clone
from tests.support.product import Caller, Product, running


@pytest.fixture(scope="session")
def folder_database(cluster: Cluster, space: EmbeddingSpace) -> Iterator[FreshDatabase]:
    with clone(cluster, space) as fresh:
        yield fresh


@pytest.fixture(scope="session")
async def server(settings: Settings, folder_database: FreshDatabase) -> AsyncIterator[Product]:
    async with running(settings, folder_database) as product:
        yield product


@pytest.fixture
def product(server: Product) -> Iterator[Product]:
    yield server
    server.clock.ahead = timedelta()


@pytest.fixture(scope="module")
async def anyone(server: Product) -> Caller:
    """An administrator for the tests of one module that ask and are refused."""
    return await server.make_caller()


@pytest.fixture
async def ana(product: Product) -> Caller:
    """The administrator of a new org; what she writes goes to her home brain."""
    return await product.make_caller()
