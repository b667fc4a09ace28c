"""Days and months that are named alone, "on Thursday", "em outubro": which one is meant follows from whether a plan or an event is told."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final

from memdb.text.time_spans import Span, day_span, month_span
from memdb.text.times import TimeMention, find_times, fold_in_place

_DAYS: Final = {
    "en": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    "pt": ("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo"),
}
_MONTHS: Final = {
    "en": "january february march april may june july august september october november december".split(),  # noqa: SIM905
    "pt": "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro".split(),  # noqa: SIM905
}
_DAY: Final = {
    "en": re.compile(
        rf"\bon (?P<name>{'|'.join(_DAYS['en'])})(?: (?:morning|afternoon|evening|night))?\b(?!'|s\b| (?:and|or|to) (?:{'|'.join(_DAYS['en'])}))"
    ),
    "pt": re.compile(
        rf"\bn[ao] (?P<name>{'|'.join(_DAYS['pt'])})(?:-feira)?(?: (?:de manha|à tarde|à noite|a tarde|a noite|de tarde|de noite))?\b"
        r"(?!-| (?:que vem|passad[oa]|(?:e|ou) (?:n[ao] )?(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)|(?:vez|feira|parte|serie|edicao|rodada|divisao|via)))"
    ),
}
_MONTH: Final = {
    "en": re.compile(rf"\bin (?P<name>{'|'.join(_MONTHS['en'])})\b(?!,? \d)"),
    "pt": re.compile(rf"\bem (?P<name>{'|'.join(_MONTHS['pt'])})\b(?! (?:de )?(?:\d|passado|que vem))"),
}


def find_with_bare(text: str, language: str, said_at: datetime | None, direction: int) -> list[TimeMention]:
    """As `find_times`, and days and months that are named alone, where a `direction` says which: 1 the next one, -1 the last one.

    One that could be today's, or this month's of a plan, stays open. A language other than en and pt reads both.
    """
    found = find_times(text, language, said_at)
    if not direction:
        return found
    plain = fold_in_place(text)
    for one in (language,) if language in _DAYS else ("en", "pt"):
        for pattern, names in ((_DAY[one], _DAYS[one]), (_MONTH[one], _MONTHS[one])):
            for match in pattern.finditer(plain):
                start, end = match.start("name"), match.end()
                if any(start < other.end and other.start < end for other in found):
                    continue
                number = list(names).index(match["name"])
                span = None if said_at is None else (_day if pattern is _DAY[one] else _month)(number, said_at, direction)
                none = (None, None, None)
                found.append(TimeMention(start, end, *(none if span is None else (span.from_, span.to, span.precision))))
    return sorted(found, key=lambda mention: mention.start)


def _day(number: int, said_at: datetime, direction: int) -> Span | None:
    today = said_at.date()
    away = (number - today.weekday()) * direction % 7
    return day_span(today + timedelta(days=away * direction), said_at.tzinfo) if away and said_at.tzinfo else None


def _month(number: int, said_at: datetime, direction: int) -> Span | None:
    today: date = said_at.date()
    away = (number + 1 - today.month) * direction % 12
    if said_at.tzinfo is None or (not away and direction > 0):
        return None
    months = today.year * 12 + today.month - 1 + away * direction
    return month_span(months // 12, months % 12 + 1, said_at.tzinfo)
