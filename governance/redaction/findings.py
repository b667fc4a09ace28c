"""What redaction finds and what it makes. Nothing here holds the value that was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType, TypeAlias

EntityType = NewType("EntityType", str)
"""Upper-case name of a kind of personal data or secret, such as `EMAIL_ADDRESS` or `BR_CPF`."""

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"


class Action(StrEnum):
    """What policy does with a finding."""

    REPLACE = "replace"  # `[API_KEY]`-like label without number; nothing links two occurrences
    PSEUDONYMISE = "pseudonymise"  # `[EMAIL_1]`-like label; a keyed token stands beside the mention
    MASK = "mask"  # `[CARD ****1111]`: the last four characters of cards and phones stay, of others none
    KEEP = "keep"  # left as it is, and reported


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a recognizer saw something; `start` and `end` are code-point offsets, end exclusive; `score` 0..1."""

    entity: EntityType
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Redaction:
    """One mention: its type, the action, and its place in the *redacted* text.

    `start` and `end` are code-point offsets into `RedactedText.text`, end exclusive. `token` is the linkable HMAC of the value (32 hex
    characters; equal values under one key give equal tokens), None where the action makes none. It is stored and never served.
    """

    entity: EntityType
    action: Action
    start: int
    end: int
    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class RedactedText:
    """Text that passed the redactor. SECURITY: only `governance/redaction/redactor.py` makes one; an architecture test looks."""

    text: str
    redactions: tuple[Redaction, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class JsonRedaction:
    """A redaction inside a JSON value. `path` is like `contacts[0].mail`; offsets are into the string at that path."""

    path: str
    redaction: Redaction


@dataclass(frozen=True, slots=True)
class RedactedJson:
    """A JSON value whose strings and long numbers passed the redactor. SECURITY: only `redactor.py` makes one.

    `redactions` are in document order.
    """

    value: JsonValue
    redactions: tuple[JsonRedaction, ...] = ()
