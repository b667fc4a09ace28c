"""Who is believed of whom, and which periods stay, when several people speak in one conversation or come back to what was over."""

from __future__ import annotations

import pytest

from tests.integration.sessions.learning import Room, by_content, conflicts, make_room, told
from tests.support.product import Caller, Json


@pytest.fixture
async def room(admin: Caller) -> Room:
    return await make_room(admin, "Ana", "Bruno", "Carla")


def at(day: int, who: str, text: str, room: Room) -> Json:
    return {"text": text, "speaker": {"subject_id": room.people[who]}, "said_at": f"2026-11-{day:02}T09:00:00Z"}


@pytest.mark.parametrize("days", [(2, 3), (2, 2)], ids=["one after the other", "at once"])
async def test_two_who_differ_in_one_conversation_contradict_each_other_too(admin: Caller, days: tuple[int, int]) -> None:
    room = await make_room(admin, "Ana", "Bruno", "Carla")
    await room.say(at(days[0], "Ana", "Carla lives in Madrid.", room), at(days[1], "Bruno", "Carla lives in Vienna.", room))
    await room.learn()
    assert await room.contents() == {"Carla lives in Madrid.", "Carla lives in Vienna."}
    (conflict,) = await conflicts(room)
    assert conflict["conflict"]["reasons"] == ["speakers"]


@pytest.mark.parametrize("days", [(2, 3), (2, 2)], ids=["one after the other", "at once"])
async def test_nobody_overrules_in_one_conversation_what_a_person_says_of_themselves(admin: Caller, days: tuple[int, int]) -> None:
    room = await make_room(admin, "Ana", "Bruno")
    await room.say(at(days[0], "Ana", "I am from Lisbon.", room), at(days[1], "Bruno", "Ana is from Porto.", room))
    await room.learn()
    assert "Ana is from Lisbon." in await room.contents()
    assert (await by_content(room))["Ana is from Lisbon."]["valid_to"] is None
    assert len(await conflicts(room)) == 1


async def test_what_is_corrected_in_one_conversation_was_true_until_then(room: Room) -> None:
    await room.say(at(2, "Ana", "I live in Leeds.", room), at(9, "Ana", "I live in York now.", room))
    await room.learn()
    assert await room.agent.found("where does Ana live?", valid_at="2026-11-05T09:00:00Z") == ["Ana lives in Leeds."]
    assert await room.agent.found("where does Ana live?") == ["Ana lives in York."]


@pytest.mark.parametrize("ending", ["Ana is not allergic to kiwi.", "Ana no longer lives in Lisbon."])
async def test_nobody_else_ends_what_a_person_says_of_themselves(admin: Caller, ending: str) -> None:
    room = await make_room(admin, "Ana", "Bruno")
    await room.say(at(2, "Ana", "I am allergic to kiwi.", room), at(2, "Ana", "I live in Lisbon.", room))
    await room.learn()
    await told(room, 5, "Bruno", ending)
    found = await by_content(room)
    assert [found[one]["valid_to"] for one in ("Ana is allergic to kiwi.", "Ana lives in Lisbon.")] == [None, None]
    await told(room, 6, "Ana", ending.replace("Ana is", "I am").replace("Ana no longer lives", "I no longer live"))
    ended = [memory for memory in (await by_content(room)).values() if memory["valid_to"] is not None]
    assert len(ended) == 1, "she says so herself"


async def test_who_denies_what_a_person_says_of_themselves_contradicts_them_until_they_decide(admin: Caller) -> None:
    room = await make_room(admin, "Ana", "Bruno")
    await told(room, 2, "Ana", "I am allergic to kiwi.")
    await told(room, 5, "Bruno", "Ana is not allergic to kiwi.")
    (conflict,) = await conflicts(room)
    assert conflict["conflict"]["reasons"] == ["speakers"]
    found = await room.agent.found("what is Ana allergic to?")
    assert found.index("Ana is allergic to kiwi.") < found.index("Ana is not allergic to kiwi.")
    await told(room, 6, "Ana", "I am not allergic to kiwi.")
    assert await conflicts(room) == []


async def test_that_somebody_else_calls_it_over_stands_in_the_history_of_what_goes_on(admin: Caller) -> None:
    room = await make_room(admin, "Ana", "Bruno")
    await told(room, 2, "Ana", "I live in Lisbon.")
    for day in (5, 6):
        await told(room, day, "Bruno", "Ana no longer lives in Lisbon.")
    (home,) = await room.memories()
    decisions = (await room.agent.history(home["id"]))["decisions"]
    assert [(one["action"], one["reason"], one["refused"]) for one in decisions] == [("END", "no_longer", "said_by_another")]
    assert home["valid_to"] is None


async def test_what_a_person_ends_leaves_no_conflict_about_it(admin: Caller) -> None:
    room = await make_room(admin, "Ana", "Bruno", "Carla")
    await told(room, 2, "Ana", "I live in Lisbon.")
    await told(room, 3, "Bruno", "Ana lives in Porto.")
    assert len(await conflicts(room)) == 1
    await told(room, 4, "Ana", "I no longer live in Lisbon.")
    assert await conflicts(room) == []


async def test_a_correction_is_a_version_of_what_its_speaker_said_and_not_of_what_others_said(admin: Caller) -> None:
    room = await make_room(admin, "Ana", "Bruno")
    await told(room, 2, "Ana", "I live in Lisbon.")
    await told(room, 3, "Bruno", "Ana lives in Porto.")
    own = (await by_content(room))["Ana lives in Lisbon."]["id"]
    await told(room, 4, "Ana", "I live in York now.")
    found = await by_content(room)
    assert found["Ana lives in York."]["id"] == own
    assert found["Ana lives in Porto."]["valid_to"] == "2026-11-04T09:00:00Z"
    assert await conflicts(room) == []


async def test_two_periods_that_were_both_true_stay_two(room: Room) -> None:
    await told(room, 10, "Ana", "I live in Porto.")
    await told(room, 2, "Ana", "I live in Lisbon.")
    assert await room.contents() == {"Ana lives in Porto.", "Ana lives in Lisbon."}
    assert await room.agent.found("where does Ana live?", valid_at="2026-11-05T09:00:00Z") == ["Ana lives in Lisbon."]
    assert await room.agent.found("where does Ana live?") == ["Ana lives in Porto."]


async def test_what_begins_anew_leaves_the_former_period_true(room: Room) -> None:
    for day, text in ((2, "I play tennis."), (5, "I no longer play tennis."), (9, "I play tennis.")):
        await told(room, day, "Ana", text)
    assert await room.contents() == {"Ana plays tennis."}
    found = {day: await room.agent.found("does Ana play tennis?", valid_at=f"2026-11-{day:02}T12:00:00Z") for day in (3, 7, 10)}
    assert found == {3: ["Ana plays tennis."], 7: [], 10: ["Ana plays tennis."]}


async def test_a_statement_written_of_two_periods_is_true_in_both_and_an_edit_corrects(ana: Caller) -> None:
    first = await ana.write("Ana rents the garage", valid_from="2020-01-01T00:00:00Z", valid_to="2021-01-01T00:00:00Z")
    again = await ana.write("Ana rents the garage", valid_from="2023-01-01T00:00:00Z", valid_to="2024-01-01T00:00:00Z")
    assert (again["id"], again["action"]) == (first["id"], "UPDATE")
    years = {year: await ana.found("who rents the garage?", valid_at=f"{year}-06-01T00:00:00Z") for year in (2020, 2022, 2023)}
    assert years == {2020: ["Ana rents the garage"], 2022: [], 2023: ["Ana rents the garage"]}
    period = {"valid_from": "2025-01-01T00:00:00Z", "valid_to": "2026-01-01T00:00:00Z", "expected_version": 2}
    await ana.send("PATCH", f"/v1/memories/{first['id']}", expect=200, json=period)
    assert await ana.found("who rents the garage?", valid_at="2023-06-01T00:00:00Z") == [], "that was said by mistake"
    assert await ana.found("who rents the garage?", valid_at="2025-06-01T00:00:00Z") == ["Ana rents the garage"]
