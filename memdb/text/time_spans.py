"""Calendar arithmetic for times in texts: days, ISO weeks, months and years as half-open spans in one zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum


class Precision(StrEnum):
    """How wide the span of a mention is."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"  # Monday to Sunday (ISO 8601)
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Span:
    """A time from `from_` up to, not including, `to`; both aware."""

    from_: datetime
    to: datetime
    precision: Precision


def days(first: date, last_exclusive: date, precision: Precision, zone: tzinfo) -> Span:
    """Span whole days, from midnight to midnight on the wall clock of the zone."""
    return Span(datetime.combine(first, time(), zone), datetime.combine(last_exclusive, time(), zone), precision)


def day_span(day: date, zone: tzinfo) -> Span:
    return days(day, day + timedelta(days=1), Precision.DAY, zone)


def week_span(day: date, zone: tzinfo) -> Span:
    """Span the ISO week that holds the day."""
    monday = day - timedelta(days=day.weekday())
    return days(monday, monday + timedelta(days=7), Precision.WEEK, zone)


def month_span(year: int, month: int, zone: tzinfo) -> Span:
    first = date(year, month, 1)
    return days(first, add_months(first, 1), Precision.MONTH, zone)


def year_span(year: int, zone: tzinfo) -> Span:
    return days(date(year, 1, 1), date(year + 1, 1, 1), Precision.YEAR, zone)


def minute_span(moment: datetime) -> Span:
    start = moment.replace(second=0, microsecond=0)
    return Span(start, start + timedelta(minutes=1), Precision.MINUTE)


def hour_span(moment: datetime) -> Span:
    start = moment.replace(minute=0, second=0, microsecond=0)
    return Span(start, start + timedelta(hours=1), Precision.HOUR)


def at_time(span: Span, hour: int, minute: int) -> Span:
    """Narrow a day to a minute of it.

    Raises:
        ValueError: no such time of day.
    """
    return minute_span(span.from_.replace(hour=hour, minute=minute))


def add_months(day: date, count: int) -> date:
    """Move by months; a day that the target month lacks becomes its last day.

    Raises:
        ValueError: the year leaves 1..9999.

    >>> add_months(date(2024, 1, 31), 1)
    datetime.date(2024, 2, 29)
    """
    index = day.year * 12 + day.month - 1 + count
    year, month = index // 12, index % 12 + 1
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month, min(day.day, last))
        except ValueError:
            continue
    raise ValueError(f"year {year} is outside 1..9999")


def shift(anchor: datetime, unit: str, count: int) -> Span:
    """Give the minute, hour, day, ISO week, month or year that lies `count` units after the anchor (before it when negative).

    Raises:
        ValueError, OverflowError: the year leaves 1..9999.
    """
    zone, today = zone_of(anchor), anchor.date()
    if unit == "minute":
        return minute_span((anchor.astimezone(UTC) + timedelta(minutes=count)).astimezone(zone))
    if unit == "hour":
        return hour_span((anchor.astimezone(UTC) + timedelta(hours=count)).astimezone(zone))
    if unit == "day":
        return day_span(today + timedelta(days=count), zone)
    if unit == "week":
        return week_span(today + timedelta(weeks=count), zone)
    if unit == "month":
        target = add_months(today, count)
        return month_span(target.year, target.month, zone)
    if unit == "year":
        return year_span(today.year + count, zone)
    raise ValueError(f"unit {unit} is unknown")


def weekday_span(anchor: datetime, weekday: int, direction: int) -> Span:
    """Give the nearest such weekday (Monday is 0) strictly after the anchor's day (`direction` 1), or strictly before it (-1)."""
    today = anchor.date()
    distance = (weekday - today.weekday()) * direction % 7 or 7
    return day_span(today + timedelta(days=direction * distance), zone_of(anchor))


def named_month_span(anchor: datetime, month: int, direction: int) -> Span:
    """Give the nearest such month that is not the anchor's, after it (1) or before it (-1)."""
    distance = (month - anchor.month) * direction % 12 or 12
    target = add_months(anchor.date().replace(day=1), direction * distance)
    return month_span(target.year, target.month, zone_of(anchor))


def zone_of(anchor: datetime) -> tzinfo:
    """Give the zone of an aware datetime."""
    zone = anchor.tzinfo
    assert zone is not None, "an anchor is aware"
    return zone
