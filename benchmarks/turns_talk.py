"""Who says what in the endurance run: rooms of people, and talk in which now and then somebody names an allergy. Pure but for the seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from benchmarks.turns_cost import SAID
from memdb.models.turn import TurnRole, TurnSubmission

SEED: Final = 20_240_607
NAMES: Final = ("Ana", "Bruno", "Carla", "Diego", "Elisa", "Farid", "Greta", "Hugo")
FOODS: Final = (
    "peanuts", "shrimp", "soy", "milk", "eggs", "wheat", "celery", "mustard", "sesame", "lupin", "kiwi", "mango", "papaya", "walnuts",
    "almonds", "cashews", "oysters", "lobster", "squid", "salmon", "cod", "tuna", "strawberries", "pineapple", "avocado", "garlic", "honey",
    "cinnamon", "barley", "rye",
)  # fmt: skip
STATEMENT_EVERY: Final = 25


@dataclass(frozen=True, slots=True)
class Room:
    """A brain, the people in it by name, and its sessions."""

    brain_id: UUID
    people: dict[str, UUID]
    sessions: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns that one request appends. `statements`: (brain, name, food) that they say."""

    session_id: UUID
    turns: tuple[TurnSubmission, ...]
    statements: frozenset[tuple[UUID, str, str]]


def make_batches(rooms: Sequence[Room], turns: int, size: int) -> Iterator[Batch]:
    """`turns` turns in batches of `size`, spread over all sessions, each with a client id that no other one has."""
    chosen = random.Random(SEED)
    places = [(room, session) for room in rooms for session in room.sessions]
    for first in range(0, turns, size):
        room, session = places[first // size % len(places)]
        made = [_turn(room, n, chosen) for n in range(first, min(first + size, turns))]
        yield Batch(session, tuple(turn for turn, _ in made), frozenset((room.brain_id, *said) for _, said in made if said is not None))


def _turn(room: Room, n: int, chosen: random.Random) -> tuple[TurnSubmission, tuple[str, str] | None]:
    name = chosen.choice(NAMES)
    if n % STATEMENT_EVERY == 0:
        food = chosen.choice(FOODS)
        return TurnSubmission(text=f"I'm allergic to {food}.", speaker_id=room.people[name], client_turn_id=f"t-{n}"), (name, food)
    answers = n % 4 == 3
    return TurnSubmission(
        text=f"{SAID[n % len(SAID)]} ({n})",
        role=TurnRole.ASSISTANT if answers else TurnRole.USER,
        speaker_id=None if answers else room.people[name],
        client_turn_id=f"t-{n}",
    ), None
