"""Fixtures that every test may ask for: one Postgres for the whole run, and databases of one's own in it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.database import SMALL_SPACE, Cluster, FreshDatabase, clone, empty, external_cluster
from tests.support.postgres import session_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdb.providers.embedding.base import EmbeddingSpace


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """The Postgres of this run, shared by all workers; TEST_OWNER_URL, TEST_SUPERUSER_URL and TEST_APP_URL name another one."""
    external = external_cluster()
    if external is not None:
        yield external
        return
    # One folder for all workers and all runs of an account: the server starts once and templates are kept.
    root = Path(tempfile.gettempdir()) / f"memdb-tests-{os.geteuid()}"
    root.mkdir(mode=0o711, exist_ok=True)
    running = session_cluster(root)
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def space() -> EmbeddingSpace:
    """The embedding space of `database`; a folder that embeds overrides it in its own conftest."""
    return SMALL_SPACE


@pytest.fixture
def database(cluster: Cluster, space: EmbeddingSpace) -> Iterator[FreshDatabase]:
    """A migrated database without rows, for one test."""
    with clone(cluster, space) as fresh:
        yield fresh


@pytest.fixture(scope="module")
def module_database(cluster: Cluster, space: EmbeddingSpace) -> Iterator[FreshDatabase]:
    """The same, shared by the tests of one module; for those that only read, or that add rows of orgs of their own."""
    with clone(cluster, space) as fresh:
        yield fresh


@pytest.fixture
def empty_database(cluster: Cluster) -> Iterator[FreshDatabase]:
    """A database with the vector extension that nothing has migrated."""
    with empty(cluster) as fresh:
        yield fresh
