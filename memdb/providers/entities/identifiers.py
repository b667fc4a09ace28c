"""Identifiers in running text: order and ticket codes, product versions, UUIDs. Not dates, amounts, units or ordinals."""

from __future__ import annotations

import re

from memdb.providers.entities.base import Mention, MentionKind
from memdb.text.normalise import fold

# INVARIANT: linear: letters and joints exclude each other, possessive.
_TOKEN = re.compile(r"(?<![\w@])#?[^\W_]++(?>(?:[-._/][^\W_]++)*)(?![\w@])")
_LABEL_BEFORE = "["
_PLAIN = re.compile(
    r"""
      \d+(?:[.,:/-]\d+)*                                             # numbers, dates, times
    | \d+(?:[.,]\d+)?(?:st|nd|rd|th|[ºªoa]|s|x|k|m|b|h|d|w|y|am|pm
        |min|mins|sec|hrs?|hours?|kg|g|mg|km|cm|mm|mi|ft|in|lb|lbs|oz|l|ml|[kmgt]b|[kmgt]ib
        |ms|px|pt|hz|[kmg]hz|w|kw|kwh|v|mah|usd|eur|brl|mph|kmh|c|f)  # ordinals, decades, amounts
    | \d+h\d+(?:min|m)?                                              # 10h30
    | \d{4}-\d\d-\d\dt\d.*                                           # ISO time
    | \d+(?:-[a-z]+)+                                                # 3-year
    | (?:[a-z]+-)?\d+-?(?:day|week|month|year|hour|minute)s?(?:-old)?
    """,
    re.VERBOSE,
)
_LENGTHS = range(3, 81)


def find_identifiers(text: str) -> list[Mention]:
    """Find tokens that mix letters and digits, or a number behind "#", in order.

    >>> [mention.surface for mention in find_identifiers("Order QX-58213 runs on pg-15.2 since 2024-03-01, 3pm, #4411")]
    ['QX-58213', 'pg-15.2', '#4411']
    """
    found: list[Mention] = []
    for match in _TOKEN.finditer(text):
        surface = match[0]
        if len(surface) not in _LENGTHS or not _is_identifier(surface) or text[max(0, match.start() - 1) : match.start()] == _LABEL_BEFORE:
            continue
        found.append(Mention(match.start(), match.end(), surface, fold(surface), MentionKind.IDENTIFIER))
    return found


def _is_identifier(surface: str) -> bool:
    if surface.startswith("#"):
        return surface[1:].isdecimal() or _mixes(surface[1:])
    return _mixes(surface) and _PLAIN.fullmatch(surface.lower()) is None


def _mixes(surface: str) -> bool:
    return any(map(str.isdigit, surface)) and any(character.isascii() and character.isalpha() for character in surface)
