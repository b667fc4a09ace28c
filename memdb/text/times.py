"""Times that a text speaks of, resolved against the time when it was said; step 4 (enrich) of formation.

Own rules, not a date library: those read "há três semanas" and "terça passada" not at all, give a moment where a week or a range is meant
("14 to 18 December" is the 18th), and fill what they do not know with today.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Final

from memdb.text import time_rules_en, time_rules_pt
from memdb.text.time_clocks import Clock, find_clocks, narrow, of_part
from memdb.text.time_resolvers import Rule, iso, iso_period, rule
from memdb.text.time_spans import Precision, Span, period_span

_ISO: Final = (
    rule(r"\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:z|[+-]\d\d:?\d\d)?)?", iso, relative=False),
    rule(r"(?:(?:in|na) (?:the week|semana) )?(?P<said>\d{4}-\d\d-\d\d/\d{4}-\d\d-\d\d)", iso_period, relative=False),
)
_RULES: Final[dict[str, tuple[Rule, ...]]] = {"en": (*_ISO, *time_rules_en.RULES), "pt": (*_ISO, *time_rules_pt.RULES)}
_ALL_RULES: Final = (*_ISO, *time_rules_en.RULES, *time_rules_pt.RULES)

_TAKEN: Final = "\0"
_NEAR: Final = 40
"""Characters before and after a time that are looked at for what belongs to it."""
_BESIDE: Final = re.compile(r",? |, (?:as )?| (?:on|of|d[eao]|n[ao]|em) (?:the )?")
"""What may stand between a day and its time of day."""
_TO: Final = re.compile(r" (?:to|until|till|through|thru)(?: the)? | (?:a|ao|ate|ate o|ate a)(?: dia)? | ?[-–—] ?")
_AND: Final = re.compile(r" (?:and|e)(?: the| o| a)? ")
_FROM: Final = re.compile(r"(?:from|desde|d[eoa])(?: the| o dia| dia)? $")
_BETWEEN: Final = re.compile(r"(?:between|entre)(?: the| o| a)? $")
_MOVED: Final = re.compile(
    r"\b(?:moved|changed|postponed|rescheduled|delayed|shifted|brought forward"
    r"|mudou|mudad[oa]|passou|adiad[oa]|remarcad[oa]|transferid[oa]) $"
)
"""Before "from Monday to Friday" it tells two days and no time between them."""
_BOUND: Final = re.compile(
    r"(?:(?:^|\W)(?:since|until|till|by|before|after|from|as of|starting|desde|ate|a partir d[eoa]|antes d[eoa]|depois d[eoa]|apos)"
    r"(?: the| o| a)?(?:[ -](?:early|mid|late|(?:the )?(?:beginning|start|middle|end) of"
    r"|(?:o )?(?:meados|fim|final|inicio|comeco) d[eo]))?[ -])$"
)
_BOUND_YEAR: Final = re.compile(r"(?:since|until|by|before|after|desde|ate|antes de|depois de) ")


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


def find_times(text: str, language: str, anchor: datetime | None, direction: int = 0) -> list[TimeMention]:
    """Find time expressions that do not overlap, in order; of two that do, the earlier one, then the longer one.

    A day with its time of day is one, and so is a range, "from 14 to 18 December", "amanhã das 9h às 11h".

    Args:
        text: English or Portuguese; in other languages only dates are found that are written as in one of the two.
        language: ISO 639-1 code; `en` and `pt` use their own rules, any other value both.
        anchor: when the text was said, aware, in the speaker's zone, which is also the zone of the answer. None: unknown, then relative
            expressions stay unresolved, and absolute ones are days in UTC.
        direction: where a day that is named without its year or week lies ("on Friday", "14 December"): 1 ahead, for a plan, -1 back, for
            an event. 0: not known; dates stay unresolved, and days that may be no time at all are not found.

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
        for match in entry.pattern.finditer(plain):
            if entry.plain and not direction and not match.groupdict().get("year"):
                continue
            span = match.span("said") if "said" in entry.pattern.groupindex else match.span()
            found.append((*span, _resolve(entry, match, anchor, direction)))
    # Longest first at each start; at equal length the resolved one, as English leaves 03/04/2026 open and Portuguese does not.
    found.sort(key=lambda entry: (entry[0], -entry[1], entry[2] is None))
    apart: list[TimeMention] = []
    for start, end, meant in found:
        if not apart or start >= apart[-1].end:
            apart.append(_mention(start, end, meant))
    return _joined(plain, _with_clocks(plain, language, apart))


def find_event(text: str, language: str, anchor: datetime | None) -> TimeMention | None:
    """Find when that happens of which a text tells: the first time in it, resolved. None where there is none, or it only says since when,
    until when, before or after which time something holds. Arguments and errors as of `find_times`.
    """
    mention = next(iter(find_times(text, language, anchor)), None)
    if mention is None or mention.from_ is None:
        return None
    plain = fold_in_place(text)
    bound = mention.precision is not Precision.PERIOD and _before(_BOUND, plain, mention.start) is not None
    if mention.precision is Precision.YEAR:
        bound = bound or _BOUND_YEAR.match(plain, mention.start) is not None
    return None if bound else mention


def _resolve(entry: Rule, match: re.Match[str], anchor: datetime | None, direction: int) -> Span | None:
    dated = match.groupdict().get("year") is not None
    if (anchor is None and entry.relative and not dated) or (entry.directed is not None and not direction and not dated):
        return None
    said = anchor or datetime(1970, 1, 1, tzinfo=UTC)
    try:
        if entry.directed is not None:
            return entry.directed(match, said, direction)
        return None if entry.resolve is None else entry.resolve(match, said)
    except (ValueError, OverflowError):  # no such day, or a year outside 1..9999
        return None


def _mention(start: int, end: int, span: Span | None) -> TimeMention:
    return TimeMention(start, end, None, None, None) if span is None else TimeMention(start, end, span.from_, span.to, span.precision)


def _span(mention: TimeMention) -> Span | None:
    if mention.from_ is None or mention.to is None or mention.precision is None:
        return None
    return Span(mention.from_, mention.to, mention.precision)


def _with_clocks(plain: str, language: str, mentions: list[TimeMention]) -> list[TimeMention]:
    """Narrow days by the times of day beside them, each of which belongs to one day: the one before it, else the one behind."""
    clocks = sorted(find_clocks(_masked(plain, mentions), language), key=lambda clock: (clock.start, -clock.end)) if mentions else []
    narrowed: list[TimeMention] = []
    for number, mention in enumerate(mentions):
        least = max(narrowed[-1].end if narrowed else 0, mention.start - _NEAR)
        most = mentions[number + 1].start if number + 1 < len(mentions) else len(plain)
        near = clocks[bisect_left(clocks, least, key=_start) : bisect_right(clocks, mention.end + _NEAR, key=_start)]
        after = (one for one in near if one.end <= most and _BESIDE.fullmatch(plain, mention.end, one.start) and one.start > mention.end)
        before = (one for one in near if one.end < mention.start and _BESIDE.fullmatch(plain, one.end, mention.start))
        beside = next(chain(after, before), None)
        narrowed.append(mention if beside is None else _narrowed(plain, mention, beside))
    return narrowed


def _masked(plain: str, mentions: list[TimeMention]) -> str:
    """The text without what is read already: "at 22:00 to 15 May" is no range of hours."""
    parts, at = [], 0
    for mention in mentions:
        parts += [plain[at : mention.start], _TAKEN * (mention.end - mention.start)]
        at = mention.end
    return "".join(parts) + plain[at:]


def _start(clock: Clock) -> int:
    return clock.start


def _before(pattern: re.Pattern[str], plain: str, end: int) -> re.Match[str] | None:
    """What a pattern that ends with `$` finds right before a place: the words there, not all of a long text."""
    return pattern.search(plain, max(0, end - _NEAR), end)


def _narrowed(plain: str, mention: TimeMention, clock: Clock) -> TimeMention:
    words = plain[mention.start : mention.end]
    if mention.precision not in {None, Precision.DAY} or (not clock.sure and of_part(clock.first, words) is None):
        return mention
    span = _span(mention)
    start, end = min(mention.start, clock.start), max(mention.end, clock.end)
    return _mention(start, end, None if span is None else narrow(span, clock, words))


def _joined(plain: str, mentions: list[TimeMention]) -> list[TimeMention]:
    """Make one of two times that name a beginning and an end; it stays unresolved where one of them does, or it would run back."""
    joined: list[TimeMention] = []
    for mention in mentions:
        before = joined[-1] if joined else None
        start = None if before is None else _range_start(plain, before, mention)
        if before is None or start is None:
            joined.append(mention)
            continue
        first, last = _span(before), _span(mention)
        joined[-1] = _mention(start, mention.end, None if first is None or last is None else period_span(first, last))
    return [
        _mention(one.start, one.end, None) if one.precision is Precision.PERIOD and _before(_MOVED, plain, one.start) else one
        for one in joined
    ]


def _range_start(plain: str, first: TimeMention, last: TimeMention) -> int | None:
    """Where a range begins that two mentions make, with the word before it; None where they make none."""
    if Precision.YEAR in {first.precision, last.precision} or first.precision is Precision.PERIOD:
        return None
    between, open_ = _before(_BETWEEN, plain, first.start), _before(_FROM, plain, first.start)
    if between is not None and _AND.fullmatch(plain, first.end, last.start) is not None:
        return between.start()
    if _TO.fullmatch(plain, first.end, last.start) is None:
        return None
    return first.start if open_ is None else open_.start()


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
