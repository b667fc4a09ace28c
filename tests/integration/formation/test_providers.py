"""What a write needs of others: an embedder that is down, a redactor that fails, and no connection out while either runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from governance.redaction.redactor import Redactor
from governance.redaction.rules import RedactionRules
from memdb.errors import DimensionMismatch, ProviderUnavailable
from tests.support.product import Caller, Product, Statements, WatchedEmbedder

STATEMENTS_MAX = 20
"""Of one short write with a named thing and an episode, settings of its transactions included; a write must stay a matter of some
milliseconds, and each statement is a round trip."""


async def test_while_the_embedder_is_down_memories_are_stored_and_found_by_words(ana: Caller, product: Product) -> None:
    embedder = WatchedEmbedder(product.runtime.embedder)
    embedder.failure = ProviderUnavailable()
    down = ana.through(replace(product.runtime, embedder=embedder))
    receipts = [await down.write(f"Fact {n} about the lighthouse", "episodic") for n in range(3)]
    assert {r["embedding"] for r in receipts} == {"pending"}
    answer = await down.search("lighthouse", min_score=0.0)
    assert {e["memory"]["id"] for e in answer["evidence"]} == {r["id"] for r in receipts}
    assert {"vector: embedding_unavailable", "feedback: embedding_unavailable"} <= set(answer["degraded"])
    assert await product.value("SELECT count(*) FROM mem.embedding_pending WHERE org_id = :o", o=ana.org_id) == 3
    assert (await ana.search("lighthouse"))["degraded"] == []


async def test_an_edit_while_the_embedder_is_down_leaves_no_vector_of_the_old_text(ana: Caller, product: Product) -> None:
    receipt = await ana.write("Bruno owns a boat")
    embedder = WatchedEmbedder(product.runtime.embedder)
    embedder.failure = ProviderUnavailable()
    down = ana.through(replace(product.runtime, embedder=embedder))
    assert (await down.edit(receipt["id"], content="Bruno owns a motorcycle"))["embedding"] == "pending"
    assert await ana.found_ids("boat", weights={"vector": 1}) == []
    assert await ana.found_ids("motorcycle") == [receipt["id"]]
    assert (await down.edit(receipt["id"], tags=["x"]))["version"] == 3


async def test_vectors_of_another_dimension_are_refused_and_nothing_is_written(ana: Caller, product: Product) -> None:
    embedder = WatchedEmbedder(product.runtime.embedder)
    embedder.failure = DimensionMismatch()
    other = ana.through(replace(product.runtime, embedder=embedder))
    assert (await other.write("Bruno owns a boat", expect=502))["code"] == "dimension_mismatch"
    assert await ana.list_ids() == []


class FailingRedactor(Redactor):
    """Fails as soon as it is told to."""

    def __init__(self, inner: Redactor) -> None:
        self._analyzer = _FailingAnalyzer(inner)  # type: ignore[assignment]  # only `find` is used


class _FailingAnalyzer:
    def __init__(self, inner: Redactor) -> None:
        self._inner = inner

    def find(self, text: str) -> Any:
        raise RuntimeError("the text of a failure may quote ana@example.com")


async def test_when_the_redactor_fails_nothing_is_stored_and_nothing_is_told(ana: Caller, product: Product) -> None:
    receipt = await ana.write("Bruno owns a boat")
    embedder = WatchedEmbedder(product.runtime.embedder)
    runtime = replace(product.runtime, redactor=FailingRedactor(product.runtime.redactor), embedder=embedder)
    broken = ana.through(runtime)
    for problem in (
        await broken.write("Write to ana@example.com", expect=503),
        await broken.edit(receipt["id"], content="Write to ana@example.com", expect=503),
        await broken.search("ana@example.com", expect=503),
    ):
        assert problem["code"] == "redaction_unavailable"
        assert "ana" not in str(problem)
    batch = await broken.write_batch([{"content": "Tea", "kind": "episodic"}, {"content": "Milk", "kind": "episodic"}])
    assert [r["error"]["code"] for r in batch["results"]] == ["redaction_unavailable"] * 2
    assert (embedder.documents, embedder.queries) == ([], [])
    assert await ana.list_ids() == [receipt["id"]]
    assert await product.value("SELECT count(*) FROM mem.recalls WHERE org_id = :o", o=ana.org_id) == 0


async def test_no_connection_is_out_while_a_model_runs(ana: Caller, product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    find = product.runtime.redactor._find

    def watching(text: str, field: str, rules: RedactionRules) -> Any:
        seen.append(product.runtime.database.checked_out)
        return find(text, field, rules)

    monkeypatch.setattr(product.runtime.redactor, "_find", watching)
    embedder = WatchedEmbedder(product.runtime.embedder, product.runtime.database)
    watched = ana.through(replace(product.runtime, embedder=embedder))
    receipt = await watched.write("Bruno owns a boat", tags=["x"], source={"episode": {"external_id": "call"}})
    await watched.write_batch([{"content": f"Fact {n}", "kind": "episodic"} for n in range(3)])
    await watched.edit(receipt["id"], content="Bruno owns a bike")
    await watched.search("what does Bruno own?", purpose="a test", topic="bikes", tags=["x"], data={"a": "b"})
    assert len(embedder.checked_out) == 4
    assert set(embedder.checked_out) == {0}
    assert seen
    assert set(seen) == {0}


async def test_the_embedder_sees_redacted_text_alone(ana: Caller, product: Product) -> None:
    embedder = WatchedEmbedder(product.runtime.embedder)
    watched = ana.through(replace(product.runtime, embedder=embedder))
    await watched.write("Write to ana@example.com or call CPF 529.982.247-25")
    await watched.search("who is ana@example.com?")
    assert embedder.documents == ["Write to [EMAIL_1] or call CPF [CPF_1]"]
    assert embedder.queries == ["who is [EMAIL_1]?"]


async def test_a_short_write_costs_few_statements_and_a_batch_few_for_each_memory(ana: Caller, product: Product) -> None:
    source = {"episode": {"external_id": "call"}}
    await ana.write("Carla visited Zanzibar", source=source)
    statements = Statements(product.runtime.database)
    try:
        await ana.write("Carla left Zanzibar", source=source)
        single = len(statements.seen)
        statements.seen.clear()
        await ana.write_batch([{"content": f"Carla saw bird {n}", "kind": "semantic"} for n in range(40)])
        batch = len(statements.seen)
    finally:
        statements.stop()
    assert single <= STATEMENTS_MAX + 12, statements.seen  # 12 of them check the key
    assert batch <= STATEMENTS_MAX + 12
