"""Payment cards: number ranges of the schemes with their lengths, and Luhn; behind the word also with a typing error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.digits import stands_apart
from governance.redaction.entities import CREDIT_CARD
from governance.redaction.findings import EntityType, Finding
from governance.redaction.named import DOCUMENTS, NamedPattern
from governance.redaction.nearby import Named, kind_of
from governance.redaction.reading import Reading, read
from governance.redaction.recognizers.base import CERTAIN, CHECKED, SHAPED, digits_of
from governance.redaction.vocabulary import OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator

# Visa; Mastercard; Amex; Diners; JCB; Discover, UnionPay, Elo, Hipercard and Maestro share 5 and 6. A length is half of the proof: an IMEI
# has fifteen digits and Luhn too, and what is sold has thirteen (EAN). Source: ISO/IEC 7812 ranges as the schemes publish them.
_SCHEME: Final = re.compile(
    r"4[0-9]{15}(?:[0-9]{3})?|5[0-9]{15}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|09|[689][0-9])[0-9]{11}|3[568][0-9]{14}|6[0-9]{15}(?:[0-9]{3})?|5[06-8][0-9]{14,17}"
)
_RUN: Final = re.compile(r"(?<![0-9])[0-9](?:[ \t\r\n_-]{0,2}[0-9]){13,40}")
# A sign that ends sentences and divides lists counts only where it divides all of a card's groups alike.
_DIVIDED: Final = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9][.,/])(?:[2-6][0-9]{3}(?P<sign>[ ]?[./|:·•*][ ]?)[0-9]{4}(?P=sign)[0-9]{4}(?P=sign)[0-9]{4}"
    r"|3[0-9]{3}(?P<sign_of_three>[ ]?[./|:·•*][ ]?)[0-9]{6}(?P=sign_of_three)[0-9]{4,5})(?![0-9A-Za-z])(?![.,/][0-9])"
)
_GROUP: Final = re.compile(r"[0-9]{1,41}")
_LABELLED: Final = re.compile(r"(?<![0-9])(?<![0-9][.,/-])[0-9](?:[ .-]?[0-9]){11,18}(?![0-9])(?![.,/-][0-9])")
CARD_KINDS: Final = frozenset({"card", "cc"})
GROUPS_MAX: Final = 6
LENGTHS_UNPROVEN: Final = range(14, 20)


def passes_luhn(digits: str) -> bool:
    """Tell whether the check digit of a number of any scheme holds; all the same digit is a placeholder."""
    doubled = (int(digit) * 2 for digit in digits[-2::-2])
    total = sum(int(digit) for digit in digits[::-2]) + sum(n - 9 if n > 9 else n for n in doubled)
    return total % 10 == 0 and len(set(digits)) > 1


class CardRecognizer:
    """Windows of whole groups of digits that are a card of some scheme, longest first at each place."""

    name = "card"
    entities: tuple[EntityType, ...] = (CREDIT_CARD,)

    def find(self, text: str) -> Iterator[Finding]:
        reading = read(text)
        for match in _DIVIDED.finditer(text):
            digits = digits_of(match[0])
            if _SCHEME.fullmatch(digits) and passes_luhn(digits):
                yield Finding(CREDIT_CARD, *match.span(), _score(kind_of(reading, *match.span())))
        for run in _RUN.finditer(text):
            groups = [match.span() for match in _GROUP.finditer(text, *run.span())]
            free = 0
            for first in range(len(groups)):
                if first >= free:
                    last = _longest_card(reading, groups, first)
                    if last is not None:
                        start, end = groups[first][0], groups[last][1]
                        yield Finding(CREDIT_CARD, start, end, _score(kind_of(reading, start, end)))
                        free = last + 1


def _longest_card(text: Reading, groups: list[tuple[int, int]], first: int) -> int | None:
    """Return the index of the last group of the longest card that begins with group `first`."""
    if text[groups[first][0]] not in "23456":
        return None
    for last in range(min(len(groups), first + GROUPS_MAX) - 1, first - 1, -1):
        start, end = groups[first][0], groups[last][1]
        digits = digits_of(text[start:end])
        if _SCHEME.fullmatch(digits) and passes_luhn(digits) and _apart(text, start, end):
            return last
    return None


def _score(kind: str | None) -> float:
    if kind in CARD_KINDS:
        return CERTAIN
    return SHAPED if kind in DOCUMENTS else CHECKED  # the word for another document says more than Luhn


def _apart(text: Reading, start: int, end: int) -> bool:
    """A bare run must not be part of a longer code, nor be named as something else."""
    if text[end : end + 1].isdigit():
        return False
    if text[start:end].isdigit():
        return stands_apart(text, start, end) and kind_of(text, start, end) != OTHER and text[max(0, start - 1) : start] != "."
    return True


def _is_labelled_card(text: str, start: int, end: int, _named: Named) -> bool:
    digits = digits_of(text[start:end])
    return (len(digits) in LENGTHS_UNPROVEN or passes_luhn(digits)) and len(set(digits)) > 1


RECOGNIZER: Final = CardRecognizer()
LABELLED: Final = NamedPattern("card_labelled", CREDIT_CARD, CARD_KINDS, _LABELLED, _is_labelled_card)
