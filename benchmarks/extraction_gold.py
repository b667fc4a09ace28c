"""A folder of rooms as transcripts, and what should be learned from them. Pure but for the files and the redactor.

A session is cut into transcripts of at most twenty turns, in order, each redacted with the default rules, as the write path would; the four
turns before are given as context that nothing is learned from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5
from zoneinfo import ZoneInfo

from benchmarks.documents import lines, moment
from benchmarks.redaction_speed import KEY, RULES
from governance.redaction.redactor import Redactor
from memdb.extraction.transcript import Transcript, TurnRole, Utterance
from memdb.text.normalise import fold

TURNS: Final = 20
CONTEXT: Final = 4
PERSON: Final = "p-"


@dataclass(frozen=True, slots=True)
class Cut:
    """A transcript of one scope, and the names of its turns by number."""

    scope: str
    lang: str
    transcript: Transcript
    turn_ids: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Expected:
    """A gold memory, as far as matching needs it. `about`: persons alone. `days`: every day or longer time of it, as ISO prefixes."""

    name: str
    level: str
    kind: str
    scope: str
    lang: str
    about: frozenset[UUID]
    text: str
    days: frozenset[str]
    when: frozenset[str]
    valid_from: str | None
    over: bool
    evidence: frozenset[str]
    phenomena: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unwanted:
    """What must not be learned: a statement about persons, or strings that may stand nowhere."""

    name: str
    why: str
    scope: str
    lang: str
    about: frozenset[UUID]
    text: str
    evidence: frozenset[str]
    strings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rooms:
    """Transcripts in order, the gold, and how each subject may be called (folded words)."""

    cuts: list[Cut]
    expected: list[Expected]
    unwanted: list[Unwanted]
    called: Mapping[UUID, frozenset[str]]
    names: Mapping[UUID, str]


def subject_of(name: str) -> UUID:
    """The id that a subject of the files is given here."""
    return uuid5(NAMESPACE_URL, name)


def read(folder: Path, rooms: frozenset[str] | None = None) -> Rooms:
    """Read a folder.

    Args:
        folder: rooms.jsonl and its companions.
        rooms: only these; None is all.
    """
    chosen = {row["room_id"]: row for row in lines(folder / "rooms.jsonl") if rooms is None or row["room_id"] in rooms}
    people = [row for row in lines(folder / "people.jsonl") if chosen.keys() & set(row["rooms"])]
    redactor = Redactor()
    turns: dict[str, list[dict[str, Any]]] = {}
    for row in lines(folder / "turns.jsonl"):
        if row["room_id"] in chosen:
            turns.setdefault(row["session_id"], []).append(row)
    cuts = [
        cut
        for session in turns.values()
        for cut in _cut(session, [p for p in people if session[0]["room_id"] in p["rooms"]], chosen[session[0]["room_id"]], redactor)
    ]
    return Rooms(
        cuts=cuts,
        expected=[_expected(row) for row in lines(folder / "memories.jsonl") if row["room_id"] in chosen],
        unwanted=[_unwanted(row) for row in lines(folder / "negatives.jsonl") if row["room_id"] in chosen],
        called={
            subject_of(row["subject_id"]): frozenset(word for label in labels(row) for word in fold(label).split())
            for row in people
            if row["kind"] != "project"  # "the tracking page" is made of ordinary words
        },
        names={subject_of(row["subject_id"]): row["subject_id"] for row in people},
    )


def labels(row: Mapping[str, Any]) -> list[str]:
    """Everything that a subject is called: names of all times, aliases, names on platforms."""
    shown = [label for handle in row["handles"] for label in handle["display_names"]]
    return list(dict.fromkeys([row["name"], *(renamed["name"] for renamed in row["names"]), *row["aliases"], *shown]))


def _cut(session: list[dict[str, Any]], people: list[dict[str, Any]], room: Mapping[str, Any], redactor: Redactor) -> list[Cut]:
    names: dict[str, tuple[UUID, ...]] = {}
    for row in people:
        for label in labels(row):
            names[fold(label)] = tuple(sorted({*names.get(fold(label), ()), subject_of(row["subject_id"])}))
    titles = {subject_of(row["subject_id"]): row["name"] for row in people}
    ordered = sorted(session, key=lambda row: str(moment(row["ts"]).astimezone(ZoneInfo("UTC"))))  # type: ignore[union-attr]
    numbers = {row["turn_id"]: number for number, row in enumerate(ordered, 1)}
    utterances = [_utterance(row, numbers, redactor) for row in ordered]
    cuts = []
    for start in range(0, len(ordered), TURNS):
        before = [_as_context(one) for one in utterances[max(0, start - CONTEXT) : start]]
        cuts.append(
            Cut(
                ordered[0]["scope"],
                room["lang"],
                Transcript((*before, *utterances[start : start + TURNS]), names, titles),
                {number: turn_id for turn_id, number in numbers.items()},
            )
        )
    return cuts


def _utterance(row: Mapping[str, Any], numbers: Mapping[str, int], redactor: Redactor) -> Utterance:
    at = moment(row["ts"])
    return Utterance(
        number=numbers[row["turn_id"]],
        turn_id=subject_of(row["turn_id"]),
        role=TurnRole(row["role"]),
        speaker_id=subject_of(row["speaker"]) if row.get("speaker") else None,
        speaker=row["display_name"],
        text=redactor.redact(row["text"], rules=RULES, key=KEY, field="content").text,
        said_at=at.astimezone(ZoneInfo(row["tz"])) if at and row["tz"] else at,
        reply_to=numbers.get(row["reply_to"] or ""),
        trusted=row["role"] == "user" and not row.get("guest"),
    )


def _as_context(one: Utterance) -> Utterance:
    return Utterance(
        number=one.number, turn_id=one.turn_id, role=one.role, speaker_id=one.speaker_id, speaker=one.speaker, text=one.text,
        said_at=one.said_at, reply_to=one.reply_to, trusted=one.trusted, read_only=True,
    )  # fmt: skip


def _expected(row: Mapping[str, Any]) -> Expected:
    data = row["data"] or {}
    said = [part for value in data.values() for part in (value if isinstance(value, list) else [value]) if isinstance(part, str)]
    when = row["when"] or {}
    held = [row["valid_from"], row["valid_to"], when.get("start"), when.get("end")]
    also = [part for other in when.get("also_ok") or [] for part in (other.values() if isinstance(other, dict) else [other])]
    return Expected(
        name=row["memory_id"],
        level=row["level"],
        kind=row["kind"],
        scope=row["scope"],
        lang=row["lang"],
        about=_persons(row["about"]),
        text=" ".join([row["content"], *(part for part in said if not part.startswith(PERSON))]),
        days=frozenset(str(day)[:10] for day in (*held, *also) if day) | _between(when),
        when=frozenset(str(day)[:10] for day in (when.get("start"), *also) if day),
        valid_from=row["valid_from"],
        over=row["status"] in {"ended", "superseded"} or "ended" in row["phenomena"],
        evidence=frozenset([*row["evidence"], *(row.get("reinforced_by") or [])]),
        phenomena=tuple(row["phenomena"]),
    )


def _between(when: Mapping[str, Any]) -> frozenset[str]:
    """Days of a range."""
    try:
        first, last = date.fromisoformat(when["start"]), date.fromisoformat(when["end"])
    except (KeyError, ValueError, TypeError):
        return frozenset()
    return frozenset(
        date.fromordinal(day).isoformat() for day in range(first.toordinal(), min(last.toordinal(), first.toordinal() + 31) + 1)
    )


def _unwanted(row: Mapping[str, Any]) -> Unwanted:
    return Unwanted(
        name=row["negative_id"],
        why=row["why"],
        scope=row["scope"],
        lang=row["lang"],
        about=_persons(row["about"]),
        text=row["statement"],
        evidence=frozenset(row["evidence"]),
        strings=tuple(row["must_not_contain"]),
    )


def _persons(names: list[str]) -> frozenset[UUID]:
    return frozenset(subject_of(name) for name in names if name.startswith(PERSON))
