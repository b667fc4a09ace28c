"""Who stands, what is flagged and what has ended when two people speak for and against one thing: every pair, against a dull oracle."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product as pairs
from typing import Final

import pytest

from tests.integration.sessions.learning import Room, by_content, conflicts, make_room, told
from tests.support.product import Caller, Json

SUBJECT, A, B = "Ana", "Bruno", "Carla"
STATED, DENIED, OVER = "stated", "denied", "over"
FIRST: Final = {
    "en": {STATED: "I am allergic to {}.", DENIED: "I am not allergic to {}.", OVER: "I am no longer allergic to {}."},
    "pt": {STATED: "Sou alérgica a {}.", DENIED: "Não sou alérgica a {}.", OVER: "Não sou mais alérgica a {}."},
}
THIRD: Final = {
    "en": {STATED: "Ana is allergic to {}.", DENIED: "Ana is not allergic to {}.", OVER: "Ana is no longer allergic to {}."},
    "pt": {STATED: "A Ana é alérgica a {}.", DENIED: "A Ana não é alérgica a {}.", OVER: "A Ana não é mais alérgica a {}."},
}
KEPT: Final = {
    "en": {STATED: "Ana is allergic to {}.", DENIED: "Ana is not allergic to {}."},
    "pt": {STATED: "Ana é alérgica a {}.", DENIED: "Ana não é alérgica a {}."},
}


@dataclass(frozen=True)
class Pair:
    """Two turns on one value, the second said behind the first."""

    value: str
    first: tuple[str, str]
    second: tuple[str, str]


@dataclass(frozen=True)
class Outcome:
    """Statements that stand and statements that have ended, by their form; whether the two are in conflict; who said what stands."""

    stands: frozenset[str]
    ended: frozenset[str]
    flagged: bool
    said_by: frozenset[tuple[str, str]]


ALL: Final = [
    Pair(f"{one}o{other}ix", first, second)
    for (one, other), (first, second) in zip(
        pairs("bdfgklmpt", repeat=2), pairs(pairs((SUBJECT, A, B), (STATED, DENIED, OVER)), repeat=2), strict=True
    )
]
"""A value for each, so that none meets another. No stem is another's."""


def oracle(pair: Pair) -> Outcome:
    """One case after the other, as the table in the documentation has them."""
    (who, form), (then, other) = pair.first, pair.second
    if form == OVER:  # nothing was known, so there is nothing to end, and nothing is kept
        stands = {} if other == OVER else {other: then}
        return outcome(stands)
    if other == form:  # the same once more: one memory, and the subject's own if the subject is among them
        return outcome({form: SUBJECT if SUBJECT in {who, then} else who})
    if other == OVER:
        if form == DENIED:  # only what is said to be so can be over
            return outcome({form: who})
        return outcome({}, ended={form}) if then in {who, SUBJECT} or who != SUBJECT else outcome({form: who})
    if then in {who, SUBJECT}:  # one takes back one's own words, and the subject overrules the others
        return outcome({other: then}, ended={form})
    return outcome({form: who, other: then}, flagged=True)


def outcome(stands: dict[str, str], ended: set[str] | frozenset[str] = frozenset(), *, flagged: bool = False) -> Outcome:
    return Outcome(frozenset(stands), frozenset(ended), flagged, frozenset(stands.items()))


def turn(room: Room, language: str, value: str, said: tuple[str, str], at: str) -> Json:
    who, form = said
    text = (FIRST if who == SUBJECT else THIRD)[language][form].format(value)
    return {"text": text, "speaker": {"subject_id": room.people[who]}, "said_at": at}


async def seen(room: Room, language: str) -> dict[str, Outcome]:
    memories = {memory["content"]: memory for memory in await room.memories()}
    open_ones = {frozenset(_sides(one)) for one in await conflicts(room)}
    names = {one: name for name, one in room.people.items()}
    found = {}
    for pair in ALL:
        mine = {form: memories.get(text.format(pair.value)) for form, text in KEPT[language].items()}
        stands = {form: one for form, one in mine.items() if one is not None and one["valid_to"] is None}
        found[pair.value] = Outcome(
            frozenset(stands),
            frozenset(form for form, one in mine.items() if one is not None and one["valid_to"] is not None),
            frozenset(one["id"] for one in mine.values() if one is not None) in open_ones,
            frozenset((form, names[one["said_by"]]) for form, one in stands.items()),
        )
    return found


def _sides(one: Json) -> set[str]:
    return {one["memory"]["id"], *(side["memory_id"] for side in one["conflict"]["sides"])}


def wrong(found: dict[str, Outcome], expected: dict[str, Outcome]) -> list[str]:
    return [f"{pair}: {found[pair.value]}, not {expected[pair.value]}" for pair in ALL if found[pair.value] != expected[pair.value]]


@pytest.mark.parametrize("later", ["2026-11-03T09:00:00Z", "2026-11-02T09:00:00Z"], ids=["later", "at the same moment"])
@pytest.mark.parametrize("language", ["en", "pt"])
async def test_every_pair_in_two_snapshots(admin: Caller, language: str, later: str) -> None:
    room = await make_room(admin, SUBJECT, A, B)
    for said, at in (("first", "2026-11-02T09:00:00Z"), ("second", later)):
        for start in range(0, len(ALL), 40):
            await room.say(*(turn(room, language, pair.value, getattr(pair, said), at) for pair in ALL[start : start + 40]))
        await room.learn()
    assert wrong(await seen(room, language), {pair.value: oracle(pair) for pair in ALL}) == []


@pytest.mark.parametrize("later", ["2026-11-03T09:00:00Z", "2026-11-02T09:00:00Z"], ids=["later", "at the same moment"])
@pytest.mark.parametrize("language", ["en", "pt"])
async def test_every_pair_in_one_snapshot(admin: Caller, language: str, later: str) -> None:
    room = await make_room(admin, SUBJECT, A, B, max_messages=40)
    for start in range(0, len(ALL), 20):
        turns = [
            turn(room, language, pair.value, said, at)
            for pair in ALL[start : start + 20]
            for said, at in ((pair.first, "2026-11-02T09:00:00Z"), (pair.second, later))
        ]
        await room.say(*turns)
        await room.learn()
    expected = {pair.value: oracle(pair) for pair in ALL}
    for pair in ALL:  # what its speaker takes back in one breath is not learned at all
        if pair.first[0] == pair.second[0] and expected[pair.value].ended:
            expected[pair.value] = Outcome(expected[pair.value].stands, frozenset(), flagged=False, said_by=expected[pair.value].said_by)
    assert wrong(await seen(room, language), expected) == []


# ------------------------------------------------------------------------------------------------------------ kinds of denial
CONTRARY: Final = [
    ("I don't eat meat.", "Ana eats meat.", "I eat meat."),
    ("I eat meat.", "Ana doesn't eat meat.", "I don't eat meat."),
    ("I don't drink coffee.", "Ana drinks coffee.", "I drink coffee."),
    ("I'm vegan.", "Ana is not vegan.", "I'm not vegan."),
    ("I smoke.", "Ana doesn't smoke.", "I don't smoke."),
    ("I don't smoke.", "Ana smokes.", "I smoke."),
    ("I like jazz.", "Ana doesn't like jazz.", "I don't like jazz."),
    ("I speak French.", "Ana doesn't speak French.", "I don't speak French."),
    ("I drive a Tesla.", "Ana doesn't have a car.", "I don't have a car."),
    ("Eu não como carne.", "A Ana come carne.", "Eu como carne."),
    ("Eu como peixe.", "A Ana não come peixe.", "Eu não como peixe."),
    ("Não falo inglês.", "A Ana fala inglês.", "Falo inglês."),
    ("Sou vegana.", "A Ana não é vegana.", "Não sou vegana."),
]


@pytest.mark.parametrize(("own", "others", "taken_back"), CONTRARY, ids=[one[0] for one in CONTRARY])
async def test_a_statement_and_its_denial_meet_however_the_denial_is_told(admin: Caller, own: str, others: str, taken_back: str) -> None:
    room = await make_room(admin, SUBJECT, A)
    await told(room, 2, SUBJECT, own)
    (mine,) = await room.memories()
    await told(room, 3, A, others)
    assert [memory["valid_to"] for memory in await room.memories()] == [None, None], "neither ends"
    (conflict,) = await conflicts(room)
    assert (conflict["conflict"]["reasons"], mine["id"] in _sides(conflict)) == (["speakers"], True)
    await told(room, 4, SUBJECT, taken_back)
    assert (await room.agent.read(mine["id"]))["valid_to"] == "2026-11-04T09:00:00Z"
    assert await conflicts(room) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I'm allergic to kiwi.", "Ana is not allergic to latex."),
        ("I don't eat meat.", "Ana eats fish."),
        ("I don't eat meat.", "Ana is vegan."),
        ("Não como carne.", "A Ana come peixe."),
        ("I like jazz.", "Ana doesn't like tea."),
    ],
)
async def test_what_can_hold_together_is_no_conflict(admin: Caller, one: str, other: str) -> None:
    room = await make_room(admin, SUBJECT, A)
    await told(room, 2, SUBJECT, one)
    await told(room, 3, A, other)
    assert [memory["valid_to"] for memory in await room.memories()] == [None, None]
    assert await conflicts(room) == []


async def test_a_denial_of_somebody_else_concerns_nobody_else(admin: Caller) -> None:
    room = await make_room(admin, SUBJECT, A, B)
    await told(room, 2, SUBJECT, "I'm allergic to kiwi.")
    await told(room, 3, A, "I'm not allergic to kiwi.")
    await told(room, 4, A, "Carla is not allergic to kiwi.")
    assert await conflicts(room) == []
    assert {memory["valid_to"] for memory in await room.memories()} == {None}


# ------------------------------------------------------------------------------------------------------------ who takes back what
async def test_what_the_subject_says_too_is_theirs_and_nobody_else_takes_it_back(admin: Caller) -> None:
    room = await make_room(admin, SUBJECT, A)
    await told(room, 2, A, "Ana is allergic to kiwi.")
    await told(room, 3, SUBJECT, "I'm allergic to kiwi.")
    (memory,) = await room.memories()
    assert memory["said_by"] == room.people[SUBJECT]
    await told(room, 4, A, "Ana is not allergic to kiwi.")
    assert (await room.agent.read(memory["id"]))["valid_to"] is None
    assert len(await conflicts(room)) == 1
    assert await room.agent.send("GET", "/v1/memories", expect=200, params={"said_by": room.people[SUBJECT], "brain_id": room.brain})


async def test_who_takes_back_what_they_said_against_others_settles_it(admin: Caller) -> None:
    room = await make_room(admin, SUBJECT, A)
    for day, own, other, again in ((2, "I'm allergic to kiwi.", "Ana is not allergic to kiwi.", "Ana is allergic to kiwi."),):
        await told(room, day, SUBJECT, own)
        await told(room, day + 1, A, other)
        assert len(await conflicts(room)) == 1
        await told(room, day + 2, A, again)
    assert await conflicts(room) == []
    found = await by_content(room)
    assert [found[one]["valid_to"] is None for one in ("Ana is allergic to kiwi.", "Ana is not allergic to kiwi.")] == [True, False]


@pytest.mark.parametrize("whose", [SUBJECT, A])
async def test_an_edit_that_ends_a_side_settles_it(admin: Caller, whose: str) -> None:
    room = await make_room(admin, SUBJECT, A)
    await told(room, 2, SUBJECT, "I'm allergic to kiwi.")
    await told(room, 3, A, "Ana is not allergic to kiwi.")
    (side,) = [memory for memory in await room.memories() if memory["said_by"] == room.people[whose]]
    await room.agent.edit(side["id"], tags=["seen"])
    assert len(await conflicts(room)) == 1, "an edit of something else settles nothing"
    await room.agent.edit(side["id"], valid_to="2026-11-04T09:00:00Z")
    assert await conflicts(room) == []
    left = "SELECT count(*) FROM mem.conflicts WHERE org_id = :org AND resolved_at IS NULL"
    assert await room.product.value(left, org=room.agent.org_id) == 0


async def test_only_that_somebody_calls_over_what_is_anothers_own_is_counted_as_refused(admin: Caller) -> None:
    room = await make_room(admin, SUBJECT, A)
    await told(room, 2, SUBJECT, "I'm allergic to kiwi.")
    for day, text, refused, ended in (
        (3, "Ana is not allergic to kiwi.", 0, 0),
        (4, "Ana is no longer allergic to kiwi.", 1, 0),
        (5, "Ana is no longer allergic to latex.", 0, 0),
    ):
        (done,) = [one for one in (await told(room, day, A, text))["extractions"] if one["handler"] == "semantic"]
        assert (done["refused"], done["ended"]) == (refused, ended), text
    (done,) = [
        one for one in (await told(room, 6, SUBJECT, "I'm no longer allergic to kiwi."))["extractions"] if one["handler"] == "semantic"
    ]
    assert (done["refused"], done["ended"]) == (0, 1)


async def test_a_denial_that_is_told_late_holds_until_what_began_since(admin: Caller) -> None:
    room = await make_room(admin, SUBJECT, A)
    await told(room, 9, SUBJECT, "I'm allergic to kiwi.")
    await told(room, 2, SUBJECT, "I'm not allergic to kiwi.")
    assert await conflicts(room) == []
    found = await by_content(room)
    assert found["Ana is allergic to kiwi."]["valid_to"] is None
    assert found["Ana is not allergic to kiwi."]["valid_to"] == "2026-11-09T09:00:00Z"


async def test_what_a_web_page_says_ends_nothing(admin: Caller) -> None:
    room = await make_room(admin, SUBJECT)
    await told(room, 2, SUBJECT, "I'm allergic to kiwi.")
    speaker = {"subject_id": room.people[SUBJECT]}
    await room.say({"text": "I'm not allergic to kiwi.", "speaker": speaker, "said_at": "2026-11-05T09:00:00Z", "source_kind": "web"})
    await room.learn()
    assert (await by_content(room))["Ana is allergic to kiwi."]["valid_to"] is None


# ------------------------------------------------------------------------------------------------------------ what is shown
QUESTIONS: Final = ("where does Ana live?", "does Ana live in Porto?", "who lives in Porto?", "does Ana eat meat?", "Ana eats meat", "meat")


async def test_what_others_say_against_a_person_is_shown_behind_what_they_say_themselves(admin: Caller) -> None:
    room = await make_room(admin, SUBJECT, A)
    for day, own, others in ((2, "I live in Lisbon.", "Ana lives in Porto."), (4, "I don't eat meat.", "Ana eats meat.")):
        await told(room, day, SUBJECT, own)
        await told(room, day + 1, A, others)
    order = (("Ana lives in Lisbon.", "Ana lives in Porto."), ("Ana does not eat meat.", "Ana eats meat."))
    for question in QUESTIONS:
        found = await room.agent.search(question, token_budget=600)
        contents = [one["memory"]["content"] for one in found["evidence"]]
        scores = [one["score"] for one in found["evidence"]]
        assert scores == sorted(scores, reverse=True)
        for own, others in order:
            if own in contents and others in contents:
                assert contents.index(own) < contents.index(others), question
            if own in contents or f"- {own}" in found["card"]["text"]:
                lines = found["card"]["text"].splitlines()
                places = [next((at for at, line in enumerate(lines) if line.startswith(f"- {one}")), len(lines)) for one in (own, others)]
                assert places[0] < places[1], question
    card = await room.agent.send("GET", f"/v1/subjects/{room.people[SUBJECT]}/card", expect=200)
    front = [one["memory"]["content"] for one in card["front"]]
    assert front.index("Ana does not eat meat.") < front.index("Ana eats meat.")
    await told(room, 8, SUBJECT, "I eat meat.")
    assert (await room.agent.search("does Ana eat meat?"))["evidence"][0]["memory"]["content"] == "Ana eats meat."
