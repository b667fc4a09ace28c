"""Random PIX keys: a UUID like any other, so only behind the word or inside a PIX code.

Keys that are e-mails, phones, CPFs or CNPJs are found as what they are.
"""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import BR_PIX_KEY
from governance.redaction.named import NamedPattern
from governance.redaction.recognizers.base import CHECKED, END, START, Pattern, PatternRecognizer

_UUID: Final = r"[0-9a-f]{8}[ -]?[0-9a-f]{4}[ -]?[0-9a-f]{4}[ -]?[0-9a-f]{4}[ -]?[0-9a-f]{12}"

RECOGNIZER: Final = NamedPattern("br_pix_key", BR_PIX_KEY, frozenset({"pix"}), re.compile(START + _UUID + END, re.IGNORECASE))
# In a "copia e cola" code the key is field 01 of the arrangement, 36 characters long. Source: Banco Central do Brasil, Manual do BR Code.
IN_CODE: Final = PatternRecognizer(
    "br_pix_code",
    BR_PIX_KEY,
    (Pattern(re.compile(rf"br\.gov\.bcb\.pix0136(?P<value>{_UUID})", re.IGNORECASE), CHECKED, needs=("br.gov.bcb.pix",)),),
)
