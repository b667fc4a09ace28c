"""Credentials in HTTP headers: `Authorization: …`, and `Bearer …` or `Basic …` on their own."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import ACCESS_TOKEN
from governance.redaction.recognizers.base import CHECKED, LABELLED, Pattern, PatternRecognizer

_VALUE: Final = r"(?P<value>[^\s\"'`,;<>\uffff]"


def _is_credential(value: str) -> bool:
    """A variable or a blank to fill in is no credential, and neither is a plain word (`bearer certificates`)."""
    if value.startswith(("$", "{", "<", "%", "…")) or set(value) <= set("*.xX•"):
        return False
    return any(char.isdigit() for char in value) or value.endswith("=") or not (value.islower() or value.istitle() or value.isupper())


RECOGNIZER: Final = PatternRecognizer(
    "authorization",
    ACCESS_TOKEN,
    (
        Pattern(
            re.compile(
                r"(?<![A-Za-z])(?:proxy-)?authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?:bearer|basic|token|apikey|api-key|digest)\s{1,3})?"
                + _VALUE
                + r"{4,4096})",
                re.IGNORECASE,
            ),
            CHECKED,
            needs=("authorization",),
            check=_is_credential,
        ),
        Pattern(
            re.compile(r"(?<![A-Za-z])bearer\s{1,3}(?P<value>[A-Za-z0-9+/=._~-]{12,4096})", re.IGNORECASE),
            LABELLED,
            needs=("bearer",),
            check=_is_credential,
        ),
        Pattern(
            re.compile(r"(?<![A-Za-z])(?P<value>basic\s{1,3}[A-Za-z0-9+/=_-]{12,4096})", re.IGNORECASE),
            LABELLED,
            needs=("basic",),
            check=lambda value: _is_credential(value.split()[-1]),
        ),
    ),
)
