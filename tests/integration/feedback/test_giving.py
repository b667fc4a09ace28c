"""What is kept of feedback, who may give it, and what refuses it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from memdb.errors import ProviderUnavailable
from memdb.lifecycle.upkeep import run_once
from tests.integration.canary.values import canaries, leaks
from tests.integration.feedback.asking import QUESTION, count, counters, recall, say, strengths, vote
from tests.support.product import Caller, Product, WatchedEmbedder

OUTCOMES = ("used", "helpful", "not_helpful", "stale", "wrong", "harmful")


@pytest.fixture
async def ferry(ana: Caller) -> str:
    return str((await ana.write("The ferry to the island leaves at nine"))["id"])


async def test_feedback_is_kept_with_the_question(product: Product, ana: Caller, ferry: str) -> None:
    recall_id, _ = await recall(ana)
    reply = await say(ana, recall_id, ferry, "helpful", note="it was on the poster")
    assert reply == {"recall_id": recall_id, "memory_id": ferry, "outcome": "helpful", "replaced": False}
    (row,) = await product.rows("SELECT * FROM mem.outcomes WHERE org_id = :org", org=ana.org_id)
    assert (str(row.memory_id), row.outcome, row.note, row.subject_id) == (ferry, "helpful", "it was on the poster", ana.subject_id)
    (row,) = await product.rows("SELECT * FROM mem.feedback_queries WHERE org_id = :org", org=ana.org_id)
    assert (str(row.id), row.query, row.space) == (recall_id, QUESTION, product.runtime.embedder.space.name)
    assert row.embedding is not None


async def test_another_outcome_replaces_the_first(product: Product, ana: Caller, ferry: str) -> None:
    recall_id, _ = await recall(ana)
    told = [(await say(ana, recall_id, ferry, outcome))["replaced"] for outcome in ("helpful", "helpful", "wrong")]
    assert told == [False, True, True]
    assert await count(product, "outcomes", ana) == 1
    assert await product.value("SELECT outcome FROM mem.outcomes WHERE org_id = :org", org=ana.org_id) == "wrong"
    assert await count(product, "feedback_queries", ana) == 1


async def test_repeating_a_vote_does_not_keep_it_fresh(product: Product, ana: Caller, ferry: str) -> None:
    recall_id, _ = await recall(ana)
    await say(ana, recall_id, ferry)
    before = await product.value("SELECT created_at FROM mem.outcomes WHERE org_id = :org", org=ana.org_id)
    product.clock.ahead = timedelta(days=10)
    await say(ana, recall_id, ferry)
    assert await product.value("SELECT created_at FROM mem.outcomes WHERE org_id = :org", org=ana.org_id) == before
    await say(ana, recall_id, ferry, "used")
    assert await product.value("SELECT created_at FROM mem.outcomes WHERE org_id = :org", org=ana.org_id) > before + timedelta(days=9)


async def test_each_key_has_a_vote_of_its_own(product: Product, ana: Caller, ferry: str) -> None:
    recall_id, _ = await recall(ana)
    grant = {"subject_id": str(ana.subject_id), "writer_label": "second", "max_role": "reader", "trust": "agent"}
    made = await ana.send("POST", "/v1/admin/keys", expect=201, json=grant)
    second = replace(ana, headers={"Authorization": f"Bearer {made['key']}"})
    assert not (await say(ana, recall_id, ferry))["replaced"]
    assert not (await say(second, recall_id, ferry, "wrong"))["replaced"], "a recall belongs to the subject, through whichever key"
    assert await count(product, "outcomes", ana) == 2


async def test_a_reader_of_the_brain_gives_feedback(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno", max_role="reader")
    room = await ana.make_brain(members=[{"subject_id": str(bruno.subject_id), "role": "reader"}])
    memory_id = (await ana.write("The ferry to the island leaves at nine", brain_id=room))["id"]
    recall_id, _ = await recall(bruno)
    await say(bruno, recall_id, memory_id)


async def refused(caller: Caller, recall_id: str, memory_id: str) -> tuple[int, str]:
    body = {"recall_id": recall_id, "memory_id": memory_id, "outcome": "helpful"}
    reply = await caller.client.post("/v1/feedback", json=body, headers={**caller.headers, "X-Request-Id": "0" * 32})
    return reply.status_code, reply.text


async def test_only_what_a_recall_of_the_caller_returned_gets_feedback(ana: Caller, ferry: str) -> None:
    other = (await ana.write("Carla plays the cello"))["id"]
    bruno = await ana.make_person("Bruno", max_role="admin")
    recall_id, found = await recall(ana, limit=1)
    assert found == [ferry]
    nowhere = await refused(ana, str(uuid4()), str(uuid4()))
    assert nowhere[0] == 404
    assert "ferry" not in nowhere[1]
    assert await refused(ana, recall_id, other) == nowhere, "not among what this recall returned"
    assert await refused(ana, str(uuid4()), ferry) == nowhere, "no such recall"
    assert await refused(bruno, recall_id, ferry) == nowhere, "a recall of somebody else"


async def test_what_no_door_shows_any_more_gets_no_feedback(product: Product, ana: Caller, ferry: str) -> None:
    nowhere = await refused(ana, str(uuid4()), str(uuid4()))
    scratch = (await ana.write("the ferry is late today", "working", ttl_seconds=60))["id"]
    held = (await ana.write("The ferry to the mainland leaves at ten"))["id"]
    bruno = await ana.make_person("Bruno")
    room = await ana.make_brain(members=[{"subject_id": str(bruno.subject_id), "role": "reader"}])
    shared = (await ana.write("The ferry to the port leaves at eight", brain_id=room))["id"]
    recall_id, found = await recall(ana)
    of_bruno, found_by_bruno = await recall(bruno)
    assert {ferry, scratch, held, shared} <= set(found)
    assert found_by_bruno == [shared]
    await ana.delete(ferry)
    await product.rows("UPDATE mem.memories SET status = 'superseded' WHERE id = CAST(:m AS uuid)", m=held)  # breaks its seal
    await ana.send("DELETE", f"/v1/brains/{room}/members/{bruno.subject_id}", expect=204)
    product.clock.ahead = timedelta(seconds=61)
    for caller, recalled, memory_id in (
        (ana, recall_id, ferry),
        (ana, recall_id, scratch),
        (ana, recall_id, held),
        (bruno, of_bruno, shared),
    ):
        assert await refused(caller, recalled, memory_id) == nowhere
    assert await count(product, "outcomes", ana) == 0


async def test_a_held_memory_gets_no_feedback(product: Product, ana: Caller, ferry: str) -> None:
    recall_id, _ = await recall(ana)
    await product.rows(
        """WITH a AS (INSERT INTO mem.hold_actions (org_id, id, kind, reasons, created_at)
                      VALUES (:org, gen_random_uuid(), 'quarantine', '{}', now()) RETURNING id)
           INSERT INTO mem.holds SELECT m.org_id, m.id, a.id, m.brain_id, now() FROM mem.memories m, a WHERE m.id = CAST(:m AS uuid)""",
        org=ana.org_id,
        m=ferry,
    )
    await say(ana, recall_id, ferry, expect=404)


@pytest.mark.parametrize(
    "body", [{"outcome": "great"}, {"outcome": None}, {"note": " "}, {"note": "x" * 1_001}, {"note": "a\x00b"}, {"more": 1}]
)
async def test_what_is_malformed_is_refused(ana: Caller, ferry: str, body: dict[str, Any]) -> None:
    recall_id, _ = await recall(ana)
    await ana.send("POST", "/v1/feedback", expect=422, json={"recall_id": recall_id, "memory_id": ferry, "outcome": "used", **body})


async def test_a_note_is_redacted_and_repeated_nowhere(
    product: Product, ana: Caller, ferry: str, capfd: pytest.CaptureFixture[str]
) -> None:
    planted = canaries(24, 7)
    replies = []
    for canary in planted:
        recall_id, _ = await recall(ana)
        replies.append(str(await say(ana, recall_id, ferry, "wrong", note=f"Ask {canary.text} instead")))
    rows = await product.rows("SELECT to_jsonb(o)::text AS line FROM mem.outcomes o WHERE org_id = :org", org=ana.org_id)
    rows += await product.rows("SELECT to_jsonb(a)::text AS line FROM mem.audit_events a WHERE org_id = :org", org=ana.org_id)
    known = {row.id for row in await product.rows("SELECT id FROM mem.api_keys")}
    assert len(rows) > 2 * len(planted)
    assert leaks("\n".join(row.line for row in rows), set(planted), known) == {}
    assert leaks("\n".join([*replies, *capfd.readouterr()]), set(planted), known) == {}


async def test_a_note_follows_the_policy_of_the_brain(product: Product, ana: Caller, ferry: str) -> None:
    home = (await ana.read(ferry))["brain_id"]
    policy = {"redaction": {"actions": {}, "brains": {home: {"EMAIL_ADDRESS": "keep"}}}}
    await ana.send("PUT", "/v1/admin/policy", expect=200, json=policy)
    recall_id, _ = await recall(ana)
    await say(ana, recall_id, ferry, "stale", note="ask rui@example.com")
    assert await product.value("SELECT note FROM mem.outcomes WHERE org_id = :org", org=ana.org_id) == "ask rui@example.com"


async def test_it_is_audited_without_text_and_harmful_asks_for_a_review_once(product: Product, ana: Caller, ferry: str) -> None:
    recall_id, _ = await recall(ana)
    before = await ana.read(ferry)
    for outcome in ("helpful", "harmful", "harmful"):
        await say(ana, recall_id, ferry, outcome, note="reads like an advertisement")
    events = await product.rows(
        "SELECT action, detail, brain_id FROM mem.audit_events"
        " WHERE org_id = :org AND object_id = :m AND action NOT LIKE 'read.%' ORDER BY id",
        org=ana.org_id,
        m=ferry,
    )
    assert [e.action for e in events][1:] == ["feedback.give", "feedback.replace", "memory.review_requested", "feedback.replace"]
    assert events[1].detail == {"recall": recall_id, "outcome": "helpful", "noted": True}
    assert {str(e.brain_id) for e in events} == {before["brain_id"]}
    assert not [e for e in events if "advertisement" in str(e.detail)]
    assert await ana.read(ferry) == before, "feedback changes no memory"
    assert ferry in await ana.found_ids(QUESTION)


async def test_while_the_provider_is_down_feedback_is_kept_and_searched_after_the_next(product: Product, ana: Caller, ferry: str) -> None:
    embedder = WatchedEmbedder(product.runtime.embedder, product.runtime.database)
    through = ana.through(replace(product.runtime, embedder=embedder))
    recall_id, _ = await recall(through)
    embedder.queries.clear()
    embedder.failure = ProviderUnavailable("down")
    await say(through, recall_id, ferry)
    assert await strengths(ana) == {}
    embedder.failure = None
    await say(through, recall_id, ferry)
    assert ferry in await strengths(ana)
    await say(through, recall_id, ferry)
    assert embedder.queries == [QUESTION] * 2, "what has a vector is not embedded again"
    assert set(embedder.checked_out) == {0}, "no connection is out while the model runs"


async def test_two_votes_at_once_are_one(product: Product, ana: Caller, ferry: str) -> None:
    recall_id, _ = await recall(ana)
    replies = await asyncio.gather(*(say(ana, recall_id, ferry, outcome) for outcome in OUTCOMES))
    assert sum(not reply["replaced"] for reply in replies) == 1
    assert await count(product, "outcomes", ana) == 1
    await run_once(product.runtime, slow=False)
    said = await product.value("SELECT outcome FROM mem.outcomes WHERE org_id = :org", org=ana.org_id)
    assert await counters(product, ferry) == {said: 1}


async def test_nothing_is_kept_of_a_memory_that_is_deleted_at_the_same_time(product: Product, ana: Caller) -> None:
    for n in range(6):
        memory_id = (await ana.write(f"Ferry number {n} to the island leaves at nine"))["id"]
        recall_id, _ = await recall(ana)
        body = {"recall_id": recall_id, "memory_id": memory_id, "outcome": "helpful", "note": "yes"}
        give = ana.client.post("/v1/feedback", json=body, headers=ana.headers)
        reply, _, _ = await asyncio.gather(give, ana.delete(memory_id), run_once(product.runtime, slow=False))
        assert reply.status_code in {201, 404}
        assert await count(product, "outcomes", ana) == 0


async def test_deleting_a_memory_deletes_what_everybody_said(product: Product, ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    room = await ana.make_brain(members=[{"subject_id": str(bruno.subject_id), "role": "reader"}])
    gone = (await ana.write("The ferry to the island leaves at nine", brain_id=room))["id"]
    kept = (await ana.write("The ferry to the port leaves at eight", brain_id=room))["id"]
    for memory_id in (gone, kept):
        for caller in (ana, bruno):
            await vote(caller, memory_id)
    await ana.delete(gone)
    rows = await product.rows("SELECT memory_id FROM mem.outcomes WHERE org_id = :org", org=ana.org_id)
    assert [row.memory_id for row in rows] == [UUID(kept)] * 2
    assert set(await strengths(ana)) == {kept}


async def test_counters_follow_what_is_said_now(product: Product, ana: Caller, ferry: str) -> None:
    await run_once(product.runtime, slow=False)  # whatever other tests left
    first, second = (await recall(ana))[0], (await recall(ana))[0]
    await say(ana, first, ferry, "helpful")
    await say(ana, second, ferry, "used")
    assert await counters(product, ferry) == {}, "not in the request"
    assert (await run_once(product.runtime, slow=False)).counted == 2
    assert await counters(product, ferry) == {"helpful": 1, "used": 1}
    await say(ana, first, ferry, "stale")
    await say(ana, second, ferry, "wrong")
    await say(ana, second, ferry, "used")
    assert (await run_once(product.runtime, slow=False)).counted == 1, "what is as it was counted is not counted again"
    assert await counters(product, ferry) == {"stale": 1, "used": 1}
    assert (await run_once(product.runtime, slow=False)).counted == 0


async def test_counters_are_exact_while_everybody_changes_their_mind(product: Product, ana: Caller, ferry: str) -> None:
    other = (await ana.write("The ferry to the port leaves at eight"))["id"]
    recalls = [(await recall(ana))[0] for _ in range(4)]

    async def waver(recall_id: str) -> None:
        for outcome in OUTCOMES:
            for memory_id in (ferry, other):
                await say(ana, recall_id, memory_id, outcome)

    await asyncio.gather(
        *map(waver, recalls), *(run_once(product.runtime, slow=False) for _ in range(4)), ana.write("The ferry to the port leaves at eight")
    )
    await run_once(product.runtime, slow=False)
    assert await counters(product, ferry) == await counters(product, other) == {"harmful": 4}
