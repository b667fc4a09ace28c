"""JSON web tokens, signed or encrypted, whole or cut off."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import ACCESS_TOKEN
from governance.redaction.recognizers.base import CHECKED, Pattern, PatternRecognizer
from governance.redaction.token_forms import BEGIN

# `eyJ`, `eyAi` and `ewog` are base64 for the brace and quote that a header starts with. A second part makes it a token; alone it may be the
# cursor of some page, so that a cut-off one has to name a field of a header: alg, typ, kid, enc, cty, zip, x5t, jku, jwk.
_HEADER: Final = r"e(?:yJ[A-Za-z0-9_-]{6,}|(?:yAi|wo[gJ]|w0K)[A-Za-z0-9_-]{12,})"
_FIELD: Final = r"e(?:yJ(?:hbGci|0eXAi|raWQi|lbmMi|jdHki|6aXAi|4NXQi|qa3Ui|qd2si)|yAi(?:YWxn|dHlw|a2lk))[A-Za-z0-9_-]*"
_PARTS: Final = r"(?:\.{1,2}[A-Za-z0-9_-]+)"

RECOGNIZER: Final = PatternRecognizer(
    "jwt",
    ACCESS_TOKEN,
    (
        Pattern(re.compile(rf"{BEGIN}{_HEADER}{_PARTS}{{1,4}}={{0,2}}", re.ASCII), CHECKED, needs=("eyj", "eyai", "ewog", "ewoj", "ew0k")),
        Pattern(re.compile(rf"{BEGIN}{_FIELD}{_PARTS}{{0,4}}={{0,2}}", re.ASCII), CHECKED, needs=("eyj", "eyai")),
    ),
)
