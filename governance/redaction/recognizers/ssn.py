"""United States social security numbers: presidio's rules of issue for bare ones, any nine digits behind the word for it."""

from __future__ import annotations

import re
from typing import Final

from presidio_analyzer.predefined_recognizers import UsSsnRecognizer

from governance.redaction.entities import US_SSN
from governance.redaction.recognizers.base import END, LABELLED, SHAPED, Pattern, PatternRecognizer

_LIBRARY: Final = UsSsnRecognizer()


def _could_be_issued(value: str) -> bool:
    return not _LIBRARY.invalidate_result(value)


RECOGNIZER: Final = PatternRecognizer(
    "us_ssn",
    US_SSN,
    (
        Pattern(re.compile(r"(?<![A-Za-z0-9.,/-])\d{3}([- .])\d{2}\1\d{4}(?![A-Za-z0-9/-])", re.ASCII), SHAPED, check=_could_be_issued),
        Pattern(
            re.compile(
                r"\b(?:ssn|social security)\b[^\d\n\uffff]{0,30}(?P<value>\d{3}[- .]?\d{2}[- .]?\d{4})" + END, re.ASCII | re.IGNORECASE
            ),
            LABELLED,
            needs=("ssn", "social security"),
        ),
    ),
)
