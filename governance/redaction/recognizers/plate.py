# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Brazilian number plates, old (`ABC-1234`) and Mercosul (`ABC1D23`): behind the word for one, or where a vehicle is spoken of."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import BR_PLATE
from governance.redaction.named import NamedPattern
from governance.redaction.nearby import Named

_PLATE: Final = re.compile(
    r"(?<![A-Za-z0-9])(?<![A-Za-z0-9][-/_.])[A-Za-z]{3}(?:[ .-]{0,3}[0-9][A-Za-z0-9][0-9]{2})(?![A-Za-z0-9])(?![-/_.][A-Za-z0-9])"
)
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}\Z")
_OTHER_COUNTRY: Final = re.compile(
    r"(?<![A-Za-z0-9-])(?=[A-Z]{0,7}[0-9])(?=[0-9]{0,7}[A-Z])(?:[A-Z0-9]{5,8}|[A-Z0-9]{1,4}[ -][A-Z0-9]{2,4})(?![A-Za-z0-9])"
)
# "Placa" is a circuit board as well: graphics cards, chip sets of main boards, boards of makers.
_BOARD: Final = re.compile(
    r"(?:RTX|GTX|GTS)[ .-]?[0-9]{3,4}(?:TI|S|XT)?|(?:GT|RX|HD)[ -]?[0-9]{3,4}[A-Z]{0,3}|ESP[ -]?(?:32|8266|8285)[A-Z0-9]{0,3}|STM(?:8|32)[A-Z0-9]{0,3}"
    r"|[ABHXZ][0-9]{3}[MEI]{1,2}",
    re.IGNORECASE,
)
_LINK: Final = re.compile(r"[^a-z]{0,3}(?:(?:no|numero|number|is|was|eh|e|era|foi|do|da|my|s)[^a-z]{1,3}){0,3}")


def _is_plate(text: str, start: int, end: int, named: Named) -> bool:
    """Small letters and a blank inside could be words of the sentence; four digits like a year, a model of a car."""
    value = text[start:end]
    if _BOARD.fullmatch(value):
        return False
    if named.kind == "plate":
        return (value.isupper() or not any(char in " .-" for char in value)) and not (" " in value and _YEAR.search(value))
    if not value.isupper() or " " in value:
        return False
    # HRV2020 and CBR1000 are models.
    return value[-3].isalpha() or (_YEAR.search(value) is None and ("-" in value or not value.endswith(("00", "50"))))


def _is_foreign_plate(text: str, start: int, end: int, named: Named) -> bool:
    return _BOARD.fullmatch(text, start, end) is None and _LINK.fullmatch(named.gap) is not None


RECOGNIZER: Final = NamedPattern("br_plate", BR_PLATE, frozenset({"plate", "vehicle"}), _PLATE, _is_plate)
FOREIGN: Final = NamedPattern("plate_foreign", BR_PLATE, frozenset({"plate"}), _OTHER_COUNTRY, _is_foreign_plate)
