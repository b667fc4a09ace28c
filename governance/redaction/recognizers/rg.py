"""Brazilian identity cards (RG): no common check digit, so behind the word for it, or in the full form `12.345.678-9`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import BR_RG
from governance.redaction.findings import EntityType, Finding
from governance.redaction.named import NamedPattern, is_price
from governance.redaction.nearby import Named, kind_of
from governance.redaction.reading import read
from governance.redaction.recognizers.base import SHAPED, digits_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_STATE: Final = r"(?:(?<![A-Za-z])(?:A[CLMP]|BA|CE|DF|ES|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO)[ .-]{0,2})?"
_NUMBER: Final = re.compile(
    rf"(?<![0-9])(?<![0-9][.,/-]){_STATE}(?:[0-9]{{1,3}}(?:[. ]\n?[0-9]{{3}}){{1,3}}|[0-9]{{5,11}})"
    r"(?:\s?-\s?[0-9Xx]{1,2}|[ .][0-9Xx]|[Xx])?(?![0-9])(?![.,/-][0-9])(?![A-Za-z])"
)
_FULL_FORM: Final = re.compile(r"(?<![A-Za-z0-9])(?<![0-9][.,/-])[0-9]{2}\.[0-9]{3}\.[0-9]{3}-[0-9Xx](?![A-Za-z0-9])(?![./-][0-9])")
DIGITS: Final = range(5, 14)


def _plausible(text: str, start: int, end: int, _named: Named) -> bool:
    digits = digits_of(text[start:end])
    return len(digits) in DIGITS and len(set(digits)) > 1


class FullForm:
    """The form alone, unless a word says that it is something else."""

    name = "br_rg_form"
    entities: tuple[EntityType, ...] = (BR_RG,)

    def find(self, text: str) -> Iterator[Finding]:
        reading = read(text)
        for match in _FULL_FORM.finditer(text):
            start, end = match.span()
            if kind_of(reading, start, end) is None and not is_price(text, start):
                yield Finding(BR_RG, start, end, SHAPED)


RECOGNIZER: Final = NamedPattern("br_rg", BR_RG, frozenset({"rg"}), _NUMBER, _plausible)
FULL_FORM: Final = FullForm()
