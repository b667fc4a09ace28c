"""What a matched time expression means: named groups of a match, and the anchor, to a span.

Group names are the contract with the rules: `day`, `month`, `year`, `first`/`second` of a numeric date, `number`, `unit`, `weekday`,
and the clock (`hour`, `minute`, `half`, `hour24`, `minute24`). A resolver gives None, or raises ValueError or OverflowError, when the
expression names no time that exists or could mean two; the mention then stays unresolved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memdb.text.time_spans import (
    Span,
    at_time,
    day_span,
    minute_span,
    month_span,
    named_month_span,
    shift,
    week_span,
    weekday_span,
    year_span,
    zone_of,
)

Resolver = Callable[[re.Match[str], datetime], Span | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern for text without case and accents, and its meaning; `relative` ones need to know when the text was said."""

    pattern: re.Pattern[str]
    resolve: Resolver
    relative: bool


@dataclass(frozen=True, slots=True)
class Names:
    """The words of one language, folded, as the patterns capture them."""

    months: Mapping[str, int]  # 1 to 12
    weekdays: Mapping[str, int]  # 0 is Monday
    numbers: Mapping[str, int]
    units: Mapping[str, str]  # singular or plural to a unit of `shift`


def rule(pattern: str, resolve: Resolver, *, relative: bool) -> Rule:
    """Bind a pattern to word boundaries; a hyphen before or after makes it part of a code."""
    return Rule(re.compile(rf"(?<![\w-])(?:{pattern})(?![\w]|-\w)"), resolve, relative)


def any_of(words: Mapping[str, object]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def at_clock(span: Span, match: re.Match[str]) -> Span:
    """Narrow a day by the time of day beside it, if one is there.

    Raises:
        ValueError: no such time of day.
    """
    found = match.groupdict()
    if found.get("hour24"):
        return at_time(span, int(found["hour24"]), int(found["minute24"]))
    if not found.get("hour"):
        return span
    hour, half = int(found["hour"]), found.get("half")
    if half and not 1 <= hour <= 12:
        raise ValueError("no such hour of a half day")
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    return at_time(span, hour, int(found.get("minute") or 0))


def unknown(_match: re.Match[str], _anchor: datetime) -> None:
    """Recognise an expression that is not to be guessed, such as a date without its year."""


def iso(match: re.Match[str], anchor: datetime) -> Span:
    text = match[0].upper().replace(" ", "T", 1)
    if "T" not in text:
        return day_span(date.fromisoformat(text), zone_of(anchor))
    moment = datetime.fromisoformat(text)
    return minute_span(moment if moment.tzinfo is not None else moment.replace(tzinfo=anchor.tzinfo))


def year(match: re.Match[str], anchor: datetime) -> Span:
    return year_span(int(match["year"]), zone_of(anchor))


def full_date(names: Names) -> Resolver:
    def resolve(match: re.Match[str], anchor: datetime) -> Span:
        day = date(int(match["year"]), names.months[match["month"]], int(match["day"]))
        return at_clock(day_span(day, zone_of(anchor)), match)

    return resolve


def month_of_year(names: Names) -> Resolver:
    return lambda match, anchor: month_span(int(match["year"]), names.months[match["month"]], zone_of(anchor))


def month_of_relative_year(names: Names, years: int) -> Resolver:
    return lambda match, anchor: month_span(anchor.year + years, names.months[match["month"]], zone_of(anchor))


def named_month(names: Names, direction: int) -> Resolver:
    return lambda match, anchor: named_month_span(anchor, names.months[match["month"]], direction)


def day_first(match: re.Match[str], anchor: datetime) -> Span:
    """Read 03/04/2026 as the third of April."""
    day = date(int(match["year"]), int(match["second"]), int(match["first"]))
    return at_clock(day_span(day, zone_of(anchor)), match)


def day_or_month_first(match: re.Match[str], anchor: datetime) -> Span | None:
    """Read a numeric date where only one order is possible: 03/04/2026 is March in the United States and April elsewhere."""
    first, second = int(match["first"]), int(match["second"])
    if first <= 12 and second <= 12 and first != second:
        return None
    day, month = (first, second) if first > 12 else (second, first)
    return day_span(date(int(match["year"]), month, day), zone_of(anchor))


def offset_days(count: int) -> Resolver:
    def resolve(match: re.Match[str], anchor: datetime) -> Span:
        return at_clock(day_span(anchor.date() + timedelta(days=count), zone_of(anchor)), match)

    return resolve


def units(names: Names, direction: int) -> Resolver:
    """A counted distance, "three weeks ago"."""

    def resolve(match: re.Match[str], anchor: datetime) -> Span:
        written = match["number"]
        count = int(written) if written.isdecimal() else names.numbers[written]
        return shift(anchor, names.units[match["unit"]], direction * count)

    return resolve


def neighbour(names: Names, count: int) -> Resolver:
    """The unit before (-1), around (0) or after (1) the anchor, "last week"."""
    return lambda match, anchor: shift(anchor, names.units[match["unit"]], count)


def nearest_weekday(names: Names, direction: int) -> Resolver:
    def resolve(match: re.Match[str], anchor: datetime) -> Span:
        return at_clock(weekday_span(anchor, names.weekdays[match["weekday"]], direction), match)

    return resolve


def weekday_of_week(names: Names, weeks: int) -> Resolver:
    """A weekday of the anchor's ISO week (0), of the one before (-1) or after (1)."""

    def resolve(match: re.Match[str], anchor: datetime) -> Span:
        monday = week_span(anchor.date() + timedelta(weeks=weeks), zone_of(anchor)).from_.date()
        day = monday + timedelta(days=names.weekdays[match["weekday"]])
        return at_clock(day_span(day, zone_of(anchor)), match)

    return resolve
