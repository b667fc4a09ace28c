"""The schema tests name the tables of one small embedding space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.database import SMALL_SPACE

if TYPE_CHECKING:
    from memdb.providers.embedding.base import EmbeddingSpace


@pytest.fixture(scope="session")
def space() -> EmbeddingSpace:
    return SMALL_SPACE
