"""A transcript as a language model is shown it: data in JSON, with small numbers for turns and people. Pure.

SECURITY: what was said is only ever the value of a JSON string. No id of ours is shown, so none can be made up that is somebody's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final
from uuid import UUID

from memdb.extraction.transcript import Transcript, Utterance
from memdb.text.normalise import fold

VERSION: Final = 1
"""Of the prompts; counts up when one changes, so that one can tell what was read by which."""
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may be meant. `name` is None where none is known; `also`: folded labels that mean nobody else here."""

    number: int
    subject_id: UUID
    name: str | None = field(repr=False)
    also: tuple[str, ...] = field(repr=False)


@cache
def prompt_of(*names: str) -> str:
    """What the model is told of its task: files of `prompts`, one after another."""
    folder = files("memdb.extraction.prompts")
    return "\n".join((folder / f"{name}.{VERSION}.md").read_text(encoding="utf-8") for name in names)


def prompt_version(name: str) -> str:
    """The name of what the model is told, such as `semantic.1`."""
    return f"{name}.{VERSION}"


def people_of(transcript: Transcript) -> tuple[Person, ...]:
    """Speakers in the order in which they speak, then who is named; a name that several bear is nobody's."""
    labels: dict[UUID, list[str]] = {}
    for name, subjects in sorted(transcript.names.items()):
        if len(subjects) == 1:
            labels.setdefault(subjects[0], []).append(name)
    spoken = {one.speaker_id: one.speaker for one in reversed(transcript.utterances) if one.speaker_id is not None}
    order = dict.fromkeys([one.speaker_id for one in transcript.utterances if one.speaker_id is not None] + list(labels))
    people = []
    for number, subject in enumerate(order, 1):
        called = transcript.titles.get(subject) or spoken.get(subject) or next(iter(labels.get(subject, ())), None)
        also = tuple(label for label in labels.get(subject, ()) if called is None or label != fold(called))
        people.append(Person(number, subject, called, also))
    return tuple(people)


def question_of(transcript: Transcript, people: Sequence[Person]) -> str:
    """The user message: one JSON object, as the prompt describes it."""
    numbers = {person.subject_id: person.number for person in people}
    asked = {
        "people": [{"p": one.number, "name": one.name, "also": list(one.also)} for one in people],
        "unclear_names": sorted(name for name, subjects in transcript.names.items() if len(subjects) > 1),
        "turns": [_turn(one, numbers) for one in transcript.utterances],
    }
    return as_data(asked)


def as_data(asked: Mapping[str, object]) -> str:
    """JSON for a model to read."""
    # Marks that a server's chat template or a reader of <think> might take for its own cannot stand in it; to a model they read the same.
    return json.dumps(asked, ensure_ascii=False).replace("<", "\\u003c")


def _turn(one: Utterance, numbers: Mapping[UUID, int]) -> dict[str, object]:
    return {
        "n": one.number,
        "p": None if one.speaker_id is None else numbers[one.speaker_id],
        "role": one.role.value,
        "said_at": None if one.said_at is None else f"{one.said_at.isoformat(timespec='minutes')} {_DAYS[one.said_at.weekday()]}",
        "reply_to": one.reply_to,
        "context": one.read_only,
        "text": one.text,
    }
