"""Nobody pushes out what others said by saying much; a question stays as long as something said refers to it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from memdb.lifecycle.upkeep import run_once
from retrieval.branches.feedback import VOTES_MAX
from tests.integration.feedback.asking import QUESTION, count, recall, say, strengths, vote
from tests.support.product import Caller, Product

FLOOD = """
INSERT INTO mem.feedback_queries
SELECT q.org_id, gen_random_uuid(), q.subject_id, q.key_id, q.query, q.space, q.embedding, q.created_at
  FROM mem.feedback_queries q CROSS JOIN generate_series(1, :many) WHERE q.org_id = :org AND q.key_id = :key
"""
SAID = """
INSERT INTO mem.outcomes (org_id, recall_id, memory_id, key_id, subject_id, brain_id, outcome, created_at)
SELECT q.org_id, q.id, o.memory_id, o.key_id, o.subject_id, o.brain_id, o.outcome, o.created_at + row_number() OVER () * interval '1 millisecond'
  FROM mem.feedback_queries q
  JOIN mem.outcomes o ON o.org_id = q.org_id AND o.key_id = q.key_id
 WHERE q.org_id = :org AND q.key_id = :key AND q.id <> o.recall_id
"""


async def flood(product: Product, caller: Caller, many: int) -> None:
    """As if this key had said the same once more in answer to as many further recalls of its last question."""
    key = await product.value(
        "SELECT DISTINCT key_id FROM mem.outcomes WHERE org_id = :o AND subject_id = :s", o=caller.org_id, s=caller.subject_id
    )
    for statement in (FLOOD, SAID):
        await product.rows(statement, org=caller.org_id, key=key, many=many)
    assert await count(product, "outcomes", caller) > many


async def test_a_key_that_says_more_than_is_looked_at_pushes_nobody_out(product: Product, ana: Caller) -> None:
    people = [await ana.make_person(name) for name in ("Bruno", "Carla", "Davi")]
    room = await ana.make_brain(members=[{"subject_id": str(p.subject_id), "role": "reader"} for p in people])
    helped = (await ana.write("The ferry to the island leaves at nine", brain_id=room))["id"]
    noise = (await ana.write("The ferry to the port leaves at eight", brain_id=room))["id"]
    for person in people[:2]:
        await vote(person, helped)
    before = await strengths(ana)
    await vote(people[2], noise)
    await flood(product, people[2], VOTES_MAX + 500)
    after = await strengths(ana)
    assert after[helped] == pytest.approx(before[helped], abs=1e-3)
    assert after[noise] == pytest.approx(1 / 3, abs=1e-3), "of one key there is one vote"


async def test_a_key_alone_has_the_whole_window(product: Product, ana: Caller) -> None:
    ferry = (await ana.write("The ferry to the island leaves at nine"))["id"]
    other = (await ana.write("The ferry to the port leaves at eight"))["id"]
    await vote(ana, other, "helpful", "who plays the cello?")
    await flood(product, ana, VOTES_MAX // 2)
    await product.rows("UPDATE mem.outcomes SET created_at = created_at + interval '1 minute' WHERE org_id = :o", o=ana.org_id)
    await vote(ana, ferry)
    assert set(await strengths(ana)) == {ferry}


async def test_each_brain_in_scope_is_heard(product: Product, ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    room = await ana.make_brain(members=[{"subject_id": str(bruno.subject_id), "role": "reader"}])
    shared = (await ana.write("The ferry to the island leaves at nine", brain_id=room))["id"]
    private = (await ana.write("The ferry to the port leaves at eight"))["id"]
    await vote(bruno, shared)
    await vote(ana, private)
    await flood(product, ana, VOTES_MAX + 500)
    assert set(await strengths(ana)) == {shared, private}
    assert set(await strengths(ana, brains=[room])) == {shared}


# ----------------------------------------------------------------------------------------------------------------- questions
async def test_a_question_goes_with_the_last_memory_that_something_was_said_of(product: Product, ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    room = await ana.make_brain(members=[{"subject_id": str(bruno.subject_id), "role": "reader"}])
    first, second = [
        (await ana.write(f"The ferry to the island leaves from pier {n}", "episodic", brain_id=room))["id"] for n in ("two", "six")
    ]
    recall_id, found = await recall(bruno)
    assert {first, second} <= set(found)
    for memory_id in (first, second):
        await say(bruno, recall_id, memory_id)
    await ana.delete(first)
    assert await count(product, "feedback_queries", ana) == 1, "something is said of the second"
    await ana.delete(second)
    assert await count(product, "feedback_queries", ana) == 0, "somebody else's question too"
    assert await count(product, "outcomes", ana) == 0
    assert await product.value("SELECT count(*) FROM mem.recalls WHERE org_id = :o AND id = :r", o=ana.org_id, r=UUID(recall_id)) == 1


async def test_a_question_goes_when_the_memory_expires(product: Product, ana: Caller) -> None:
    scratch = (await ana.write("the ferry to the island is late today", "working", ttl_seconds=600))["id"]
    await vote(ana, scratch)
    product.clock.ahead = timedelta(hours=2)
    assert (await run_once(product.runtime)).expired >= 1  # and what other tests left
    assert (await count(product, "outcomes", ana), await count(product, "feedback_queries", ana)) == (0, 0)


async def test_questions_of_other_recalls_and_orgs_stay(product: Product, ana: Caller) -> None:
    elsewhere = await product.make_caller()
    text = "The ferry to the island leaves at nine"
    gone, kept = (await ana.write(text))["id"], (await ana.write("The ferry to the port leaves at eight"))["id"]
    foreign = (await elsewhere.write(text))["id"]
    for caller, memory_id in ((ana, gone), (ana, kept), (elsewhere, foreign)):
        await vote(caller, memory_id)
    await ana.delete(gone)
    assert set(await strengths(ana)) == {kept}
    assert set(await strengths(elsewhere)) == {foreign}
    assert (await count(product, "feedback_queries", ana), await count(product, "feedback_queries", elsewhere)) == (1, 1)


async def test_a_question_whose_memory_goes_while_another_is_judged_stays_with_what_is_said(product: Product, ana: Caller) -> None:
    """Every outcome that is kept has its question, and every question an outcome, whoever was first."""
    orphans = """SELECT (SELECT count(*) FROM mem.outcomes o WHERE o.org_id = :o AND NOT EXISTS
                          (SELECT 1 FROM mem.feedback_queries q WHERE q.org_id = o.org_id AND q.id = o.recall_id))
                      + (SELECT count(*) FROM mem.feedback_queries q WHERE q.org_id = :o AND NOT EXISTS
                          (SELECT 1 FROM mem.outcomes o WHERE o.org_id = q.org_id AND o.recall_id = q.id))"""
    for n in range(12):
        first, second, third = [
            (await ana.write(f"Ferry {n} to the island leaves from pier {p}", "episodic"))["id"] for p in ("a", "b", "c")
        ]
        recall_id, _ = await recall(ana, f"where does ferry {n} to the island leave?", limit=100)
        await say(ana, recall_id, first)
        if n % 2:
            await say(ana, recall_id, third)
        body = {"recall_id": recall_id, "memory_id": second, "outcome": "helpful"}
        give = ana.client.post("/v1/feedback", json=body, headers=ana.headers)
        gone = [first, third] if n % 2 else [first]
        reply, _ = await asyncio.gather(give, asyncio.gather(*map(ana.delete, gone)))
        assert reply.status_code == 201, reply.text
        assert await product.value(orphans, o=ana.org_id) == 0


async def test_a_repeated_vote_brings_back_no_question_and_loses_none(product: Product, ana: Caller) -> None:
    ferry = (await ana.write("The ferry to the island leaves at nine"))["id"]
    recall_id, _ = await recall(ana)
    for outcome in ("helpful", "used", "helpful"):
        await say(ana, recall_id, ferry, outcome)
    (row,) = await product.rows("SELECT query, embedding IS NULL AS bare FROM mem.feedback_queries WHERE org_id = :o", o=ana.org_id)
    assert (row.query, row.bare) == (QUESTION, False)
    grant = {"subject_id": str(ana.subject_id), "writer_label": "second", "max_role": "reader", "trust": "agent"}
    made = await ana.send("POST", "/v1/admin/keys", expect=201, json=grant)
    second = replace(ana, headers={"Authorization": f"Bearer {made['key']}"})
    key = await product.value("SELECT key_id FROM mem.feedback_queries WHERE org_id = :o", o=ana.org_id)
    await say(second, recall_id, ferry)
    assert await product.value("SELECT key_id FROM mem.feedback_queries WHERE org_id = :o", o=ana.org_id) == key, (
        "of who asked, not of who judged"
    )
