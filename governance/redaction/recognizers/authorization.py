# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Credentials in HTTP headers: `Authorization: …`, `Cookie: …`, `X-Api-Key: …`, and `Bearer …` or `Basic …` on their own."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import ACCESS_TOKEN
from governance.redaction.recognizers.base import CHECKED, LABELLED, Pattern, PatternRecognizer

_SCHEMES: Final = (
    "bearer|basic|token|apikey|api-key|digest|bot|key|hmac|negotiate|ntlm|oauth|signature|sso-key|splunk|jwt|genie[a-z]*|aws4-hmac-sha256"
)
_HEADER: Final = r"(?<![A-Za-z])(?:proxy-|x-)?authori[sz]ation(?:[\"']|\\\")?\s{0,3}(?:[:=]|=>|,)\s{0,3}(?:[\"'`]|\\\"|f\")?"
_CREDENTIAL: Final = r"(?P<value>[^\s\"'`,;<>\\\uffff]{4,8192})"
_PARAMETER: Final = re.compile(r"[A-Za-z]{3,20}=[^=]")  # of a signed request, such as `SignedHeaders=host`
_SCHEME: Final = re.compile(_SCHEMES, re.IGNORECASE)


def _is_credential(value: str) -> bool:
    """A variable or a blank to fill in is no credential, and neither is a plain word (`bearer certificates`) or the name of a scheme."""
    if value.startswith(("$", "{", "<", "%", "…", "[")) or set(value) <= set("*.xX•") or _SCHEME.fullmatch(value):
        return False
    if _PARAMETER.match(value) or "(" in value or value.startswith(("process.env", "os.environ", "import.meta")):
        return False
    return any(char.isdigit() for char in value) or value.endswith("=") or not (value.islower() or value.istitle() or value.isupper())


def _header(pattern: str, *needs: str) -> Pattern:
    return Pattern(re.compile(pattern, re.IGNORECASE), CHECKED, needs=needs, check=_is_credential)


RECOGNIZER: Final = PatternRecognizer(
    "authorization",
    ACCESS_TOKEN,
    (
        _header(rf"{_HEADER}(?:{_SCHEMES})\s{{1,3}}{_CREDENTIAL}", "authori"),
        _header(rf"{_HEADER}{_CREDENTIAL}", "authori"),
        # Signed requests: the signature is what opens, the rest of the header says for whom.
        _header(r"(?<![A-Za-z])(?:signature|response)=\"?(?P<value>[A-Fa-f0-9]{32,128}|[A-Za-z0-9+/]{40,512}={0,2})", "signature", "response"),
        # Cookies that are sessions: one value after the other.
        _header(
            r"(?<![A-Za-z0-9])(?:[a-z0-9_.-]{0,24}(?:sess(?:ion)?(?:_?id)?|sid|auth|token|jwt|remember_me)[a-z0-9_.-]{0,16})=(?P<value>[A-Za-z0-9%+/._:~-]{16,4096}={0,2})",
            "cookie", "sess", "sid=",
        ),
        _header(
            r"(?<![A-Za-z0-9-])(?:x-[a-z-]{0,24}|private-|asaas-|job-)(?:api-?key|auth(?:-token)?|access[_-]token|vault-token|amz-security-token|csrf-token|token)"
            r"(?:[\"']|\\\")?: ?(?:[\"']|\\\")?(?P<value>[A-Za-z0-9%+/._:~$=-]{16,4096})",
            "key", "token", "auth",
        ),
        Pattern(
            re.compile(r"(?<![A-Za-z])bearer(?:\s{1,3}|%20|\+)(?P<value>[A-Za-z0-9+/=._~:|$-]{12,8192})", re.IGNORECASE),
            LABELLED,
            needs=("bearer",),
            check=_is_credential,
        ),
        Pattern(
            re.compile(r"(?:(?<![A-Za-z])|(?<=\\[nrt]))(?P<value>basic\s{1,3}[A-Za-z0-9+/]{8,4096}={0,2})(?![A-Za-z0-9])", re.IGNORECASE),
            LABELLED,
            needs=("basic",),
            check=lambda value: _is_base64_pair(value.split()[-1]),
        ),
    ),
)  # fmt: skip


def _is_base64_pair(value: str) -> bool:
    """Tell whether a value may be `user:password` in base64: padded, or with digits or capitals where words have none."""
    if not _is_credential(value):
        return False
    return value.endswith("=") or (any(char.isupper() for char in value[1:]) and any(char.islower() for char in value))
