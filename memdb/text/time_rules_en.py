"""English time expressions.

"next Friday" is the first Friday after the day of the text, also when that is tomorrow; "this Friday" is the Friday of the same week
(Monday to Sunday). "next weekend" is the first one that begins after the day of the text. A bare "on Friday" looks both ways.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from memdb.text.time_directed import (
    bare_month,
    day_of_month,
    days_of,
    fixed_day,
    months_of,
    named_day,
    nth_of_month,
    week_of,
    weekday,
    weekdays_of,
    weekend,
)
from memdb.text.time_resolvers import (
    Directed,
    Names,
    Rule,
    any_of,
    day_or_month_first,
    directed,
    full_date,
    month_of_relative_year,
    month_of_year,
    named_month,
    nearest_weekday,
    neighbour,
    next_weekend,
    nth_of_relative_month,
    offset_days,
    rule,
    units,
    unknown,
    weekday_of_week,
    weekend_of_week,
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

_FROM_DAY = r"(?<!\d[:.])(?P<from_day>\d{1,2})(?:st|nd|rd|th)?"
_FROM_MONTH = rf"(?P<from_month>{any_of(NAMES.months)})\.?"
_TO = r"(?: (?:to|until|till|through|thru)(?: the)? | ?[-–—] ?)"
_ENDS = r"(?=$|[,.;:!?)]| (?:at|from|to|until|till|through|and|with|for|in|because|but|so)\b| ?[-–—\d])"
"""What may follow a day that is named alone: behind "Friday" it is the day, in "a Friday meeting" a part of a name."""
_BEFORE = (
    "(?:"
    + "|".join(f"(?<={word} )" for word in ("on", "until", "till", "by", "from", "since", "before", "after", "starting", "through"))
    + ")"
)
_ONCE = "(?<!every )(?<!each )(?<!every other )(?<!every second )"
_PART_OF = r"(?:early|mid|late|(?:beginning|start|middle|end) of)"
_ORDINALS: Final = MappingProxyType(
    {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5, "last": -1}
)
_NTH = rf"(?:the )?(?P<nth>{any_of(_ORDINALS)}) {_WEEKDAY}{_PART} (?:of|in) "
_FEASTS = (
    (r"christmas eve|xmas eve", 12, 24),
    (r"christmas day|xmas day|(?:(?<=at )|(?<=on )|(?<=until )|(?<=by ))(?:christmas|xmas)", 12, 25),
    (r"boxing day", 12, 26),
    (r"new year'?s eve", 12, 31),
    (r"new year'?s day", 1, 1),
    (r"valentine'?s(?: day)?", 2, 14),
    (r"halloween", 10, 31),
)


def _ranges(first: str, last: str, resolve: Directed, *, plain: bool = False) -> tuple[Rule, Rule]:
    return (
        directed(rf"(?:from (?:the )?)?{first}{_TO}{last}(?![:.]\d)", resolve, plain=plain),
        directed(rf"between (?:the )?{first} and (?:the )?{last}(?![:.]\d)", resolve, plain=plain),
    )


RULES: Final = (
    rule(rf"{_DAY}(?: of)? {_MONTH},? {_YEAR}", full_date(NAMES), relative=False),
    rule(rf"{_MONTH} {_DAY},? {_YEAR}", full_date(NAMES), relative=False),
    rule(rf"(?:{_PART_OF}[ -])?(?P<said>{_MONTH}(?: of)?,? {_YEAR})", month_of_year(NAMES), relative=False),
    rule(rf"(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/{_YEAR}", day_or_month_first, relative=False),
    directed(rf"{_DAY}(?: of)? {_MONTH}", named_day(NAMES)),
    directed(rf"{_MONTH} {_DAY}(?![:.]\d)", named_day(NAMES)),
    *_ranges(rf"{_FROM_DAY}(?:(?: of)? {_FROM_MONTH})?", rf"{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?", days_of(NAMES)),
    *_ranges(rf"{_FROM_MONTH} {_FROM_DAY}", rf"(?:{_MONTH} )?{_DAY}(?:,? {_YEAR})?", days_of(NAMES)),
    *_ranges(r"(?<!\d[:.])(?P<from_day>\d{1,2})(?:st|nd|rd|th)", r"(?P<day>\d{1,2})(?:st|nd|rd|th)", days_of(NAMES)),
    *_ranges(rf"(?P<from_month>{'|'.join(_MONTHS)})", rf"{_MONTH_NAME}(?:,? {_YEAR})?", months_of(NAMES), plain=True),
    *_ranges(rf"(?P<from_weekday>{any_of(NAMES.weekdays)}){_PART}", rf"{_WEEKDAY}{_PART}(?!s\b)", weekdays_of(NAMES), plain=True),
    directed(rf"(?:the )?week of (?:the )?{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?", week_of(NAMES)),
    directed(rf"(?:the )?week of {_MONTH} {_DAY}(?:,? {_YEAR})?", week_of(NAMES)),
    directed(rf"{_NTH}(?:{_MONTH_NAME}(?:,? {_YEAR})?|(?:the|this) month)", nth_of_month(NAMES, _ORDINALS)),
    rule(rf"{_NTH}next month", nth_of_relative_month(NAMES, _ORDINALS, 1), relative=True),
    rule(rf"{_NTH}last month", nth_of_relative_month(NAMES, _ORDINALS, -1), relative=True),
    rule(rf"{_PART_OF}[ -](?P<said>(?:the|this) (?P<unit>week|month|year))", neighbour(NAMES, 0), relative=True),
    directed(rf"(?:in|until|till|since|from|by|{_PART_OF})[ -](?P<said>{_MONTH_NAME})(?!,? \d)", bare_month(NAMES), plain=True),
    directed(rf"{_BEFORE}the (?P<day>\d{{1,2}})(?:st|nd|rd|th){_ENDS}", day_of_month, plain=True),
    directed(rf"{_ONCE}{_BEFORE}{_WEEKDAY}{_PART}(?!'|s\b)", weekday(NAMES), plain=True),
    directed(rf"{_ONCE}{_WEEKDAY}{_PART}{_ENDS}", weekday(NAMES), plain=True),
    *(directed(rf"(?:{words}){_ENDS}", fixed_day(month, day), plain=True) for words, month, day in _FEASTS),
    rule(rf"(?:a|one|two|three) weeks? (?:on|from) (?:{_WEEKDAY}|tomorrow)", unknown, relative=True),
    rule(rf"{_WEEKDAY} week(?!end)", unknown, relative=True),
    rule(r"this weekend", weekend_of_week(0), relative=True),
    rule(r"(?:last|this past) weekend", weekend_of_week(-1), relative=True),
    rule(r"next weekend", next_weekend, relative=True),
    directed(r"(?:at|over|on|during) (?P<said>the weekend)", weekend, plain=True),
    rule(rf"(?:in|since|during|by|until|before|after) {_YEAR}", year, relative=False),
    rule(r"(?:the )?day before yesterday", offset_days(-2), relative=True),
    rule(rf"(?:yesterday{_PART}|last night)", offset_days(-1), relative=True),
    rule(r"(?:today|tonight|this (?:morning|afternoon|evening))", offset_days(0), relative=True),
    rule(rf"tomorrow{_PART}", offset_days(1), relative=True),
    rule(r"(?:the )?day after tomorrow", offset_days(2), relative=True),
    rule(rf"{_COUNT} (?:ago|earlier)", units(NAMES, -1), relative=True),
    rule(rf"in {_COUNT}(?: time|'s? time)?", units(NAMES, 1), relative=True),
    rule(rf"{_COUNT} from (?:now|today)", units(NAMES, 1), relative=True),
    rule(r"(?:last|previous) (?P<unit>week|month|year)", neighbour(NAMES, -1), relative=True),
    rule(r"this (?P<unit>week|month|year)", neighbour(NAMES, 0), relative=True),
    rule(r"next (?P<unit>week|month|year)", neighbour(NAMES, 1), relative=True),
    rule(rf"last {_WEEKDAY}{_PART}", nearest_weekday(NAMES, -1), relative=True),
    rule(rf"this {_WEEKDAY}{_PART}", weekday_of_week(NAMES, 0), relative=True),
    rule(rf"next {_WEEKDAY}{_PART}", nearest_weekday(NAMES, 1), relative=True),
    rule(rf"{_WEEKDAY} (?:of )?last week", weekday_of_week(NAMES, -1), relative=True),
    rule(rf"{_WEEKDAY} (?:of )?next week", weekday_of_week(NAMES, 1), relative=True),
    rule(rf"last {_MONTH_NAME}", named_month(NAMES, -1), relative=True),
    rule(rf"next {_MONTH_NAME}", named_month(NAMES, 1), relative=True),
    rule(rf"{_MONTH_NAME}(?: of)? last year", month_of_relative_year(NAMES, -1), relative=True),
    rule(rf"{_MONTH_NAME}(?: of)? next year", month_of_relative_year(NAMES, 1), relative=True),
)
