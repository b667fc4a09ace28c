"""Analysis text: what recognizers see. Same characters in the same order, so that places map back to the original exactly."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from governance.redaction.entities import LABEL
from governance.redaction.reading import Reading
from governance.redaction.recognizers.base import BLANK

_DASHES: Final = "‐‑‒–—―−﹘﹣－⁃"
_SIGNS: Final = {"\u2028": "\n", "\u2029": "\n", "\u0085": "\n", "﹫": "@", "﹒": ".", "․": ".", "∕": "/", "⁄": "/"}
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"
)


def _same_length_map() -> dict[int, str]:
    """One character for one: digits of all scripts, full-width ASCII, dashes, spaces, line ends and other shapes of `@` and `.`."""
    table = {ord(dash): "-" for dash in _DASHES} | {ord(char): shown for char, shown in _SIGNS.items()}
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    for code in range(0x80, 0x20000):  # beyond stand ideographs, tags and private use
        category = unicodedata.category(chr(code))
        if category == "Nd":
            table[code] = str(unicodedata.digit(chr(code)))
        elif category == "Zs":
            table[code] = " "
    return table


_MAP: Final = _same_length_map()


@dataclass(frozen=True, slots=True)
class AnalysisText:
    """`text` is analysed; `origins[i]` is the original offset of its character i, None where offsets are equal."""

    text: Reading
    origins: tuple[int, ...] | None

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        if self.origins is None:
            return start, end
        return self.origins[start], self.origins[end - 1] + 1


def analysis_text(text: str, labels: re.Pattern[str] = LABEL) -> AnalysisText:
    """Return the text as recognizers see it, labels of earlier redactions blanked out; `labels`: how these look in this org."""
    # A text must not be able to hide behind our own mark.
    shown = text.replace(BLANK, "\ufffd")
    if "[" in shown:
        shown = labels.sub(lambda match: BLANK * len(match[0]), shown)
    if text.isascii():
        return AnalysisText(Reading(shown), None)
    shown = shown.translate(_MAP)
    if _INVISIBLE.search(shown) is None:
        return AnalysisText(Reading(shown), None)
    origins = tuple(index for index, char in enumerate(shown) if _INVISIBLE.match(char) is None)
    return AnalysisText(Reading("".join(shown[index] for index in origins)), origins)
