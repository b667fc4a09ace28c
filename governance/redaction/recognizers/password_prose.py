# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Passwords and keys that prose names, in English and Portuguese: "my password is …", "a senha do wifi é …", "hunter22 is the password"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import API_KEY, PASSWORD
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import LABELLED
from governance.redaction.secret_values import (
    VALUE,
    is_key,
    is_password,
    is_random_key,
    is_reference,
    span_of,
    trimmed,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD_START: Final = r"(?:(?<![A-Za-z0-9À-ÿ])|(?-i:(?<=[a-z])(?=[A-Z])))"
_LOGIN_NOUN: Final = (
    r"pass[ -]?word|passwd|pass[ -]?phrase|pass[ -]?code|pwd|pw(?=\s{0,2}[:=]| is )|senha|palavra-passe|contrase[nñ]a|pass(?=\s{0,2}[:=])"
)
_PIN_NOUN: Final = r"pin(?: ?code| number)?|c[oó]digo pin"
_PAIR_NOUN: Final = r"credentials?|credenciais|logins?|user(?:name)?[ /-]{1,3}pass(?:word)?|usu[aá]rio (?:e|/) senha"
_KEY_NOUN: Final = (
    r"(?:api|access|secret|auth|client|private|app|account|encryption|signing|webhook|bot|service)[ _-]?(?:access[ _-]?)?(?:key|token|secret)"
    r"|apikey|token|secret(?:[ _-]key)?|credential|chave(?![ \t]{1,3}(?:d[eo] )?(?:pix|aleat))(?: (?:de|da|do) (?:api|acesso|aplica[cç][aã]o|servi[cç]o))?|segredo"
    r"|(?:openai|stripe|github|gitlab|aws|anthropic|google|azure|slack|datadog|twilio|sendgrid|asaas|supabase) key"
)
_COMPOUND: Final = r"(?![ \t]{1,3}(?:managers?|polic(?:y|ies)|resets?|rules?|length|strength|fields?|hints?|generators?|protection|vault|budget|limits?|counts?|usage|price|cost)\b)"
_GAP: Final = r"(?:[ \t]{1,3}(?!(?:is|was|é|era|foi|are|=)[ \t])[A-Za-zÀ-ÿ0-9_.@'/()-]{1,30}){0,5}?"
_IS: Final = r"[ \t]{1,3}(?:is now|is still|is|was|agora é|ainda é|é|e\u0301|eh|era|foi|será|will be)[ \t]{1,3}(?:now |still |agora |definida como )?:?\s{0,2}"
_LINK: Final = rf"(?:[\"']?\s{{0,3}}(?:=>|->|→|:=|[:=])\s{{0,3}}|(?P<becomes>[ \t]{{1,3}}(?:to|para|pra|por|como)[ \t]{{1,3}})|{_IS})"

_NAMED: Final = re.compile(
    rf"{_WORD_START}(?:(?P<password>{_LOGIN_NOUN})|(?P<pin>{_PIN_NOUN})|(?P<pair>{_PAIR_NOUN})|(?P<key>{_KEY_NOUN}))(?:s?(?![A-Za-zÀ-ÿ0-9-])){_COMPOUND}{_GAP}{_LINK}{VALUE}",
    re.IGNORECASE,
)
_BESIDE: Final = re.compile(
    rf"{_WORD_START}(?:(?P<password>{_LOGIN_NOUN})|(?P<key>{_KEY_NOUN}))(?:'s)?[ \t]{{1,3}}\(?(?P<bare>[^\s\"'`“”,;:<>=()\uffff]{{6,512}})",
    re.IGNORECASE,
)
_PIN_BESIDE: Final = re.compile(
    r"(?<![A-Za-z0-9])PIN[ \t]{1,2}(?P<value>(?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]{4,8})(?![0-9A-Za-z]|[.,][0-9])"
)
# "hunter22 is the password": the noun is looked for first, what stands before it afterwards.
_AFTER: Final = re.compile(
    r"[ \t]{1,3}(?:is|was|as|é|era|como)[ \t]{1,3}(?:(?:my|the|our|his|her|their|your|a|o|minha|nossa|sua|new|current|nova|atual|wifi|wi-fi|admin|root)[ \t]{1,3}){0,3}"
    r"(?:password|passcode|passphrase|senha|pin)(?![A-Za-zÀ-ÿ0-9])",
    re.IGNORECASE,
)
PIN_DIGITS_MAX: Final = 8  # what banks and phones allow
_BEFORE_CHARACTERS_MAX: Final = 128
_PAIR: Final = re.compile(r"[^\s:/]{2,64}[:/][^\s:/][^\s/]{3,128}")
_NEEDS: Final = (
    "pass",
    "pwd",
    "pw",
    "senha",
    "contrase",
    "pin",
    "key",
    "token",
    "secret",
    "credenc",
    "credential",
    "login",
    "chave",
    "segredo",
)


class PasswordProseRecognizer:
    """Finds the value only; the words around it stay."""

    name = "password_prose"
    entities: tuple[EntityType, ...] = (PASSWORD, API_KEY)

    def find(self, text: str) -> Iterator[Finding]:
        lowered = text.lower()
        if not any(word in lowered for word in _NEEDS):
            return
        for match in _NAMED.finditer(text):
            span, quoted = span_of(match)
            if _is_secret(match, span, quoted=quoted):
                yield Finding(API_KEY if match["key"] else PASSWORD, *whole(text, span), LABELLED)
        for match in _BESIDE.finditer(text):
            span = trimmed(text, *match.span("bare"))
            value = text[slice(*span)]
            if match["password"] and is_key(value) and not value.startswith("/"):
                yield Finding(PASSWORD, *span, LABELLED)
            elif match["key"] and is_random_key(value) and is_key(value):
                yield Finding(API_KEY, *span, LABELLED)
        for match in _PIN_BESIDE.finditer(text):
            yield Finding(PASSWORD, *match.span("value"), LABELLED)
        yield from _named_afterwards(text)


RECOGNIZER: Final = PasswordProseRecognizer()


def _is_secret(match: re.Match[str], span: tuple[int, int], *, quoted: bool) -> bool:
    text = match.string
    value = text[slice(*span)]
    if match["key"]:
        return is_key(value, quoted=quoted)
    if match["pin"]:
        return value.isdigit() and len(value) <= PIN_DIGITS_MAX and is_password(text, span, quoted=quoted)
    if match["pair"]:
        return _PAIR.fullmatch(value) is not None and not is_reference(value, quoted=quoted) and any(char.isdigit() for char in value)
    if match["becomes"]:
        # "changed the password to …" is followed by a value, "mudei a senha para todos" by a purpose.
        return quoted or is_key(value)
    return is_password(text, span, quoted=quoted)


def _named_afterwards(text: str) -> Iterator[Finding]:
    for match in _AFTER.finditer(text):
        end = match.start()
        start = (
            max(text.rfind(" ", max(0, end - _BEFORE_CHARACTERS_MAX), end), text.rfind("\n", max(0, end - _BEFORE_CHARACTERS_MAX), end)) + 1
        )
        while start < end and text[start] in "\"'`“‘«(":
            start += 1
        span = trimmed(text, start, end)
        value = text[slice(*span)].rstrip("\"'`”’»")
        if is_key(value) or (value.isdigit() and match[0].lower().endswith("pin")):
            yield Finding(PASSWORD, span[0], span[0] + len(value), LABELLED)
