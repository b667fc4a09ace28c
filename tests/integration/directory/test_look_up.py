"""A statement with its whole transaction in one round trip: what it sees, and what is left of the connection."""

from __future__ import annotations

import pytest

from memdb.errors import StorageError, StorageUnavailable
from memdb.runtime import Runtime
from memdb.storage.database import Identity
from tests.integration.conftest import Org

KEYS = "SELECT count(*) AS found FROM mem.api_keys WHERE org_id = :org_id"


async def test_it_runs_under_row_level_security(runtime: Runtime, org: Org, other_org: Org) -> None:
    own = await runtime.database.look_up(Identity(org.id), KEYS, {"org_id": org.id})
    foreign = await runtime.database.look_up(Identity(other_org.id), KEYS, {"org_id": org.id})
    assert own is not None
    assert own[0] > 0
    assert foreign == (0,)


async def test_no_row_is_none(runtime: Runtime, org: Org) -> None:
    assert await runtime.database.look_up(Identity(org.id), "SELECT 1 AS one WHERE :no", {"no": False}) is None


async def test_a_failed_statement_leaves_nothing_behind(runtime: Runtime, org: Org) -> None:
    with pytest.raises(StorageError, match="25006"):  # read_only_sql_transaction
        await runtime.database.look_up(Identity(org.id), "DELETE FROM mem.recalls WHERE org_id = :org_id RETURNING id", {"org_id": org.id})
    assert runtime.database.checked_out == 0
    assert await runtime.database.look_up(Identity(org.id), "SELECT CAST(:n AS int) AS n", {"n": 1}) == (1,)


async def test_a_connection_that_died_in_the_pool_is_replaced(runtime: Runtime, org: Org) -> None:
    pid = await runtime.database.look_up(Identity(org.id), "SELECT pg_backend_pid() + CAST(:zero AS int) AS pid", {"zero": 0})
    assert pid is not None
    with pytest.raises(StorageUnavailable):  # it ends itself, and so does the one that replaces it
        await runtime.database.look_up(Identity(org.id), "SELECT pg_terminate_backend(pg_backend_pid() + CAST(:zero AS int))", {"zero": 0})
    assert await runtime.database.look_up(Identity(org.id), "SELECT CAST(:n AS int) AS n", {"n": 1}) == (1,)
    async with runtime.database.read(Identity(org.id)):
        assert runtime.database.checked_out == 1
