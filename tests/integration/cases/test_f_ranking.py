"""Cases of fusion, ranking, feedback and time, by their number; many are tested in ../retrieval, ../feedback and ../formation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import psycopg
import pytest
from psycopg import sql

from memdb.config import Settings
from memdb.lifecycle.upkeep import EXPIRED_FOR, run_once
from memdb.providers.embedding.base import Embedded, EmbeddingSpace
from tests.support.database import Cluster, clone
from tests.support.product import Caller, Json, Product, WatchedEmbedder, running

BRANCHES = ("lexical", "vector", "entity", "graph", "feedback")


# ------------------------------------------------------------------------------------------------------------------- ranking
class Meaning(WatchedEmbedder):
    """Gives texts with these words a vector in the given angle (degrees) to that of every question."""

    def __init__(self, inner: WatchedEmbedder, angles: dict[str, float]) -> None:
        super().__init__(inner)
        self._angles = angles

    async def embed_documents(self, texts: Sequence[str]) -> list[Embedded]:
        return [self._at(next((a for word, a in self._angles.items() if word in text), 90.0)) for text in texts]

    async def embed_queries(self, texts: Sequence[str]) -> list[Embedded]:
        return [self._at(0.0) for _ in texts]

    def _at(self, angle: float) -> Embedded:
        vector = np.zeros(self.space.dimension, dtype=np.float32)
        vector[0], vector[1] = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        return Embedded(vector, truncated=False)


async def test_b069_a_word_said_300_times_does_not_swamp_what_is_meant(ana: Caller, product: Product) -> None:
    runtime = replace(product.runtime, embedder=Meaning(product.runtime.embedder, {"oolong": 45.0, "tea tea": 75.0}))  # type: ignore[arg-type]  # any embedder
    asker = ana.through(runtime)
    meant = await asker.write("She prefers oolong in the evening")
    loud = await asker.write("tea " * 300)
    once = await asker.write("There is tea in the kitchen cupboard")
    for n in range(5):
        await asker.write(f"Nothing of that in room number {n}", "episodic")
    question = "which tea does she drink at night"
    assert (await asker.found_ids(question, limit=2))[0] == meant["id"]
    words = {
        e["memory"]["id"]: e["branches"]["lexical"]
        for e in (await asker.search(question, weights={"lexical": 1}, min_score=0.0))["evidence"]
    }
    assert words[loud["id"]]["raw"] < 2.2 * words[once["id"]]["raw"], "repeating a word saturates"
    assert meant["id"] not in words, "weight 1 and nothing else is the pure branch"
    pure = await asker.search(question, weights={"vector": 1, "lexical": 0}, min_score=0.0)
    assert [set(e["branches"]) for e in pure["evidence"]] == [{"vector"}] * len(pure["evidence"])
    assert pure["evidence"][0]["memory"]["id"] == meant["id"]
    assert pure["evidence"][0]["score"] == pytest.approx(pure["evidence"][0]["branches"]["vector"]["raw"], abs=0.3)


@pytest.mark.parametrize("weight", ["NaN", "Infinity", "-Infinity", "-0.5", "1e400", "true", '"1"', "null"])
async def test_b071_a_weight_that_is_no_number_from_0_on_is_refused(anyone: Caller, weight: str) -> None:
    body = f'{{"query": "tea", "weights": {{"vector": {weight}, "lexical": 1}}}}'
    problem = await anyone.send("POST", "/v1/memories/search", expect=422, content=body, headers={"Content-Type": "application/json"})
    assert problem["code"] in {"invalid_input", "malformed_json"}


async def test_b071_what_only_one_branch_finds_is_neither_lowered_nor_lost(ana: Caller) -> None:
    only = await ana.write("Bruno keeps bees")
    for asked in ("Bruno", "bees"):
        answer = await ana.search(asked)
        assert [e["memory"]["id"] for e in answer["evidence"]] == [only["id"]], "one candidate: most and least are the same"
        assert 0 < answer["evidence"][0]["score"] <= 1
    people = [str((await ana.make_person(name)).subject_id) for name in ("Carla", "Davi", "Eva")]
    same = [await ana.write("Bruno keeps bees", "episodic", about=[person]) for person in people]
    both = {"lexical": 1, "vector": 1}  # the graph tells them apart by what lies around them
    scores = {
        e["memory"]["id"]: e["score"] for e in (await ana.search("bees", kinds=["episodic"], weights=both, min_score=0.0))["evidence"]
    }
    assert set(scores) == {s["id"] for s in same}
    assert max(scores.values()) - min(scores.values()) < 1e-6, "equal hits have equal scores"


@pytest.mark.parametrize("question", ["QQQQ zxqv", "hello", "weather?", "ok", "thanks!"])
async def test_b072_an_unrelated_question_brings_nothing_up(anyone_with_secrets: Caller, question: str) -> None:
    answer = await anyone_with_secrets.search(question, limit=5, token_budget=200)
    assert answer["evidence"] == []
    assert answer["card"]["text"] == ""


async def test_b072_what_is_asked_for_is_found_and_the_floor_can_be_set(anyone_with_secrets: Caller) -> None:
    ana = anyone_with_secrets
    assert (await ana.search("who takes metformin?"))["evidence"][0]["memory"]["content"].startswith("Ana takes metformin")
    weak = await ana.search("weather?", min_score=0.0)
    assert all(e["score"] < 0.5 for e in weak["evidence"])
    assert (await ana.search("who takes metformin?", min_score=1.0))["evidence"] == []


@pytest.fixture(scope="module")
async def anyone_with_secrets(server: Product) -> Caller:
    """Twelve facts on medicines and family."""
    ana = await server.make_caller()
    facts = [
        "Ana takes metformin in the morning", "Ana is allergic to penicillin", "Bruno takes ibuprofen for his knee", "Carla had an operation in May",
        "The blood pressure of Davi is high", "Ana's mother lives in Recife", "Bruno is the brother of Ana", "Carla is expecting a child",
        "Davi stopped smoking", "Eva wears a hearing aid", "Ana sees Doctor Lima on Tuesdays", "Bruno sleeps badly",
    ]  # fmt: skip
    await ana.write_batch([{"content": fact, "kind": "semantic"} for fact in facts])
    return ana


# --------------------------------------------------------------------------------------------------------------------- feedback
async def test_b074_reading_gives_no_boost_and_a_new_fact_is_found(ana: Caller, product: Product) -> None:
    old = await ana.write("The version of the gateway is 2.0", "episodic")
    for _ in range(25):
        await ana.search("which version of the gateway?")
        await ana.read(old["id"])
    await run_once(product.runtime)
    new = await ana.write("The version of the gateway is 3.1", "episodic")
    recall = await ana.search("which version of the gateway?", min_score=0.0)
    scores = {e["memory"]["id"]: e["score"] for e in recall["evidence"]}
    assert scores[new["id"]] == pytest.approx(scores[old["id"]], abs=0.02)
    await ana.send(
        "POST", "/v1/feedback", expect=201, json={"recall_id": recall["recall_id"], "memory_id": old["id"], "outcome": "not_helpful"}
    )
    for _ in range(10):
        await ana.search("which version of the gateway?")
    after = {e["memory"]["id"]: e["score"] for e in (await ana.search("which version of the gateway?", min_score=0.0))["evidence"]}
    assert after[old["id"]] <= scores[old["id"]]


# ------------------------------------------------------------------------------------------------------------------------- time
NAIVE = ["2026-03-01T10:00:00", "2026-03-01", "", "1772359200", "1772359200000", "2026-03-08T02:30:00 America/New_York", "now"]
AWARE = {
    "2026-03-01T10:00:00Z": "2026-03-01T10:00:00+00:00",
    "2026-03-01T10:00:00+05:30": "2026-03-01T04:30:00+00:00",
    "2026-03-08T02:30:00-05:00": "2026-03-08T07:30:00+00:00",  # an hour that New York did not have
    "2026-03-01T10:00:00.123456-03:00": "2026-03-01T13:00:00.123456+00:00",
    "1969-12-31T23:59:59.999999Z": "1969-12-31T23:59:59.999999+00:00",
}


@pytest.mark.parametrize("moment", [*NAIVE, 1_772_359_200, 1_772_359_200_000, 1.5, True])
async def test_b077_a_time_without_a_zone_is_refused_on_every_route(anyone: Caller, moment: Any) -> None:
    ana = anyone
    kept = (await ana.write("tea at noon", "episodic"))["id"]
    for field in ("valid_from", "valid_to"):
        await ana.write("tea", "episodic", expect=422, **{field: moment})
        await ana.edit(kept, expect=422, **{field: moment})
        (line,) = (await ana.write_batch([{"content": "tea", "kind": "episodic", field: moment}]))["results"]
        assert line["error"]["code"] == "invalid_input"
    for source in ({"said_at": moment}, {"episode": {"external_id": "e", "started_at": moment}}):
        await ana.write("tea", "episodic", expect=422, source=source)
    for field in ("created_from", "created_to", "valid_at", "as_of"):
        await ana.search("tea", expect=422, **{field: moment})
    for field in ("created_from", "created_to"):
        await ana.send("GET", "/v1/memories", expect=422, params={field: str(moment)})


async def _comes_back(ana: Caller, sent: str, instant: datetime) -> None:
    source = {"episode": {"external_id": f"call {sent}", "started_at": sent}, "position": 0, "said_at": sent}
    written = await ana.write(f"tea at {abs(hash(sent))}", "episodic", valid_from=sent, source=source)
    memory = await ana.read(written["id"])
    assert datetime.fromisoformat(memory["valid_from"]) == instant
    shown = (await ana.search(f"tea at {abs(hash(sent))}", min_score=0.0))["evidence"]
    (evidence,) = [e for e in shown if e["memory"]["id"] == written["id"]]
    assert datetime.fromisoformat(evidence["memory"]["valid_from"]) == instant
    assert datetime.fromisoformat(evidence["sources"][0]["said_at"]) == instant
    edited = await ana.edit(written["id"], valid_from=None, valid_to=sent)
    assert edited["version"] == 2
    assert datetime.fromisoformat((await ana.read(written["id"]))["valid_to"]) == instant
    versions = (await ana.history(written["id"]))["versions"]
    assert datetime.fromisoformat(versions[0]["memory"]["valid_from"] if "memory" in versions[0] else versions[0]["valid_from"]) == instant
    just_before = (instant - timedelta(microseconds=1)).isoformat()
    asked: Json = {"query": f"tea at {abs(hash(sent))}"}
    assert written["id"] in await ana.found_ids(**asked, valid_at=just_before), "until then"
    assert written["id"] not in await ana.found_ids(**asked, valid_at=sent), "from then on no more"


@pytest.mark.parametrize("sent", AWARE)
async def test_b077_a_time_comes_back_as_the_same_instant(ana: Caller, sent: str) -> None:
    await _comes_back(ana, sent, datetime.fromisoformat(AWARE[sent]))


@pytest.fixture(scope="module")
async def far_away(settings: Settings, cluster: Cluster, space: EmbeddingSpace) -> AsyncIterator[Product]:
    """A server whose database lives in another time zone."""
    with clone(cluster, space) as database:
        with psycopg.connect(database.superuser_url, autocommit=True) as conn:
            name = sql.Identifier(conn.info.dbname)
            conn.execute(sql.SQL("ALTER DATABASE {} SET timezone = 'America/Sao_Paulo'").format(name))
        with psycopg.connect(database.app_url) as conn:
            assert conn.execute("SHOW timezone").fetchone() == ("America/Sao_Paulo",)
        async with running(settings, database) as product:
            yield product


async def test_b077_the_zone_of_the_database_shifts_nothing(far_away: Product) -> None:
    ana = await far_away.make_caller()
    for sent, instant in AWARE.items():
        await _comes_back(ana, sent, datetime.fromisoformat(instant))
    created = datetime.fromisoformat((await ana.read((await ana.write("milk at noon"))["id"]))["created_at"])
    assert abs(created - datetime.now(UTC)) < timedelta(minutes=1)


# ----------------------------------------------------------------------------------------------------------------------- expiry
async def test_b079_what_has_expired_is_gone_at_once_from_every_branch_and_door(ana: Caller, product: Product) -> None:
    short = (await ana.write("Olga is in Zanzibar for the harbour talks", "working", ttl_seconds=60))["id"]
    lasting = (await ana.write("Olga likes Zanzibar and its harbour", "working", ttl_seconds=86_400))["id"]
    question = "is Olga in Zanzibar at the harbour?"
    recall = await ana.search(question, min_score=0.0)
    vote = {"recall_id": recall["recall_id"], "memory_id": short, "outcome": "helpful"}
    await ana.send("POST", "/v1/feedback", expect=201, json=vote)
    known = product.clock.now().isoformat()
    weights: list[Json] = [{"weights": {name: 1.0}} for name in BRANCHES if name != "graph"]
    weights += [{}, {"weights": {"lexical": 0.001, "graph": 1.0}}]
    for asked in weights:
        assert short in await ana.found_ids(question, **asked), asked
    product.clock.ahead = timedelta(seconds=61)  # and nobody has swept
    for asked in weights:
        assert short not in await ana.found_ids(question, **asked), asked
    past = await ana.search(question, min_score=0.0, as_of=known)
    for answer in (past, await ana.search(question, min_score=0.0, token_budget=400)):
        assert short not in str(answer)
        assert "talks" not in str(answer), "nor in the card, a path or a source"
    assert await ana.list_ids() == [lasting]
    await ana.read(short, expect=404)
    await ana.history(short, expect=404)
    await ana.edit(short, expect=404, ttl_seconds=600)
    await ana.delete(short, expect=404)
    await ana.send("POST", "/v1/feedback", expect=404, json={**vote, "outcome": "used"})


async def test_b079_nothing_brings_back_what_the_sweeper_takes(ana: Caller, product: Product) -> None:
    for n in range(8):
        content = f"the lift is out of order for the {n} time"
        scratch = (await ana.write(content, "working", ttl_seconds=60))["id"]
        recall = await ana.search(content, min_score=0.0)
        body = {"recall_id": recall["recall_id"], "memory_id": scratch, "outcome": "helpful"}
        product.clock.ahead += timedelta(seconds=61) + EXPIRED_FOR
        give = ana.client.post("/v1/feedback", json=body, headers=ana.headers)
        edit = ana.client.patch(f"/v1/memories/{scratch}", json={"ttl_seconds": 86_400}, headers=ana.headers)
        again = ana.write(content, "working", ttl_seconds=600)
        _, given, edited, written, _ = await asyncio.gather(run_once(product.runtime), give, edit, again, run_once(product.runtime))
        assert (given.status_code, edited.status_code) == (404, 404)
        assert written["id"] != scratch, "said again it is another memory"
        status = "SELECT status, content FROM mem.memories WHERE id = CAST(:m AS uuid)"
        assert [tuple(row) for row in await product.rows(status, m=scratch)] == [("deleted", None)]
        assert await product.value("SELECT count(*) FROM mem.outcomes WHERE memory_id = CAST(:m AS uuid)", m=scratch) == 0
        await ana.read(scratch, expect=404)


# ------------------------------------------------------------------------------------------------------------------------ pages
async def test_b080_every_memory_of_one_import_comes_once_while_another_client_edits(ana: Caller) -> None:
    lines = [{"content": f"line {n} of the import", "kind": "episodic"} for n in range(260)]
    ids = [r["memory"]["id"] for r in (await ana.write_batch(lines))["results"]]
    seen: list[str] = []
    cursor: str | None = None
    while True:
        query: Json = {"limit": 37} | ({} if cursor is None else {"cursor": cursor})
        page = await ana.send("GET", "/v1/memories", expect=200, params=query)
        seen += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
        for memory_id in (seen[-1], seen[-2], ids[len(seen) // 2]):
            await ana.edit(memory_id, tags=[f"page {len(seen)}"])
        await ana.write(f"written after {len(seen)}", "episodic")
    assert len(seen) == len(set(seen)), "nothing twice"
    assert set(seen) == set(ids), "nothing left out, and what came later is not mixed in"


async def test_b080_a_cursor_belongs_to_the_list_that_gave_it(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    room = await ana.make_brain(members=[{"subject_id": str(bruno.subject_id), "role": "reader"}])
    await ana.write_batch([{"content": f"line {n}", "kind": "episodic", "brain_id": room, "tags": ["a"]} for n in range(5)])
    page = await ana.send("GET", "/v1/memories", expect=200, params={"limit": 2, "tag": "a"})
    cursor = page["next_cursor"]
    rest = await ana.send("GET", "/v1/memories", expect=200, params={"limit": 200, "tag": "a", "cursor": cursor})
    assert len(rest["items"]) == 3
    for query in ({}, {"tag": "b"}, {"tag": "a", "brain_id": room}, {"tag": "a", "kind": "episodic"}):
        problem = await ana.send("GET", "/v1/memories", expect=422, params={**query, "cursor": cursor})
        assert problem["code"] in {"invalid_cursor", "invalid_input"}
    await bruno.send("GET", "/v1/memories", expect=422, params={"tag": "a", "cursor": cursor})
