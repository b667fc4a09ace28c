# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Passwords and keys in configuration and code: env files, YAML, JSON, XML, query strings, flags (`DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import API_KEY, PASSWORD
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import LABELLED
from governance.redaction.secret_values import VALUE, is_key, is_password, is_random_key, span_of, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOGIN: Final = r"pass(?:word|wd|phrase|code)|(?<![A-Za-z])pass|(?<=_)pass|pswd|pwd|senha|contrase[nñ]a"
_KEY: Final = (
    r"(?:api|access|auth|secret|client|private|signing|encryption|master|service|account|webhook|bot|app|deploy|refresh|session|license|subscription|storage|shared|consumer|integration)[ _-]?(?:access[_-]?)?(?:key|token|secret)"
    r"|token|secret|(?<![A-Za-z])(?:credential|chave|_auth)"
)
_ENV_KEY: Final = (
    r"(?-i:(?<![A-Z])(?!(?:PRIMARY|FOREIGN|PUBLIC|SORT|PARTITION|CACHE|ROUTING|IDEMPOTENCY|GROUP|HASH|RANGE)_)[A-Z][A-Z0-9]{1,24}_KEY)"
)
_SUFFIX: Final = r"s?(?:[_-]?(?:value|plain|text|raw|base|prod|production|staging|stage|dev|test|old|new|current|live|main|[0-9]{1,3}))?"
_LINK: Final = (
    r"(?:\\?[\"'\]]{1,2})?\s{0,3}(?:=>|:=|={1,3}|:)\s{0,3}(?:(?:Secret(?:Str|Bytes|String)|str|String|Some|quote)\((?=[\"']))?(?=[^\s=])"
)

_ASSIGNED: Final = re.compile(rf"(?:(?P<password>{_LOGIN})|(?P<env>{_ENV_KEY})|(?P<key>{_KEY})){_SUFFIX}{_LINK}{VALUE}", re.IGNORECASE)
_FLAG: Final = re.compile(
    rf"(?<![A-Za-z0-9-])--?[a-z-]{{0,24}}?(?:(?P<password>{_LOGIN})|(?P<key>{_KEY}))[ \t]{{1,3}}(?!-){VALUE}", re.IGNORECASE
)
_ELEMENT: Final = re.compile(
    rf"<[\w:.-]{{0,24}}?(?:(?P<password>{_LOGIN})|(?P<key>{_KEY}))(?:\s[^<>]{{0,80}})?>\s{{0,3}}(?P<value>[^<>\n\uffff]{{3,512}}?)\s{{0,3}}</",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(
    rf"(?:key|name)\s?[=:]\s?\\?[\"'][\w:.-]{{0,24}}?(?:(?P<password>{_LOGIN})|(?P<key>{_KEY}))\\?[\"'],?\s{{1,3}}\\?[\"']?value\\?[\"']?\s?[=:]\s?\\?[\"'](?P<value>[^\"'\n\uffff]{{3,512}})",
    re.IGNORECASE,
)
_NEEDS: Final = ("pass", "pwd", "pswd", "senha", "contrase", "key", "token", "secret", "credential", "chave", "_auth")


class KeyInConfigRecognizer:
    """Finds the value only; the name before it stays. The name may be the end of a longer one, such as `PGPASSWORD`."""

    name = "key_in_config"
    entities: tuple[EntityType, ...] = (PASSWORD, API_KEY)

    def find(self, text: str) -> Iterator[Finding]:
        lowered = text.lower()
        if not any(word in lowered for word in _NEEDS):
            return
        if "=" in text or ":" in text:
            yield from _assigned(text)
        if "-" in text:
            for match in _FLAG.finditer(text):
                span, _ = span_of(match)
                yield from _judged(text, span, is_login=match["password"] is not None)
        if "<" in text or "value" in lowered:
            for pattern in (_ELEMENT, _ATTRIBUTE):
                for match in pattern.finditer(text):
                    yield from _judged(text, match.span("value"), is_login=match["password"] is not None)


RECOGNIZER: Final = KeyInConfigRecognizer()


def _assigned(text: str) -> Iterator[Finding]:
    position = 0
    while (match := _ASSIGNED.search(text, position)) is not None:
        span, quoted = span_of(match)
        value = text[slice(*span)]
        # `auth: token: x`: where a value is none, it may be the name of the next one.
        position = match.end()
        if match["password"] is not None:
            found = is_password(text, span, quoted=quoted)
        elif match["env"] is not None:
            found = is_key(value, quoted=quoted) and (quoted or is_random_key(value))
        else:
            found = is_key(value, quoted=quoted)
        if found:
            span = whole(text, span)
            position = max(position, span[1])
            yield Finding(PASSWORD if match["password"] else API_KEY, *span, LABELLED)
        else:
            position = min(match.start() + 1, position) if span[0] == span[1] else max(match.start() + 1, span[0])


def _judged(text: str, span: tuple[int, int], *, is_login: bool) -> Iterator[Finding]:
    value = text[slice(*span)]
    if is_password(text, span, quoted=False) if is_login else is_key(value):
        yield Finding(PASSWORD if is_login else API_KEY, *whole(text, span), LABELLED)
