"""What an org keeps for a time only, and what it must keep: upkeep, deletion and the deletion of an org."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any

import pytest

from governance.errors import UnderLegalHold
from memdb.config import Settings
from memdb.directory.orgs import delete_org
from memdb.lifecycle.upkeep import run_once
from memdb.providers.embedding.base import EmbeddingSpace
from tests.support.database import Cluster, clone
from tests.support.product import Caller, Product, running

DAY = timedelta(days=1)


@pytest.fixture(scope="module")
async def product(settings: Settings, cluster: Cluster, space: EmbeddingSpace) -> AsyncIterator[Product]:
    with clone(cluster, space) as database:
        async with running(settings, database) as made:
            yield made


@pytest.fixture
def ahead(product: Product) -> Iterator[Any]:
    def go(time: timedelta) -> None:
        product.clock.ahead = time

    yield go
    product.clock.ahead = timedelta()


@pytest.fixture
async def ana(product: Product) -> Caller:
    return await product.make_caller()


async def put(caller: Caller, **sections: Any) -> None:
    await caller.send("PUT", "/v1/admin/policy", expect=200, json=sections)


async def recalls(product: Product, caller: Caller) -> int:
    return int(await product.value("SELECT count(*) FROM mem.recalls WHERE org_id = :o", o=caller.org_id))


async def test_questions_are_kept_for_thirty_days_by_default(ana: Caller, product: Product, ahead: Any) -> None:
    await ana.search("tea?")
    ahead(29 * DAY)
    await run_once(product.runtime)
    assert await recalls(product, ana) == 1
    ahead(31 * DAY)
    await run_once(product.runtime)
    assert await recalls(product, ana) == 0


async def test_the_policy_says_how_long_and_another_org_keeps_its_own(ana: Caller, product: Product, ahead: Any) -> None:
    other = await product.make_caller()
    await put(ana, retention={"recalls_days": 2})
    await put(other, retention={"recalls_days": 0})
    await ana.search("tea?")
    await other.search("tea?")
    ahead(40 * DAY)
    await run_once(product.runtime)
    assert (await recalls(product, ana), await recalls(product, other)) == (0, 1)


async def test_memories_of_a_kind_go_when_nobody_confirms_them(ana: Caller, product: Product, ahead: Any) -> None:
    await put(ana, retention={"memories_days": {"episodic": 10}})
    gone = await ana.write("Ana went to Lisbon", "episodic")
    confirmed = await ana.write("Ana went to Porto", "episodic")
    kept = await ana.write("Ana likes tea")
    ahead(9 * DAY)
    await ana.send("POST", f"/v1/memories/{confirmed['id']}:confirm", expect=200, json={})
    ahead(11 * DAY)
    await run_once(product.runtime)
    assert set(await ana.list_ids()) == {confirmed["id"], kept["id"]}
    assert await product.value("SELECT count(*) FROM mem.memory_index WHERE memory_id = CAST(:m AS uuid)", m=gone["id"]) == 0
    (event,) = await product.rows("SELECT detail FROM mem.audit_events WHERE org_id = :o AND action = 'memory.expire'", o=ana.org_id)
    assert event.detail == {"policy": 1}


@pytest.mark.parametrize("by", ["brain", "about", "said_by", "writer", "merged"])
async def test_a_legal_hold_keeps_from_deletion_and_from_retention(ana: Caller, product: Product, ahead: Any, by: str) -> None:
    bruno = await ana.make_person("Bruno")
    room = await ana.make_brain(members=[{"subject_id": str(bruno.subject_id), "role": "writer"}])
    named: dict[str, Any] = {"about": [str(bruno.subject_id)]} if by in {"about", "merged"} else {}
    named |= {"said_by": str(bruno.subject_id)} if by == "said_by" else {}
    writer = bruno if by == "writer" else ana
    kept = await writer.write("Bruno went to Lisbon", "episodic", brain_id=room, **named)
    note = await writer.write("Bruno is on his way", "working", brain_id=room, ttl_seconds=60, **named)
    free = await ana.write("Ana went to Porto", "episodic", brain_id=str(ana.everybody))
    held = str(bruno.subject_id)
    if by == "merged":
        held = (await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Bruno S."}))["id"]
        await ana.send("POST", f"/v1/subjects/{bruno.subject_id}:merge", expect=200, json={"into_id": held})
    await writer.search("Lisbon?")
    await put(ana, retention={"memories_days": {"episodic": 1}}, legal_hold={"brains": [room]} if by == "brain" else {"subjects": [held]})
    problem = await ana.delete(kept["id"], expect=409)
    assert problem["code"] == "legal_hold"
    ahead(60 * DAY)
    await run_once(product.runtime)
    assert await ana.list_ids() == [kept["id"]]
    assert await product.value("SELECT count(*) FROM mem.memories WHERE id = CAST(:m AS uuid) AND content <> ''", m=note["id"]) == 1
    assert await recalls(product, ana) == (1 if by == "writer" else 0)
    await put(ana, legal_hold={})
    await ana.delete(kept["id"])
    assert free["id"] not in await ana.list_ids()


async def test_an_org_with_a_legal_hold_is_not_deleted(ana: Caller, product: Product) -> None:
    await put(ana, legal_hold={"brains": [str(ana.everybody)]})
    name = await product.value("SELECT name FROM mem.orgs WHERE id = :o", o=ana.org_id)
    with pytest.raises(UnderLegalHold):
        await delete_org(product.owner, product.runtime.keyring, name, product.clock.now(), confirm=name)
    assert await ana.send("GET", "/v1/admin/policy", expect=200)


async def test_a_hold_names_what_there_is(ana: Caller) -> None:
    nowhere = "00000000-0000-7000-8000-000000000000"
    for section in ({"brains": [nowhere]}, {"subjects": [nowhere]}):
        problem = await ana.send("PUT", "/v1/admin/policy", expect=404, json={"legal_hold": section})
        assert problem["code"] == "not_found"
