"""Recognizers that an org brings along: a pattern, words that stand around it, and what is done with it.

A pattern is RE2's: no look-around, no back-references, time linear in the text for one match. Many matches of which each looks on to the
end would still be quadratic, so texts are looked at in windows of bounded length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import re2

from governance.errors import InvalidInput
from governance.redaction.entities import ENTITIES
from governance.redaction.findings import Action, EntityType, Finding
from governance.redaction.recognizers.base import BLANK, LABELLED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RECOGNIZERS_MAX: Final = 50
NAME: Final = re.compile(r"[A-Z][A-Z_]{1,38}[A-Z]")
"""Letters and `_` alone: a label cannot carry a number past the recognizers, and `_1` at its end is always its number."""
PATTERN_CHARACTERS_MAX: Final = 256
PROGRAM_BYTES_MAX: Final = 1 << 19
PROGRAM_SIZE_MAX: Final = 2_000  # instructions; the worst pattern then takes below a second for 64 KiB of text, an ordinary one 5 ms
CONTEXT_WORDS_MAX: Final = 20
CONTEXT_CHARACTERS_MAX: Final = 40
CONTEXT_WINDOW: Final = 80  # characters before and behind a match in which a context word counts
WINDOW: Final = 2_048
OVERLAP: Final = 256
"""A match of at most so many characters is always found whole."""
_LABELS: Final = frozenset(spec.label for spec in ENTITIES.values())
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class CustomRecognizer:
    """What an org calls `name` (its entity type, and its label in texts), how it looks, and what happens to it where nothing else is said.

    With `context` a match counts only with one of these words within 80 characters, in whatever case.
    """

    name: str
    pattern: str = field(repr=False)
    context: tuple[str, ...] = ()
    action: Action = Action.PSEUDONYMISE

    @property
    def entity(self) -> EntityType:
        return EntityType(self.name)

    def check(self, path: str) -> None:
        """Raise InvalidInput for a name, pattern or word that cannot be one. The pattern is never repeated.

        Args:
            path: of the recognizer in the policy, for errors.
        """
        if not NAME.fullmatch(self.name) or "__" in self.name:
            raise InvalidInput("a recognizer is named by 3 to 40 of A-Z and _, such as CUSTOMER_NUMBER", field=path)
        if EntityType(self.name) in ENTITIES or self.name in _LABELS:
            raise InvalidInput("a recognizer cannot have the name of an entity type that there is already", field=path)
        if not 1 <= len(self.pattern) <= PATTERN_CHARACTERS_MAX:
            raise InvalidInput(f"a pattern must be 1 to {PATTERN_CHARACTERS_MAX} characters", field=f"{path}.pattern")
        _check_pattern(self.pattern, f"{path}.pattern")
        if len(self.context) > CONTEXT_WORDS_MAX:
            raise InvalidInput(f"a recognizer has at most {CONTEXT_WORDS_MAX} context words", field=f"{path}.context")
        for place, word in enumerate(self.context):
            if not word.strip() or len(word) > CONTEXT_CHARACTERS_MAX:
                message = f"a context word must be 1 to {CONTEXT_CHARACTERS_MAX} characters and not blank"
                raise InvalidInput(message, field=f"{path}.context[{place}]")

    def find(self, text: str) -> Iterator[Finding]:
        """Findings in analysis text, in order of place; of a run that two windows show, each has its part."""
        compiled = _compile(self.pattern)
        lowered = text.lower() if self.context else ""
        words = _word_pattern(self.context) if self.context else None
        if words is not None and words.search(lowered) is None:
            return
        # A lower-cased text may be longer; then words are looked for in the text itself, as it is written.
        around = lowered if len(lowered) == len(text) else text
        for begin, end in _windows(text):
            for match in compiled.finditer(text[begin:end]):
                start, stop = begin + match.start(), begin + match.end()
                if start < stop and (words is None or words.search(around[max(0, start - CONTEXT_WINDOW) : stop + CONTEXT_WINDOW])):
                    yield Finding(self.entity, start, stop, LABELLED)


def find_custom(text: str, recognizers: Sequence[CustomRecognizer]) -> list[Finding]:
    """Findings of some recognizers in analysis text; labels of earlier redactions are never part of one."""
    plain = _SURROGATE.sub("\ufffd", text)
    return [found for recognizer in recognizers for found in recognizer.find(plain)]


def _check_pattern(pattern: str, path: str) -> None:
    compiled = None
    try:
        compiled = _compile(pattern)
    except (re2.error, UnicodeEncodeError):
        pass  # raised below, outside the handler: the error of the library quotes the pattern
    finally:
        re2.purge()
    if compiled is None:
        raise InvalidInput(
            "not a regular expression that RE2 takes, or too large a one; it has no look-around, no back-references", field=path
        )
    if compiled.programsize > PROGRAM_SIZE_MAX:
        raise InvalidInput("too large a pattern: lower the bounds of its repetitions", field=path)
    if any(match.start() == match.end() for shown in ("", "a1 -") for match in compiled.finditer(shown)):
        raise InvalidInput("the pattern matches where no character is: let at least one be required", field=path)


@lru_cache(maxsize=4_096)
def _compile(pattern: str) -> re2._Regexp:
    options = re2.Options()
    options.max_mem = PROGRAM_BYTES_MAX
    options.log_errors = False  # SECURITY: RE2 would write the pattern to stderr
    return re2.compile(pattern, options)


@lru_cache(maxsize=4_096)
def _word_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(re.escape(word.strip().lower()) for word in words)
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)", re.IGNORECASE)


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Where to look: between labels, at most WINDOW characters at once, overlapping, cut where a word ends if one does."""
    begin = 0
    for part in text.split(BLANK):
        end = begin + len(part)
        at = begin
        while end - at > WINDOW:
            cut = _between_words(text, at + WINDOW - OVERLAP // 2, at + WINDOW)
            yield at, cut
            at = _between_words(text, cut - OVERLAP - OVERLAP // 2, cut - OVERLAP)
        if end > at:
            yield at, end
        begin = end + 1


def _between_words(text: str, low: int, high: int) -> int:
    space = max(text.rfind(" ", low, high), text.rfind("\n", low, high))
    return high if space < 0 else space + 1
