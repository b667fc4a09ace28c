"""JSON web tokens, whole or cut off."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import ACCESS_TOKEN
from governance.redaction.recognizers.base import CHECKED, Pattern, PatternRecognizer

# `eyJ` is base64 for `{"`, which every header starts with.
_REGEX: Final = re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{12,}(?:\.[A-Za-z0-9_-]+){0,4}={0,2}", re.ASCII)

RECOGNIZER: Final = PatternRecognizer("jwt", ACCESS_TOKEN, (Pattern(_REGEX, CHECKED, needs=("eyj",)),))
