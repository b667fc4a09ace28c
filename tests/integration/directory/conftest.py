"""A server of its own for tests that come through the HTTP door, an org and its administrator for each."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from memdb.config import Settings
from memdb.providers.embedding.base import EmbeddingSpace
from tests.support.database import Cluster, clone
from tests.support.product import Caller, Product, running


@pytest.fixture(scope="module")
async def server(cluster: Cluster, settings: Settings, space: EmbeddingSpace) -> AsyncIterator[Product]:
    with clone(cluster, space) as database:
        async with running(settings, database) as product:
            yield product


@pytest.fixture
async def admin(server: Product) -> Caller:
    return await server.make_caller()
