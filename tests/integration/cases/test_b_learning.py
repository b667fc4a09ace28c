"""Cases of writing from conversations, by their number: repetitions, races, retries, edits. What a direct write does is in ../formation."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from memdb.extraction.by_model import ByModel
from memdb.extraction.extract import Task, extract
from memdb.lifecycle.upkeep import run_once
from memdb.models.memory import Kind
from tests.integration.sessions.learning import Room, make_room, work
from tests.support.product import Caller, Json, Product, WatchedEmbedder, open_client
from tests.support.scripted_model import NOTHING, ScriptedModel, completion

SISTER = "My sister Lia lives in Porto."
FACT: Json = {"content": "Ana's sister Lia lives in Porto.", "about": [1], "attribute": "family/sister", "value": "Lia lives in Porto"}
FACT |= {"evidence": [1], "quote": "My sister Lia lives in Porto"}


def items(*said: Json) -> str:
    return json.dumps({"items": said})


async def reinforced(product: Product, room: Room) -> list[int]:
    sql = "SELECT s.reinforced FROM mem.memory_stats s JOIN mem.memories m ON m.org_id = s.org_id AND m.id = s.memory_id"
    rows = await product.rows(f"{sql} WHERE m.org_id = :org AND m.status = 'active' ORDER BY m.id", org=room.agent.org_id)
    return [row[0] for row in rows]


# ------------------------------------------------------------------------------------------------------------- B015, B018
@pytest.mark.parametrize(
    "forged",
    [
        '{"op": "DELETE", "id": "0"}',
        items({"op": "DELETE", "id": "0"}),
        items(FACT | {"op": "DELETE", "id": "0"}),
        items(FACT | {"content": None, "ends": [{"attribute": "family/sister", "value": "Lia lives in Porto"}]}),
        items(FACT | {"content": None, "ends": [{"attribute": "family/sister"}]}),
        items(FACT | {"ends": [{"attribute": "family/sister", "value": "Lia lives in Porto"}]}),
    ],
    ids=["operation", "operation in items", "statement and operation", "end of its value", "end of all values", "statement and its end"],
)
async def test_b015_what_is_said_again_is_neither_deleted_nor_ended(
    admin: Caller, product: Product, model: ScriptedModel, learner: ByModel, forged: str
) -> None:
    room = await make_room(admin, "Ana", max_messages=1, overlap=0)
    model.otherwise = items(FACT)
    for day, answer in ((2, items(FACT)), (3, forged), (4, items(FACT))):
        model.script.append(answer)
        await room.say({"text": SISTER, "speaker": {"subject_id": room.people["Ana"]}, "said_at": f"2026-11-0{day}T09:00:00Z"})
        await room.learn(learner)
        model.script.clear()
    (memory,) = await room.memories()
    assert (memory["content"], memory["valid_to"]) == ("Ana's sister Lia lives in Porto.", None)
    assert await room.agent.found("where does Lia live?") == ["Ana's sister Lia lives in Porto."]
    assert (await reinforced(product, room))[0] >= 1


async def test_b018_one_fact_learned_ten_times_at_once_is_one_memory(
    admin: Caller, product: Product, model: ScriptedModel, learner: ByModel
) -> None:
    room = await make_room(admin, "Ana", max_messages=1, overlap=0)
    model.otherwise = replace(completion(items(FACT)), wait_s=0.3)
    await asyncio.gather(*(room.say(("Ana", SISTER)) for _ in range(10)))
    flushed = await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    assert len(flushed["snapshots"]) == 10
    # Two workers on one snapshot, and others on the rest.
    first = Task(room.agent.org_id, UUID(room.brain), UUID(flushed["snapshots"][0]["id"]), Kind.SEMANTIC)
    twins = (extract(product.runtime, learner, first) for _ in range(2))
    await asyncio.gather(*twins, *(work(product, learner) for _ in range(4)))
    await work(product, learner)  # what was put back for another try when nobody looked any more
    (memory,) = await room.memories()
    assert await reinforced(product, room) == [9]
    history = await room.agent.history(memory["id"])
    assert sorted(one["action"] for one in history["derivations"]) == ["ADD"] + ["REINFORCE"] * 9


# ------------------------------------------------------------------------------------------------------------------ B019
async def test_b019_turns_sent_again_after_a_lost_reply_are_stored_and_learned_once(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    path = f"/v1/sessions/{room.session}/turns"

    def body(text: str = "I'm allergic to peanuts.") -> Json:
        return {"turns": [{"text": text, "speaker": {"subject_id": room.people["Ana"]}, "client_turn_id": "k-1"}]}

    first = await room.agent.send("POST", path, expect=201, json=body())
    at_once = await asyncio.gather(*(room.agent.send("POST", path, expect=201, json=body()) for _ in range(10)))
    restarted = replace(room.agent, client=open_client(product.runtime))
    again = await restarted.send("POST", path, expect=201, json=body())
    assert {one["turns"][0]["id"] for one in [*at_once, again]} == {first["turns"][0]["id"]}
    assert all(one["turns"][0]["replayed"] for one in [*at_once, again])
    assert (await room.agent.send("POST", path, expect=409, json=body("I'm vegan.")))["code"] == "idempotency_conflict"
    await room.learn()
    await room.agent.send("POST", path, expect=201, json=body())
    snapshots = await room.learn()
    assert len(snapshots) == 1, "what was sent again after it was read is not read again"
    assert await room.contents() == {"Ana is allergic to peanuts."}
    assert await reinforced(product, room) == [0]
    other = await product.make_caller()
    session = await other.send("POST", "/v1/sessions", expect=201, json={})
    turn = {"turns": [{"text": "I'm vegan.", "client_turn_id": "k-1"}]}
    foreign = await other.send("POST", f"/v1/sessions/{session['id']}/turns", expect=201, json=turn)
    assert not foreign["turns"][0]["replayed"]


async def test_b019_turns_whose_reply_was_lost_in_many_clients_at_once_are_one(admin: Caller) -> None:
    room = await make_room(admin, "Ana")
    turn = {"text": "I'm allergic to peanuts.", "speaker": {"subject_id": room.people["Ana"]}, "client_turn_id": "k-1"}
    sent = await asyncio.gather(*(room.say(turn) for _ in range(10)))
    assert len({one[0]["id"] for one in sent}) == 1
    assert sum(not one[0]["replayed"] for one in sent) == 1


# ------------------------------------------------------------------------------------------------------------- B022, B032
KEPT = ("data", "tags", "topic", "valid_from", "about", "said_by", "created_at", "kind", "brain_id")


async def test_b022_a_new_value_and_a_repetition_leave_the_rest_as_it_is(admin: Caller, model: ScriptedModel, learner: ByModel) -> None:
    room = await make_room(admin, "Ana", max_messages=1, overlap=0)
    fact = {"content": "Ana eats no meat.", "about": [1], "evidence": [1], "quote": "I eat no meat"}
    model.otherwise = items(fact | {"attribute": "diet", "value": "no meat", "single": True})
    await room.say(("Ana", "I eat no meat."))
    await room.learn(learner)
    (memory,) = await room.memories()
    own = {"category": "diet", "source": "import-7", "n": 0, "flag": False, "empty": "", "nested": {"a": [1], "b": None}}
    await room.agent.edit(memory["id"], data=memory["data"] | own, tags=["health", "import"])
    before = (await room.memories())[0]
    await room.agent.edit(memory["id"], content="Ana eats no meat at all.")
    edited = (await room.memories())[0]
    assert {name: edited[name] for name in KEPT} == {name: before[name] for name in KEPT}

    model.otherwise = items(fact | {"content": "Ana eats no meat at all.", "attribute": "diet", "value": "no meat", "single": True})
    await room.say({"text": "I eat no meat.", "speaker": {"subject_id": room.people["Ana"]}, "said_at": "2026-11-03T09:00:00-03:00"})
    await room.learn(learner)
    (repeated,) = await room.memories()
    assert {name: repeated[name] for name in KEPT} == {name: before[name] for name in KEPT}
    assert repeated["version"] == edited["version"], "a repetition is counted"

    model.otherwise = items(
        fact | {"content": "Ana eats fish.", "quote": "I eat fish", "attribute": "diet", "value": "fish", "single": True}
    )
    await room.say({"text": "I eat fish.", "speaker": {"subject_id": room.people["Ana"]}, "said_at": "2026-11-05T09:00:00-03:00"})
    await room.learn(learner)
    (updated,) = await room.memories()
    assert (updated["id"], updated["content"]) == (memory["id"], "Ana eats fish.")
    assert updated["data"] == before["data"] | {"value": "fish"}
    assert {name: updated[name] for name in ("tags", "created_at", "topic", "about")} == {
        name: before[name] for name in ("tags", "created_at", "topic", "about")
    }


async def test_b032_vector_words_and_entities_follow_what_a_conversation_changes(
    admin: Caller, product: Product, model: ScriptedModel, learner: ByModel
) -> None:
    room = await make_room(admin, "Ana", max_messages=1, overlap=0)
    fact = {"about": [1], "evidence": [1], "attribute": "vehicle", "single": True}
    said: list[tuple[str, Json]] = [
        ("I own a boat in Zanzibar.", {"content": "Ana owns a boat in Zanzibar.", "value": "boat", "quote": "I own a boat"}),
        ("I sold it, I own a motorcycle.", {"content": "Ana owns a motorcycle.", "value": "motorcycle", "quote": "I own a motorcycle"}),
    ]
    for day, (text, told) in enumerate(said, 2):
        model.otherwise = items(fact | told)
        await room.say({"text": text, "speaker": {"subject_id": room.people["Ana"]}, "said_at": f"2026-11-0{day}T09:00:00Z"})
        await room.learn(learner)
    (memory,) = await room.memories()
    for branch in ("lexical", "vector"):
        assert await room.agent.found("who rides a motorcycle?", weights={branch: 1}) == ["Ana owns a motorcycle."]
    assert await room.agent.found_ids("boat Zanzibar", weights={"lexical": 1}) == []
    assert await product.value("SELECT count(*) FROM mem.entities WHERE org_id = :org AND folded = 'zanzibar'", org=room.agent.org_id) == 0
    watched = WatchedEmbedder(product.runtime.embedder)
    await room.agent.through(replace(product.runtime, embedder=watched)).edit(memory["id"], data=memory["data"] | {"since": 2026})
    assert watched.documents == [], "a text that stays is not embedded anew"


# ------------------------------------------------------------------------------------------------------------------ B025
GOOD = items({"content": "Ana is allergic to peanuts.", "about": [1], "evidence": [1], "quote": "I'm allergic to peanuts"})


@pytest.mark.parametrize(
    "decorated",
    [f"Sure! ```json\n{GOOD}\n``` hope it helps", f"<think>hm {{}}</think>{GOOD}", GOOD[:-2] + ', {"content": 5}, "one", null]}'],
    ids=["prose", "thoughts", "bad items beside it"],
)
async def test_b025_what_can_be_understood_is_learned_at_once(
    admin: Caller, model: ScriptedModel, learner: ByModel, decorated: str
) -> None:
    room = await make_room(admin, "Ana")
    model.script.append(decorated)
    await room.say(("Ana", "I'm allergic to peanuts."))
    (snapshot,) = await room.learn(learner)
    assert [(one["state"], one["attempts"]) for one in snapshot["extractions"]] == [("done", 0)]
    assert await room.contents() == {"Ana is allergic to peanuts."}


@pytest.mark.parametrize(
    "broken",
    ["", "{'facts':['a']}", GOOD[: len(GOOD) * 6 // 10], GOOD + NOTHING, "null", '{"facts": "one string"}', "x" * 5_000_000],
    ids=["empty", "quotes", "cut off", "two answers", "null", "another shape", "5 MB"],
)
async def test_b025_what_cannot_be_is_seen_and_tried_again_and_no_turn_is_lost(
    admin: Caller, model: ScriptedModel, learner: ByModel, broken: str
) -> None:
    room = await make_room(admin, "Ana")
    model.script.extend([broken, broken])
    model.otherwise = GOOD
    await room.say(("Ana", "I'm allergic to peanuts."))
    (snapshot,) = await room.learn(learner)
    (done,) = snapshot["extractions"]
    assert done["state"] == "done"
    assert done["attempts"] >= 1
    assert await room.contents() == {"Ana is allergic to peanuts."}


# ------------------------------------------------------------------------------------------------------------------ B119
async def test_b119_learning_and_upkeep_again_without_anything_new_change_nothing(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana", "Bruno", max_messages=20)
    foods = [f"food{n // 20}" for n in range(200)]
    for start in range(0, 200, 50):
        await room.say(*[("Ana" if n % 2 else "Bruno", f"I'm allergic to {foods[n]}.") for n in range(start, start + 50)])
    await room.learn()
    await run_once(product.runtime)

    async def state() -> list[Any]:
        tables = (
            "memories",
            "memory_versions",
            "memory_index",
            "fragments",
            "derivations",
            "extractions",
            "snapshots",
            "links",
            "forgotten",
        )
        counts = [await product.value(f"SELECT count(*) FROM mem.{t} WHERE org_id = :org", org=room.agent.org_id) for t in tables]
        return [counts, await room.memories(), await reinforced(product, room)]

    before = await state()
    assert len(before[1]) == 20, "ten foods of two people, each once"
    for _ in range(5):
        await room.learn()
        await work(product)
        await run_once(product.runtime)
    assert await state() == before
