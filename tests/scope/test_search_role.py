"""The role that sees index rows of every org: only while a branch runs, over nothing but indexes, and never left behind."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, ProgrammingError

from memdb.errors import AllBranchesFailed
from memdb.models.memory import Kind
from memdb.storage.database import Database, Identity
from memdb.storage.sending import fetch
from memdb.text.lexemes import query_terms
from memdb.timing import Stopwatch
from retrieval.branches import run as branches_run
from retrieval.branches.base import Asked, BranchSkipped, Hit
from retrieval.branches.registry import BRANCHES
from retrieval.names import find_names
from retrieval.query import Filters, Question
from retrieval.routing import Exact
from tests.scope.search_world import World, make_world, scope_of
from tests.scope.stage import open_stage
from tests.support.rows import make_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.ext.asyncio import AsyncConnection

    from governance.redaction.redactor import Redactor
    from memdb.config import Settings
    from memdb.keyring import Keyring
    from tests.scope.stage import Stage
    from tests.support.database import FreshDatabase

SEEN_BY_ALL = (
    "memory_index",
    "memory_version_index",
    "term_stats",
    "term_deltas",
    "corpus_stats",
    "outcomes",
    "entities",
    "memory_entities",
    "links",
    "memory_fragments",
    "fragments",
)


@dataclass(frozen=True, slots=True)
class Branch:
    """Does what a test wants, as memdb_search."""

    what: Any
    name: str = "probe"
    looks_up: bool = False

    async def find(self, conn: AsyncConnection, *_: object) -> list[Hit]:
        await self.what(conn)
        return []


@pytest.fixture(scope="module")
async def stage(module_database: FreshDatabase, settings: Settings, keyring: Keyring, redactor: Redactor) -> AsyncIterator[Stage]:
    """With one connection, so that whatever a request leaves in it meets the next one."""
    alone = settings.model_copy(update={"pool_size": 1, "branch_deadline_ms": 200})
    async with open_stage("full", module_database, alone, keyring, redactor) as opened:
        yield opened


@pytest.fixture(scope="module", autouse=True)
async def pristine(stage: Stage) -> dict[str, str]:
    """What the connection is like before anybody used it."""
    async with stage.runtime.database.bare() as conn:
        found = await look(conn)
    assert (found["user"], found["role"], found["mem.org_id"], found["mem.subject_id"]) == ("memdb_app", "none", "", "")
    return found


@pytest.fixture(scope="module")
def world(stage: Stage) -> World:
    return make_world(stage.owner, stage.runtime.embedder.space)


@pytest.fixture(scope="module")
def identity(stage: Stage, world: World) -> Identity:
    return Identity(world.org, world.person, make_key(stage.owner, world.org, world.person))


async def run(
    stage: Stage, world: World, identity: Identity, *branches: Any, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[str], dict[str, str]]:
    """Run branches as a recall does; what was degraded, and what the transaction is like afterwards."""
    monkeypatch.setattr(branches_run, "BRANCHES", branches)
    question: Any = Question(None, "en", (), (), Exact(), None, None, 5)  # type: ignore[arg-type]  # these branches look at none of it
    async with stage.runtime.database.read(identity) as conn:
        found = await branches_run.ask(stage.runtime, conn, scope_of(world), question, Stopwatch())
        return found.degraded, await look(conn)


async def look(conn: Any) -> dict[str, str]:
    names = ("role", "statement_timeout", "mem.org_id", "mem.subject_id", "mem.key_id", "mem.job_brain_id", "transaction_read_only")
    found = {
        name: str((await conn.execute(text("SELECT coalesce(current_setting(:name, true), '')"), {"name": name})).scalar_one())
        for name in names
    }
    return found | {"user": str((await conn.execute(text("SELECT current_user"))).scalar_one())}


async def succeed(conn: AsyncConnection) -> None:
    assert [tuple(row) for row in await fetch(conn, "SELECT current_user", {})] == [("memdb_search",)]
    assert [tuple(row) for row in await fetch(conn, "SHOW plan_cache_mode", {})] == [("force_custom_plan",)]
    assert [tuple(row) for row in await fetch(conn, "SELECT count(DISTINCT org_id) FROM mem.memory_index", {})] == [(2,)]


async def fail(conn: AsyncConnection) -> None:
    await fetch(conn, "SELECT 1 / 0", {})


async def be_late(conn: AsyncConnection) -> None:
    await fetch(conn, "SELECT pg_sleep(20)", {})


async def skip(_conn: AsyncConnection) -> None:
    raise BranchSkipped("nothing_to_look_for")


async def break_in_python(_conn: AsyncConnection) -> None:
    raise ValueError("a defect of the branch")


async def read_content(conn: AsyncConnection) -> None:
    await fetch(conn, "SELECT content FROM mem.memories", {})


async def write_index(conn: AsyncConnection) -> None:
    await fetch(conn, "UPDATE mem.memory_index SET held = false", {})


@pytest.mark.parametrize("what", [succeed, fail, be_late, skip, read_content, write_index])
async def test_the_role_and_the_deadline_end_with_the_branch(
    stage: Stage, world: World, identity: Identity, what: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    degraded, after = await run(stage, world, identity, Branch(what), Branch(succeed, "next"), monkeypatch=monkeypatch)
    assert after["user"] == "memdb_app"
    assert after["role"] == "none"
    assert after["statement_timeout"] == "5s"
    assert after["mem.org_id"] == str(world.org)
    reason = {succeed: None, be_late: "late", skip: "nothing_to_look_for"}.get(what, "failed")
    assert degraded == ([] if reason is None else [f"probe: {reason}"])


async def test_the_branches_of_the_product_leave_nothing(
    stage: Stage, world: World, identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, after = await run(
        stage, world, identity, *[Branch(lambda conn, b=b: _ask(b, conn, stage, world), b.name) for b in BRANCHES], monkeypatch=monkeypatch
    )
    assert (after["user"], after["role"], after["statement_timeout"]) == ("memdb_app", "none", "5s")


async def _ask(branch: Any, conn: AsyncConnection, stage: Stage, world: World) -> None:
    now = stage.clock.now()
    vector = np.eye(1, stage.runtime.embedder.space.dimension, dtype=np.float32)[0]  # the world's own
    filters = Filters(None, None, None, None, None, None, None, None, now, None, now)
    terms = query_terms("alpha", ("en",))
    question: Any = Question(None, "en", tuple(terms), find_names("alpha", {}), Exact(), vector, filters, 5, seeds={world.wanted: 0.5})  # type: ignore[arg-type]  # branches do not look at the text
    kinds = {world.wanted: Kind.SEMANTIC}
    assert await branch.find(conn, Asked.of(scope_of(world), question, stage.runtime.embedder.space, kinds))


@pytest.mark.parametrize("table", ["memory_versions", "recalls", "api_keys", "subjects", "turns", "audit_events", "hold_actions"])
async def test_a_branch_cannot_read_what_is_no_index(stage: Stage, world: World, identity: Identity, table: str) -> None:
    await _assert_denied(stage, identity, f"SELECT 1 FROM mem.{table}")


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("memories", "content"),
        ("memories", "data"),
        ("memories", "topic"),
        ("memories", "tags"),
        ("fragments", "text"),
        ("fragments", "speaker"),
        ("outcomes", "note"),
        ("feedback_queries", "query"),
    ],
)
async def test_a_branch_cannot_read_the_words_of_what_it_may_count(stage: Stage, identity: Identity, table: str, column: str) -> None:
    await _assert_denied(stage, identity, f"SELECT {column} FROM mem.{table}")


async def _assert_denied(stage: Stage, identity: Identity, statement: str) -> None:
    async with stage.runtime.database.read(identity) as conn:
        await conn.exec_driver_sql("SET LOCAL ROLE memdb_search")
        with pytest.raises(ProgrammingError, match="permission denied"):
            await conn.execute(text(statement))


@pytest.mark.parametrize("known", [True, False])
async def test_without_the_role_nobody_sees_through_its_policy(stage: Stage, world: World, identity: Identity, known: bool) -> None:
    space = stage.runtime.embedder.space.name
    async with stage.runtime.database.read(identity if known else Identity(world.other_org)) as conn:
        for table in (*SEEN_BY_ALL, f"memory_vectors_{space}", f"memory_version_vectors_{space}"):
            rows = (await conn.execute(text(f"SELECT DISTINCT org_id, brain_id FROM mem.{table}"))).all()
            mine = {(world.org, world.brain), (world.org, world.other_brain)} if known else set()
            assert {tuple(row) for row in rows} == mine, table
    async with stage.runtime.database.bare() as conn:
        for table in SEEN_BY_ALL:
            assert (await conn.execute(text(f"SELECT count(*) FROM mem.{table}"))).scalar_one() == 0, table


@pytest.mark.parametrize("what", [succeed, fail, be_late, skip, break_in_python])
async def test_a_connection_goes_back_clean(
    stage: Stage, pristine: dict[str, str], world: World, identity: Identity, what: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        await run(stage, world, identity, Branch(what), monkeypatch=monkeypatch)
    except (AllBranchesFailed, ValueError):
        assert what in {fail, be_late, break_in_python}
    await _assert_clean(stage, pristine)


async def test_a_connection_is_clean_after_a_request_was_given_up(
    stage: Stage, pristine: dict[str, str], world: World, identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang(conn: AsyncConnection) -> None:
        await fetch(conn, "SELECT pg_sleep(0.15)", {})

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await run(stage, world, identity, Branch(hang), monkeypatch=monkeypatch)
    await _assert_clean(stage, pristine)


async def test_a_connection_is_clean_after_a_transaction_failed_as_search(
    stage: Stage, pristine: dict[str, str], identity: Identity
) -> None:
    async def fail_as_search() -> None:
        async with stage.runtime.database.read(identity) as conn:
            await conn.exec_driver_sql("SET LOCAL ROLE memdb_search")
            await fail(conn)

    with pytest.raises((DBAPIError, Exception), match=r"refused|division"):
        await fail_as_search()
    await _assert_clean(stage, pristine)


async def _assert_clean(stage: Stage, pristine: dict[str, str]) -> None:
    database: Database = stage.runtime.database
    assert database.checked_out == 0
    async with database.bare() as conn:
        assert await look(conn) == pristine
