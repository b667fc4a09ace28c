"""What narrows a search: the same in a list, exact, before the cut, and never dropped in silence."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.support.product import Caller


async def _fill(ana: Caller) -> dict[str, str]:
    bruno = str((await ana.make_person("Bruno")).subject_id)
    me = str(ana.subject_id)
    written = {
        "plain": await ana.write("tea at the harbour"),
        "tagged": await ana.write("tea at the market", "episodic", tags=["Food", "São Paulo"]),
        "topic": await ana.write("tea at the office", topic="Clients/Meridian"),
        "deeper": await ana.write("tea at the branch office", topic="clients/meridian/lisbon"),
        "neighbour": await ana.write("tea at the other office", topic="clients/meridian2"),
        "about": await ana.write("tea for two", about=[me, bruno]),
        "said": await ana.write("tea is best", "procedural", said_by=bruno),
    }
    return {name: receipt["id"] for name, receipt in written.items()} | {"bruno": bruno, "me": me}


async def test_list_and_search_agree_on_every_filter(ana: Caller) -> None:
    ids = await _fill(ana)
    cases: list[tuple[dict[str, Any], dict[str, Any], set[str]]] = [
        ({}, {}, {"plain", "tagged", "topic", "deeper", "neighbour", "about", "said"}),
        ({"kind": "episodic"}, {"kinds": ["episodic"]}, {"tagged"}),
        ({"kind": ["episodic", "procedural"]}, {"kinds": ["episodic", "procedural"]}, {"tagged", "said"}),
        ({"topic": "clients/meridian"}, {"topic": "clients/meridian"}, {"topic", "deeper"}),
        ({"topic": "CLIENTS"}, {"topic": "CLIENTS"}, {"topic", "deeper", "neighbour"}),
        ({"topic": "clients/%"}, {"topic": "clients/%"}, set()),
        ({"topic": "clients/_eridian"}, {"topic": "clients/_eridian"}, set()),
        ({"tag": "food"}, {"tags": ["food"]}, {"tagged"}),
        ({"tag": ["food", "sao paulo"]}, {"tags": ["food", "sao paulo"]}, {"tagged"}),
        ({"tag": ["food", "other"]}, {"tags": ["food", "other"]}, set()),
        ({"about": ids["bruno"]}, {"about": [ids["bruno"]]}, {"about"}),
        ({"about": str(uuid4())}, {"about": [str(uuid4())]}, set()),
        ({"said_by": ids["bruno"]}, {"said_by": ids["bruno"]}, {"said"}),
        ({"said_by": ids["me"]}, {"said_by": ids["me"]}, set()),
        ({"created_from": "2999-01-01T00:00:00Z"}, {"created_from": "2999-01-01T00:00:00Z"}, set()),
        ({"created_to": "2020-01-01T00:00:00Z"}, {"created_to": "2020-01-01T00:00:00Z"}, set()),
    ]
    for query, body, names in cases:
        expected = {ids[name] for name in names}
        assert set(await ana.list_ids(**query)) == expected, query
        assert set(await ana.found_ids("tea", **body)) == expected, body


@pytest.mark.parametrize("field", ["perosn", "filter", "kind", "tag"])
async def test_an_unknown_field_is_refused_by_the_search(anyone: Caller, field: str) -> None:
    assert (await anyone.search("tea", expect=422, **{field: "x"}))["code"] == "invalid_input"


@pytest.mark.parametrize("query", [{"perosn": "x"}, {"kinds": "semantic"}, {"tags": "x"}, {"data": "{}"}])
async def test_an_unknown_parameter_is_refused_by_the_list(anyone: Caller, query: dict[str, str]) -> None:
    assert (await anyone.send("GET", "/v1/memories", expect=422, params=query))["code"] == "invalid_input"


@pytest.mark.parametrize(
    "body",
    [
        {"limit": "3"}, {"limit": 3.5}, {"limit": True}, {"limit": 0}, {"limit": 101}, {"limit": -1}, {"explain": "true"}, {"explain": 1},
        {"kinds": "semantic"}, {"kinds": ["semntic"]}, {"kinds": []}, {"brains": []}, {"about": []}, {"tags": []}, {"audience": []},
        {"about": ["not an id"]}, {"about": "x"}, {"said_by": 3}, {"topic": 3}, {"tags": [3]}, {"tags": "abc"}, {"data": []}, {"data": "x"},
        {"data": {}}, {"data": {"a": {}}}, {"data": {"a": []}}, {"data": {"a": 1, "b": {"c": []}}}, {"data": {"k" * 5_000: 1}},
        {"data": {"a": "x\u0000y"}}, {"data": {"a": 2**63}}, {"weights": {"vectr": 1}}, {"weights": {}}, {"weights": {"lexical": 0}},
        {"weights": {"lexical": -1}}, {"weights": {"lexical": 101}}, {"weights": {"lexical": "1"}}, {"weights": []}, {"min_score": 1.1},
        {"min_score": -0.1}, {"min_score": "0"}, {"token_budget": 0}, {"token_budget": 32_001}, {"token_budget": 1.5},
        {"created_from": "2026-01-01"}, {"created_from": "2026-01-01T00:00:00"}, {"as_of": "yesterday"}, {"valid_at": 0},
        {"as_of": "9999-12-31T23:59:59Z"}, {"created_from": "2026-02-01T00:00:00Z", "created_to": "2026-01-01T00:00:00Z"},
        {"topic": "x" * 201}, {"tags": ["x" * 201]}, {"tags": ["t"] * 33}, {"purpose": "x" * 1_001}, {"purpose": 3},
    ],
    ids=lambda body: str(body)[:60],
)  # fmt: skip
async def test_a_filter_of_the_wrong_type_or_range_is_refused(anyone: Caller, body: dict[str, Any]) -> None:
    problem = await anyone.search("tea", expect=422, **body)
    assert problem["code"] == "invalid_input"
    assert problem["errors"]


@pytest.mark.parametrize(
    "query",
    [
        {"kind": "semntic"}, {"about": "x"}, {"limit": "x"}, {"limit": 0}, {"limit": 201}, {"created_from": "2026-01-01T00:00:00"},
        {"created_from": "2026-02-01T00:00:00Z", "created_to": "2026-01-01T00:00:00Z"}, {"cursor": "x"}, {"cursor": "é"},
    ],
    ids=str,
)  # fmt: skip
async def test_a_parameter_of_the_wrong_type_or_range_is_refused(anyone: Caller, query: dict[str, Any]) -> None:
    assert (await anyone.send("GET", "/v1/memories", expect=422, params=query))["code"] in {"invalid_input", "invalid_cursor"}


async def test_null_is_no_filter_and_an_unknown_brain_is_404(ana: Caller) -> None:
    receipt = await ana.write("tea at noon")
    nothing = dict.fromkeys(["kinds", "brains", "about", "tags", "topic", "data", "audience", "as_of"], None)
    assert await ana.found_ids("tea", **nothing) == [receipt["id"]]
    assert (await ana.search("tea", expect=404, brains=[str(uuid4())]))["code"] == "not_found"
    assert (await ana.send("GET", "/v1/memories", expect=404, params={"brain_id": str(uuid4())}))["code"] == "not_found"


ODD_DATA: list[dict[str, Any]] = [
    {"name": "O'Neil"}, {"name": "x') OR 1=1 --"}, {"source.file": "a.txt"}, {"a' = 'b' OR '1'='1' --": "z"}, {"%": "_"}, {"q\\": "\\"},
    {"$.a": "$1"}, {":org_id": ":org_id"}, {"κλειδί": "τιμή"}, {"emoji 🙂": "🙂"}, {"deep": {"er": {"est": [1, {"x": False}]}}}, {"n": None},
    {"b": True}, {"b": "true"}, {"i": 3}, {"i": "3"}, {"i": 3.5}, {"k" * 200: 1},
]  # fmt: skip


async def test_odd_keys_and_values_are_found_exactly_and_find_nothing_else(ana: Caller) -> None:
    lines = [{"content": f"tea number {n}", "kind": "episodic", "data": data} for n, data in enumerate(ODD_DATA)]
    results = (await ana.write_batch(lines))["results"]
    for data, result in zip(ODD_DATA, results, strict=True):
        assert await ana.found_ids("tea", data=data, limit=100) == [result["memory"]["id"]], data
        assert (await ana.read(result["memory"]["id"]))["data"] == data
    assert await ana.found_ids("tea", data={"name": ["O'Neil", "other"]}) == []
    assert await ana.found_ids("tea", data={"' OR ''='": ""}) == []


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9223372036854775808", "1e300"])
async def test_numbers_that_cannot_be_kept_are_refused(ana: Caller, number: str) -> None:
    for path, body in (
        ("/v1/memories", f'{{"content": "tea", "kind": "semantic", "data": {{"score": {number}}}}}'),
        ("/v1/memories/search", f'{{"query": "tea", "data": {{"score": {number}}}}}'),
        ("/v1/memories/search", f'{{"query": "tea", "min_score": {number}}}'),
    ):
        problem = await ana.send("POST", path, expect=422, content=body, headers={"Content-Type": "application/json"})
        assert problem["code"] in {"invalid_input", "malformed_json"}
    line = f'{{"content": "tea", "kind": "semantic", "data": {{"score": {number}}}}}'
    batch = await ana.write_batch([line, {"content": "milk", "kind": "semantic"}])
    assert [r["error"] is None for r in batch["results"]] == [False, True]


@pytest.mark.parametrize("branch", ["lexical", "vector", None])
async def test_filters_stand_before_the_cut(ana: Caller, branch: str | None) -> None:
    noise = [{"content": f"harbour harbour harbour {n}", "kind": "episodic", "tags": ["x"]} for n in range(100)]
    wanted = [{"content": f"the old harbour of town {n} with many other words", "kind": "episodic", "tags": ["keep"]} for n in range(10)]
    results = (await ana.write_batch([*noise, *wanted]))["results"]
    keep = {r["memory"]["id"] for r in results[100:]}
    weights = {} if branch is None else {"weights": {branch: 1}}
    assert set(await ana.found_ids("harbour", tags=["keep"], limit=10, **weights)) == keep


@pytest.mark.parametrize("count", [0, 1, 2])
async def test_a_scope_of_none_one_or_two_memories_answers(ana: Caller, count: int) -> None:
    for n in range(count):
        await ana.write(f"tea number {n}", "episodic")
    answer = await ana.search("tea", min_score=0.0, token_budget=100)
    assert len(answer["evidence"]) == count
    assert answer["degraded"] == []
    past = await ana.search("tea", min_score=0.0, valid_at="2020-01-01T00:00:00Z")
    assert len(past["evidence"]) == count
