"""Times that look both ways, "on Friday", "14 to 18 December", "no Natal": what is told, a plan or an event, says which is meant.

The direction is 1 for a plan, whose time is the next one or runs now, and -1 for an event, whose time is the last one. Resolvers are like
those of `time_resolvers`, with the direction behind the anchor.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timedelta

from memdb.text.time_resolvers import Directed, Names
from memdb.text.time_spans import Precision, Span, add_months, day_span, days, month_span, nth_weekday, week_span, weekend_span, zone_of


def named_day(names: Names) -> Directed:
    """A day of a month, of the next year or the last one; the anchor's own day counts."""

    def resolve(match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
        month, day = _month(names, match["month"]), int(match["day"])
        return _nearest(lambda year: _day(anchor, year, month, day), _years(anchor, direction), anchor, direction)

    return resolve


def fixed_day(month: int, day: int) -> Directed:
    """A feast that is on the same day each year."""
    return lambda _match, anchor, direction: _nearest(
        lambda year: _day(anchor, year, month, day), _years(anchor, direction), anchor, direction
    )


def days_of(names: Names) -> Directed:
    """From one day through another: `day`, `month` and `year` of the last one, `from_day` and `from_month` of the first, months and years
    where they are written. Without any month it is the anchor's month, or the next or last one.
    """

    def resolve(match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
        first, last = int(match["from_day"]), int(match["day"])
        written, from_written = _given(match, "month"), _given(match, "from_month")
        if written is None and from_written is None:
            return _days_of_month(anchor, direction, first, last)
        month = _month(names, written or from_written or "")
        from_month = _month(names, from_written or written or "")
        if from_month == month and first >= last:
            return None

        def span(year: int) -> Span:
            begins = date(year - (from_month > month), from_month, first)
            return days(begins, date(year, month, last) + timedelta(days=1), Precision.PERIOD, zone_of(anchor))

        return _of_year(span, match, anchor, direction)

    return resolve


def day_of_month(match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
    """The day of that number; None for the anchor's own, and where the month that it falls into does not have it."""
    day = int(match["day"])
    if day == anchor.day:
        return None
    away = direction if (day - anchor.day) * direction < 0 else 0
    month = add_months(anchor.date().replace(day=1), away)
    return day_span(month.replace(day=day), zone_of(anchor))


def weekday(names: Names) -> Directed:
    """The nearest one; None for the anchor's own, which could be today."""

    def resolve(match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
        away = (names.weekdays[match["weekday"]] - anchor.weekday()) * direction % 7
        return day_span(anchor.date() + timedelta(days=away * direction), zone_of(anchor)) if away else None

    return resolve


def weekdays_of(names: Names) -> Directed:
    """From one weekday through another, within seven days; None where the one that decides is the anchor's own."""

    def resolve(match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
        first, last = names.weekdays[match["from_weekday"]], names.weekdays[match["weekday"]]
        away = ((first if direction > 0 else last) - anchor.weekday()) * direction % 7
        length = (last - first) % 7
        if not away or not length:
            return None
        begins = anchor.date() + timedelta(days=away if direction > 0 else -away - length)
        return days(begins, begins + timedelta(days=length + 1), Precision.PERIOD, zone_of(anchor))

    return resolve


def bare_month(names: Names) -> Directed:
    """The nearest one; None for a plan in the anchor's own month, which may be of this year or the next."""

    def resolve(match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
        away = (names.months[match["month"]] - anchor.month) * direction % 12
        if not away and direction > 0:
            return None
        month = add_months(anchor.date().replace(day=1), away * direction)
        return month_span(month.year, month.month, zone_of(anchor))

    return resolve


def months_of(names: Names) -> Directed:
    """From one month through another."""

    def resolve(match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
        first, last = names.months[match["from_month"]], names.months[match["month"]]
        if first == last:
            return None

        def span(year: int) -> Span:
            return days(date(year - (first > last), first, 1), add_months(date(year, last, 1), 1), Precision.PERIOD, zone_of(anchor))

        return _of_year(span, match, anchor, direction)

    return resolve


def nth_of_month(names: Names, ordinals: Mapping[str, int]) -> Directed:
    """A weekday by its number in a month that is named; in the anchor's month where `month` is not."""

    def resolve(match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
        number, day = ordinals[match["nth"]], names.weekdays[match["weekday"]]
        zone = zone_of(anchor)
        if _given(match, "month") is None:
            this = day_span(nth_weekday(anchor.year, anchor.month, day, number), zone)
            return _nearest(lambda _: this, (0,), anchor, direction)
        month = names.months[match["month"]]
        return _of_year(lambda year: day_span(nth_weekday(year, month, day, number), zone), match, anchor, direction)

    return resolve


def week_of(names: Names) -> Directed:
    """The week that holds a day."""
    day_of = named_day(names)

    def resolve(match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
        if _given(match, "year"):
            return week_span(date(int(match["year"]), _month(names, match["month"]), int(match["day"])), zone_of(anchor))
        day = day_of(match, anchor, direction)
        return None if day is None else week_span(day.from_.date(), zone_of(anchor))

    return resolve


def weekend(_match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
    """The nearest one; None on a weekend, which may be meant itself."""
    return None if anchor.weekday() >= 5 else weekend_span(anchor, 0 if direction > 0 else -1)


def _days_of_month(anchor: datetime, direction: int, first: int, last: int) -> Span | None:
    """Two days of a month or across its end: of plans the first time that is not over, of events the last that has begun."""
    this = anchor.date().replace(day=1)

    def span(count: int) -> Span:
        month = add_months(this, count)
        ends = add_months(month, int(last < first)).replace(day=last)
        return days(month.replace(day=first), ends + timedelta(days=1), Precision.PERIOD, zone_of(anchor))

    return None if first == last else _nearest(span, (-1, 0, 1) if direction > 0 else (0, -1, -2), anchor, direction)


def _of_year(span: Callable[[int], Span], match: re.Match[str], anchor: datetime, direction: int) -> Span | None:
    """The span of the year that is written, else of the nearest one."""
    if _given(match, "year"):
        return span(int(match["year"]))
    return _nearest(span, _years(anchor, direction), anchor, direction) if direction else None


def _years(anchor: datetime, direction: int) -> tuple[int, ...]:
    return (anchor.year, anchor.year + direction)


def _nearest(span: Callable[[int], Span], counts: Iterable[int], anchor: datetime, direction: int) -> Span | None:
    """The first of a plan that is not over on the anchor's day, the first of an event that has begun by then; `span` gives that of a year,
    or of whatever is counted, and those that do not exist are passed over, as is 29 February in most years.
    """
    today = anchor.date()
    for count in counts:
        with contextlib.suppress(ValueError):
            found = span(count)
            if (found.to - timedelta(microseconds=1)).date() >= today if direction > 0 else found.from_.date() <= today:
                return found
    return None


def _day(anchor: datetime, year: int, month: int, day: int) -> Span:
    return day_span(date(year, month, day), zone_of(anchor))


def _month(names: Names, written: str) -> int:
    return int(written) if written.isdecimal() else names.months[written]


def _given(match: re.Match[str], name: str) -> str | None:
    """What a group holds; None where it matched nothing, or where the pattern has no such group."""
    return match.groupdict().get(name)
