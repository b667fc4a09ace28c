"""Cases of duplicates, updates and merges by a model, by their number; the rules behind them are tested in ../sessions/test_reconciling.py."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from memdb.extraction.by_model import ByModel
from tests.integration.sessions.learning import Room, make_room
from tests.support.product import Caller, Json
from tests.support.scripted_model import ScriptedModel

ONLY_SEMANTIC = {"memory": {"extraction": {"enabled": ["semantic"]}}}


class Stub:
    """A model that finds what is given of each turn, and decides what is given of what is near."""

    def __init__(self, server: ScriptedModel) -> None:
        self.items: list[Json] = []
        self.decisions: list[Json] = []
        self.asked: list[Json] = []
        server.otherwise = self._answer

    def _answer(self, body: Json) -> str:
        asked = json.loads(body["messages"][1]["content"])
        if "statements" in asked:
            self.asked.append(asked)
            return json.dumps({"items": self.decisions})
        (turn,) = [turn for turn in asked["turns"] if not turn["context"]]
        return json.dumps({"items": [{"evidence": [turn["n"]], "quote": turn["text"], **item} for item in self.items]})


@pytest.fixture
async def scripted() -> AsyncIterator[ScriptedModel]:
    async with ScriptedModel() as model:
        yield model


@pytest.fixture
def stub(scripted: ScriptedModel) -> Stub:
    return Stub(scripted)


@pytest.fixture
async def learner(scripted: ScriptedModel) -> AsyncIterator[ByModel]:
    reading = ByModel(scripted.make())
    yield reading
    await reading.aclose()


@pytest.fixture
async def room(ana: Caller) -> Room:
    """A room in a database where nothing else waits."""
    for left in ("DELETE FROM memdb_jobs.procrastinate_jobs", "DELETE FROM mem.extractions", "UPDATE mem.sessions SET due_at = NULL"):
        await ana.product.rows(left)
    await ana.send("PUT", "/v1/admin/policy", expect=200, json=ONLY_SEMANTIC)
    return await make_room(ana, "Ana", "Dario", "Elena", "Farid", overlap=0)


async def told(room: Room, day: int, who: str, text: str, extractor: Any = None) -> None:
    await room.say({"text": text, "speaker": {"subject_id": room.people[who]}, "said_at": f"2026-11-{day:02}T09:00:00Z"})
    await room.learn(extractor)


async def test_b016_paraphrases_of_one_value_are_one_fact_with_five_turns(room: Room, stub: Stub, learner: ByModel) -> None:
    said = (
        "service listens on 8090", "the service is at localhost:8090", "port for the service: 8090", "we use 8090 for it", "8090 is the port",
    )  # fmt: skip
    for day, text in enumerate(said, 2):
        stub.items = [{"content": f"Ana says that {text}.", "about": [1], "attribute": "service-port", "value": "8090", "single": True}]
        await told(room, day, "Ana", text, learner)
    (memory,) = await room.memories()
    (hit,) = (await room.agent.search("which port?", limit=5))["evidence"]
    assert hit["memory"]["id"] == memory["id"]
    assert sorted(source["fragment"] for source in hit["sources"]) == sorted(said)


@pytest.mark.parametrize("how", ["rules", "a model that only ends"])
async def test_b020_a_contradiction_ends_the_old_and_loses_nothing(room: Room, stub: Stub, learner: ByModel, how: str) -> None:
    extractor = None if how == "rules" else learner
    stub.items = [{"content": "Ana loves sushi.", "about": [1], "attribute": "likes", "value": "sushi"}]
    await told(room, 2, "Ana", "I love sushi.", extractor)
    stub.items = [{"content": None, "about": [1], "ends": [{"attribute": "likes", "value": "sushi"}]}]
    await told(room, 5, "Ana", "I can't stand sushi now.", extractor)
    then = await room.agent.found("sushi", valid_at="2026-11-03T09:00:00Z")
    assert [text for text in then if "loves" in text] == ["Ana loves sushi."]
    now = await room.agent.found("sushi")
    assert "Ana loves sushi." not in now
    if how == "rules":
        assert now, "what she says now is there"
    (loved,) = [memory for memory in await room.memories() if "loves" in memory["content"]]
    assert loved["valid_to"] == "2026-11-05T09:00:00Z"
    assert (await room.agent.history(loved["id"]))["versions"][0]["memory"]["valid_to"] is None


async def test_b021_the_new_value_is_found_now_and_the_old_one_before(room: Room, stub: Stub, learner: ByModel) -> None:
    stub.items = [{"content": "The bank account of Ana is at Alfa.", "about": [1], "attribute": "bank", "value": "Alfa", "single": True}]
    await told(room, 2, "Ana", "My bank is Alfa.", learner)
    before = room.agent.product.runtime.clock.now()
    stub.items = []
    await told(room, 3, "Ana", "It rains.", learner)
    stub.items = [{"content": "Ana moved her bank account to Beta.", "about": [1], "attribute": "bank", "value": "Beta", "single": True}]
    await told(room, 4, "Ana", "I moved my account to Beta.", learner)
    assert await room.agent.found("which bank account?", limit=3) == ["Ana moved her bank account to Beta."]
    assert await room.agent.found("which bank account?", limit=3, as_of=before.isoformat()) == ["The bank account of Ana is at Alfa."]


@pytest.mark.parametrize("shown", [1, 2])
async def test_b023_an_update_hits_nothing_of_another_subject_or_attribute(room: Room, stub: Stub, learner: ByModel, shown: int) -> None:
    for who in ("Dario", "Elena", "Farid"):
        stub.items = [
            {
                "content": f"{who} works every day of the week in the harbour of Nice.",
                "about": [1],
                "attribute": "work/place",
                "value": "Nice",
            },
            {
                "content": f"{who} sings every day of the week in the harbour of Nice.",
                "about": [1],
                "attribute": "habit/sings",
                "value": "Nice",
            },
        ]
        await told(room, 2, who, f"{who}: I work and sing in Nice.", learner)
    before = {memory["id"]: memory for memory in await room.memories()}
    assert len(before) == 6
    stub.items = [
        {"content": "Dario lives every day of the week in the harbour of Lyon.", "about": [1], "attribute": "home", "value": "Lyon"}
    ]
    stub.decisions = [{"s": 1, "action": "replaces", "m": shown, "quote": "moved to Lyon"}]
    await told(room, 5, "Dario", "I moved to Lyon.", learner)
    after = {memory["id"]: memory for memory in await room.memories()}
    assert {memory_id: after[memory_id] for memory_id in before} == before
    near = stub.asked[-1]["statements"][0]["near"]
    assert near
    assert all("Dario" in one["text"] for one in near), "it is shown nothing about others"
    (new,) = after.keys() - before.keys()
    (decision,) = (await room.agent.history(new))["decisions"]
    assert (decision["action"], decision["refused"]) == ("ADD", "other_attribute")


@pytest.mark.parametrize("number", ["12", -1, 2.0, "2 ", None, "01980000-0000-7000-8000-0000000000b0", 7])
async def test_b024_an_id_that_was_not_shown_is_nobodys_and_the_rest_is_done(
    room: Room, stub: Stub, learner: ByModel, number: object
) -> None:
    homes = {"content": "Ana spends every summer of her life in a house in {}.", "about": [1], "attribute": "summer"}
    cars = {"content": "Ana spends every winter of her life in a hut in {}.", "about": [1], "attribute": "winter"}
    stub.items = [one | {"content": str(one["content"]).format("Faro"), "value": "Faro"} for one in (homes, cars)]
    await told(room, 2, "Ana", "Summers and winters in Faro.", learner)
    stub.items = [one | {"content": str(one["content"]).format("Evora"), "value": "Evora"} for one in (homes, cars)]
    stub.decisions = [{"s": n, "action": "replaces", "m": 1 if n == 2 else number, "quote": "in Evora now, not in Faro"} for n in (1, 2)]
    await told(room, 3, "Ana", "Summers and winters in Evora now, not in Faro.", learner)
    assert [[one["m"] for one in asked["near"]] for asked in stub.asked[-1]["statements"]] == [[1, 2], [1, 2]]
    found = {memory["content"] for memory in await room.memories()}
    assert {text for text in found if "summer" in text} == {str(homes["content"]).format(place) for place in ("Faro", "Evora")}
    assert {text for text in found if "winter" in text} == {str(cars["content"]).format("Evora")}
