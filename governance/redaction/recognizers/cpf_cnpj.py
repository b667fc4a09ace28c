"""Brazilian CPF and CNPJ (old and alphanumeric): tarja's check digits, in any spacing; wrong ones behind the name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tarja.validators import cnpj, cpf

from governance.redaction.entities import BR_CNPJ, BR_CPF
from governance.redaction.findings import EntityType, Finding
from governance.redaction.named import CheckedNumber, NamedPattern
from governance.redaction.nearby import Named, kind_of
from governance.redaction.reading import read
from governance.redaction.recognizers.base import CERTAIN, CHECKED, END, LABELLED, START, digits_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_TIMESTAMP: Final = re.compile(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])")

CPF: Final = CheckedNumber(
    "br_cpf", BR_CPF, "cpf", 11, cpf.is_valid, frozenset({(3, 3, 3, 2), (9, 2), (3, 3, 5)}), bare=True, unlikely=_TIMESTAMP
)
CNPJ: Final = CheckedNumber(
    "br_cnpj", BR_CNPJ, "cnpj", 14, cnpj.is_valid, frozenset({(2, 3, 3, 4, 2), (8, 4, 2), (12, 2)}), bare=True, unlikely=_TIMESTAMP
)


def _not_repeated(text: str, start: int, end: int, _named: Named) -> bool:
    return len(set(digits_of(text[start:end]))) > 1


# Numbers that went through a spreadsheet or JSON have lost their zeros in front.
SHORT_CPF: Final = NamedPattern(
    "br_cpf_short", BR_CPF, frozenset({"cpf"}), re.compile(r"(?<![0-9])(?<![0-9][.,/-])[0-9]{9,10}(?![0-9])(?![.,/-][0-9])"), _not_repeated
)
SHORT_CNPJ: Final = NamedPattern(
    "br_cnpj_short",
    BR_CNPJ,
    frozenset({"cnpj"}),
    re.compile(r"(?<![0-9])(?<![0-9][.,/-])[0-9]{12,13}(?![0-9])(?![.,/-][0-9])"),
    _not_repeated,
)

_X: Final = "[0-9A-Z]"
_WRITTEN: Final = re.compile(START + rf"{_X}{{2}}\.{_X}{{3}}\.{_X}{{3}} ?/ ?{_X}{{4}} ?- ?[0-9]{{2}}" + END, re.IGNORECASE)
_NAMED: Final = re.compile(START + rf"{_X}{{2}}[ .-]?{_X}{{3}}[ .-]?{_X}{{3}}[ /.-]?{_X}{{4}}[ -]?[0-9]{{2}}" + END, re.IGNORECASE)
DIGITS_MIN: Final = 4


class AlphanumericCnpj:
    """With all its signs and check digits wherever it stands; bare or spaced it could be any code, and needs its name."""

    name = "br_cnpj_alphanumeric"
    entities: tuple[EntityType, ...] = (BR_CNPJ,)

    def find(self, text: str) -> Iterator[Finding]:
        reading = read(text)
        for match in _WRITTEN.finditer(text):
            if _is_mixed(match[0]) and cnpj.is_valid(match[0]):
                yield Finding(BR_CNPJ, *match.span(), CHECKED)
        if not any(phrase.kind == "cnpj" for phrase in reading.phrases):
            return
        for match in _NAMED.finditer(text):
            if _is_mixed(match[0]) and kind_of(reading, *match.span()) == "cnpj":
                yield Finding(BR_CNPJ, *match.span(), CERTAIN if cnpj.is_valid(match[0]) else LABELLED)


def _is_mixed(value: str) -> bool:
    return value.isascii() and len(digits_of(value)) >= DIGITS_MIN and any(char.isalpha() for char in value)


ALPHANUMERIC_CNPJ: Final = AlphanumericCnpj()
