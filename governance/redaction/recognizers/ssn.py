# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""United States social security numbers: presidio's rules of issue for bare ones, any nine digits behind the word for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from presidio_analyzer.predefined_recognizers import UsSsnRecognizer

from governance.redaction.entities import US_SSN
from governance.redaction.findings import EntityType, Finding
from governance.redaction.named import NamedPattern, is_others
from governance.redaction.reading import read
from governance.redaction.recognizers.base import LABELLED, SHAPED

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIBRARY: Final[Any] = UsSsnRecognizer()  # its methods have no types
_FORM: Final = re.compile(r"(?<![A-Za-z0-9.,/-])[0-9]{3}([-.])[0-9]{2}\1[0-9]{4}(?![A-Za-z0-9/-])")
_LABELLED: Final = re.compile(r"(?<![0-9])(?<![0-9][.,/-])[0-9]{3}[\s.-]{0,3}[0-9]{2}[\s.-]{0,3}[0-9]{4}(?![0-9])(?![.,/-][0-9])")

_SOCIAL_BEFORE: Final = r"(?<![A-Za-z-])(?<!razão )(?<!razao )(?<!contrato )(?<!rede )(?<!nome )(?<!serviço )(?<!programa )(?<!tarifa )social(?:'?s)?(?:[ \t]{1,2}(?:number|no\.?|#|is|was|on file|here|now)){0,3}[ \t]{0,2}(?:[:=#,-]|\(|->)?[ \t]{0,2}(?:(?:it'?s|is)[ \t]{1,2})?"
_NUMBER_BEHIND: Final = r"(?P<value>[0-9]{3}(?P<sign>[ .-]{1,3})[0-9]{2}(?P=sign)[0-9]{4})(?![0-9A-Za-z])(?![.,/-][0-9])"
_NUMBER_BEFORE: Final = r"|(?<![0-9A-Za-z])(?<![0-9][.,/-])(?P<before>[0-9]{3}(?P<its_sign>[ .-]{1,3})[0-9]{2}(?P=its_sign)[0-9]{4})"
_SOCIAL_BEHIND: Final = r"[ \t]{0,2}(?:,|\(|(?:is|was|as|for)(?![A-Za-z]))[ \t]{0,2}(?:(?:is|my|his|her|their|your|our|the)[ \t]){0,2}social(?![A-Za-z-]|[ \t]{1,2}(?!number|no)[a-z])"
_SOCIAL: Final = re.compile(_SOCIAL_BEFORE + _NUMBER_BEHIND + _NUMBER_BEFORE + _SOCIAL_BEHIND, re.IGNORECASE)


class SsnSocial:
    """The form behind "my social", which alone names a dozen other things: the groups must be written apart."""

    name = "us_ssn_social"
    entities: tuple[EntityType, ...] = (US_SSN,)

    def find(self, text: str) -> Iterator[Finding]:
        if "social" not in text.lower():
            return
        for match in _SOCIAL.finditer(text):
            yield Finding(US_SSN, *match.span("value" if match["value"] else "before"), LABELLED)


class SsnForm:
    """Groups of 3, 2 and 4 digits with one sign between, if such a number can have been issued."""

    name = "us_ssn_form"
    entities: tuple[EntityType, ...] = (US_SSN,)

    def find(self, text: str) -> Iterator[Finding]:
        reading = read(text)
        for match in _FORM.finditer(text):
            if not _LIBRARY.invalidate_result(match[0]) and not is_others(reading, *match.span()):
                yield Finding(US_SSN, *match.span(), SHAPED)


FORM: Final = SsnForm()
SOCIAL: Final = SsnSocial()
RECOGNIZER: Final = NamedPattern("us_ssn", US_SSN, frozenset({"ssn"}), _LABELLED)
