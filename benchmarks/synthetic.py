"""Memories and questions for measuring time: made by a seeded generator, or from the texts of a data set with variations.

Half of the brains hold conversations (turns with speaker, position and episode, and so with a context), half hold statements. Words are
drawn so that few are frequent and many are rare, as in any language.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from memdb.models.memory import Kind
from memdb.models.submission import Source, Submission

SEED: Final = 11
EPISODE_TURNS: Final = 20
STARTED: Final = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)

PEOPLE = (  # noqa: SIM905 - reads better as words
    "Ana Bruno Carla Diego Elisa Farid Gustavo Helena Igor Joana Kenji Laura Marcos Nadia Omar Priya Quentin Rosa Samuel Teresa Ulisses "
    "Vera Walter Xenia Yusuf Zoe Amara Bastian Chloe Dmitri Esther Felix Greta Hugo Ingrid Jonas Katarina Liam Mina Noel"
).split()
VERBS = (  # noqa: SIM905 - reads better as words
    "moved checked ordered repaired postponed approved cancelled painted measured booked promised explained lost found sold shared"
).split()
THINGS = (  # noqa: SIM905 - reads better as words
    "invoice boiler contract garden printer recipe camera database ticket bicycle meeting sensor certificate report curtain engine "
    "ladder prescription keyboard warehouse schedule violin telescope parcel router greenhouse lecture mortgage backpack balcony "
    "cartridge tunnel orchard helmet satellite carpet laboratory sandwich calendar passport fountain turbine notebook umbrella piano "
    "terrace cable medicine"
).split()
KINDS_OF_THING = (  # noqa: SIM905 - reads better as words
    "old new broken shared expensive blue spare urgent quiet northern wooden monthly annual electric portable secret"
).split()
PLACES = (  # noqa: SIM905 - reads better as words
    "Lisbon Recife Boston Osaka Turin Porto Leeds Cork Malmo Quito Perth Lyon Accra Davos Bergen Tampa"
).split()
REASONS = (
    "because the supplier was late",
    "after a long talk with the neighbours",
    "so that the auditors can see it",
    "although nobody had asked",
    "since the budget was cut",
    "before the holidays begin",
    "while the team was travelling",
    "and wants to be reminded next week",
)
SYLLABLES = (  # noqa: SIM905 - reads better as words
    "ba ce di fo gu la me ni po ru sa te vi zo kra mel tor bin dal fen"
).split()


@dataclass(frozen=True, slots=True)
class Said:
    """A text and a question about it."""

    text: str
    question: str


def make_texts(count: int) -> list[Said]:
    """So many different statements with a question about each, the same for the same count."""
    draw = random.Random(SEED)
    projects = ["".join(draw.choice(SYLLABLES) for _ in range(3)).capitalize() for _ in range(max(20, count // 10))]
    return [_make(draw, projects, number) for number in range(count)]


def _make(draw: random.Random, projects: Sequence[str], number: int) -> Said:
    who, verb, project, place = draw.choice(PEOPLE), draw.choice(VERBS), draw.choice(projects), draw.choice(PLACES)
    thing = THINGS[min(int(draw.expovariate(6 / len(THINGS))), len(THINGS) - 1)]
    kind = draw.choice(KINDS_OF_THING)
    text = f"{who} {verb} the {kind} {thing} of {project} in {place} {draw.choice(REASONS)}, number {number}"
    question = draw.choice(
        (
            f"who {verb} the {kind} {thing} in {place}?",
            f"what did {who} do with the {thing} of {project}?",
            f"where is the {kind} {thing} of {project}?",
            f"{project} {thing}",
            f"what happened to {who} in {place} with the {kind} {thing}?",
        )
    )
    return Said(text, question)


def vary_texts(texts: Sequence[str], questions: Sequence[str], count: int) -> list[Said]:
    """The texts of a set again and again until there are enough; each round has a place and a number of its own."""
    draw = random.Random(SEED)
    said = []
    for number in range(count):
        text = texts[number % len(texts)]
        tail = f" ({draw.choice(PLACES)}, {number})" if number >= len(texts) else ""
        said.append(Said(text + tail, questions[number % len(questions)]))
    return said


def submissions(said: Sequence[Said], brains: int) -> Iterator[tuple[int, Submission]]:
    """Brain (from 0) and memory to write; equal shares, in order. Even brains hold conversations, odd ones statements."""
    share = -(-len(said) // brains)
    for number, item in enumerate(said):
        brain, place = divmod(number, share)
        if brain % 2:
            yield brain, Submission(item.text, Kind.SEMANTIC)
            continue
        episode, position = divmod(place, EPISODE_TURNS)
        started = STARTED + timedelta(days=episode)
        source = Source(
            episode=f"talk {brain}-{episode}",
            started_at=started,
            position=position,
            speaker=PEOPLE[(brain + position % 3) % len(PEOPLE)],
            said_at=started + timedelta(minutes=position),
        )
        yield brain, Submission(item.text, Kind.EPISODIC, source=source)
