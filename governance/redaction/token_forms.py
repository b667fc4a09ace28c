"""What the recognizers of keys and tokens share: a boundary, and what tells a key from a placeholder."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

BEGIN: Final = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f][0-9A-Fa-f]))"
"""No letter or digit before, except one of an escaped line break (`\\n` in JSON) or of a percent-encoded sign in a URL."""

UUID: Final = r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"

_PLACEHOLDER: Final = re.compile(r"your[_-]|_here|example[_-]?key|placeholder|change[_-]?me|x{6}|0{8}|\*{3}", re.IGNORECASE)


def is_filled_in(value: str) -> bool:
    """Refuse what documentation writes in place of a key."""
    return _PLACEHOLDER.search(value) is None


def has_digit(value: str) -> bool:
    """Refuse placeholders and runs of words: a random value of this length without a digit is rare."""
    return is_filled_in(value) and any(char.isdigit() for char in value)


def is_random(value: str) -> bool:
    """Tell whether digits, capitals and small letters change as often as in random text; names in code change at word borders only."""
    kinds = [_kind(char) for char in value]
    changes = sum(before != after for before, after in pairwise(kinds))
    return len({"digit", "upper", "lower"} & set(kinds)) == len(("digit", "upper", "lower")) and changes * 3 >= len(value)


def _kind(char: str) -> str:
    if char.isdigit():
        return "digit"
    if char.isupper():
        return "upper"
    return "lower" if char.islower() else "sign"
