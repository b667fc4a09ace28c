"""Statements past SQLAlchemy: what they see, what travels with them, and what is left when they fail."""

from __future__ import annotations

import asyncio
from uuid import UUID, uuid4

import pytest

from memdb.errors import StorageError
from memdb.storage.database import Identity, stepping
from memdb.storage.sending import fetch, run_with_next
from tests.support.product import Caller, Product, Statements

KEYS = "SELECT count(*) AS found FROM mem.api_keys k WHERE k.org_id = :org_id"
GIVEN = "SELECT CAST(:ids AS uuid[]) AS ids, CAST(:none AS uuid[]) AS none, CAST(:texts AS text[]) AS texts, :ids IS NULL AS absent"
ROLE = "SELECT current_user AS role, current_setting('statement_timeout') AS timeout"


def identity(ana: Caller) -> Identity:
    return Identity(ana.org_id)


async def test_it_runs_under_row_level_security(ana: Caller, product: Product) -> None:
    stranger = await product.make_caller()
    async with product.runtime.database.read(identity(ana)) as conn:
        assert (await fetch(conn, KEYS, {"org_id": ana.org_id}))[0].found > 0
        assert await fetch(conn, KEYS, {"org_id": stranger.org_id}) == [(0,)]


@pytest.mark.parametrize("ids", [[], [uuid4()], [uuid4(), UUID(int=0), uuid4()]])
async def test_lists_arrive_as_they_are(ana: Caller, product: Product, ids: list[UUID]) -> None:
    texts = ["plain", 'quoted "and", {braced}', "back\\slash", ""]
    async with product.runtime.database.read(identity(ana)) as conn:
        values = {"ids": ids, "none": None, "texts": texts, "unused": 1}
        assert await fetch(conn, GIVEN, values) == [(ids, None, texts, False)]


async def test_a_listener_of_the_engine_sees_the_statement_and_the_rows_are_the_same(ana: Caller, product: Product) -> None:
    database = product.runtime.database
    async with database.read(identity(ana)) as conn:
        alone = await fetch(conn, KEYS, {"org_id": ana.org_id})
    watched = Statements(database)
    async with database.read(identity(ana)) as conn, stepping(conn, {"role": "memdb_search"}, {"role": "none"}, fetched=True):
        assert (await fetch(conn, ROLE, {}))[0].role == "memdb_search"
    async with database.read(identity(ana)) as conn:
        assert await fetch(conn, KEYS, {"org_id": ana.org_id}) == alone
    watched.stop()
    assert any("mem.api_keys" in seen for seen in watched.seen)


async def test_settings_travel_with_the_first_statement_and_a_failed_step_leaves_the_next(ana: Caller, product: Product) -> None:
    async with product.runtime.database.read(identity(ana)) as conn:
        async with stepping(conn, {"role": "memdb_search", "statement_timeout": 1234}, {"role": "none"}, fetched=True) as steps:
            assert await fetch(conn, ROLE, {}) == [("memdb_search", "1234ms")]
            await steps.next(statement_timeout=2345)
            with pytest.raises(Exception, match="division by zero"):
                await fetch(conn, "SELECT 1 / 0", {})
            await steps.undo()
            assert await fetch(conn, ROLE, {}) == [("memdb_search", "2345ms")]
            await steps.next()
        assert (await fetch(conn, ROLE, {}))[0].role == "memdb_app"


async def test_without_promise_that_all_is_fetched_settings_are_sent_at_once(ana: Caller, product: Product) -> None:
    async with product.runtime.database.read(identity(ana)) as conn, stepping(conn, {"role": "memdb_search"}, {"role": "none"}):
        assert (await conn.exec_driver_sql("SELECT current_user")).scalar_one() == "memdb_search"


async def test_a_role_is_given_back_before_anything_else_runs(ana: Caller, product: Product) -> None:
    async with product.runtime.database.read(identity(ana)) as conn:
        async with stepping(conn, {"role": "memdb_search"}, {"role": "none"}, fetched=True):
            await fetch(conn, ROLE, {})
        assert (await conn.exec_driver_sql("SELECT current_user")).scalar_one() == "memdb_app"


async def test_what_is_stored_with_the_commit_fails_it(ana: Caller, product: Product) -> None:
    wrong = "INSERT INTO mem.recalls (org_id, id) VALUES (:org_id, :id)"
    with pytest.raises(StorageError, match="23"):
        async with product.runtime.database.answer(identity(ana)) as (_, recording):
            await run_with_next(recording, wrong, {"org_id": ana.org_id, "id": uuid4()})
    assert product.runtime.database.checked_out == 0


async def test_nobody_gets_the_connection_of_an_interrupted_statement(ana: Caller, product: Product) -> None:
    database = product.runtime.database

    async def wait() -> None:
        async with database.read(identity(ana)) as conn:
            await fetch(conn, "SELECT pg_sleep(30)", {})

    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0.3)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert database.checked_out == 0
    async with database.read(identity(ana)) as conn:
        assert (await fetch(conn, KEYS, {"org_id": ana.org_id}))[0].found > 0
