"""Times of day beside a day: "at 3pm", "das 14h às 16h30", "at 14:00 UTC". By itself a clock is no time: it narrows the day next to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from typing import Final

from memdb.text.time_spans import Precision, Span, minute_span

_NOON: Final = 12 * 60
_DAY: Final = 24 * 60
_MORNING_FROM: Final = 7
"""An hour of at least this, written without more, is read as on a clock of 24 hours; of one below it nobody knows which half is meant."""

_NAMED_ZONE: Final = (
    r"[ae]?[ecmp][ds]t|bst|cest|cet|eest|eet|west|wet|ist|jst|brt|brst|msk|hkt|sgt"
    r"|(?:in )?[a-z]+(?: [a-z]+)? time|(?:n[oa] )?(?:horario|hora) d[eoa] [a-z]+|de (?:brasilia|lisboa|portugal|nova york)"
)
_ZONE: Final = rf"(?: ?(?P<utc>utc|gmt|z)(?P<offset>[+-]\d{{1,2}}(?::?\d\d)?)?(?!\w)| (?P<elsewhere>{_NAMED_ZONE})(?!\w))?"
_EN_HALF: Final = r" ?(?P<half{n}>[ap])\.?m(?!\w)\.?"
_EN: Final = re.compile(
    r"(?<![\w:/.-])(?:"
    rf"(?P<lead>from |between |at )?(?P<h1>\d{{1,2}})(?:[:.](?P<m1>\d\d))?(?:{_EN_HALF.format(n=1)})?"
    rf"(?: (?:to|until|till|through|and) | ?[-–] ?)(?P<h2>\d{{1,2}})(?:[:.](?P<m2>\d\d))?(?:{_EN_HALF.format(n=2)})?"
    rf"|(?P<at>at )?(?P<hour>\d{{1,2}})(?:[:.](?P<minute>\d\d))?(?:{_EN_HALF.format(n='')})?"
    r"|(?:at )?(?:(?P<noon>noon|midday)|(?P<midnight>midnight))"
    rf"){_ZONE}(?![\w/:%]|[.-]\d)"
)
_PT_HOUR: Final = (
    r"(?P<h{n}>\d{{1,2}})(?!\d)(?:(?P<mark{n}>h(?!\w*[a-z])|:(?=\d\d)| horas?(?!\w))(?P<m{n}>(?<=[h:])\d\d)?)?(?: e (?P<half{n}>meia))?"
)
_PT_PART: Final = r"(?: da (?P<part>manha|tarde|noite|madrugada))?"
_PT: Final = re.compile(
    r"(?<![\w:/.-])(?:"
    rf"(?P<lead>das |de |entre (?:as )?){_PT_HOUR.format(n=1)}(?: (?:as|a|e|e as|ate|ate as) | ?[-–] ?){_PT_HOUR.format(n=2)}{_PT_PART}"
    rf"|(?P<at>as? |pelas |la pelas )?{_PT_HOUR.format(n='')}{_PT_PART.replace('part', 'of')}"
    r"|(?:ao )?(?P<noon>meio[- ]dia)(?: e (?P<late>meia)(?![- ]noite))?|(?:a )?(?P<midnight>meia[- ]noite)"
    rf"){_ZONE}(?![\w/:%]|[.-]\d)"
)
_PATTERNS: Final = {"en": (_EN,), "pt": (_PT,)}
_PART_OF_DAY: Final = re.compile(
    r"\b(?:(?P<morning>morning|de manha|pela manha|cedo)|(?P<afternoon>afternoon|a tarde|de tarde|esta tarde)|(?P<evening>evening|night|tonight|a noite|de noite|esta noite))\b"  # noqa: E501
)
_HOURS_OF: Final = {"morning": range(5, 13), "afternoon": range(1, 8), "evening": range(5, 12)}


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day that a text names, from `start` to `end` in it, the latter exclusive.

    first: minutes after midnight. last: where it ends, None for a moment. zone: None where that of the speaker is meant.
    known: False where it could mean two times, or does not exist. sure: False for a bare hour, which needs a part of the day beside it.
    """

    start: int
    end: int
    first: int
    last: int | None = None
    zone: tzinfo | None = None
    known: bool = True
    sure: bool = True


def find_clocks(plain: str, language: str) -> Iterator[Clock]:
    """Give the times of day of a folded text, in order within a language; any language but `en` and `pt` reads both."""
    for pattern in _PATTERNS.get(language, (_EN, _PT)):
        for match in pattern.finditer(plain):
            clock = (_english if pattern is _EN else _portuguese)(match)
            if clock is not None:
                yield replace(clock, known=clock.known and match["elsewhere"] is None)


def narrow(day: Span, clock: Clock, words: str) -> Span | None:
    """Narrow a day by a clock; None where that names no time that exists or could mean two. `words`: of the day, folded.

    >>> midnight = datetime(2026, 5, 14, tzinfo=UTC)
    >>> span = narrow(Span(midnight, midnight + timedelta(days=1), Precision.DAY), Clock(0, 0, 22 * 60, 2 * 60), "tomorrow")
    >>> span and (str(span.from_), str(span.to))
    ('2026-05-14 22:00:00+00:00', '2026-05-15 02:00:00+00:00')
    """
    first = clock.first if clock.sure else of_part(clock.first, words)
    if not clock.known or first is None:
        return None
    begins = _moment(day, first, clock.zone)
    if clock.last is None:
        return minute_span(begins)
    ends = _moment(day, clock.last + (_DAY if clock.last <= first else 0), clock.zone)
    return Span(begins, ends, Precision.PERIOD)


def of_part(minutes: int, words: str) -> int | None:
    """Give a bare hour as minutes of the part of the day that `words` name; None where they name none or it does not fit."""
    part = _PART_OF_DAY.search(words)
    if part is None or part.lastgroup is None or minutes // 60 not in _HOURS_OF[part.lastgroup]:
        return None
    return minutes if part.lastgroup == "morning" else minutes + _NOON


def _moment(day: Span, minutes: int, zone: tzinfo | None) -> datetime:
    date = day.from_.date() + timedelta(days=minutes // _DAY)
    minutes %= _DAY
    moment = datetime.combine(date, time(minutes // 60, minutes % 60), zone or day.from_.tzinfo)
    return moment if zone is None else moment.astimezone(day.from_.tzinfo)


def _noon(match: re.Match[str], late: int, zone: tzinfo | None) -> Clock:
    """Noon, or midnight, which is of either of two days."""
    return Clock(*match.span(), _NOON + late, zone=zone, known=match["midnight"] is None)


def _english(match: re.Match[str]) -> Clock | None:
    zone = _zone(match)
    if match["noon"] or match["midnight"]:
        return _noon(match, 0, zone)
    if match["h1"] is not None:
        return _range(match, _english_range(match), zone)
    minutes = _minutes(match["hour"], match["minute"])
    if match["half"]:
        exists = 1 <= int(match["hour"]) <= 12 and minutes is not None
        return Clock(*match.span(), _halved(minutes or 0, match["half"]), zone=zone, known=exists)
    if match["at"] is None and ":" not in match[0]:
        return None
    return Clock(*match.span(), minutes or 0, zone=zone, known=minutes is not None, sure=match["minute"] is not None)


def _english_range(match: re.Match[str]) -> tuple[int, int] | None:
    first, last = _minutes(match["h1"], match["m1"]), _minutes(match["h2"], match["m2"])
    named = match["lead"] is not None or match["half2"] is not None or (match["m1"] is not None and match["m2"] is not None)
    if first is None or last is None or not named:
        return None
    if match["half2"] is None:  # "from 9am to 5" may be said of either half
        return None if match["half1"] is not None else _as_written(first, last, exact=False)
    last = _halved(last, match["half2"])
    if match["half1"] is not None:
        return _halved(first, match["half1"]), last
    same = _halved(first, match["half2"])
    return (same if same < last else _halved(first, "a")), last


def _portuguese(match: re.Match[str]) -> Clock | None:
    zone = _zone(match)
    if match["noon"] or match["midnight"]:
        return _noon(match, 30 if match["late"] else 0, zone)
    if match["h1"] is not None:
        return _range(match, _portuguese_range(match), zone)
    minutes, marked = _written(match, ""), match["mark"] is not None or match["of"] is not None
    if not marked and match["at"] is None:
        return None
    if minutes is None:
        return Clock(*match.span(), 0, known=False)
    if match["of"] in {"tarde", "noite"} and minutes < _NOON:
        minutes += _NOON
    return Clock(*match.span(), minutes, zone=zone, sure=marked or minutes >= _MORNING_FROM * 60)


def _portuguese_range(match: re.Match[str]) -> tuple[int, int] | None:
    first, last = _written(match, "1"), _written(match, "2")
    marked = match["mark1"] is not None or match["mark2"] is not None
    if first is None or last is None or (match["lead"] == "de " and not marked):
        return None
    if match["part"] in {"tarde", "noite"} and last < _NOON:
        return (first + _NOON if first < last else first), last + _NOON
    return _as_written(first, last, exact=marked or match["part"] is not None)


def _written(match: re.Match[str], number: str) -> int | None:
    minutes = _minutes(match[f"h{number}"], match[f"m{number}"])
    return minutes if minutes is None or match[f"half{number}"] is None else minutes + 30


def _as_written(first: int, last: int, *, exact: bool) -> tuple[int, int] | None:
    """Two hours without a half of the day: "from 9 to 5" ends in the afternoon, "from 2 to 4" may be at night. `exact`: of 24 hours."""
    if exact:
        return first, last
    if first < _MORNING_FROM * 60:
        return None
    return first, last + _NOON if last <= first < _NOON + 60 and last + _NOON < _DAY else last


def _range(match: re.Match[str], hours: tuple[int, int] | None, zone: tzinfo | None) -> Clock | None:
    return None if hours is None else Clock(*match.span(), *hours, zone=zone)


def _halved(minutes: int, half: str) -> int:
    return minutes % _NOON + (_NOON if half == "p" else 0)


def _minutes(hour: str, minute: str | None) -> int | None:
    if int(hour) > 23 or int(minute or 0) > 59:
        return None
    return int(hour) * 60 + int(minute or 0)


def _zone(match: re.Match[str]) -> tzinfo | None:
    if match["utc"] is None:
        return None
    if match["offset"] is None:
        return UTC
    sign, digits = match["offset"][0], match["offset"][1:].replace(":", "")
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)
    away = timedelta(hours=min(hours, 23), minutes=min(minutes, 59))
    return timezone(-away if sign == "-" else away)
