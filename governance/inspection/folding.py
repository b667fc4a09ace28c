"""Text as inspection reads it: lower case, no accents, no invisible characters, look-alike letters as the Latin ones they imitate."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

# Cyrillic and Greek letters that readers, and models, take for Latin ones. Source: Unicode's confusables.txt, the lower-case rows.
_LOOK_ALIKES: Final = dict(zip("аеорсухіјѕԁһոќвмнтгαεορυικντ", "aeopcyxijsdhnkbmhtraeopuiknt", strict=True))
_INVISIBLE: Final = re.compile("[\u00ad\u034f\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]")


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` is searched; `origins[i]` is the offset of its character i in the original, None where they are equal."""

    text: str
    origins: tuple[int, ...] | None

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        if self.origins is None:
            return start, end
        return self.origins[start], self.origins[end - 1] + 1


def fold(text: str) -> Folded:
    """Return the text folded; a word in mixed scripts becomes Latin, one that is all Cyrillic or Greek becomes noise, which is no loss."""
    if text.isascii():
        return Folded(text.lower(), None)
    characters: list[str] = []
    origins: list[int] = []
    for index, char in enumerate(text):
        if _INVISIBLE.match(char):
            continue
        for part in unicodedata.normalize("NFKD", char).lower():
            if unicodedata.combining(part):
                continue
            characters.append(_LOOK_ALIKES.get(part, part))
            origins.append(index)
    return Folded("".join(characters), tuple(origins))
