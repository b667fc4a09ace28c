"""Random PIX keys: a UUID like any other, so only behind the word. Keys that are e-mails, phones or CPFs are found as such."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import BR_PIX_KEY
from governance.redaction.recognizers.base import END, LABELLED, START, Pattern, PatternRecognizer

_UUID: Final = r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"

RECOGNIZER: Final = PatternRecognizer(
    "br_pix_key",
    BR_PIX_KEY,
    (
        Pattern(
            re.compile(
                START + rf"(?:pix|chave aleat[oó]ria)(?![A-Za-z])[^\n\uffff]{{0,40}}?{START}(?P<value>{_UUID})" + END,
                re.IGNORECASE | re.ASCII,
            ),
            LABELLED,
            needs=("pix", "aleat"),
        ),
    ),
)
