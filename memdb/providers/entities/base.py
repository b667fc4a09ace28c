"""What an entity extractor is: it finds what a text mentions, and never guesses which of two namesakes is meant."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID


class MentionKind(StrEnum):
    """What a mention is, as far as the text or the dictionary says."""

    PERSON = "person"
    PLACE = "place"
    ORG = "org"
    THING = "thing"
    IDENTIFIER = "identifier"
    SUBJECT = "subject"


@dataclass(frozen=True, slots=True)
class Mention:
    """One mention. `start` and `end` are code-point offsets into the text, end exclusive; `name_folded` is the form to compare by.

    `subject_ids` has one id for a known subject, several when the label is ambiguous (the caller asks or keeps all, never picks), none
    for a kind other than `subject`.
    """

    start: int
    end: int
    surface: str
    name_folded: str
    kind: MentionKind
    subject_ids: tuple[UUID, ...] = ()


class EntityExtractor(Protocol):
    """Finds mentions in one text."""

    def extract(self, text: str, language: str, dictionary: Mapping[str, Sequence[UUID]]) -> list[Mention]:
        """Find mentions that do not overlap, in order of `start`. Pure; never raises on any text.

        Args:
            text: redacted text.
            language: ISO 639-1 code, or `und`.
            dictionary: folded name or alias (`memdb.text.normalise.fold`) to the ids of the subjects that bear it, of one org.
        """
        ...
