"""Whom a sentence is about: its speaker, or one subject that it names. Nobody is guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memdb.extraction.transcript import Transcript, Utterance
from memdb.text.normalise import fold

_WORDS_MAX: Final = 4
_WORD: Final = re.compile(r"[^\W_][\w.-]*")
_NAMELESS: Final = {"en": "This person", "pt": "Esta pessoa"}
"""How a subject without any name is called: an invented one would become its name."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a text: whose it may be (several: nobody may choose), and where it stands."""

    subjects: tuple[UUID, ...]
    start: int
    end: int


class Subjects:
    """Names of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        self._names = transcript.names
        self._titles = transcript.titles
        self._first = {name.partition(" ")[0].strip(".") for name in transcript.names}

    def at(self, plain: str, start: int) -> Named | None:
        """The longest known name that begins at `start` of a plain text, without a possessive; None when there is none."""
        ends: list[int] = []
        at = start
        for _ in range(_WORDS_MAX):
            word = _WORD.match(plain, at)
            if word is None:
                break
            ends.append(word.end())
            if plain[word.end() : word.end() + 1] != " ":
                break
            at = word.end() + 1
        if not ends or plain[start : ends[0]].strip(".") not in self._first:
            return None
        for end in reversed(ends):
            subjects = self._names.get(fold(plain[start:end].rstrip(".-")))
            if subjects:
                return Named(tuple(sorted(subjects)), start, end)
        return None

    def one_at(self, plain: str, start: int) -> tuple[UUID, int] | None:
        """The one subject whose name begins at `start`, and where the name ends; None for nobody and for several."""
        named = self.at(plain, start)
        return None if named is None or len(named.subjects) != 1 else (named.subjects[0], named.end)

    def within(self, plain: str) -> list[Named]:
        """All names in a plain text, in order, without overlaps."""
        found: list[Named] = []
        for word in _WORD.finditer(plain):
            if found and word.start() < found[-1].end:
                continue
            named = self.at(plain, word.start())
            if named is not None:
                found.append(named)
        return found

    def title(self, subject: UUID, utterance: Utterance, language: str) -> str:
        """How a subject is called in a statement: its title, the label that it speaks under, or no name at all."""
        if subject in self._titles:
            return self._titles[subject]
        if subject == utterance.speaker_id and utterance.speaker:
            return utterance.speaker
        return _NAMELESS[language]
