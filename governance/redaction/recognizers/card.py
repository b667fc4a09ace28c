"""Payment cards: number ranges of the schemes, lengths, Luhn. Presidio's pattern also takes timestamps that start with 1."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import CREDIT_CARD
from governance.redaction.recognizers.base import CHECKED, Pattern, PatternRecognizer, digits_of


def _passes_luhn(value: str) -> bool:
    digits = digits_of(value)
    if not 12 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = (int(digit) * 2 for digit in digits[-2::-2])
    total = sum(int(digit) for digit in digits[::-2]) + sum(n - 9 if n > 9 else n for n in doubled)
    return total % 10 == 0


# Visa 4, Mastercard 51-55 and 2221-2720, Amex 34 and 37, Diners 30 36 38, JCB 35, Discover, Elo, Hipercard, Maestro 50 56-58 and 6.
_SCHEME: Final = r"(?:4|5[0-8]|2[2-7]|3|6)"
RECOGNIZER: Final = PatternRecognizer(
    "card",
    CREDIT_CARD,
    (
        Pattern(
            re.compile(rf"(?<![A-Za-z0-9.])(?<!\d[-/ ])(?={_SCHEME})\d(?:[ \n-]{{0,2}}\d){{12,18}}(?![A-Za-z0-9])(?!-[0-9a-f])", re.ASCII),
            CHECKED,
            check=_passes_luhn,
        ),
        # Behind the word any scheme counts, also old ones with twelve digits.
        Pattern(
            re.compile(
                r"(?<![A-Za-z])(?:card|cart[aã]o)(?![A-Za-z])[^\d\n\uffff]{0,40}(?P<value>\d(?:[ -]?\d){11,18})(?![A-Za-z0-9])",
                re.IGNORECASE,
            ),
            CHECKED,
            needs=("card", "cart"),
            check=_passes_luhn,
        ),
        # Groups as printed on the card, whatever digits stand before or behind.
        Pattern(
            re.compile(
                rf"(?<![A-Za-z0-9])(?={_SCHEME})\d{{4}}([ -])(?:\d{{4}}\1\d{{4}}\1\d{{4}}|\d{{6}}\1\d{{5}})(?![A-Za-z0-9])", re.ASCII
            ),
            CHECKED,
            check=_passes_luhn,
        ),
    ),
)
