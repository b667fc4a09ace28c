"""Who stands, what is flagged and what has ended when two people speak for and against one thing: every pair, against a dull oracle."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product as pairs
from typing import Final

import pytest

from tests.integration.sessions.learning import Room, conflicts, make_room
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
