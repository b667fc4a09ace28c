"""Phrases that are secrets, several plain words long: "the passphrase is …", seed and recovery phrases of wallets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import PASSWORD
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import LABELLED
from governance.redaction.secret_values import is_about_itself

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMED: Final = re.compile(
    r"(?<![A-Za-zÀ-ÿ0-9])(?:pass[ -]?phrase|secret phrase|seed(?: phrase| words)?|recovery (?:phrase|words)|mnemonic(?: phrase)?"
    r"|frase[ -](?:secreta|senha|semente|de (?:recupera[cç][aã]o|seguran[cç]a|acesso))|palavras de recupera[cç][aã]o)"
    r"(?:[ \t]{1,3}[A-Za-zÀ-ÿ0-9_.'-]{1,30}){0,5}?(?:[ \t]{1,3}(?:is|are|was|é|são|era)[ \t]{1,3}|\s{0,3}[:=]\s{0,3})[\"'“‘]?",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"(?P<word>[A-Za-zÀ-ÿ]{3,16})(?:[ -]|\n(?=[a-z])|$|(?=[^A-Za-zÀ-ÿ0-9 -]))")
_WORDS_MIN: Final = 3
_WORDS_MAX: Final = 24  # BIP-39: 12 to 24 words
_NEEDS: Final = ("phrase", "frase", "seed", "mnemonic", "recovery", "recupera")
_FUNCTION_WORDS: Final = frozenset(
    """
    the and for with that this these those which what who when where why how has have had was were are been being its our your his her
    their you she they from into onto over under not but then than too very can could may might must shall should will would does did
    com para por que uma uns umas dos das nos nas pelo pela este esta esse essa isso são foi era tem ter ser estar não mas quando onde
    """.split()  # noqa: SIM905 - eighty quoted words, one a line, read worse
)


class PassphraseRecognizer:
    """Three words or more behind the noun, none of them a word that sentences are built with."""

    name = "passphrase"
    entities: tuple[EntityType, ...] = (PASSWORD,)

    def find(self, text: str) -> Iterator[Finding]:
        lowered = text.lower()
        if not any(word in lowered for word in _NEEDS):
            return
        for match in _NAMED.finditer(text):
            end = _phrase_end(text, match.end())
            if end is not None:
                yield Finding(PASSWORD, match.end(), end, LABELLED)


RECOGNIZER: Final = PassphraseRecognizer()


def _phrase_end(text: str, start: int) -> int | None:
    position = end = start
    for number in range(_WORDS_MAX + 1):
        match = _WORD.match(text, position)
        if match is None or number == _WORDS_MAX or match["word"].lower() in _FUNCTION_WORDS:
            return end if number >= _WORDS_MIN else None
        if number == 0 and is_about_itself(match["word"]) and match["word"].lower() not in {"correct", "correto"}:
            return None
        end, position = match.end("word"), match.end()
        if position == end:
            return end if number + 1 >= _WORDS_MIN else None
    return None
