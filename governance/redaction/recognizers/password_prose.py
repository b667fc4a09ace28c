# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Passwords and keys that prose or configuration names: "my password is …", "a senha do wifi é …", `api_key=…`.

The word alone says nothing ("password policy changed", "a senha é forte"), so what stands behind the link is judged: a value has digits,
signs or mixed case, or is quoted, or is one plain word at the end of its clause that is not an ordinary predicate.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import API_KEY, PASSWORD
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import LABELLED

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD_START: Final = r"(?:(?<![A-Za-z0-9À-ÿ])|(?-i:(?<=[a-z])(?=[A-Z])))"
_LOGIN_NOUN: Final = (
    r"pass[ -]?word|passwd|pass[ -]?phrase|pass[ -]?code|pwd|senha|palavra-passe|contrase[nñ]a|pin(?: ?code)?|pass(?=\s{0,2}[:=])"
)
_KEY_NOUN: Final = (
    r"(?:api|access|secret|auth|client|private|app|account|encryption|signing|webhook|bot|service)[ _-]?(?:access[ _-]?)?(?:key|token|secret)"
    r"|apikey|token|secret(?:[ _-]key)?|credential|chave(?![ \t]{1,3}(?:d[eo] )?(?:pix|aleat))(?: (?:de|da|do) (?:api|acesso|aplica[cç][aã]o|servi[cç]o))?|segredo|(?:openai|stripe|github|aws|anthropic) key"
)
_COMPOUND: Final = r"(?![ \t]{1,3}(?:managers?|polic(?:y|ies)|resets?|rules?|length|strength|fields?|hints?|generators?|protection|vault|budget|limits?|counts?|usage|price|cost)\b)"
_GAP: Final = r"(?:[ \t]{1,3}(?!(?:is|was|é|era|foi|are|=)[ \t])[A-Za-zÀ-ÿ0-9_.@'/()-]{1,30}){0,5}?"
_LINK: Final = r"(?:[\"']?\s{0,3}(?:=>|->|:=|[:=])\s{0,3}|[ \t]{1,3}(?:is now|is still|is|was|agora é|ainda é|é|e\u0301|eh|era|foi|será|will be|to)[ \t]{1,3}(?:now |still |agora |definida como )?:?\s{0,2})"
_VALUE: Final = (
    r"(?:(?P<quote>[\"'`“‘«])(?P<quoted>[^\"'`”’»\n\uffff]{3,128})[\"'`”’»]|(?P<bare>[^\s\"'`“”,;<>\uffff][^\s\"'`“”,;<>\uffff]{2,255}))"
)

_NAMED: Final = re.compile(
    rf"{_WORD_START}(?:(?P<password>{_LOGIN_NOUN})|(?P<key>{_KEY_NOUN}))(?:s?(?![A-Za-zÀ-ÿ0-9-])){_COMPOUND}{_GAP}(?P<link>{_LINK}){_VALUE}",
    re.IGNORECASE,
)
_BESIDE: Final = re.compile(rf"{_WORD_START}(?:{_LOGIN_NOUN})[ \t]{{1,3}}(?P<bare>[^\s\"'`“”,;:<>=()\uffff]{{6,128}})", re.IGNORECASE)
_NEEDS: Final = ("pass", "pwd", "senha", "contrase", "pin", "key", "token", "secret", "credential", "chave", "segredo")

_PLACEHOLDER: Final = re.compile(
    r"[*•x.#_?…-]+|<.*|\$[{(A-Z].*|\{.*|%.*%|\[.*|.*\.\.\.|your[-_].*|.*_here|(?:none|null|nil|true|false|undefined|required|optional|string|str|text|bytes|any)\W*|changeme",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"(?:[A-Za-z_]\w*\.)*(?:meta|env|environ|config|settings|self|this|process|os|secrets|vault|request|req|params|options|args|props|ctx)(?:\.\w+|\[.*)*"
    r"|[A-Za-z_][\w.]*\(.*|(?:https?|file)://.*|/[\w./-]*",
)
_MEASURE: Final = re.compile(
    r"\s{1,3}(?:char(?:acter)?s?|caracteres?|letters?|letras|digits?|d[ií]gitos|bits?|days?|dias|min(?:ute|uto)s?|hours?|horas|times|vezes|%)",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(r"[.!?)\]]{0,3}(?:$|[\n,;]|\s{1,3}(?:and|but|e|mas|y|on|for|para|no|na)\s|\s{0,3}$|[.!?]\s)")
_PREDICATES: Final = frozenset(
    """
    the a an not no too very so now still also just only already being always never wrong right correct incorrect weak strong long
    short secure insecure safe unsafe simple complex easy hard good bad fine ok okay valid invalid empty blank missing hidden secret
    private public mine yours his hers ours theirs unique case sensitive insensitive mandatory necessary needed gone old new different
    same important confidential random default available unavailable unknown known here there below above up on in at to for of what
    which that this it required optional um uma o os as muito bem mal mais menos ainda agora sempre nunca nao não sim forte fraca
    fraco errada errado certa certo correta correto incorreta incorreto longa curta segura seguro insegura simples complexa dificil
    difícil facil fácil boa ruim valida válida invalida inválida vazia secreta privada publica pública minha sua dele dela nossa unica
    única obrigatoria obrigatória necessaria necessária antiga nova diferente mesma igual importante confidencial sensivel sensível
    aleatoria aleatória padrão padrao disponivel indisponivel desconhecida qual que isso aqui ali
    """.split()  # noqa: SIM905 - a hundred quoted words, one a line, read worse
)
_PARTICIPLE: Final = re.compile(r"[a-zà-ÿ]{2,}(?:ed|ing|able|ible|less|ful|ous|ten|[aei]d[ao]s?|[áéí]vel|ante|ente|ível)", re.IGNORECASE)
_TRAILING: Final = ".,;:!?)]}'\"…"


class PasswordProseRecognizer:
    """Finds the value only; the words around it stay."""

    name = "password_prose"
    entities: tuple[EntityType, ...] = (PASSWORD, API_KEY)

    def find(self, text: str) -> Iterator[Finding]:
        lowered = text.lower()
        if not any(word in lowered for word in _NEEDS):
            return
        for match in _NAMED.finditer(text):
            entity = PASSWORD if match["password"] else API_KEY
            span = match.span("quoted") if match["quoted"] else _trimmed(text, *match.span("bare"))
            value = text[slice(*span)]
            if _is_password(text, span, quoted=match["quoted"] is not None) if match["password"] else _is_key(value):
                yield Finding(entity, *span, LABELLED)
        for match in _BESIDE.finditer(text):
            span = _trimmed(text, *match.span("bare"))
            value = text[slice(*span)]
            if _is_key(value) and not value.startswith("/"):
                yield Finding(PASSWORD, *span, LABELLED)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return start, end


def _is_key(value: str) -> bool:
    """Tell whether a value looks made by a machine: letters with digits, or long and mixed."""
    if len(value) < 6 or _PLACEHOLDER.fullmatch(value) or _REFERENCE.fullmatch(value):
        return False
    letters = any(char.isalpha() for char in value)
    return letters and any(char.isdigit() for char in value)


def _is_password(text: str, span: tuple[int, int], *, quoted: bool) -> bool:
    value = text[slice(*span)]
    if len(value) < 4 or _PLACEHOLDER.fullmatch(value) or _REFERENCE.fullmatch(value) or _MEASURE.match(text, span[1]):
        return False
    if not value.replace("-", "").replace("'", "").isalpha():
        return True
    if value.lower() in _PREDICATES:
        return False
    is_plain_word = value.islower() or value.istitle() or value.isupper()
    if quoted or not is_plain_word:
        return True
    return _PARTICIPLE.fullmatch(value) is None and _CLAUSE_END.match(text, span[1]) is not None


RECOGNIZER: Final = PasswordProseRecognizer()
