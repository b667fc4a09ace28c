"""The product as it comes: the model that is part of the installation, no setting that names another machine."""

from __future__ import annotations

import pytest

from memdb.config import Settings, load_settings
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.providers.embedding.registry import make_embedder


@pytest.fixture(scope="session")
def settings() -> Settings:
    return load_settings({"MEMDB_POOL_SIZE": "4"})


@pytest.fixture(scope="session")
def space(settings: Settings) -> EmbeddingSpace:
    return make_embedder(settings.embedding).space
