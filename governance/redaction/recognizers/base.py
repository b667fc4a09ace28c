"""The shape of a recognizer, and the two kinds that need no code of their own.

Every recognizer runs in linear time on any input, keeps no state, and sees *analysis text*: dashes, spaces and digits of all scripts are
ASCII, invisible characters are gone, and labels of earlier redactions are blanked with U+FFFF, which no recognizer may match.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from governance.redaction.findings import EntityType, Finding
from governance.redaction.token_forms import BEGIN, is_filled_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BLANK: Final = "\uffff"
"""Stands where a label was: neither letter, digit, space nor punctuation."""

START: Final = r"(?<![A-Za-z0-9])"
END: Final = r"(?![A-Za-z0-9])"
"""Boundaries that hold in prose of scripts without spaces, where `\\b` does not."""

CERTAIN: Final = 1.0  # check digits hold and the word for it stands beside
CHECKED: Final = 0.9  # check digits hold, or a prefix that nothing else has
LABELLED: Final = 0.8  # the word for it stands beside
SHAPED: Final = 0.5  # nothing but a telling form
THRESHOLD: Final = 0.4  # below it nothing is reported


class Recognizer(Protocol):
    """Finds mentions of one entity type, or of a few close ones."""

    @property
    def name(self) -> str: ...

    @property
    def entities(self) -> tuple[EntityType, ...]: ...

    def find(self, text: str) -> Iterator[Finding]: ...


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression whose whole match, or whose group `value` if it has one, is the finding.

    `needs`: lower-case substrings of which one must stand in the lower-cased text, a cheap way out. `check` gets the value and refuses by
    False.
    """

    regex: re.Pattern[str]
    score: float
    needs: tuple[str, ...] = ()
    check: Callable[[str], bool] | None = None

    def find(self, text: str, lowered: str, entity: EntityType) -> Iterator[Finding]:
        if self.needs and not any(word in lowered for word in self.needs):
            return
        group = "value" if "value" in self.regex.groupindex else 0
        for match in self.regex.finditer(text):
            start, end = match.span(group)
            if start < end and (self.check is None or self.check(text[start:end])):
                yield Finding(entity, start, end, self.score)


@dataclass(frozen=True, slots=True)
class PatternRecognizer:
    """Patterns of one entity type."""

    name: str
    entity: EntityType
    patterns: tuple[Pattern, ...]

    @property
    def entities(self) -> tuple[EntityType, ...]:
        return (self.entity,)

    def find(self, text: str) -> Iterator[Finding]:
        lowered = text.lower()
        for pattern in self.patterns:
            yield from pattern.find(text, lowered, self.entity)


def digits_of(value: str) -> str:
    """Return the ASCII digits of a value."""
    return "".join(char for char in value if "0" <= char <= "9")


def has_word_before(text: str, start: int, words: re.Pattern[str], window: int) -> bool:
    """Tell whether one of the words stands in the `window` characters before a place, in the same paragraph."""
    return words.search(text, max(0, start - window), start) is not None


def token(body: str, *needs: str, check: Callable[[str], bool] = is_filled_in, score: float = CHECKED, exact: bool = False) -> Pattern:
    """Make the pattern of a token.

    Args:
        body: a regular expression from the first character of the token on. Where its last part has no upper bound the whole run goes, so
            that no tail is left of a token that is longer than its issuer says.
        needs: lower-case substrings of which a text with the token has one.
        check: gets the token and refuses by False.
        score: 0..1.
        exact: whether no letter or digit may follow: for bodies of a fixed length without a telling prefix.
    """
    return Pattern(re.compile(BEGIN + body + (END if exact else ""), re.ASCII), score, needs=needs, check=check)
