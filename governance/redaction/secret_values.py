# ruff: noqa: E501 - a row of words broken over lines reads worse
"""What stands behind the word for a secret: is it one, or a reference, a placeholder, a type, a remark?

The word alone says nothing ("password policy changed", "a senha é forte"), so the value is judged: it has digits, signs or mixed case, or
is quoted, or is one plain word at the end of its clause that is not an ordinary predicate.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from governance.redaction.token_forms import is_random

VALUE: Final = (
    r"(?:\\?\"(?P<double>[^\"\n\uffff]{3,512}?)\\?\"|'(?P<single>[^'\n\uffff]{3,512})'|[`“‘«](?P<other>[^`”’»\n\uffff]{3,512})[`”’»]"
    r"|(?:\\?[\"'`])?(?P<bare>[^\s\"'`“”<>\uffff][^\s\"'`“”<>\uffff]{2,255}))"
)
"""A value in quotes, also escaped ones, or without; one of the four groups has matched. What is bare goes through `span_of`."""

BARE_CHARACTERS_MAX: Final = 256
KEY_CHARACTERS_MIN: Final = 6
PASSWORD_CHARACTERS_MIN: Final = 4
RANDOM_CHARACTERS_MIN: Final = 16

_TRAILING: Final = ".,;:!?)]}'\"…。，、；！？）"
_NEXT_FIELD: Final = re.compile(r"[,;&](?=[)\]}]|[A-Za-z_][A-Za-z0-9_. -]{0,40}[=:])")
_RUN: Final = re.compile(r"[^\s\"'`<>\uffff]*")
_ESCAPED_BREAK: Final = re.compile(r"\\[nrt]")

_PLACEHOLDER: Final = re.compile(
    r"[*•x.#_?…-]+|<.*|\$\{.*|\$\(.*|\$[A-Z_][A-Z0-9_]*|\$[a-z_]+|\{.*|%.*%|\[.*|.*\.\.\.|.*…|your[-_ ].*|.*_here"
    r"|!(?:secret|ref|sub|vault|env|getatt)|ENC\[.*"
    r"|(?:none|null|nil|nan|true|false|undefined|required|optional|string|str|text|bytes|any|secretstr|secretbytes|boolean|number|varchar.*"
    r"|n/a|tbd|todo|redacted|hidden|masked|unset|empty|placeholder|change[-_ ]?me|sample|dummy)\W*",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"(?:[A-Za-z_]\w*\.)*(?:meta|env|environ|config|settings|self|this|process|os|secrets|vault|request|req|params|options|args|props|ctx)(?:\.\w+|\[.*)+"
    r"|[A-Za-z_][\w.]*[(\[].*|(?:https?|file|op|ssm|arn|vault|secretsmanager|sops|keyring|env):.*|/[\w./-]*|\.{1,2}/[\w./-]*",
)
# `passwordHash`, `DB_KEY`, `my_secret`; but `monkey` and `passion` are words like any other.
_NAME_OF_ONE: Final = re.compile(
    r"[A-Za-z_.]*(?i:password|passwd|pwd|senha|token|secret|credential|apikey)[A-Za-z_.]*"
    r"|(?:[A-Za-z_.]*[_.])?(?i:pass|keys?|chaves?)(?:[_.][A-Za-z_.]*|[A-Z][A-Za-z_.]*)?|[A-Za-z_.]*[a-z](?:Pass|Keys?|Chaves?)(?:[_.A-Z][A-Za-z_.]*)?"
)
_ELSEWHERE: Final = re.compile(
    r"(?:op|ssm|arn|vault|secretsmanager|sops|keyring|env|file):.*|(?:process|import\.meta|os)\.env.*", re.DOTALL
)
_MEASURE: Final = re.compile(
    r"\s{1,3}(?:char(?:acter)?s?|caracteres?|letters?|letras|digits?|d[ií]gitos|bits?|bytes|days?|dias|min(?:ute|uto)s?|hours?|horas|times|vezes|%)",
    re.IGNORECASE,
)
_CLAUSE_END: Final = re.compile(r"[.!?)\]]{0,3}(?:$|[\n,;]|\s{1,3}(?:and|but|e|mas|y|on|for|para|no|na)\s|\s{0,3}$|[.!?]\s)")
_PARTICIPLE: Final = re.compile(r"[a-zà-ÿ]{2,}(?:ed|ing|able|ible|less|ful|ous|ten|[aei]d[ao]s?|[áéí]vel|ante|ente|ível)", re.IGNORECASE)

_IRREGULAR: Final = frozenset(
    """
    kept sent lost found held shown seen told built made stuck spelled spelt left put cut meant read said drawn thrown stolen broken given
    taken chosen written forgotten hidden known grown born set reset shut worn torn done gone back off out online offline pending due
    salva salvo exposta exposto escrita escrito feita feito posta posto dita dito vista visto aberta aberto presa preso impressa impresso
    suspensa suspenso entregue gasta gasto morta solta limpa pronta pronto grande pequena pequeno estranha estranho velha velho ruim
    péssima pessima ótima otima melhor pior better worse best worst
    """.split()  # noqa: SIM905 - eighty quoted words, one a line, read worse
)
_COMPOUND_ENDS: Final = frozenset(
    """
    end step side time use only free proof date day case level minded factor less wide grade line auth policy policies field fields manager
    reset resets change changes hash key token login like style guess remember go based sign tls ssl cert certificate config credentials
    name ref secret id prompt check length phrase word hint
    """.split()  # noqa: SIM905 - as above
)
_COMPOUND_STARTS: Final = frozenset("one two three multi non pre post re auto self single end step side face up well all cross k8s".split())  # noqa: SIM905 - as above
_PRAISE: Final = frozenset({"correct", "good", "bad", "blue", "simple", "secret", "happy"})
_SEVERAL: Final = 3
PREDICATES: Final = frozenset(
    """
    the a an not no too very so now still also just only already being always never wrong right correct incorrect weak strong long
    short secure insecure safe unsafe simple complex easy hard good bad fine ok okay valid invalid empty blank missing hidden secret
    private public mine yours his hers ours theirs unique case sensitive insensitive mandatory necessary needed gone old new different
    same important confidential random default available unavailable unknown known bcrypt argon2 scrypt pbkdf2 here there below above up on in at to for of what
    which that this it required optional temporary permanent personal numeric alphanumeric high low set um uma o os as muito bem mal mais
    menos ainda agora sempre nunca nao não sim forte fraca fraco errada errado certa certo correta correto incorreta incorreto longa curta
    segura seguro insegura simples complexa dificil difícil facil fácil boa ruim valida válida invalida inválida vazia secreta privada
    publica pública minha sua dele dela nossa unica única obrigatoria obrigatória necessaria necessária antiga nova diferente mesma igual
    critical critica crítica importante confidencial sensivel sensível aleatoria aleatória padrão padrao disponivel indisponivel desconhecida qual que isso aqui ali
    pessoal numerica numérica alfanumerica alfanumérica temporaria temporária provisoria provisória aquela aquele essa esse esta este
    present absent given provided specified amanhã amanha ontem hoje tomorrow yesterday today todos everyone nobody ninguém
    """.split()  # noqa: SIM905 - a hundred quoted words, one a line, read worse
)
"""Words that say something about a password instead of being one, in both languages."""


def span_of(match: re.Match[str]) -> tuple[tuple[int, int], bool]:
    """Return the place of the value that `VALUE` matched, without what belongs to the text behind it, and whether it was in quotes."""
    for name in ("double", "single", "other"):
        if match[name] is not None:
            return match.span(name), True
    return trimmed(match.string, *match.span("bare")), False


def whole(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the place of a value that was found, with its tail where it is longer than the patterns look."""
    start, end = span
    if end - start < BARE_CHARACTERS_MAX:
        return span
    run = _RUN.match(text, end)
    return start, end if run is None else run.end()


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut a bare value where the next field begins, at an escaped line break, and before closing punctuation."""
    while _ESCAPED_BREAK.match(text, start, end):
        start += len(r"\n")
    for pattern in (_ESCAPED_BREAK, _NEXT_FIELD):
        cut = pattern.search(text, start, min(len(text), end + 48))
        if cut is not None and cut.start() < end:
            end = cut.start()
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return start, end


def is_reference(value: str, *, quoted: bool) -> bool:
    """Tell whether a value stands for one that is elsewhere: a variable, a call, a type, a blank to fill in."""
    if _PLACEHOLDER.fullmatch(value):
        return True
    return not quoted and (_REFERENCE.fullmatch(value) is not None or _NAME_OF_ONE.fullmatch(value) is not None)


def is_blank_form(value: str) -> bool:
    """Tell whether a value that certainly stands for a secret holds none: empty, a blank to fill in, a label, or where it is kept."""
    bare = value.strip()
    return not bare or _PLACEHOLDER.fullmatch(bare) is not None or _ELSEWHERE.fullmatch(bare) is not None


def is_key(value: str, *, quoted: bool = False) -> bool:
    """Tell whether a value looks made by a machine: letters with digits, or long with capitals inside."""
    if len(value) < KEY_CHARACTERS_MIN or is_reference(value, quoted=quoted) or " " in value:
        return False
    letters = any(char.isalpha() for char in value)
    if letters and any(char.isdigit() for char in value):
        return _is_no_name(value)
    return letters and len(value) >= RANDOM_CHARACTERS_MIN and _changes_case(value)


def is_random_key(value: str) -> bool:
    """Tell whether a value is long and random: enough where nothing links it to the word before it."""
    return len(value) >= RANDOM_CHARACTERS_MIN and is_random(value)


def is_password(text: str, span: tuple[int, int], *, quoted: bool) -> bool:
    """Tell whether what stands at a place behind the word for a password is one."""
    value = text[slice(*span)]
    if len(value) < PASSWORD_CHARACTERS_MIN or is_reference(value, quoted=quoted) or _MEASURE.match(text, span[1]):
        return False
    if not value.replace("-", "").replace("'", "").isalpha():
        return True
    if is_compound(value) if "-" in value else value.lower() in PREDICATES:
        return False
    is_plain_word = value.islower() or value.istitle() or value.isupper()
    if quoted or not is_plain_word:
        return True
    return not says_how_it_is(value) and _CLAUSE_END.match(text, span[1]) is not None


def _changes_case(value: str) -> bool:
    """Tell random letters from a name in camel case: capitals stand side by side with small letters more often than words end."""
    changes = sum(before.isupper() != after.isupper() for before, after in pairwise(value))
    return changes * 3 >= len(value)


def _is_no_name(value: str) -> bool:
    """Refuse a name with a number behind it (`Token2`, `cl100k` stays): a capital and small letters, then one digit or two."""
    return re.fullmatch(r"[A-Z]?[a-z]+[0-9]{1,2}", value) is None or len(value) > KEY_CHARACTERS_MIN + 4 or value.islower()


def is_about_itself(word: str) -> bool:
    """Tell whether a word is an ordinary predicate or participle, which no phrase of secret words begins with."""
    return word.lower() in PREDICATES or says_how_it_is(word)


def says_how_it_is(word: str) -> bool:
    """Tell whether a word has the form of a participle or an adverb, or is an irregular one."""
    return word.lower() in _IRREGULAR or _PARTICIPLE.fullmatch(word) is not None


def is_compound(value: str) -> bool:
    """Tell an ordinary compound ("case-sensitive", "hard-to-guess", "one-time-use") from a secret of several words ("tulips-in-june")."""
    parts = [part for part in value.lower().split("-") if part]
    if not parts or parts[-1] in _COMPOUND_ENDS or parts[0] in _COMPOUND_STARTS:
        return True
    first = is_about_itself(parts[0])
    if len(parts) < _SEVERAL:
        return first or is_about_itself(parts[-1])
    if says_how_it_is(parts[-1]) and not parts[-1].endswith("ing"):
        return True
    # "correct-horse-battery-staple" begins with a predicate, and no small word follows.
    return first and (parts[0] not in _PRAISE or any(part in PREDICATES for part in parts[1:]))
