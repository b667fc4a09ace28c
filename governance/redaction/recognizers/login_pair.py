# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""A user's name and a password side by side: "log in with admin / letmein99", "credentials: bob:letmein", "usuário maria, senha flor"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import PASSWORD
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import LABELLED
from governance.redaction.secret_values import is_compound, is_key, is_password, is_reference, trimmed
from governance.redaction.secret_words import is_ordinary

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME: Final = r"[A-Za-z0-9À-ÿ_][A-Za-z0-9À-ÿ_.@+-]{0,63}"
_BARE: Final = r"[^\s\"'`“”,;<>()\uffff]{3,128}"
_MY: Final = r"(?:the |my |our |his |her |their |your |user |usuário |usuario |as |com o |o |a )?"

_LOGS_IN_TO: Final = r"(?<![A-Za-zÀ-ÿ])(?:log(?:ged|ging|s)?[ -]?(?:in|on)(?:to)?|sign(?:ed|ing|s)?[ -]?in|authenticat(?:e|es|ed|ing)|connect(?:ed|ing|s)?|entr(?:a|e|ar|ei|ou|em)|acess(?:a|e|ar|ei|ou)|log(?:a|ue|ar|uei|ou)|autentic(?:a|ar|que|ou)|conect(?:a|e|ar|ei|ou))"
_WITH_NAME: Final = rf"(?:[ \t]{{1,2}}(?!(?:with|as|using|via|com|usando|como)[ \t])[A-Za-zÀ-ÿ0-9_.@'-]{{1,30}}){{0,4}}?[ \t]{{1,2}}(?:with|as|using|com|usando|como)[ \t]{{1,2}}{_MY}[\"'`(]?(?P<name>{_NAME})[\"'`]?"
_AND_VALUE: Final = (
    rf"(?:[ \t]{{0,2}}(?P<sign>[/|:])[ \t]{{0,2}}|[ \t]{{1,2}}(?P<word>and|e|with|com)[ \t]{{1,2}})[\"'`]?(?P<value>{_BARE})"
)
_LOGGING_IN: Final = re.compile(_LOGS_IN_TO + _WITH_NAME + _AND_VALUE, re.IGNORECASE)
_USES_BOTH: Final = rf"(?<![A-Za-zÀ-ÿ])(?:use|uses|used|using|try|type|usa|usar|usei|usando|com)[ \t]{{1,2}}{_MY}[\"'`(]?(?P<name>{_NAME})(?:[ \t]{{0,2}}(?P<sign>[/|:])[ \t]{{0,2}}|[ \t]{{1,2}}(?P<word>and|e)[ \t]{{1,2}})[\"'`]?(?P<value>{_BARE})[\"'`)]?"
_IN_ORDER_TO: Final = (
    r"[ \t]{1,2}(?:to|for|when|para|pra|ao)[ \t]{1,2}(?:the |o |you )?(?:log|sign|access|connect|get in|enter|entr|acess|conect|autentic)"
)
_TO_LOG_IN: Final = re.compile(_USES_BOTH + _IN_ORDER_TO, re.IGNORECASE)
_BOTH_NOUNS: Final = r"(?<![A-Za-z0-9À-ÿ])(?P<noun>(?:login |access |admin |root |wifi |dados de )?(?:credentials?|creds|credenciais|credencial|logins?)|user(?:name)?[ /&+-]{1,3}(?:and )?(?:pass(?:word)?|pw|pwd)|usu[aá]rio[ ]?[/e][ ]?senha|login[ ]?[/e][ ]?(?:senha|password)|login and password|dados de (?:acesso|login))"
_ARE: Final = r"(?:[ \t]{1,2}(?!(?:is|are|was|were|é|são|eram)[ \t])[A-Za-zÀ-ÿ0-9_.'-]{1,30}){0,4}?(?:\s{0,2}[:=]\s{0,2}|[ \t]{1,2}(?:is|are|was|were|é|são|eram)[ \t]{1,2}:?)[\"'`(]?"
_BOTH_VALUES: Final = (
    rf"(?P<name>{_NAME})(?:[ \t]{{0,2}}(?P<sign>[/|:])[ \t]{{0,2}}|[ \t]{{1,2}}(?P<word>and|e)[ \t]{{1,2}})(?P<value>{_BARE})"
)
_LISTED: Final = re.compile(_BOTH_NOUNS + _ARE + _BOTH_VALUES, re.IGNORECASE)
_USER_NOUN: Final = rf"(?<![A-Za-z0-9À-ÿ])(?:user(?:[ -]?name| id)?|usu[aá]ri[oa]|login|log-in|e-?mail|conta|account|id)(?:[ \t]{{0,2}}[:=]|[ \t]{{1,2}}(?:is|é|era|was))?[ \t]{{1,2}}[\"'`]?(?P<name>{_NAME})[\"'`]?"
_THEN: Final = (
    r"(?:[ \t]{0,2}[,;/|&+–—-][ \t]{0,2}|[ \t]{0,2}\n[ \t]{0,2}|[ \t]{1,2})(?:(?:and|e|with|com|a|the|his|her|sua|my|minha)[ \t]{1,2}){0,2}"
)
_PASSWORD_NOUN: Final = (
    rf"(?:pass[ -]?word|passwd|pass[ -]?code|pwd|pw|pass|senha|contrase[nñ]a)[ \t]{{1,2}}(?:(?:is|é)[ \t]{{1,2}})?(?P<value>{_BARE})"
)
_TWO_NOUNS: Final = re.compile(_USER_NOUN + _THEN + _PASSWORD_NOUN, re.IGNORECASE)
_LOGS_IN: Final = ("log", "sign", "authenticat", "connect", "entr", "acess", "autentic", "conect")
_LISTS: Final = ("cred", "login", "user", "usu", "dados de")
_PASSWORDS: Final = ("pass", "pw", "senha", "contrase")
# Ways to log in, and what stands for a name and a password where none are given.
_WAYS: Final = re.compile(
    r"(?:oauth|openid|saml|sso|mfa|2fa|otp|totp|fido|web3|ldap|ssh|https?|http|tls|ipv|wi-?fi|cpf|cnpj|e-?mail|phone|pix|face|touch|apple|google|github|facebook|microsoft|twitter|linkedin|gov\.br|passkeys?|biometr|sms|web|office|port|db)[a-z]{0,10}[0-9.:]{0,6}",
    re.IGNORECASE,
)
_STANDS_FOR_ONE: Final = frozenset(
    """
    password passwort passphrase passwd pass pwd senha secret token key value valor name nome user username usuario usuário login email here aqui both
    write read delete admin-only yes no true false default same-origin omit include none null pair pairs file files
    """.split()  # noqa: SIM905 - a row of words
)
_CLAUSE_ENDS: Final = re.compile(
    r"[.!?)\]\"']{0,3}(?:\s{0,3}$|[ \t]{0,2}[\n,;|]|[.!?]\s|[ \t]{1,2}(?:and|but|e|mas|for|on|in|to|para|no|na|em)[ \t])"
)
_DIGITS_ONLY_MIN: Final = 4


class LoginPairRecognizer:
    """Finds the password of the pair; the name stays, except where a colon ties the two together."""

    name = "login_pair"
    entities: tuple[EntityType, ...] = (PASSWORD,)

    def find(self, text: str) -> Iterator[Finding]:
        lowered = text.lower()
        for pattern, needs, judge in _PATTERNS:
            if not any(word in lowered for word in needs):
                continue
            for match in pattern.finditer(text):
                span = trimmed(text, *match.span("value"))
                value = text[slice(*span)]
                if span[0] < span[1] and not is_reference(value, quoted=False) and _WAYS.fullmatch(value) is None and judge(match, span):
                    # `bob:letmein` is one value, "admin / letmein" are two.
                    tied = pattern is _LISTED and match.start("name") + len(match["name"]) + 1 == span[0]
                    yield Finding(PASSWORD, match.start("name") if tied else span[0], span[1], LABELLED)


def _is_typed_in(match: re.Match[str], span: tuple[int, int]) -> bool:
    """Behind "log in with" stand names of services and devices as well: the value must look made up."""
    value = match.string[slice(*span)]
    if _WAYS.fullmatch(match["name"]) or value.lower() in _STANDS_FOR_ONE or "/" in value:
        return False
    if match["word"] is not None and match.re is _LOGGING_IN and _CLAUSE_ENDS.match(match.string, span[1]) is None:
        return False
    return is_key(value) or (
        match["sign"] is not None and not value.isalnum() and is_password(match.string, span, quoted=False) and _has_kinds(value)
    )


def _has_kinds(value: str) -> bool:
    """Tell whether letters stand beside digits or signs that are no part of words."""
    return any(char.isalpha() for char in value) and any(char.isdigit() or char in "!@#$%&*?+=~^" for char in value)


def _is_listed(match: re.Match[str], span: tuple[int, int]) -> bool:
    value = match.string[slice(*span)]
    if match["name"].lower() in _STANDS_FOR_ONE or value.lower() in _STANDS_FOR_ONE or value.startswith("/"):
        return False
    if any(char.isdigit() for char in value):
        return any(char.isalpha() for char in value) or (
            len(value) >= _DIGITS_ONLY_MIN and match["sign"] is not None and not match["name"].isdigit()
        )
    says_both = "pass" in match["noun"].lower() or "senha" in match["noun"].lower() or "pw" in match["noun"].lower()
    if match["sign"] == ":" or (says_both and match["sign"]):
        return (
            len(value) > _DIGITS_ONLY_MIN - 1
            and not is_ordinary(value.lower())
            and (not value.isalpha() or is_password(match.string, span, quoted=False) or says_both)
        )
    return not value.isalpha() and not is_compound(value) and _has_kinds(value)


def _is_beside_its_noun(match: re.Match[str], span: tuple[int, int]) -> bool:
    value = match.string[slice(*span)]
    if (
        match["name"].lower() in _STANDS_FOR_ONE | {"and", "e", "or", "ou", "with", "com", "without", "sem"}
        or value.lower() in _STANDS_FOR_ONE
    ):
        return False
    divided = match.string[match.end("name") : match.start("value")]
    if value.isalpha():
        plain = any(sign in divided for sign in ",;/|&+–—-\n") or any(
            f" {word} " in divided.lower() for word in ("and", "e", "with", "com")
        )
        return (
            plain
            and not is_ordinary(value)
            and is_password(match.string, span, quoted=False)
            and _CLAUSE_ENDS.match(match.string, span[1]) is not None
        )
    return not is_compound(value) and is_password(match.string, span, quoted=False)


_PATTERNS: Final = (
    (_LOGGING_IN, _LOGS_IN, _is_typed_in),
    (_TO_LOG_IN, _LOGS_IN, _is_typed_in),
    (_LISTED, _LISTS, _is_listed),
    (_TWO_NOUNS, _PASSWORDS, _is_beside_its_noun),
)
RECOGNIZER: Final = LoginPairRecognizer()
