"""Passwords in URLs (`scheme://user:password@host`); user, host and path stay, because people remember where a database is."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import PASSWORD
from governance.redaction.recognizers.base import CHECKED, Pattern, PatternRecognizer

_PORT: Final = re.compile(r"[0-9]{1,5}[/?#]")


def _is_filled_in(value: str) -> bool:
    """`host:8080/a@b` has a port, not a password."""
    return not value.startswith(("$", "{", "<", "%(")) and not set(value) <= set("*xX.•") and _PORT.match(value) is None


RECOGNIZER: Final = PatternRecognizer(
    "connection_url",
    PASSWORD,
    (
        Pattern(
            re.compile(
                r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/?#:@\uffff]{0,128}:(?P<value>[^\s\uffff]{1,256}?)"
                r"@(?=[A-Za-z0-9\[_][^\s@]{0,300}(?:\s|$))"
            ),
            CHECKED,
            needs=("://",),
            check=_is_filled_in,
        ),
    ),
)
