"""Times that a text speaks of, resolved against the time when it was said; step 4 (enrich) of formation.

Own rules, not a date library: those read "há três semanas" and "terça passada" not at all, and fill what they do not know with today.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from memdb.text import time_rules_en, time_rules_pt
from memdb.text.time_resolvers import Rule, iso, rule

if TYPE_CHECKING:
    from memdb.text.time_spans import Precision, Span

_ISO = rule(r"\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:z|[+-]\d\d:?\d\d)?)?", iso, relative=False)
_RULES: Final[dict[str, tuple[Rule, ...]]] = {"en": (_ISO, *time_rules_en.RULES), "pt": (_ISO, *time_rules_pt.RULES)}
_ALL_RULES: Final = (_ISO, *time_rules_en.RULES, *time_rules_pt.RULES)


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time expression. `start` and `end` are code-point offsets, end exclusive.

    `from_` (inclusive), `to` (exclusive) and `precision` are all set, or all None: recognised and not resolved. Never a guess, never
    today because nothing better was known.
    """

    start: int
    end: int
    from_: datetime | None
    to: datetime | None
    precision: Precision | None


def find_times(text: str, language: str, anchor: datetime | None) -> list[TimeMention]:
    """Find time expressions that do not overlap, in order; of two that do, the longer one.

    Args:
        text: English or Portuguese; in other languages only dates are found that are written as in one of the two.
        language: ISO 639-1 code; `en` and `pt` use their own rules, any other value both.
        anchor: when the text was said, aware, in the speaker's zone, which is also the zone of the answer. None: unknown, then relative
            expressions stay unresolved, and absolute ones are days in UTC.

    Raises:
        ValueError: the anchor has no zone.

    >>> said = datetime.fromisoformat("2024-02-28T23:30-03:00")
    >>> [str(mention.from_) for mention in find_times("tomorrow is my exam", "en", said)]
    ['2024-02-29 00:00:00-03:00']
    """
    if anchor is not None and anchor.tzinfo is None:
        raise ValueError("the anchor needs a time zone")
    plain = fold_in_place(text)
    found: list[tuple[int, int, Span | None]] = []
    for entry in _RULES.get(language, _ALL_RULES):
        found.extend((*match.span(), _resolve(entry, match, anchor)) for match in entry.pattern.finditer(plain))
    # Longest first at each start; at equal length the resolved one, as English leaves 03/04/2026 open and Portuguese does not.
    found.sort(key=lambda entry: (entry[0], -entry[1], entry[2] is None))
    mentions: list[TimeMention] = []
    for start, end, span in found:
        if mentions and start < mentions[-1].end:
            continue
        mentions.append(
            TimeMention(start, end, None, None, None) if span is None else TimeMention(start, end, span.from_, span.to, span.precision)
        )
    return mentions


def _resolve(entry: Rule, match: re.Match[str], anchor: datetime | None) -> Span | None:
    if anchor is None and entry.relative:
        return None
    try:
        return entry.resolve(match, anchor or datetime(1970, 1, 1, tzinfo=UTC))
    except (ValueError, OverflowError):  # no such day, or a year outside 1..9999
        return None


def fold_in_place(text: str) -> str:
    """Take case and accents from each character and keep the length, so that offsets stay those of the text. No `fold`: signs stay."""
    return text.lower() if text.isascii() else "".join(map(_fold_character, text))


def _fold_character(character: str) -> str:
    if character.isspace():
        return " "
    if character in "ºª°’":
        return "'" if character == "’" else "º"
    plain = unicodedata.normalize("NFD", character)[0].lower()
    return plain if len(plain) == 1 else character
