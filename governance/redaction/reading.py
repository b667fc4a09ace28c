"""Analysis text that keeps what was read in it once: the words that name numbers, and the runs of digits.

A dozen recognizers ask for the same. It lives and dies with the text, so that nothing of a text outlasts its redaction.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from governance.redaction.vocabulary import PHRASES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DIGIT: Final = re.compile(r"[0-9]")
# Words of `camelCase` are apart; of capitals, only an s may follow. Marks of decomposed accents are part of a word.
_WORD: Final = re.compile(r"(?<![0-9])(?:[A-Z]{2,40}s(?![A-Za-z])|[A-Z]{1,40}(?![a-z\u0300-\u036f])|[A-Z]?[a-z\u0300-\u036f]{1,40})")
_MARKS: Final = re.compile("[\u0300-\u036f]")
_JOINT: Final = re.compile(r"[^A-Za-z0-9\n\uffff]{0,3}")
_GROUP: Final = re.compile(r"[0-9]{1,32}(?![0-9])")
_SEPARATOR: Final = re.compile(r"[ \t\r\n.\-/,_]{1,3}")

Group = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of the vocabulary at `start`..`end`."""

    start: int
    end: int
    kind: str


def _folding() -> dict[int, str]:
    """Letters with one accent to the letter, `º` and `ª` to o and a, curly apostrophes to straight ones: one character for one."""
    table = {ord("’"): "'", ord("‘"): "'", ord("º"): "o", ord("ª"): "a", ord("°"): "o"}
    for code in range(0xC0, 0x250):
        base = unicodedata.normalize("NFKD", chr(code))[0]
        if base.isascii() and base.isalpha():
            table[code] = base
    return table


_FOLDING: Final = _folding()


class Reading(str):  # noqa: SLOT000 - what was read is kept in its dictionary
    """A text, and what was read in it."""

    @cached_property
    def has_digits(self) -> bool:
        return _DIGIT.search(self) is not None

    @cached_property
    def folded(self) -> str:
        """The text without accents, character for character; upper case stays."""
        return str(self) if self.isascii() else self.translate(_FOLDING)

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        """All phrases of the vocabulary in order of place, the longest at each, none inside another."""
        return tuple(_phrases(self.folded))

    @cached_property
    def runs(self) -> tuple[tuple[Group, ...], ...]:
        """Start and end of groups of digits; groups of one run have at most three signs or blanks between."""
        runs: list[tuple[Group, ...]] = []
        run: list[Group] = []
        for match in _GROUP.finditer(self):
            if run and not _SEPARATOR.fullmatch(self, run[-1][1], match.start()):
                runs.append(tuple(run))
                run = []
            run.append(match.span())
        return (*runs, tuple(run)) if run else tuple(runs)


def read(text: str) -> Reading:
    """Return the text as a reading, itself if it is one."""
    return text if isinstance(text, Reading) else Reading(text)


def _phrases(folded: str) -> Iterator[Phrase]:
    words = [(match.start(), match.end(), _MARKS.sub("", match[0]).lower()) for match in _WORD.finditer(folded)]
    free = 0
    for index, (start, _, word) in enumerate(words):
        if index >= free and word in PHRASES:
            for phrase, kind in PHRASES[word]:
                if _says(folded, words, index, phrase):
                    free = index + len(phrase)
                    yield Phrase(start, words[free - 1][1], kind)
                    break


def _says(folded: str, words: Sequence[tuple[int, int, str]], index: int, phrase: tuple[str, ...]) -> bool:
    if index + len(phrase) > len(words):
        return False
    for offset in range(1, len(phrase)):
        before, here = words[index + offset - 1], words[index + offset]
        if here[2] != phrase[offset] or not _JOINT.fullmatch(folded, before[1], here[0]):
            return False
    return True
