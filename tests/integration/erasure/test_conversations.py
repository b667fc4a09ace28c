"""What was said, what was learned from it, and what is derived of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.integration.erasure.asking import Rows, forget
from tests.integration.sessions.learning import make_room, told, work

if TYPE_CHECKING:
    from tests.support.product import Caller


async def test_what_a_person_said_and_what_was_learned_of_it_goes_and_the_room_goes_on(ana: Caller) -> None:
    room = await make_room(ana, "Zilda", "Bruno")
    await told(room, 2, "Zilda", "I am allergic to peanuts.")
    await told(room, 3, "Bruno", "I drink maté every morning.")
    await told(room, 4, "Bruno", "I had lunch with Zilda yesterday.")
    assert any("peanut" in content for content in await room.contents())
    before = {content for content in await room.contents() if "mat" in content}
    done = await forget(ana, "subjects", room.people["Zilda"])
    assert done["state"] == "complete", done
    assert done["counts"]["turns"] == 1
    assert done["counts"]["turns_rewritten"] == 1
    assert await Rows(ana).holding("zilda", "peanut") == {}
    assert {content for content in await room.contents() if "mat" in content} == before
    turns = (await room.agent.send("GET", f"/v1/sessions/{room.session}/turns", expect=200))["items"]
    assert sorted(turn["position"] for turn in turns) == [0, 1, 2]
    assert sum(turn["text"] == "[ERASED]" for turn in turns) == 1
    # What is read anew brings nothing back.
    snapshots = await room.agent.send("GET", f"/v1/sessions/{room.session}/snapshots", expect=200)
    for snapshot in snapshots["items"]:
        path = f"/v1/sessions/{room.session}/snapshots/{snapshot['id']}:extract"
        await room.agent.send("POST", path, expect=202, json={})
    await work(ana.product)
    assert await Rows(ana).holding("zilda", "peanut") == {}


async def test_a_memory_is_forgotten_with_the_turn_that_it_alone_rests_on(ana: Caller) -> None:
    room = await make_room(ana, "Zilda")
    await told(room, 2, "Zilda", "I am allergic to peanuts.")
    (memory,) = [one for one in await room.memories() if "peanut" in one["content"]]
    look = await forget(ana, "memories", memory["id"], dry_run=True)
    assert look["counts"]["memories"] == 1
    assert look["counts"]["turns"] == 1
    done = await forget(ana, "memories", memory["id"])
    assert done["state"] == "complete"
    assert await Rows(ana).holding("peanut") == {}
    await forget(ana, "memories", memory["id"], expect=404)


async def test_a_session_is_forgotten_and_takes_further_turns(ana: Caller) -> None:
    room = await make_room(ana, "Zilda", title="Lunch with Zilda")
    other = await ana.write("Zilda likes tea.", about=[room.people["Zilda"]])
    turn = {"text": "I am allergic to peanuts.", "speaker": {"subject_id": room.people["Zilda"]}, "client_turn_id": "t-1"}
    await room.say(turn)
    await room.learn()
    done = await forget(ana, "sessions", room.session)
    assert done["state"] == "complete"
    assert await Rows(ana).holding("peanut", "lunch with") == {}
    assert (await ana.read(other["id"]))["content"] == "Zilda likes tea."
    await room.say(turn)  # a repetition of what is forgotten is the same turn, and says nothing
    assert await Rows(ana).holding("peanut") == {}
    await room.say(("Zilda", "I moved to Lisbon."))
    await room.learn()
    assert any("Lisbon" in content for content in await room.contents())


async def test_a_source_goes_with_what_came_from_it_alone(ana: Caller) -> None:
    def source(text: str, episode: str) -> dict[str, object]:
        return {"episode": {"external_id": episode}, "position": 0, "speaker": "notes", "text": text}

    alone = await ana.write("The vault opens at nine.", source=source("vault quotation at nine", "doc-1"))
    shared = await ana.write("The door is green.", source=source("green door quotation", "doc-1"))
    await ana.write("The door is green.", source=source("green door seen again", "doc-2"))
    episode = await ana.product.value("SELECT id FROM mem.episodes WHERE org_id = :o AND external_id = 'doc-1'", o=ana.org_id)
    done = await forget(ana, "episodes", str(episode))
    assert done["state"] == "complete"
    assert done["counts"]["memories"] == 1
    await ana.read(alone["id"], expect=404)
    assert (await ana.read(shared["id"]))["content"] == "The door is green."
    assert await Rows(ana).holding("vault", "quotation", "doc-1") == {}
