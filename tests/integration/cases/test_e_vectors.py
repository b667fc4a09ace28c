"""Cases of search by vectors, by their number; most are tested in ../retrieval, ../upkeep and ../../plans."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psycopg
import pytest

from memdb.errors import ConfigurationError, DimensionMismatch, ProviderUnavailable
from memdb.lifecycle.upkeep import run_once
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.storage.migrate import migrate
from tests.support.database import FreshDatabase
from tests.support.product import Caller, Json, Product, WatchedEmbedder
from tests.support.rows import NOW

VECTORS: Json = {"weights": {"vector": 1}}


def through(ana: Caller, product: Product, failure: Exception) -> Caller:
    """The same caller at a server whose embedder fails."""
    embedder = WatchedEmbedder(product.runtime.embedder)
    embedder.failure = failure
    return ana.through(replace(product.runtime, embedder=embedder))


async def test_b062_when_the_model_gives_another_dimension_reading_and_deleting_go_on(ana: Caller, product: Product) -> None:
    kept, gone = await ana.write("Bruno owns a boat"), await ana.write("Carla owns a bike")
    other = through(ana, product, DimensionMismatch())
    answer = await other.search("who owns a boat?", min_score=0.0)
    assert {"vector: embedding_unavailable", "feedback: embedding_unavailable"} <= set(answer["degraded"])
    assert answer["evidence"][0]["memory"]["id"] == kept["id"]
    assert all("vector" not in e["branches"] for e in answer["evidence"])
    assert (await other.read(kept["id"]))["content"] == "Bruno owns a boat"
    assert (await other.edit(kept["id"], tags=["sea"]))["version"] == 2, "a text that stays needs no vector"
    assert (await other.edit(kept["id"], content="Bruno owns a ship", expect=502))["code"] == "dimension_mismatch"
    said = {"recall_id": answer["recall_id"], "memory_id": kept["id"], "outcome": "helpful"}
    await other.send("POST", "/v1/feedback", expect=201, json=said)
    await other.delete(gone["id"])
    assert await other.list_ids() == [kept["id"]]
    assert await ana.found_ids("who owns a boat?", **VECTORS) == [kept["id"]], "the vector of before is still there"


@pytest.mark.parametrize("dimension", [2_000, 2_001, 3_072, 4_000])
def test_b064_every_dimension_that_is_taken_has_its_index(empty_database: FreshDatabase, dimension: int) -> None:
    space = EmbeddingSpace(f"wide_{dimension}", "tests", "none", dimension, "1")
    migrate(empty_database.owner_url, space, now=NOW)
    indexes = "SELECT count(*) FROM pg_indexes WHERE tablename = %s AND indexdef LIKE '%%USING hnsw%%'"
    with psycopg.connect(empty_database.owner_url) as conn:
        assert conn.execute(indexes, (f"memory_vectors_wide_{dimension}",)).fetchone() == (1,)


@pytest.mark.parametrize("dimension", [4_001, 4_096])
def test_b064_a_dimension_beyond_the_index_makes_no_space(dimension: int) -> None:
    with pytest.raises(ConfigurationError):
        EmbeddingSpace("wide", "tests", "none", dimension, "1")


async def test_b065_ten_facts_of_a_dead_embedder_are_found_by_meaning_after_one_pass(ana: Caller, product: Product) -> None:
    down = through(ana, product, ProviderUnavailable("down"))
    receipts = [await down.write(f"The lighthouse keeper wrote page {n}", "episodic") for n in range(10)]
    ids = {r["id"] for r in receipts}
    assert {r["embedding"] for r in receipts} == {"pending"}
    question = "what did the keeper of the lighthouse write?"
    assert set(await down.found_ids(question)) == ids, "by words meanwhile"
    assert await ana.found_ids(question, **VECTORS) == []
    await run_once(product.runtime)
    assert set(await ana.found_ids(question, **VECTORS)) == ids, "the failure of the question is not remembered either"
    assert (await ana.search(question))["degraded"] == []


async def test_b067_the_end_of_a_long_chinese_text_and_of_a_long_question_counts(ana: Caller) -> None:
    receipt = await ana.write("他每天在上海的茶馆里喝茶。" * 400 + "保险箱的密码是紫罗兰。")
    await ana.write("他每天在上海的茶馆里喝茶。")
    assert (await ana.found_ids("紫罗兰", weights={"lexical": 1})) == [receipt["id"]]
    pasted = "有人在这里粘贴了一行日志。" * 1_500
    assert (await ana.found_ids(f"{pasted}紫罗兰是什么?", weights={"lexical": 1}))[0] == receipt["id"]
    assert (await ana.search(f"{pasted}紫罗兰是什么?", min_score=0.0))["degraded"] == []
    assert (await ana.write("茶" * 9_000, expect=413))["code"] == "content_too_large"


# --------------------------------------------------------------------------------------------------- B145: filters before the cut
@pytest.fixture(scope="module")
async def harbour(server: Product) -> tuple[Caller, set[str], dict[str, Any]]:
    """A hundred and fifty that rank above ten and differ from them in everything that filters read."""
    ana = await server.make_caller()
    bruno = str((await ana.make_person("Bruno")).subject_id)
    right: dict[str, Any] = {
        "kind": "episodic", "tags": ["keep"], "topic": "towns/old", "about": [bruno], "said_by": bruno, "data": {"port": "old"},
    }  # fmt: skip
    wrong: dict[str, Any] = {
        "kind": "procedural", "tags": ["x"], "topic": "towns/new", "data": {"port": "new"}, "valid_to": "2090-01-01T00:00:00Z",
    }  # fmt: skip
    noise = [{"content": f"Zanzibar {chr(97 + n // 26)}{chr(97 + n % 26)} Zanzibar", **wrong} for n in range(150)]
    wanted = [{"content": f"the old Zanzibar of town {n} with many other words", **right} for n in range(10)]
    results = (await ana.write_batch([*wanted[:5], *noise, *wanted[5:]]))["results"]  # whichever of equals come first
    keep = {r["memory"]["id"] for r in results[:5] + results[-5:]}
    filters = {
        "tag": {"tags": ["keep"]}, "topic": {"topic": "towns/old"}, "person": {"about": [bruno]}, "speaker": {"said_by": bruno},
        "kind": {"kinds": ["episodic"]}, "data": {"data": {"port": "old"}}, "validity": {"valid_at": "2095-01-01T00:00:00Z"},
    }  # fmt: skip
    return ana, keep, filters


@pytest.mark.parametrize("filtered", ["tag", "topic", "person", "speaker", "kind", "data", "validity"])
@pytest.mark.parametrize("weights", [{"lexical": 1}, {"vector": 1}, {"entity": 1}, None], ids=["lexical", "vector", "entity", "fused"])
async def test_b145_every_filter_stands_before_the_cut_of_every_branch(
    harbour: tuple[Caller, set[str], dict[str, Any]], weights: dict[str, int] | None, filtered: str
) -> None:
    ana, keep, filters = harbour
    asked: Json = {"query": "Zanzibar", "limit": 10, **({} if weights is None else {"weights": weights})}
    if filtered == "tag":
        assert keep - set(await ana.found_ids(**asked | {"limit": 100})), "more rank above them than a branch gives"
    assert set(await ana.found_ids(**asked, **filters[filtered])) == keep
