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
    is_compound,
    is_key,
    is_password,
    is_random_key,
    is_reference,
    span_of,
    trimmed,
    whole,
)
from governance.redaction.secret_words import end_of_words, is_ordinary

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD_START: Final = r"(?:(?<![A-Za-z0-9À-ÿ])|(?-i:(?<=[a-z])(?=[A-Z])))"
_LOGIN_NOUN: Final = r"pass[ -]?word|passwd|pass[ -]?phrase|pass[ -]?code|pwd|pw(?=\s{0,2}[:=]| is )|senha|palavra-passe|contrase[nñ]a|(?<!boarding )(?<!mountain )(?<!bus )(?<!ski )(?<!day )(?<!tests )pass(?=\s{0,2}[:=])"
_PIN_NOUN: Final = r"pin(?: ?code| number)?|c[oó]digo pin"
_PAIR_NOUN: Final = r"credentials?|credenciais|logins?|user(?:name)?[ /-]{1,3}pass(?:word)?|usu[aá]rio (?:e|/) senha"
_KEY_NOUN: Final = (
    r"(?:api|access|secret|auth|client|private|app|account|encryption|signing|webhook|bot|service)[ _-]?(?:access[ _-]?)?(?:key|token|secret)"
    r"|apikey|token|secret(?:[ _-]key)?|credential|chave(?![ \t]{1,3}(?:d[eo] )?(?:pix|aleat))(?: (?:de|da|do) (?:api|acesso|aplica[cç][aã]o|servi[cç]o))?|segredo"
    r"|(?:openai|stripe|github|gitlab|aws|anthropic|google|azure|slack|datadog|twilio|sendgrid|asaas|supabase) key"
)
_COMPOUND: Final = r"(?![ \t]{1,3}(?:managers?|polic(?:y|ies)|resets?(?![ \t]{1,2}(?:to|as|para)[ \t])|rules?|length|strength|fields?|hints?|generators?|protection|vault|budget|limits?|counts?|usage|price|cost)\b)"
_GAP: Final = r"(?P<gap>(?:[ \t]{1,3}(?!(?:is|was|é|era|foi|are|=)[ \t])[A-Za-zÀ-ÿ0-9_.@'/()-]{1,30}){0,5}?)"
_IS: Final = r"[ \t]{1,3}(?:is now|is still|is|was|agora é|ainda é|é|e\u0301|eh|era|foi|será|will be)[ \t]{1,3}(?:now |still |agora |definida como )?(?:(?:(?:[ao] )?seguinte|the following|as follows|this(?: one)?|ess[ae]|est[ae])(?: aqui| here)?[ \t]{0,2}[:,-])?:?\s{0,2}"
_NEWLY: Final = r",?[ \t]{1,3}(?P<newly>virou|ficou(?: sendo)?|passou a ser|passa a ser|vai ser|vai ficar|continua(?: sendo)?|segue sendo|became|becomes|remains|stays|turned into|has become|has been|should be|would be|is going to be|is gonna be|used to be|costumava ser|deve ser|tá|ta)[ \t]{1,3}(?:assim)?:?\s{0,2}"
_CHANGED: Final = r"[ \t]{1,3}(?P<changed>(?:(?:is|was|were|got|has been|have been|foi|será|vai ser|tinha sido|está)[ \t]{1,3})?(?:now |just |recently |recém )?(?:changed|set|reset|updated|switched|rotated|renamed|alterad[ao]|mudad[ao]|trocad[ao]|redefinid[ao]|definid[ao]|atualizad[ao]|configurad[ao]|mudou|resetad[ao])(?: back| again| de novo| de volta)?[ \t]{1,3}(?:to|as|para|pra|por|como)[ \t]{1,3})"
_ASIDE: Final = r"[ \t]{0,3}(?:[,;(—–-]|\.{2,3})[ \t]{0,3}(?P<aside>(?:which|that|it|this|que|ela|essa|aliás|by the way|btw)[ ,]{1,2}(?:is|was|é|era|should be)[ \t]{1,3}|(?:it|that)'?s[ \t]{1,3}|(?:is|é)[ \t]{1,3})(?:now |agora |:)?"
_FILLER: Final = r"(?:(?:it'?s|it is|is|é|agora é)[ \t]{1,3})?"
_LINK: Final = rf"(?:(?P<listed>[\"']?\s{{0,3}}(?:=>|->|→|:=|[:=])\s{{0,3}}{_FILLER}(?P<article>(?:[ao]s?|um|uma)[ \t]{{1,2}}(?=[A-Za-zÀ-ÿ]))?)|{_CHANGED}|(?P<becomes>[ \t]{{1,3}}(?:to|para|pra|por|como)[ \t]{{1,3}})|{_IS}|{_NEWLY}|{_ASIDE})"

_NAMED: Final = re.compile(
    rf"{_WORD_START}(?:(?P<password>{_LOGIN_NOUN})|(?P<pin>{_PIN_NOUN})|(?P<pair>{_PAIR_NOUN})|(?P<key>{_KEY_NOUN}))(?:s?(?![A-Za-zÀ-ÿ0-9-])){_COMPOUND}{_GAP}{_LINK}{VALUE}",
    re.IGNORECASE,
)
# What the word is for ("the password for the router is …"); behind other words the link belongs to them ("password rotation is …").
_GAP_OF_ITS_OWN: Final = re.compile(
    r"[ \t]{1,3}(?:for|of|to|on|at|in|from|is|are|was|be|é|era|foi|ser|d[aeo]s?|para|pr[ao]|n[ao]s?|here|now|today|aqui|agora|hoje|wi-?fi|atual|nova|novo|antiga|provis[oó]ria)(?![A-Za-zÀ-ÿ]).*"
    r"|[ \t]{1,3}\(.*\)",
    re.IGNORECASE | re.DOTALL,
)
_CHANGING: Final = re.compile(
    r"(?:chang|set|reset|updat|switch|rotat|mud|troqu|troc|alter|redefin|defin|atualiz)[a-zà-ÿ]{0,6}[ \t](?:[a-zà-ÿ-]{1,12}[ \t]){0,3}\Z",
    re.IGNORECASE,
)
_PURPOSE: Final = re.compile(r".+[aei]r|something|someone|default|null|none", re.IGNORECASE)
_LATER: Final = re.compile(r"[ \t]{1,2}(?:in|em|at|with|com)[ \t]", re.IGNORECASE)
_CHANGING_WINDOW: Final = 40
_PHRASE_BESIDE: Final = re.compile(
    rf"{_WORD_START}(?:{_LOGIN_NOUN})[ \t]{{1,3}}(?P<value>[A-Za-zÀ-ÿ]{{2,20}}(?:-[A-Za-zÀ-ÿ]{{1,20}}){{2,7}})(?![A-Za-zÀ-ÿ0-9_/@=-])",
    re.IGNORECASE,
)
_QUOTED_BESIDE: Final = re.compile(
    rf"{_WORD_START}(?:{_LOGIN_NOUN})[ \t]{{1,3}}[\"'“‘`](?P<value>[^\"'”’`\n\uffff]{{4,64}})[\"'”’`]", re.IGNORECASE
)
_SECRET_LISTED: Final = re.compile(
    r"(?<![A-Za-z0-9À-ÿ.-])(?:client[ _-]?|shared |app |my |the |our |o |meu )?(?:secret|segredo|token|api key|chave secreta)[\"']?[ \t]{0,2}[:=][ \t]{0,3}[\"'`]?"
    r"(?P<value>[A-Za-zÀ-ÿ0-9]{2,30}(?:[-!@#$%&*?+~][A-Za-zÀ-ÿ0-9]{0,30}){1,8})(?=[\"'`]?(?:[.,;!?)]?(?:\s|$)))",
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
        for finder in (_named, _beside, _named_afterwards):
            yield from finder(text)


RECOGNIZER: Final = PasswordProseRecognizer()


def _named(text: str) -> Iterator[Finding]:
    for match in _NAMED.finditer(text):
        span, quoted = span_of(match)
        begin = span[0] if match["article"] is None else match.start("article")
        words = None if quoted or not match["password"] else _words_end(match, begin)
        if words is not None:
            yield Finding(PASSWORD, begin, words, LABELLED)
        elif _is_secret(match, span, quoted=quoted):
            yield Finding(API_KEY if match["key"] else PASSWORD, *whole(text, span), LABELLED)


def _beside(text: str) -> Iterator[Finding]:
    for match in _BESIDE.finditer(text):
        span = trimmed(text, *match.span("bare"))
        value = text[slice(*span)]
        if match["password"] and is_key(value) and not value.startswith("/"):
            yield Finding(PASSWORD, *span, LABELLED)
        elif match["key"] and is_random_key(value) and is_key(value):
            yield Finding(API_KEY, *span, LABELLED)
    for match in _PIN_BESIDE.finditer(text):
        yield Finding(PASSWORD, *match.span("value"), LABELLED)
    for match in _QUOTED_BESIDE.finditer(text):
        if _is_quoted_secret(match):
            yield Finding(PASSWORD, *match.span("value"), LABELLED)
    for pattern, entity in ((_PHRASE_BESIDE, PASSWORD), (_SECRET_LISTED, API_KEY)):
        for match in pattern.finditer(text):
            if not is_compound(match["value"]) and not is_reference(match["value"], quoted=False):
                yield Finding(entity, *match.span("value"), LABELLED)


def _is_quoted_secret(match: re.Match[str]) -> bool:
    """Tell a password in quotes from a message that is quoted (`password "is required"`)."""
    start, end = match.span("value")
    if " " in match["value"]:
        return end_of_words(match.string, start, listed=False) == end
    return is_password(match.string, (start, end), quoted=True) and not is_ordinary(match["value"])


def _is_secret(match: re.Match[str], span: tuple[int, int], *, quoted: bool) -> bool:
    text = match.string
    value = text[slice(*span)]
    if match["key"]:
        return is_key(value, quoted=quoted)
    if match["pin"]:
        return value.isdigit() and len(value) <= PIN_DIGITS_MAX and is_password(text, span, quoted=quoted)
    if match["pair"]:
        return _PAIR.fullmatch(value) is not None and not is_reference(value, quoted=quoted) and any(char.isdigit() for char in value)
    return _is_login(match, span, quoted=quoted)


def _is_login(match: re.Match[str], span: tuple[int, int], *, quoted: bool) -> bool:
    """Judge by the link: "is" and a colon promise more than "to", an article before the value less than any."""
    text = match.string
    value = text[slice(*span)]
    if match["article"]:
        return is_key(value)
    if match["becomes"] or match["changed"]:
        # "changed the password to …" is followed by a value, "mudei a senha para todos" by a purpose.
        says_so = match["changed"] or _CHANGING.search(text, max(0, match.start() - _CHANGING_WINDOW), match.start()) is not None
        return quoted or is_key(value) or (bool(says_so) and _is_new_value(text, span))
    if match["newly"] and value.isalpha() and not quoted:
        return value.istitle() and not is_ordinary(value) and is_password(text, span, quoted=False)
    return is_password(text, span, quoted=quoted) or _goes_on(match, span)


def _goes_on(match: re.Match[str], span: tuple[int, int]) -> bool:
    """Tell whether one plain word is the password and "in staging" or the like stands behind it."""
    value = match.string[slice(*span)]
    if not value.isalpha() or not _has_own_link(match) or _LATER.match(match.string, span[1]) is None:
        return False
    return not is_ordinary(value) and _PURPOSE.fullmatch(value) is None


def _is_new_value(text: str, span: tuple[int, int]) -> bool:
    """Tell a new password ("changed to Rosebud") from the purpose of a change ("changed to comply", "mudei a senha para entrar")."""
    value = text[slice(*span)]
    if value.isalpha() and value.islower() and (is_ordinary(value) or _PURPOSE.fullmatch(value)):
        return False
    return is_password(text, span, quoted=False)


def _has_own_link(match: re.Match[str]) -> bool:
    return not match["gap"] or _GAP_OF_ITS_OWN.fullmatch(match["gap"]) is not None


def _words_end(match: re.Match[str], start: int) -> int | None:
    """Return where several plain words behind the link end, if they are a secret."""
    if match["becomes"] or match["changed"] or match["newly"] or not _has_own_link(match):
        return None
    return end_of_words(match.string, start, listed=match["listed"] is not None)


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
