"""The answer: floor, near duplicates, card, audience, degraded branches, and what is kept of a recall."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from api.container import build_runtime
from memdb.config import Settings, load_settings
from memdb.errors import ConfigurationError, DimensionMismatch, ProviderUnavailable, SchemaMismatch
from memdb.providers.embedding.base import DIMENSION_MAX, EmbeddingSpace
from memdb.storage.sending import fetch
from memdb.text.tokens import count_tokens
from retrieval.branches.feedback import FeedbackBranch
from retrieval.branches.lexical import LexicalBranch
from retrieval.branches.registry import BRANCHES
from retrieval.branches.vector import VectorBranch
from tests.support.database import FreshDatabase
from tests.support.product import Caller, Product, WatchedEmbedder

MAIL = "ana.silva@example.com"


async def test_a_question_about_nothing_that_is_known_gets_no_evidence(ana: Caller) -> None:
    await ana.write("Bruno prefers short meetings on Tuesdays")
    answer = await ana.search("QQQQ zxqv wkrp", token_budget=100)
    assert answer["evidence"] == []
    assert answer["card"]["text"] == ""
    assert (await ana.search("when are Bruno's meetings?"))["evidence"]


async def test_weak_hits_are_counted_where_they_are_dropped(ana: Caller) -> None:
    for n in range(3):
        await ana.write(f"Bruno met client {n}", "episodic")
    answer = await ana.search("Bruno", min_score=1.0)
    assert (answer["evidence"], answer["dropped"]["below_floor"]) == ([], 3)
    answer = await ana.search("Bruno", min_score=0.0, limit=1)
    assert (len(answer["evidence"]), answer["dropped"]["over_limit"]) == (1, 2)


async def test_near_duplicates_collapse_but_not_over_subjects_or_numbers(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    for content in ("The build failed", "the build failed.", "The build failed 3 times", "The build failed 4 times"):
        await ana.write(content, "episodic")
    await ana.write("The build failed", "episodic", about=[str(bruno.subject_id)])
    answer = await ana.search("did the build fail?", min_score=0.0)
    assert len(answer["evidence"]) == 4
    assert answer["dropped"]["duplicate"] == 1


async def test_scores_fall_and_shares_sum_to_one(ana: Caller) -> None:
    for n in range(6):
        await ana.write(f"Carla saw bird number {n} by the lake", "episodic")
    evidence = (await ana.search("which bird did Carla see by the lake?", min_score=0.0))["evidence"]
    scores = [e["score"] for e in evidence]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert all(sum(b["share"] for b in e["branches"].values()) == pytest.approx(1) for e in evidence)
    hidden = (await ana.search("which bird?", explain=False, min_score=0.0))["evidence"]
    assert {e["branches"] for e in hidden} == {None}


async def test_the_card_fits_its_budget_and_says_what_it_left_out(ana: Caller) -> None:
    for n in range(5):
        await ana.write(
            f"Carla saw bird number {n} by the lake", "episodic", source={"speaker": "Carla", "said_at": "2026-03-02T09:00:00Z"}
        )
    for budget in (1, 5, 20, 60, 400):
        answer = await ana.search("which birds by the lake?", token_budget=budget, min_score=0.0)
        card = answer["card"]
        assert card["tokens"] == count_tokens(card["text"]) <= budget
        assert card["token_budget"] == budget
    assert answer["dropped"]["over_budget"] == 0
    assert "What happened:" in card["text"]
    assert "(2026-03-02, said by Carla)" in card["text"]
    assert (await ana.search("which birds by the lake?", token_budget=60, min_score=0.0))["dropped"]["over_budget"] > 0


# -------------------------------------------------------------------------------------------------------------------- audience
async def test_an_audience_narrows_to_what_all_of_it_may_read(ana: Caller) -> None:
    bruno, carla = await ana.make_person("Bruno"), await ana.make_person("Carla")
    room = await ana.make_brain(members=[{"subject_id": str(bruno.subject_id), "role": "reader"}])
    await ana.write("tea for Ana alone")
    await ana.write("tea in the room", brain_id=room)
    await ana.write("tea for everybody", brain_id=str(ana.everybody))
    me, guest = str(ana.subject_id), str(uuid4())

    async def heard(*audience: str, **fields: Any) -> set[str]:
        return {content.removeprefix("tea ") for content in await ana.found("tea", audience=list(audience), **fields)}

    assert await heard(me) == {"for Ana alone", "in the room", "for everybody"}
    assert await heard(me, str(bruno.subject_id)) == {"in the room", "for everybody"}
    assert await heard(str(carla.subject_id)) == {"for everybody"}
    assert await heard(guest) == {"for everybody"}
    assert await heard(me, guest, str(bruno.subject_id)) == {"for everybody"}
    assert await heard(str(carla.subject_id), brains=[room]) == set()
    assert (await ana.search("tea", audience=[], expect=422))["code"] == "invalid_input"


async def test_an_audience_never_widens(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    await ana.write("tea for Ana alone")
    assert await bruno.found("tea", audience=[str(ana.subject_id)]) == []


async def test_another_org_finds_nothing(ana: Caller, product: Product) -> None:
    receipt = await ana.write("tea at noon")
    stranger = await product.make_caller()
    assert await stranger.found("tea") == []
    assert await stranger.list_ids() == []
    await stranger.read(receipt["id"], expect=404)


# -------------------------------------------------------------------------------------------------------------------- degraded
async def _late(_self: object, conn: AsyncConnection, *_rest: object) -> list[Any]:
    await fetch(conn, "SELECT pg_sleep(5)", {})
    return []


async def _broken(_self: object, conn: AsyncConnection, *_rest: object) -> list[Any]:
    await fetch(conn, "SELECT 1 / 0", {})
    return []


@pytest.mark.parametrize(("find", "word"), [(_late, "late"), (_broken, "failed")])
@pytest.mark.parametrize(("branch", "name"), [(LexicalBranch, "lexical"), (VectorBranch, "vector"), (FeedbackBranch, "feedback")])
async def test_a_late_or_broken_branch_is_named_and_the_rest_answers(
    ana: Caller, product: Product, monkeypatch: pytest.MonkeyPatch, find: Any, word: str, branch: type, name: str
) -> None:
    receipt = await ana.write("tea at noon")
    hasty = replace(product.runtime, settings=product.runtime.settings.model_copy(update={"branch_deadline_ms": 150}))
    monkeypatch.setattr(branch, "find", find)
    answer = await ana.through(hasty).search("tea at noon", min_score=0.0)
    assert answer["degraded"] == [f"{name}: {word}"]
    assert [e["memory"]["id"] for e in answer["evidence"]] == [receipt["id"]]


async def test_when_every_branch_fails_it_is_an_error_and_the_next_request_works(
    ana: Caller, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = await ana.write("tea at noon")
    with monkeypatch.context() as patched:
        for branch in BRANCHES:
            patched.setattr(type(branch), "find", _broken)
        assert (await ana.search("tea", expect=503))["code"] == "all_branches_failed"
    assert await ana.found_ids("tea") == [receipt["id"]]


async def test_without_an_embedder_words_answer(ana: Caller, product: Product) -> None:
    receipt = await ana.write("tea at noon")
    embedder = WatchedEmbedder(product.runtime.embedder)
    embedder.failure = ProviderUnavailable()
    answer = await ana.through(replace(product.runtime, embedder=embedder)).search("tea")
    assert {"vector: embedding_unavailable", "feedback: embedding_unavailable"} <= set(answer["degraded"])
    assert [e["memory"]["id"] for e in answer["evidence"]] == [receipt["id"]]


# ------------------------------------------------------------------------------------------------------------ what is kept of it
async def test_a_recall_is_kept_with_the_redacted_question_and_what_it_found(ana: Caller, product: Product) -> None:
    receipt = await ana.write("tea at noon")
    answer = await ana.search(f"does {MAIL} drink tea?", purpose=f"asked by {MAIL}", min_score=0.0)
    (row,) = await product.rows("SELECT * FROM mem.recalls WHERE org_id = :o", o=ana.org_id)
    assert str(row.id) == answer["recall_id"]
    assert (row.query, row.purpose) == ("does [EMAIL_1] drink tea?", "asked by [EMAIL_1]")
    assert [str(i) for i in row.memory_ids] == [receipt["id"]]
    assert list(row.scores) == pytest.approx([answer["evidence"][0]["score"]])
    assert row.subject_id == ana.subject_id


async def test_an_address_in_a_question_reaches_neither_embedder_log_nor_row(
    ana: Caller, product: Product, capsys: pytest.CaptureFixture[str]
) -> None:
    embedder = WatchedEmbedder(product.runtime.embedder)
    watched = ana.through(replace(product.runtime, embedder=embedder))
    answer = await watched.search(MAIL, topic=MAIL, tags=[MAIL], data={"mail": MAIL}, purpose=MAIL)
    assert embedder.queries == ["[EMAIL_1]"]
    written = capsys.readouterr()
    rows = await product.rows("SELECT to_jsonb(r)::text FROM mem.recalls r WHERE org_id = :o", o=ana.org_id)
    for where in (written.out, written.err, str(rows), str(answer)):
        assert "ana.silva" not in where


# --------------------------------------------------------------------------------------------------------------- spaces and limits
@pytest.mark.parametrize("dimension", ["128", "512"])
async def test_a_server_of_another_embedding_space_does_not_start(product: Product, folder_database: FreshDatabase, dimension: str) -> None:
    other: Settings = load_settings({"MEMDB_EMBEDDING_PROVIDER": "hashing", "MEMDB_EMBEDDING_DIMENSION": dimension})
    with pytest.raises((DimensionMismatch, SchemaMismatch)):
        await build_runtime(other, app_url=folder_database.app_url, keyring=product.runtime.keyring)


@pytest.mark.parametrize("dimension", [0, DIMENSION_MAX + 1, 4_096])
def test_a_dimension_that_no_index_holds_is_refused_before_any_change(dimension: int) -> None:
    with pytest.raises(ConfigurationError):
        EmbeddingSpace("space", "p", "m", dimension, "1")


async def test_the_end_of_a_long_memory_and_the_end_of_a_long_question_count(ana: Caller) -> None:
    filler = "The meeting went on about other things. " * 390
    receipt = await ana.write(f"{filler}The locker code word is marzipan.")
    assert await ana.found_ids("marzipan") == [receipt["id"]]
    pasted = "Somebody pasted a log line here. " * 1_200
    assert receipt["id"] in await ana.found_ids(f"{pasted}What is the marzipan for?")
    assert (await ana.write("x" * 16_385, expect=413))["code"] == "content_too_large"
    assert (await ana.search("x" * 65_537, expect=422))["errors"][0]["field"] == "query"


async def test_created_at_bounds_are_from_inclusive_to_exclusive(ana: Caller) -> None:
    receipt = await ana.write("tea at noon")
    moment = (await ana.read(receipt["id"]))["created_at"]
    assert datetime.fromisoformat(moment).tzinfo is not None
    assert await ana.found_ids("tea", created_from=moment) == [receipt["id"]]
    assert await ana.found_ids("tea", created_to=moment) == []
    assert await ana.list_ids(created_from=moment) == [receipt["id"]]
    assert await ana.list_ids(created_to=moment) == []
