"""One running product for this folder; each test has an org of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from memdb.extraction.by_model import ByModel
from tests.support.one_product import ana, anyone, folder_database, product, server
from tests.support.product import Caller, Product
from tests.support.scripted_model import ScriptedModel

__all__ = ["ana", "anyone", "folder_database", "product", "server"]


@pytest.fixture
async def admin(ana: Caller, product: Product) -> Caller:
    """An administrator of an org that learns statements alone, in a database where nothing waits to be learned."""
    for left in ("DELETE FROM memdb_jobs.procrastinate_jobs", "DELETE FROM mem.extractions", "UPDATE mem.sessions SET due_at = NULL"):
        await product.rows(left)
    await ana.send("PUT", "/v1/admin/policy", expect=200, json={"memory": {"extraction": {"enabled": ["semantic"]}}})
    return ana


@pytest.fixture
async def model() -> AsyncIterator[ScriptedModel]:
    async with ScriptedModel() as scripted:
        yield scripted


@pytest.fixture
async def learner(model: ScriptedModel) -> AsyncIterator[ByModel]:
    """Reads with the scripted model."""
    reading = ByModel(model.make(timeout_s=60.0))  # the machine may be busy
    yield reading
    await reading.aclose()
