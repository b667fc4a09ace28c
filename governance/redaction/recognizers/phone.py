"""Phone numbers that `phonenumbers` calls valid, for Brazil, the United States, or any country behind a plus sign."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import phonenumbers

from governance.redaction.entities import PHONE_NUMBER
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import LABELLED, SHAPED, has_word_before

if TYPE_CHECKING:
    from collections.abc import Iterator

REGIONS: Final = ("BR", "US")
NATIONAL_DIGITS_MIN: Final = 10
SIGNS_MAX: Final = 8  # as in `+55 (11) 9-8765-4321`

_CANDIDATE: Final = re.compile(
    # A plus sign starts a number wherever it stands; other digits may be the tail of a code, a path or a price.
    r"(?:(?<![A-Za-z0-9])\+ ?|(?<![A-Za-z0-9])(?<![A-Za-z0-9][-./#=])(?<!\$)(?<!\$ ))"
    r"\(?[0-9](?:[ ().-]{0,3}[0-9]){7,14}(?![A-Za-z0-9])(?![-_][A-Za-z0-9])",
)
_SHORT: Final = re.compile(
    r"(?<![A-Za-z0-9])(?<![A-Za-z0-9][-_./])(?:9\d{4}|[2-5]\d{3})[- ]\d{4}(?![A-Za-z0-9])(?![-_./][A-Za-z0-9])", re.ASCII
)
_WORDS: Final = re.compile(
    r"(?<![A-Za-z])(?:phone|telephone|mobile|cell(?:phone)?|call(?: me)?|text me|tel|telefone|celular|cel|fone|whats ?app|whats|wpp|zap|"
    r"lig(?:ar|ue|a)|contato|contact|fax|sms|number is|numero|número|(?:his|her|my|their) number)(?![A-Za-z])|'s number(?![a-z])",
    re.IGNORECASE,
)
_WINDOW: Final = 40
_BARE_MOBILE: Final = re.compile(r"(?:55)?[1-9][1-9]9\d{8}", re.ASCII)
_NOT_A_PHONE: Final = re.compile(
    r"\d{1,3}\.\d{5,}(?: \d{1,3}\.\d{5,})?"  # decimals, coordinates
    r"|\d{4}-\d{2}-\d{2}.*|\d{2}[-.]\d{2}[-.]\d{4}.*"  # dates
    r"|\d{1,3}(?:\.\d{3}){2,}"  # thousands with points
    r"|(?:\d{1,3}\.){3}\d{1,3}"  # IP addresses, versions
    r"|\d{3}\.\d{3}\.\d{3}-\d{2}"  # the form of a CPF, whose check digits were wrong
    r"|0[3589]00.*|[34]00\d[- ]\d{4}"  # Brazilian hotlines belong to nobody
    r"|(?:19|20)\d{2} ?- ?(?:19|20)\d{2}"  # spans of years
)


class PhoneRecognizer:
    """Bare digit runs count where they have the form of a Brazilian mobile, or where a word for a phone stands before."""

    name = "phone"
    entities: tuple[EntityType, ...] = (PHONE_NUMBER,)

    def find(self, text: str) -> Iterator[Finding]:
        for match in _CANDIDATE.finditer(text):
            start, end = match.span()
            found = self._valid_prefix(text, start, end)
            if found is not None:
                yield found
        for match in _SHORT.finditer(text):
            if not _NOT_A_PHONE.fullmatch(match[0]) and has_word_before(text, match.start(), _WORDS, _WINDOW):
                yield Finding(PHONE_NUMBER, match.start(), match.end(), LABELLED)

    def _valid_prefix(self, text: str, start: int, end: int) -> Finding | None:
        """Return the finding for the longest run of groups that is a valid number: another number may be glued behind it."""
        near = has_word_before(text, start, _WORDS, _WINDOW)
        while end - start >= 8:
            value = text[start:end]
            if self._is_phone(value, near=near):
                return Finding(PHONE_NUMBER, start, end, LABELLED if near or value.startswith("+") else SHAPED)
            cut = max(value.rfind(" "), value.rfind("("), value.rfind("-"))
            if cut <= 0:
                return None
            end = start + len(value[:cut].rstrip(" (.-"))
        return None

    @staticmethod
    def _is_phone(value: str, *, near: bool) -> bool:
        if _NOT_A_PHONE.fullmatch(value):
            return False
        digits = sum("0" <= char <= "9" for char in value)
        # Without a plus sign a valid number of either region has its area code; a row of single digits is a list.
        if (digits < NATIONAL_DIGITS_MIN and not value.startswith("+")) or len(value) - digits > SIGNS_MAX:
            return False
        if value.isdigit() and not near and not _BARE_MOBILE.fullmatch(value):
            return False
        return is_valid(value)


def parse(value: str) -> phonenumbers.PhoneNumber | None:
    """Return the number if it is valid behind a plus sign or in one of the regions, first region first."""
    for region in (None,) if value.startswith("+") else REGIONS:
        try:
            number = phonenumbers.parse(value, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number):
            return number
    return None


def is_valid(value: str) -> bool:
    return parse(value) is not None


RECOGNIZER: Final = PhoneRecognizer()
