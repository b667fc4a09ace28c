"""Cases of isolation and scope, by their number. More of them: B002 and B013 in ../directory, B005 and B006 in ../mcp, B004 in tests/scope."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.product import Caller

BRANCHES = ("vector", "lexical", "entity", "graph", "feedback")


@pytest.mark.parametrize("weights", [None, *({name: 1.0} for name in BRANCHES)], ids=["fused", *BRANCHES])
async def test_b004_no_branch_and_no_list_beside_it_forgets_the_filter(ana: Caller, weights: dict[str, float] | None) -> None:
    bruno = await ana.make_person("Bruno")
    stamps = await ana.write("Charlie collects stamps.")
    diabetes = await bruno.write("Charlie has diabetes.")
    for caller, memory in ((ana, stamps), (bruno, diabetes)):
        recalled = await caller.search("what do we know about Charlie", min_score=0.0)
        vote = {"recall_id": recalled["recall_id"], "memory_id": memory["id"], "outcome": "helpful"}
        await caller.send("POST", "/v1/feedback", expect=201, json=vote)
    extra: dict[str, Any] = {} if weights is None else {"weights": weights}
    seen = await ana.search("what do we know about Charlie", limit=20, min_score=0.0, token_budget=2_000, explain=True, **extra)
    assert "diabetes" not in json.dumps(seen)
    assert diabetes["id"] not in json.dumps(seen)
    topics = await ana.send("GET", f"/v1/brains/{stamps['brain_id']}/topics", expect=200)
    assert topics["items"] == []


HOSTILE_DATA: list[dict[str, Any]] = [
    {"a' = 'b' OR '1'='1' --": "z"},
    {"name": ["x') OR 1=1 --"]},
    {"source.file": "x"},
    {"name": "%"},
]


@pytest.mark.parametrize("data", HOSTILE_DATA)
async def test_b009_a_filter_is_bound_and_never_gives_more(ana: Caller, data: dict[str, Any]) -> None:
    for n in range(3):
        await ana.write(f"tea of sort {n}", data={"name": f"n{n}"})
    assert (await ana.search("tea", data=data, min_score=0.0))["evidence"] == []


async def test_b009_apostrophes_and_odd_keys_work_and_long_ones_are_refused(ana: Caller) -> None:
    odd = await ana.write("tea for O'Neil", data={"name": "O'Neil", "a.b c": 1})
    await ana.write("tea for nobody", data={"name": "ONeil"})
    assert await ana.found_ids("tea", data={"name": "O'Neil"}) == [odd["id"]]
    assert await ana.found_ids("tea", data={"a.b c": 1}) == [odd["id"]]
    await ana.search("tea", data={"k" * 5_000: 1}, expect=422)
    await ana.search("tea", data={"name": {"$ne": None}}, expect=200)


async def test_b010_list_and_search_agree_and_nothing_is_ignored(ana: Caller) -> None:
    tagged = await ana.write("tea with a tag", tags=["drinks"], data={"n": 3})
    await ana.write("tea without one", data={"n": "3"})
    assert await ana.list_ids(tag="drinks") == await ana.found_ids("tea", tags=["drinks"]) == [tagged["id"]]
    assert await ana.found_ids("tea", data={"n": 3}) == [tagged["id"]], "a number is no text"
    assert await ana.found_ids("tea", data={"n": True}) == []
    await ana.search("tea", perosn="ana", expect=422)
    await ana.send("GET", "/v1/memories", expect=422, params={"perosn": "ana"})
    await ana.search("tea", tags="drinks", expect=422)
