"""From turns to memories: cut, read by the rules, stored through the whole write path, with where they come from."""

from __future__ import annotations

from datetime import timedelta

from tests.integration.sessions.learning import make_room
from tests.support.product import Caller


async def test_what_is_said_becomes_memories_of_who_said_it(admin: Caller) -> None:
    room = await make_room(admin, "Ana", "Bruno")
    said = await room.say(("Ana", "I'm allergic to peanuts."), ("Bruno", "I live in Lisbon."), ("Bruno", "Do you like jazz?"))
    (snapshot,) = await room.learn()
    assert {one["handler"]: one["state"] for one in snapshot["extractions"]} == dict.fromkeys(
        ("semantic", "episodic", "procedural", "taxonomic"), "done"
    )
    found = {memory["content"]: memory for memory in await room.memories()}
    assert set(found) == {"Ana is allergic to peanuts.", "Bruno lives in Lisbon."}
    allergy = found["Ana is allergic to peanuts."]
    assert (allergy["about"], allergy["said_by"]) == ([room.people["Ana"]], room.people["Ana"])
    assert (allergy["placement"], allergy["trust"], allergy["valid_from"]) == ("front", "agent", "2026-11-02T12:00:00Z")
    learned = await room.agent.send("GET", f"/v1/sessions/{room.session}/turns/{said[0]['id']}/learned", expect=200)
    assert [(one["memory_id"], one["action"], one["reason"]) for one in learned] == [(allergy["id"], "ADD", "new")]
    answer = await room.agent.search("what must Ana not eat?")
    (source,) = answer["evidence"][0]["sources"]
    assert (source["fragment"], source["speaker_id"]) == ("I'm allergic to peanuts.", room.people["Ana"])


async def test_a_repetition_reinforces_and_another_value_updates(admin: Caller) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I live in Lisbon."), ("Ana", "I'm allergic to peanuts."))
    await room.learn()
    await room.say({"text": "I'm allergic to peanuts!", "speaker": {"subject_id": room.people["Ana"]}, "said_at": "2026-11-05T09:00:00Z"},
                   {"text": "I moved to Porto.", "speaker": {"subject_id": room.people["Ana"]}, "said_at": "2026-11-05T09:00:00Z"})  # fmt: skip
    second = (await room.learn())[1]
    (semantic,) = [one for one in second["extractions"] if one["handler"] == "semantic"]
    assert (semantic["reinforced"], semantic["updated"], semantic["added"]) == (1, 1, 0)
    assert await room.contents() == {"Ana lives in Porto.", "Ana is allergic to peanuts."}
    (home,) = [memory for memory in await room.memories() if "Porto" in memory["content"]]
    history = await room.agent.history(home["id"])
    assert [version["memory"]["content"] for version in history["versions"]] == ["Ana lives in Lisbon."]
    assert [(one["action"], one["reason"], one["version"]) for one in history["derivations"]] == [
        ("ADD", "new", 1),
        ("UPDATE", "other_value", 2),
    ]
    then = await room.agent.found("where does Ana live?", valid_at="2026-11-03T09:00:00Z")
    assert "Ana lives in Lisbon." in then
    assert "Ana lives in Porto." not in then
    now = await room.agent.found("where does Ana live?")
    assert "Ana lives in Porto." in now
    assert "Ana lives in Lisbon." not in now


async def test_what_is_denied_and_then_said_holds_and_not_both(admin: Caller) -> None:
    room = await make_room(admin, "Ana")
    speaker = {"speaker": {"subject_id": room.people["Ana"]}}
    for day, text in enumerate(
        ("I'm not allergic to milk.", "I'm not allergic to milk.", "I'm allergic to milk.", "I'm allergic to milk."), 2
    ):
        await room.say({"text": text, "said_at": f"2026-11-0{day}T09:00:00Z", **speaker})
        await room.learn()
    assert await room.agent.found("is Ana allergic to milk?") == ["Ana is allergic to milk."]


async def test_a_clock_that_is_ahead_does_not_hide_what_was_said(admin: Caller) -> None:
    room = await make_room(admin, "Ana")
    ahead = (admin.product.runtime.clock.now() + timedelta(hours=20)).isoformat()
    await room.say({"text": "I live in Lisbon.", "said_at": ahead, "speaker": {"subject_id": room.people["Ana"]}})
    await room.learn()
    assert await room.agent.found("where does Ana live?") == ["Ana lives in Lisbon."]


async def test_a_context_shows_the_conversation_to_nobody_who_may_not_read_it(admin: Caller) -> None:
    room = await make_room(admin, "Ana")
    stranger = await admin.make_person("Olga")
    await room.say(("Ana", "I'm allergic to peanuts."))
    path = f"/v1/sessions/{room.session}/context"
    for audience in ([str(stranger.subject_id)], ["01980000-0000-7000-8000-000000000001"], [room.people["Ana"], str(stranger.subject_id)]):
        answer = await room.agent.send("POST", path, expect=200, json={"audience": audience})
        assert (answer["turns"], answer["recall_id"]) == ([], None)
        assert "peanuts" not in str(answer)
    told = await room.agent.send("POST", path, expect=200, json={"audience": [room.people["Ana"]]})
    assert [turn["text"] for turn in told["turns"]] == ["I'm allergic to peanuts."]
    assert (await room.agent.send("POST", path, expect=422, json={"audience": []}))["code"] == "invalid_input"
