"""IBANs: presidio's pattern, country formats and check digits, in capitals or not; behind the word also with a typing error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from presidio_analyzer.predefined_recognizers import IbanRecognizer as PresidioIban

from governance.redaction.entities import IBAN_CODE
from governance.redaction.findings import EntityType, Finding
from governance.redaction.named import NamedPattern
from governance.redaction.nearby import Named
from governance.redaction.recognizers.base import CHECKED, digits_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIBRARY: Final[Any] = PresidioIban()  # its attributes have no types
# The library's pattern, also over line breaks and with two signs between groups.
_PATTERN: Final = re.compile(
    r"(?<![A-Z0-9])([A-Z]{2}[0-9]{2}(?:[ \n-]{0,2}[A-Z0-9]{4}){2,6})"
    r"((?:[ \n-]{0,2}[A-Z0-9]{4})?)((?:[ \n-]{0,2}[A-Z0-9]{1,3})?)(?![A-Z0-9])",
    re.IGNORECASE,
)
_SIGNS: Final = re.compile(r"[ \n-]")
_FORM: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
DIGITS_MIN: Final = 10


class IbanRecognizer:
    """The longest prefix of a run of groups whose check digits hold."""

    name = "iban"
    entities: tuple[EntityType, ...] = (IBAN_CODE,)

    def find(self, text: str) -> Iterator[Finding]:
        for match in _PATTERN.finditer(text):
            # The last groups of the pattern may be words of the sentence, so shorter ends are tried too.
            for end in self._ends(text, match):
                if _LIBRARY.validate_result(_SIGNS.sub("", text[match.start() : end]).upper()):
                    yield Finding(IBAN_CODE, match.start(), end, CHECKED)
                    break

    @staticmethod
    def _ends(text: str, match: re.Match[str]) -> list[int]:
        breaks = {sign.start() for sign in _SIGNS.finditer(text, match.start() + 15, match.end())}
        return sorted({match.end(), match.end(1), match.end(2), *breaks}, reverse=True)


def _has_digits(text: str, start: int, end: int, _named: Named) -> bool:
    return len(digits_of(text[start:end])) >= DIGITS_MIN


RECOGNIZER: Final = IbanRecognizer()
LABELLED: Final = NamedPattern("iban_labelled", IBAN_CODE, frozenset({"iban"}), _FORM, _has_digits)
