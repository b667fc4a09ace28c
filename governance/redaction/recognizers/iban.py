"""IBANs: presidio's pattern, country formats and check digits, in capitals or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from presidio_analyzer.predefined_recognizers import IbanRecognizer as PresidioIban

from governance.redaction.entities import IBAN_CODE
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import CHECKED

if TYPE_CHECKING:
    from collections.abc import Iterator


_LIBRARY: Final[Any] = PresidioIban()  # its attributes have no types


class IbanRecognizer:
    """The longest prefix of a run of groups whose check digits hold."""

    name = "iban"
    entities: tuple[EntityType, ...] = (IBAN_CODE,)

    def __init__(self) -> None:
        self._patterns = tuple(re.compile(pattern.regex, re.ASCII | re.IGNORECASE) for pattern in _LIBRARY.patterns)

    def find(self, text: str) -> Iterator[Finding]:
        for pattern in self._patterns:
            for match in pattern.finditer(text):
                # The last groups of the pattern may be words of the sentence, so shorter ends are tried too.
                ends = sorted({match.end(group) for group in range(len(match.groups()) + 1) if match.end(group) > 0}, reverse=True)
                for end in ends:
                    if _LIBRARY.validate_result(text[match.start() : end].upper()):
                        yield Finding(IBAN_CODE, match.start(), end, CHECKED)
                        break


RECOGNIZER: Final = IbanRecognizer()
