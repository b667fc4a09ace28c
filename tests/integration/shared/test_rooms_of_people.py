"""Random rooms full of namesakes: whatever is said of one person, in a room or in private, is never on the card, in the drawer, in the notes
or in an answer of another, nor heard by an audience that may not read it. An oracle of sets decides.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

from tests.support.product import Caller

NAMES = ("Mike", "Ana", "Bia", "Ana Prado", "Mike Chen")
TEXTS = (
    "{who} prefers short answers about {token}",
    "{who} is allergic to {token}",
    "{who} will visit {token} on Friday",
    "{who}: {token}",
)
LETTERS = "bcdfghklmnprstvz"


@dataclass
class Room:
    """A brain and who reads it."""

    brain: str
    readers: frozenset[str]


@dataclass
class World:
    """Who there is, and what was said: token -> (subject, room)."""

    people: dict[str, str] = field(default_factory=dict)
    rooms: list[Room] = field(default_factory=list)
    facts: dict[str, tuple[str, Room]] = field(default_factory=dict)
    one_with: dict[str, str] = field(default_factory=dict)

    def same(self, subject: str) -> frozenset[str]:
        root = self.one_with.get(subject, subject)
        return frozenset(s for s in self.people if self.one_with.get(s, s) == root)

    def about(self, subject: str) -> set[str]:
        return {token for token, (who, _) in self.facts.items() if who in self.same(subject)}

    def heard_by(self, audience: tuple[str, ...]) -> set[str]:
        return {t for t, (_, room) in self.facts.items() if all(self.same(listener) & room.readers for listener in audience)}

    def foreign(self, text: str, allowed: set[str]) -> set[str]:
        return {token for token in self.facts if token in text and token not in allowed}


async def make_world(bot: Caller, rng: random.Random) -> World:
    world = World()
    for number in range(7):
        name = rng.choice(NAMES)
        aliases = sorted({rng.choice(NAMES), f"{name.lower()}_{number}"})
        identity = [{"platform": rng.choice(("slack", "whatsapp")), "external_id": f"id{number}"}]
        body = {"kind": "person", "name": name, "aliases": aliases, "identities": identity}
        world.people[(await bot.send("POST", "/v1/subjects", expect=201, json=body))["id"]] = name
    everybody = sorted(world.people)
    for number in range(5):
        readers = rng.sample(everybody, k=1 if number == 4 else rng.randint(2, 4))
        members = [{"subject_id": reader, "role": "reader"} for reader in readers]
        world.rooms.append(Room(await bot.make_brain(f"room {number}", "room", members=members), frozenset(readers)))
    for _ in range(30):
        who, room, token = rng.choice(everybody), rng.choice(world.rooms), "".join(rng.choices(LETTERS, k=9))
        text = rng.choice(TEXTS).format(who=world.people[who], token=token)
        fields: dict[str, Any] = {"topic": rng.choice((None, "plans", "food/likes")), "placement": rng.choice((None, "front", "drawer"))}
        await bot.write(text, brain_id=room.brain, about=[who], **{k: v for k, v in fields.items() if v})
        world.facts[token] = (who, room)
    return world


async def check(bot: Caller, world: World, rng: random.Random) -> int:
    """How many facts were shown rightly; a fact in the wrong place fails."""
    shown = 0
    pairs = [*combinations(sorted(world.people), 2)]
    audiences: list[tuple[str, ...]] = [*((s,) for s in sorted(world.people)), *rng.sample(pairs, k=6)]
    for subject in sorted(world.people):
        for audience in rng.sample(audiences, k=2):
            allowed = world.about(subject) & world.heard_by(audience)
            heard: dict[str, Any] = {"audience": list(audience)}
            card = await bot.send("GET", f"/v1/subjects/{subject}/card", expect=200, params=heard)
            every = {"pattern": "[a-z]{9}", "regex": True, "placement": "all", "limit": 200, **heard}
            grepped = await bot.send("POST", f"/v1/subjects/{subject}/drawer:grep", expect=200, json=every)
            notes = await bot.client.get(f"/v1/subjects/{subject}/notes.md", params=heard, headers=bot.headers)
            question = f"what about {world.people[subject]}, food and plans?"
            answer = await bot.search(question, about=[subject], limit=50, min_score=0.0, token_budget=4_000, **heard)
            for reply in (json.dumps(card), json.dumps(grepped), notes.text, json.dumps(answer)):
                assert world.foreign(reply, allowed) == set()
            assert all(token in notes.text for token in allowed)
            assert {line["text"] for line in grepped["lines"] if not any(t in line["text"] for t in allowed)} == set()
            assert card["drawer"]["count"] + len(card["front"]) == len(allowed)
            shown += len(allowed)
            aloud = await bot.search(
                f"{world.people[subject]} answers allergic visit", limit=50, min_score=0.0, token_budget=4_000, **heard
            )
            assert world.foreign(json.dumps(aloud), world.heard_by(audience)) == set()
    return shown


@pytest.mark.parametrize("seed", [1])
async def test_no_fact_of_one_person_is_anywhere_with_another(ana: Caller, seed: int) -> None:
    rng = random.Random(seed)
    world = await make_world(ana, rng)
    assert await check(ana, world, rng) > 8
    one, two = rng.sample(sorted(world.people), k=2)
    await ana.send("POST", f"/v1/subjects/{two}:merge", expect=200, json={"into_id": one})
    world.one_with[two] = one
    assert await check(ana, world, rng) > 8
    await ana.send("PATCH", f"/v1/subjects/{one}", expect=200, json={"name": "Somebody Else"})
    await ana.send("POST", f"/v1/subjects/{two}:split", expect=200)
    world.one_with.clear()
    assert await check(ana, world, rng) > 8
