"""A dry run says what the reading then does, and reading twice does what reading once did, whoever says what of whom in whatever order."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from tests.integration.sessions.learning import Room, conflicts, make_room, work
from tests.support.product import Caller, Json, Product

ON: Final[Json] = {"memory": {"extraction": {"enabled": ["semantic"]}}}
OFF: Final[Json] = {"memory": {"extraction": {"enabled": []}}}
SUBJECT, A, B = "Ana", "Bruno", "Carla"
SAYINGS: Final = (
    ("I'm allergic to kiwi.", "Ana is allergic to kiwi."),
    ("I'm not allergic to kiwi.", "Ana is not allergic to kiwi."),
    ("I'm no longer allergic to kiwi.", "Ana is no longer allergic to kiwi."),
    ("I eat meat.", "Ana eats meat."),
    ("Eu não como carne.", "A Ana não come carne."),
    ("Eu como carne.", "A Ana come carne."),
    ("I don't eat meat.", "Ana does not eat meat."),
    ("I smoke.", "Ana smokes."),
    ("I don't smoke.", "Ana does not smoke."),
    ("I quit smoking.", "Ana stopped smoking."),
    ("I live in Lisbon.", "Ana lives in Lisbon."),
    ("I live in Porto.", "Ana lives in Porto."),
    ("I no longer live in Lisbon.", "Ana no longer lives in Lisbon."),
    ("I like jazz.", "Ana likes jazz."),
    ("I don't like jazz.", "Ana doesn't like jazz."),
    ("Actually, I like tea.", "Sorry, I meant Ana likes tea."),
)
SNAPSHOTS, TURNS = 4, 6


def conversation(room: Room, random: Random) -> list[list[Json]]:
    """Turns of three people, snapshot by snapshot; some at one moment, some told late."""
    day, said = 1, []
    for _ in range(SNAPSHOTS):
        turns = []
        for _ in range(TURNS):
            day += random.choice((0, 1, 1, 2))
            who, (own, others) = random.choice((SUBJECT, A, B)), random.choice(SAYINGS)
            told = max(1, day - random.choice((0, 0, 0, 0, 5)))
            text = own if who == SUBJECT else others
            turns.append(
                {
                    "text": text,
                    "speaker": {"subject_id": room.people[who]},
                    "said_at": f"2026-0{1 + told // 28}-{1 + told % 28:02}T09:00:00Z",
                }
            )
        said.append(turns)
    return said


async def state(room: Room) -> Json:
    """All that anybody sees of what was learned, and of which turn taught it."""
    memories = await room.memories()
    turns = (await room.agent.send("GET", f"/v1/sessions/{room.session}/turns", expect=200, params={"limit": 200}))["items"]
    learned = {
        turn["id"]: await room.agent.send("GET", f"/v1/sessions/{room.session}/turns/{turn['id']}/learned", expect=200) for turn in turns
    }
    return {
        "memories": memories,
        "histories": {memory["id"]: await room.agent.history(memory["id"]) for memory in memories},
        "conflicts": await conflicts(room),
        "learned": learned,
    }


async def of_semantic(room: Room, number: int) -> Json:
    page = await room.agent.send("GET", f"/v1/sessions/{room.session}/snapshots", expect=200)
    (found,) = [one for one in page["items"][number]["extractions"] if one["handler"] == "semantic"]
    return dict(found)


@pytest.mark.parametrize("seed", [1, 3, 5, 7])
async def test_what_is_foretold_is_done_and_done_once(admin: Caller, product: Product, seed: int) -> None:
    room = await make_room(admin, SUBJECT, A, B)
    paths = []
    await admin.send("PUT", "/v1/admin/policy", expect=200, json=OFF)
    for turns in conversation(room, Random(seed)):
        await room.say(*turns)
        flushed = await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
        paths.append(f"/v1/sessions/{room.session}/snapshots/{flushed['snapshots'][0]['id']}")
    await admin.send("PUT", "/v1/admin/policy", expect=200, json=ON)
    for number, path in enumerate(paths):
        before = await state(room)
        (foretold,) = (await room.agent.send("POST", f"{path}:preview", expect=200, json={}))["differences"]
        assert await state(room) == before, "a dry run changes nothing"
        await room.agent.send("POST", f"{path}:extract", expect=202, json={})
        await work(product)
        done = await of_semantic(room, number)
        assert {name: len(foretold[name]) for name in ("added", "updated", "reinforced", "ended")} == {
            name: done[name] for name in ("added", "updated", "reinforced", "ended")
        }
        assert (foretold["kept"], foretold["removed"]) == ([], [])
    once = await state(room)
    assert once["memories"], "something is learned"
    counted = [await of_semantic(room, number) for number in range(len(paths))]
    for path in (*paths, *reversed(paths)):
        (foretold,) = (await room.agent.send("POST", f"{path}:preview", expect=200, json={}))["differences"]
        assert not any(foretold[name] for name in ("added", "updated", "reinforced", "ended", "removed"))
        await room.agent.send("POST", f"{path}:extract", expect=202, json={})
        await work(product)
        assert await state(room) == once
    assert [(await of_semantic(room, number))["ended"] for number in range(len(paths))] == [one["ended"] for one in counted]
