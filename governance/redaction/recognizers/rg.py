"""Brazilian identity cards (RG): no common check digit, so only behind the word for it."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import BR_RG
from governance.redaction.recognizers.base import END, LABELLED, START, Pattern, PatternRecognizer, digits_of

RECOGNIZER: Final = PatternRecognizer(
    "br_rg",
    BR_RG,
    (
        Pattern(
            re.compile(
                START + r"(?:rg|registro geral|(?:carteira|c[eé]dula|documento) de identidade|identidade)(?![A-Za-z])"
                r"[^\d\n\uffff]{0,25}?(?P<value>(?:[A-Z]{2}[- ]?)?\d{1,2}\.?\d{3}\.?\d{3}(?:[- ]?[0-9Xx])?)" + END,
                re.IGNORECASE | re.ASCII,
            ),
            LABELLED,
            needs=("rg", "identidade", "registro geral"),
            check=lambda value: 7 <= len(digits_of(value)) <= 10,
        ),
    ),
)
