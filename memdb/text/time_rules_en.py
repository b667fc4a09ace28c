"""English time expressions.

"next Friday" is the first Friday after the day of the text, also when that is tomorrow; "this Friday" is the Friday of the same week
(Monday to Sunday). A bare "on Friday" is not read: it looks both ways.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from memdb.text.time_resolvers import (
    Names,
    any_of,
    day_or_month_first,
    full_date,
    month_of_relative_year,
    month_of_year,
    named_month,
    nearest_weekday,
    neighbour,
    offset_days,
    rule,
    units,
    unknown,
    weekday_of_week,
    year,
)

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_UNITS = ("minute", "hour", "day", "week", "month", "year")

NAMES: Final = Names(
    months=MappingProxyType(
        {**{name[:3]: n for n, name in enumerate(_MONTHS, 1)}, "sept": 9, **{name: n for n, name in enumerate(_MONTHS, 1)}}
    ),
    weekdays=MappingProxyType({name: n for n, name in enumerate(_WEEKDAYS)}),
    numbers=MappingProxyType(
        {**{word: n for n, word in enumerate(_NUMBERS, 1)}, "a": 1, "an": 1, "a couple of": 2, "fifteen": 15, "twenty": 20, "thirty": 30}
    ),
    units=MappingProxyType({**{unit: unit for unit in _UNITS}, **{f"{unit}s": unit for unit in _UNITS}}),
)

_MONTH = rf"(?P<month>{any_of(NAMES.months)})\.?"
_MONTH_NAME = rf"(?P<month>{'|'.join(_MONTHS)})"
_WEEKDAY = rf"(?P<weekday>{any_of(NAMES.weekdays)})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_COUNT = rf"(?P<number>\d{{1,3}}|{any_of(NAMES.numbers)}) (?P<unit>{any_of(NAMES.units)})"
_PART = r"(?: (?:morning|afternoon|evening|night))?"
_CLOCK = (
    r"(?:,? (?:at )?(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))? ?(?P<half>[ap])\.?m(?!\w)"
    r"|,? at (?P<hour24>\d{1,2}):(?P<minute24>\d\d))?"
)

RULES: Final = (
    rule(rf"{_DAY}(?: of)? {_MONTH},? {_YEAR}{_CLOCK}", full_date(NAMES), relative=False),
    rule(rf"{_MONTH} {_DAY},? {_YEAR}{_CLOCK}", full_date(NAMES), relative=False),
    rule(rf"{_MONTH}(?: of)?,? {_YEAR}", month_of_year(NAMES), relative=False),
    rule(rf"(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/{_YEAR}", day_or_month_first, relative=False),
    rule(rf"{_DAY}(?: of)? {_MONTH_NAME}", unknown, relative=False),
    rule(rf"{_MONTH_NAME} {_DAY}", unknown, relative=False),
    rule(rf"(?:in|since|during|by|until|before|after) {_YEAR}", year, relative=False),
    rule(rf"(?:the )?day before yesterday{_CLOCK}", offset_days(-2), relative=True),
    rule(rf"(?:yesterday{_PART}|last night){_CLOCK}", offset_days(-1), relative=True),
    rule(rf"(?:today|tonight|this (?:morning|afternoon|evening)){_CLOCK}", offset_days(0), relative=True),
    rule(rf"tomorrow{_PART}{_CLOCK}", offset_days(1), relative=True),
    rule(rf"(?:the )?day after tomorrow{_CLOCK}", offset_days(2), relative=True),
    rule(rf"{_COUNT} (?:ago|earlier)", units(NAMES, -1), relative=True),
    rule(rf"in {_COUNT}(?: time|'s? time)?", units(NAMES, 1), relative=True),
    rule(rf"{_COUNT} from (?:now|today)", units(NAMES, 1), relative=True),
    rule(r"(?:last|previous) (?P<unit>week|month|year)", neighbour(NAMES, -1), relative=True),
    rule(r"this (?P<unit>week|month|year)", neighbour(NAMES, 0), relative=True),
    rule(r"next (?P<unit>week|month|year)", neighbour(NAMES, 1), relative=True),
    rule(rf"last {_WEEKDAY}{_PART}{_CLOCK}", nearest_weekday(NAMES, -1), relative=True),
    rule(rf"this {_WEEKDAY}{_PART}{_CLOCK}", weekday_of_week(NAMES, 0), relative=True),
    rule(rf"next {_WEEKDAY}{_PART}{_CLOCK}", nearest_weekday(NAMES, 1), relative=True),
    rule(rf"{_WEEKDAY} (?:of )?last week", weekday_of_week(NAMES, -1), relative=True),
    rule(rf"{_WEEKDAY} (?:of )?next week", weekday_of_week(NAMES, 1), relative=True),
    rule(rf"last {_MONTH_NAME}", named_month(NAMES, -1), relative=True),
    rule(rf"next {_MONTH_NAME}", named_month(NAMES, 1), relative=True),
    rule(rf"{_MONTH_NAME}(?: of)? last year", month_of_relative_year(NAMES, -1), relative=True),
    rule(rf"{_MONTH_NAME}(?: of)? next year", month_of_relative_year(NAMES, 1), relative=True),
)
