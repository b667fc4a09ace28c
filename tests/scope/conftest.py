"""The whole product over a database of its own, in three states: as it is, without its predicates, without its policies."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from governance.redaction.redactor import Redactor
from memdb.config import Settings, load_settings
from memdb.keyring import Keyring, make_root_key
from memdb.providers.embedding.registry import make_embedder
from tests.scope.stage import MODES, Mode, Stage, open_stage, without_policies
from tests.scope.world import World, build
from tests.support.database import Cluster, clone

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from memdb.providers.embedding.base import EmbeddingSpace

ENVIRONMENT = {
    "MEMDB_EMBEDDING_PROVIDER": "hashing",
    "MEMDB_EMBEDDING_DIMENSION": "64",
    "MEMDB_POOL_SIZE": "2",
    "MEMDB_BRANCH_DEADLINE_MS": "10000",
}


@pytest.fixture(scope="session")
def settings() -> Settings:
    return load_settings(ENVIRONMENT)


@pytest.fixture(scope="session")
def space(settings: Settings) -> EmbeddingSpace:
    return make_embedder(settings.embedding).space


@pytest.fixture(scope="session")
def keyring() -> Keyring:
    return Keyring((make_root_key(),))


@pytest.fixture(scope="session")
def redactor() -> Redactor:
    return Redactor()


@pytest.fixture(scope="module", params=MODES)
async def stage(
    request: pytest.FixtureRequest, cluster: Cluster, space: EmbeddingSpace, settings: Settings, keyring: Keyring, redactor: Redactor
) -> AsyncIterator[Stage]:
    """The product in each of the three states, shared by the tests of a module; each makes orgs of its own."""
    mode: Mode = request.param
    with clone(cluster, space) as database:
        if mode == "predicates":
            without_policies(database)
        async with open_stage(mode, database, settings, keyring, redactor) as opened:
            yield opened


@pytest.fixture(scope="module")
async def world(stage: Stage) -> World:
    """A random world for all examples of a module, because making one takes longer than a hundred requests; they change it as they go."""
    seed = random.SystemRandom().randrange(2**32)
    return await build(stage, random.Random(seed), seed)
