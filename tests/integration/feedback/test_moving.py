"""What feedback changes in later answers: a little, for similar questions, within the scope, and nothing by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.integration.feedback.asking import QUESTION, count, recall, say, strengths, vote
from tests.support.product import Caller, Product


async def test_what_helped_is_found_by_a_similar_question_and_by_no_other(ana: Caller) -> None:
    ferry = (await ana.write("The ferry to the island leaves at nine"))["id"]
    other = (await ana.write("The ferry to the port leaves at eight"))["id"]
    await vote(ana, ferry)
    (same,), (near,) = [(await strengths(ana, query)).values() for query in (QUESTION, "when does the ferry to the island leave today?")]
    assert same == pytest.approx(1 / 3, abs=1e-3)
    assert 0 < near < same
    assert set(await strengths(ana)) == {ferry}
    assert await strengths(ana, "who plays the cello?") == {}
    evidence = (await ana.search(QUESTION, min_score=0.0))["evidence"]
    shown = {e["memory"]["id"]: e["branches"] for e in evidence}
    assert shown[ferry]["feedback"]["rank"] == 1
    assert "feedback" not in shown[other]


async def test_votes_break_a_tie(ana: Caller) -> None:
    first, second = [(await ana.write(f"The ferry to the island leaves from pier {pier}", "episodic"))["id"] for pier in ("seven", "eight")]
    for winner in (first, second):
        loser = second if winner is first else first
        await vote(ana, winner)
        await vote(ana, loser, "not_helpful")
        found = await ana.found_ids(QUESTION)
        assert found.index(winner) < found.index(loser)


async def test_being_returned_is_no_vote(product: Product, ana: Caller) -> None:
    old = (await ana.write("The version of the ferry timetable is 2.0", "episodic"))["id"]
    new = (await ana.write("The version of the ferry timetable is 3.1", "episodic"))["id"]
    before = await ana.search("which version of the timetable", min_score=0.0)
    for _ in range(30):
        await ana.search("which version of the timetable", min_score=0.0)
    await vote(ana, old, "not_helpful", "which version of the timetable")
    for _ in range(5):
        await ana.search("which version of the timetable", min_score=0.0)
    after = await ana.search("which version of the timetable", min_score=0.0)
    assert [(e["memory"]["id"], e["score"]) for e in after["evidence"]] == [(e["memory"]["id"], e["score"]) for e in before["evidence"]]
    assert new in [e["memory"]["id"] for e in after["evidence"]]
    assert await strengths(ana, "which version of the timetable") == {}
    assert await count(product, "outcomes", ana) == 1


async def test_votes_against_do_not_bury_a_fact(ana: Caller) -> None:
    blood = (await ana.write("The blood type of Carla is O-negative"))["id"]
    for n in range(10):
        await ana.write(f"Carla gave blood in spring number {n}", "episodic")
    before = (await ana.search("what is the blood type of Carla?"))["evidence"][0]
    for _ in range(20):
        await vote(ana, blood, "wrong", "what is the blood type of Carla?")
    after = (await ana.search("what is the blood type of Carla?"))["evidence"][0]
    assert (after["memory"]["id"], after["score"]) == (blood, before["score"]) == (before["memory"]["id"], before["score"])


async def test_one_key_a_hundred_times_moves_as_much_as_once(ana: Caller) -> None:
    ferry = (await ana.write("The ferry to the island leaves at nine"))["id"]
    await vote(ana, ferry)
    once = await strengths(ana)
    for _ in range(100):
        await vote(ana, ferry)
    assert await strengths(ana) == {ferry: pytest.approx(once[ferry], abs=1e-4)}


async def test_more_people_move_more_and_less_with_time(product: Product, ana: Caller) -> None:
    people = [await ana.make_person(name) for name in ("Bruno", "Carla", "Davi")]
    room = await ana.make_brain(members=[{"subject_id": str(p.subject_id), "role": "reader"} for p in people])
    ferry = (await ana.write("The ferry to the island leaves at nine", brain_id=room))["id"]
    seen = []
    for person in people:
        await vote(person, ferry)
        seen.append((await strengths(ana))[ferry])
    assert seen == [pytest.approx(n / (n + 2), abs=1e-3) for n in (1, 2, 3)]
    product.clock.ahead = timedelta(days=90)
    assert (await strengths(ana))[ferry] == pytest.approx(1.5 / 3.5, abs=1e-3)


async def test_votes_of_another_org_or_in_another_brain_move_nothing(product: Product, ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    room = await ana.make_brain(members=[{"subject_id": str(bruno.subject_id), "role": "reader"}])
    elsewhere = await product.make_caller()
    text = "The ferry to the island leaves at nine"
    shared = (await ana.write(text, brain_id=room))["id"]
    private = (await ana.write("The ferry to the port leaves at eight"))["id"]
    foreign = (await elsewhere.write(text))["id"]
    before = await ana.search(QUESTION, min_score=0.0)
    await vote(elsewhere, foreign)
    after = await ana.search(QUESTION, min_score=0.0)
    assert [(e["memory"]["id"], e["score"]) for e in after["evidence"]] == [(e["memory"]["id"], e["score"]) for e in before["evidence"]]
    await vote(ana, private)
    assert await strengths(bruno) == {}
    await vote(bruno, shared)
    assert set(await strengths(ana)) == {shared, private}
    assert set(await strengths(ana, brains=[room])) == {shared}
    assert set(await strengths(ana, audience=[str(bruno.subject_id)])) == {shared}


async def test_filters_and_deletions_hold_for_what_helped(product: Product, ana: Caller) -> None:
    tagged = (await ana.write("The ferry to the island leaves at nine", tags=["travel"]))["id"]
    short = (await ana.write("The ferry to the island is late", "working", ttl_seconds=600))["id"]
    for memory_id in (tagged, short):
        await vote(ana, memory_id)
    assert set(await strengths(ana)) == {tagged, short}
    assert set(await strengths(ana, tags=["travel"])) == {tagged}
    assert set(await strengths(ana, kinds=["working"])) == {short}
    product.clock.ahead = timedelta(seconds=601)
    assert set(await strengths(ana)) == {tagged}
    await ana.delete(tagged)
    assert await strengths(ana) == {}


async def test_the_past_is_not_moved(ana: Caller) -> None:
    ferry = (await ana.write("The ferry to the island leaves at nine"))["id"]
    await vote(ana, ferry)
    answer = await ana.search(QUESTION, min_score=0.0, as_of=datetime.now(UTC).isoformat())
    assert ferry in [e["memory"]["id"] for e in answer["evidence"]]
    assert all("feedback" not in e["branches"] for e in answer["evidence"])
    assert answer["degraded"] == []


async def test_a_question_in_another_space_is_left_alone(product: Product, ana: Caller) -> None:
    ferry = (await ana.write("The ferry to the island leaves at nine"))["id"]
    recall_id, _ = await recall(ana)
    await say(ana, recall_id, ferry)
    await product.rows("UPDATE mem.feedback_queries SET space = 'older', embedding = '[1,0,0]' WHERE org_id = :org", org=ana.org_id)
    assert await strengths(ana) == {}
    assert (await ana.search(QUESTION))["degraded"] == []
    await say(ana, recall_id, ferry)
    assert set(await strengths(ana)) == {ferry}, "feedback on the same recall brings its question into the present space"
