"""What evidence says beside its text: exact matches, modifiers, freshness and outcomes; and what a card adds: front and drawer."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memdb.lifecycle.upkeep import run_once
from tests.support.product import Caller, Json, Product

DAYS = timedelta(days=1)


def first(answer: Json) -> Json:
    found: Json = answer["evidence"][0]
    return found


# ----------------------------------------------------------------------------------------------------------------------- exact
async def test_an_id_alone_gives_that_memory_and_nothing_else(ana: Caller) -> None:
    wanted = await ana.write("The ferry leaves at seven", topic="harbour")
    await ana.write("The ferry leaves at eight on Sundays")
    answer = await ana.search(wanted["id"])
    assert [e["memory"]["id"] for e in answer["evidence"]] == [wanted["id"]]
    assert first(answer)["score"] == 1.0
    assert first(answer)["branches"] == {
        "exact": {"rank": 1, "raw": 1.0, "share": 1.0, "by": ["id"], "terms": None, "entities": None, "path": None}
    }
    assert answer["degraded"] == []


async def test_an_id_in_a_question_comes_first_and_the_rest_follows(ana: Caller) -> None:
    wanted = await ana.write("Carla keeps bees")
    await ana.write("The ferry leaves at eight on Sundays")
    answer = await ana.search(f"ferry or {wanted['id']}", min_score=0.0)
    assert [e["memory"]["content"] for e in answer["evidence"]] == ["Carla keeps bees", "The ferry leaves at eight on Sundays"]


async def test_a_path_is_a_topic_and_gives_what_stands_under_it_newest_first(ana: Caller) -> None:
    for number, topic in enumerate(("clients/meridian", "clients/meridian/legal", "clients/meridian", "clients/meridianos", None)):
        await ana.write(f"note {number} on clients/meridian", "episodic", topic=topic)
    for asked in ("clients/meridian", "Clients/Meridian"):
        answer = await ana.search(asked)
        assert [e["memory"]["content"][5] for e in answer["evidence"]] == ["2", "0", "1"]
        assert all(e["branches"]["exact"]["by"] == ["topic"] for e in answer["evidence"])


async def test_a_word_that_is_a_topic_leaves_the_other_memories_with_that_word(ana: Caller) -> None:
    await ana.write("Walks in the evening", topic="health")
    await ana.write("The new health insurance begins in May")
    assert await ana.found("health") == ["Walks in the evening", "The new health insurance begins in May"]


async def test_quoted_words_are_found_in_their_order(ana: Caller) -> None:
    for content in ("The red fox met a dog", "A fox, red as fire, met the dog", "The dog met no fox"):
        await ana.write(content, "episodic")
    answer = await ana.search('"red fox"')
    assert [e["memory"]["content"] for e in answer["evidence"]] == ["The red fox met a dog"]
    answer = await ana.search('who met the "red fox" or a dog?', min_score=0.0)
    assert first(answer)["branches"]["exact"]["by"] == ["phrase"]
    assert len(answer["evidence"]) == 3


async def test_what_is_not_found_exactly_is_looked_for_as_ever(ana: Caller) -> None:
    await ana.write("The red fox met a dog")
    assert await ana.found('"fox red"') == ["The red fox met a dog"]
    assert await ana.found("01980000-0000-7000-8000-0000000000a0") == []
    assert await ana.found("animals/fox") == ["The red fox met a dog"]


async def test_exact_matches_stay_within_the_scope_and_the_filters(ana: Caller, product: Product) -> None:
    other = await product.make_caller()
    hidden = await other.write("The red fox met a dog", topic="animals/fox")
    mine = await ana.write("A red fox sleeps", topic="animals/fox", tags=["a"])
    room = await ana.make_brain()
    bruno = await ana.make_person("Bruno")
    for asked in (hidden["id"], '"red fox met"', f"{hidden['id']} red fox"):
        assert hidden["id"] not in await ana.found_ids(asked)
    assert await bruno.found_ids(mine["id"]) == []
    assert await ana.found_ids(mine["id"], brains=[room]) == []
    for asked in (mine["id"], '"red fox"', "animals/fox"):
        assert await ana.found_ids(asked, tags=["b"]) == []
        assert await ana.found_ids(asked, tags=["a"]) == [mine["id"]]


# ------------------------------------------------------------------------------------------------------------ freshness, modifiers
async def test_freshness_and_trust_are_shown_and_listed(ana: Caller, product: Product) -> None:
    await ana.write("The ferry leaves at seven", brain_id=await ana.make_brain(), source={"kind": "web"})
    seen = {}
    for days in (0, 200, 400):
        product.clock.ahead = days * DAYS
        found = first(await ana.search("when does the ferry leave?"))
        seen[days] = (found["freshness"], {m["name"]: m["factor"] for m in found["modifiers"]})
    assert [seen[days][0] for days in (0, 200, 400)] == ["fresh", "aging", "stale"]
    assert [set(seen[days][1]) for days in (0, 200, 400)] == [{"freshness", "trust"}, {"trust"}, {"freshness", "trust"}]
    assert seen[0][1]["freshness"] > 1 > seen[400][1]["freshness"]


async def test_of_two_equal_answers_the_more_trusted_comes_first(ana: Caller) -> None:
    room = await ana.make_brain()
    web = await ana.write("The ferry leaves at seven", brain_id=room, source={"kind": "web"})
    member = await ana.write("The ferry leaves at eight", brain_id=room)
    assert await ana.found_ids("when does the ferry leave?", weights={"lexical": 1.0}) == [member["id"], web["id"]]


async def test_of_two_equal_events_the_one_of_the_time_asked_about_comes_first(ana: Caller) -> None:
    for month in ("03", "05"):
        await ana.write(
            "Ana saw a whale", "episodic", source={"said_at": f"2023-{month}-07T09:00:00Z", "text": f"A whale, on the seventh of {month}"}
        )
    for asked, month in (("May", "05"), ("March", "03")):
        found = first(await ana.search(f"which whale did Ana see in {asked} 2023?", limit=1, min_score=0.0))
        assert found["sources"][0]["said_at"].startswith(f"2023-{month}")
        assert "time_window" in {m["name"] for m in found["modifiers"]}


async def test_a_plan_whose_date_has_gone_is_past(ana: Caller, product: Product) -> None:
    await ana.write("Carla moves to Lisbon next month")
    product.clock.ahead = 90 * DAYS
    answer = await ana.search("where does Carla move?", token_budget=100)
    assert first(answer)["freshness"] == "past"
    assert answer["card"]["text"].rstrip().endswith("past)")


async def test_outcomes_are_counted_on_their_memory(ana: Caller, product: Product) -> None:
    ferry = await ana.write("The ferry leaves at seven")
    await ana.write("The bus leaves at nine")
    answer = await ana.search("when does the ferry leave?")
    await ana.send(
        "POST", "/v1/feedback", expect=201, json={"recall_id": answer["recall_id"], "memory_id": ferry["id"], "outcome": "helpful"}
    )
    await run_once(product.runtime, slow=False)
    found = {e["memory"]["id"]: e["outcomes"] for e in (await ana.search("when do ferry and bus leave?", min_score=0.0))["evidence"]}
    assert sorted(map(str, found.values())) == ["{'helpful': 1}", "{}"]
    assert found[ferry["id"]] == {"helpful": 1}


async def test_a_score_below_the_wanted_one_is_left_out_with_the_modifiers_on_it(ana: Caller) -> None:
    await ana.write("The ferry leaves at seven", brain_id=await ana.make_brain(), source={"kind": "web"})
    score = first(await ana.search("when does the ferry leave?"))["score"]
    above = await ana.search("when does the ferry leave?", min_score=score + 0.001)
    assert (above["evidence"], above["dropped"]["below_floor"]) == ([], 1)
    assert len((await ana.search("when does the ferry leave?", min_score=score))["evidence"]) == 1


# ----------------------------------------------------------------------------------------------------------------- front, drawer
@pytest.fixture
async def bruno(ana: Caller) -> Caller:
    return await ana.make_person("Bruno")


async def test_a_card_begins_with_the_front_of_who_is_named_and_ends_with_their_drawer(ana: Caller, bruno: Caller) -> None:
    about: Json = {"about": [str(bruno.subject_id)]}
    front = await ana.write("Answer Bruno in short sentences", placement="front", **about)
    inside = ("Bruno is allergic to peanuts", "Bruno leads the harbour project")
    for content, topic in zip(inside, ("health", "work"), strict=True):
        await ana.write(content, topic=topic, placement="drawer", **about)
    for asked in ({"query": "what must Bruno not eat?"}, {"query": "peanuts", **about}):
        card = (await ana.search(**asked, token_budget=400, limit=1))["card"]
        lines = card["text"].split("\n")
        assert lines[:2] == ["To keep in mind:", "- Answer Bruno in short sentences"]
        assert card["front"] == [front["id"]]
        left = sum(content not in card["text"] for content in inside)
        assert f"{'1 memory' if left == 1 else '2 memories'} on health, work" in lines[-1]
        assert str(bruno.subject_id) in lines[-1]
    listed = await ana.list_ids(about=str(bruno.subject_id))
    assert len(listed) == 3
    assert (await ana.search("what must Bruno not eat?"))["card"] is None


async def test_the_front_of_one_of_two_namesakes_is_not_guessed(ana: Caller, bruno: Caller) -> None:
    namesake = await ana.make_person("Bruno")
    await ana.write("Answer Bruno in short sentences", placement="front", about=[str(bruno.subject_id)])
    card = (await ana.search("what does Bruno like?", token_budget=400, min_score=1.0))["card"]
    assert (card["text"], card["front"]) == ("", [])
    card = (await ana.search("what is liked?", token_budget=400, min_score=1.0, about=[str(namesake.subject_id)]))["card"]
    assert card["text"] == ""


async def test_front_and_drawer_hold_nothing_that_the_caller_or_the_audience_may_not_read(ana: Caller, bruno: Caller) -> None:
    about: Json = {"about": [str(bruno.subject_id)]}
    await ana.write("Answer Bruno in short sentences", placement="front", **about)
    await ana.write("Bruno is looking for another job", topic="secret", **about)
    carla = await ana.make_person("Carla")
    both: Json = {"audience": [str(ana.subject_id), str(carla.subject_id)]}
    nobody: Json = {}
    for caller, fields in ((carla, nobody), (ana, both)):
        card = (await caller.search("what does Bruno want?", token_budget=400, **fields))["card"]
        assert (card["text"], card["front"]) == ("", [])


async def test_front_and_drawer_leave_out_what_is_held_gone_or_no_longer_true(ana: Caller, bruno: Caller, product: Product) -> None:
    about: Json = {"about": [str(bruno.subject_id)]}
    ended: Json = {"valid_from": "2020-01-01T00:00:00Z", "valid_to": "2021-01-01T00:00:00Z"}
    for placement in ("front", "drawer"):
        held = await ana.write(f"held {placement}", placement=placement, **about)
        await product.rows(
            """WITH a AS (INSERT INTO mem.hold_actions (org_id, id, kind, reasons, created_at)
                          VALUES (:org, gen_random_uuid(), 'quarantine', '{}', now()) RETURNING id),
                    h AS (INSERT INTO mem.holds SELECT m.org_id, m.id, a.id, m.brain_id, now() FROM mem.memories m, a
                           WHERE m.id = CAST(:m AS uuid))
               UPDATE mem.memory_index SET held = true WHERE memory_id = CAST(:m AS uuid) RETURNING 1""",
            org=ana.org_id,
            m=held["id"],
        )
        gone = await ana.write(f"gone {placement}", placement=placement, **about)
        await ana.delete(gone["id"])
        await ana.write(f"ended {placement}", placement=placement, **about, **ended)
    card = (await ana.search("what of Bruno?", token_budget=400, min_score=1.0))["card"]
    assert (card["text"], card["front"]) == ("", [])
