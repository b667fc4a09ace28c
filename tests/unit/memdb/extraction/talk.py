"""Transcripts for tests: a room of Ana, Bruno, two Mikes and an agent."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from memdb.extraction.transcript import Transcript, TurnRole, Utterance

ANA, BRUNO, MIKE_O, MIKE_L, BOT = (UUID(int=number) for number in range(1, 6))
TITLES: Final = {ANA: "Ana", BRUNO: "Bruno", MIKE_O: "Mike O", MIKE_L: "Mike L", BOT: "Bot"}
NAMES: Final = {"ana": (ANA,), "bruno": (BRUNO,), "mike": (MIKE_O, MIKE_L), "mike o": (MIKE_O,), "bot": (BOT,)}
SAID_AT: Final = "2024-02-28T23:30-03:00"  # a Wednesday


def turn(number: int, text: str, speaker: UUID | None = ANA, at: str | None = SAID_AT, **given: Any) -> Utterance:
    return Utterance(
        number=number,
        turn_id=UUID(int=1_000 + number),
        role=given.pop("role", TurnRole.ASSISTANT if speaker == BOT else TurnRole.USER),
        speaker_id=speaker,
        speaker=TITLES[speaker] if speaker else None,
        text=text,
        said_at=datetime.fromisoformat(at) if at else None,
        **given,
    )


def transcript(*turns: Utterance) -> Transcript:
    return Transcript(turns, NAMES, TITLES)


def said(*texts: str, **given: Any) -> Transcript:
    """What Ana says in turns that follow each other."""
    return transcript(*(turn(number, text, **given) for number, text in enumerate(texts, 1)))


def talk(*lines: tuple[UUID | None, str]) -> Transcript:
    """Who says what."""
    return transcript(*(turn(number, text, speaker) for number, (speaker, text) in enumerate(lines, 1)))
