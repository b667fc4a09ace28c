"""The schema tests name the tables of one small embedding space; those of row-level security share two orgs a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.integration.schema.world import Org, make_world
from tests.support.database import SMALL_SPACE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdb.providers.embedding.base import EmbeddingSpace
    from tests.support.database import FreshDatabase


@pytest.fixture(scope="session")
def space() -> EmbeddingSpace:
    return SMALL_SPACE


@pytest.fixture(scope="module")
def owner(module_database: FreshDatabase) -> Iterator[psycopg.Connection]:
    with psycopg.connect(module_database.owner_url, autocommit=True) as conn:
        yield conn


@pytest.fixture(scope="module")
def app(module_database: FreshDatabase) -> Iterator[psycopg.Connection]:
    with psycopg.connect(module_database.app_url, autocommit=True) as conn:
        yield conn


@pytest.fixture(scope="module")
def org(owner: psycopg.Connection) -> Org:
    return make_world(owner)


@pytest.fixture(scope="module")
def foreign(owner: psycopg.Connection) -> Org:
    return make_world(owner)
