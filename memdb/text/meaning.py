"""The form in which two statements are compared: the same words in the same order, whatever way they are spelt. Pure.

A merge that is wrong loses a statement; one that is missed costs a line. So a word is kept as it stands unless a short list says that the
other form is interchangeable with it in any sentence: the lists of `meaning_en` and `meaning_pt` name what is rewritten, everything else
counts as written. Nothing is stemmed: a stemmer makes one word of "universe" and "university", of "casa" and "casar", of "Silva" and
"Silvas", and whether somebody has "a dog" or "dogs" is what was said.

INVARIANT: two texts with the same canonical form have the same meaning, because nothing here looks at the case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from memdb.text.language import detect
from memdb.text.meaning_en import rewrite_en
from memdb.text.meaning_pt import rewrite_pt
from memdb.text.normalise import canonical

_TRAILING: Final = " .!…。"
_ENDING = ",;:"  # says nothing at the end of a statement; inside, a comma may part two people or make "no, thanks" of "no thanks"
# Commands, code and what is quoted are compared as they are written: "git add a" is not "git add". A backtick is an apostrophe by now.
_AS_WRITTEN = re.compile(r"[{}<>\\=|^~\"]|(?:^|[\s(])(?:'|--?[a-z])")
# What something is called, or how it is spelt, is a matter of letters: a branch "colour" is not the branch "color".
_LETTERS = re.compile(
    r"\b(?:called|named|names?|spel[lt]\w*|username|login|password|passphrase|alias|identifier|variable|column|folder|file|branch|tag|token|word"
    r"|chama\w*|nomes?|escreve-se|soletra\w*|senha|variável|coluna|pasta|arquivo|ficheiro|palavra)\b"
)
_BULLET = re.compile(r"^[-*•]\s+(?=[^\W\d_])")
_STOPS: Final = ",;:.!?"
_FULL_STOPS = re.compile(r"[.!]+")
_HOUR = re.compile(r"(?P<half>[ap])\.m\.?")
_NUMBER = r"[-+]?\d+(?:[.,:]\d+)*"
_MEASURED = re.compile(rf"(?P<number>{_NUMBER})(?P<unit>km|kg|cm|mm|mg|ml|min|am|pm|%)")
_IS_NUMBER = re.compile(_NUMBER)
# Behind a number alone: "min" is a short minimum, and "quilos" may be kilos of anything. Metres, hours, bytes and money stay as written,
# because their short forms are those of other things ("5 m", "5 h", "5 Gb").
_UNITS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "percent": "%", "kilometers": "km", "kilometres": "km", "quilômetros": "km", "quilómetros": "km", "quilometros": "km",
        "kilograms": "kg", "kilogrammes": "kg", "quilogramas": "kg", "centimeters": "cm", "centimetres": "cm", "centímetros": "cm",
        "centimetros": "cm", "millimeters": "mm", "millimetres": "mm", "milímetros": "mm", "milimetros": "mm", "milligrams": "mg",
        "miligramas": "mg", "milliliters": "ml", "millilitres": "ml", "mililitros": "ml", "minutes": "min", "minutos": "min", "mins": "min",
    }
)  # fmt: skip
_REWRITE: Final[Mapping[str, Callable[[Sequence[str]], list[str]]]] = MappingProxyType({"en": rewrite_en, "pt": rewrite_pt})


def statement_of(text: str) -> str:
    """The form in which two texts are the same: canonical, without the punctuation that ends it; empty when that is all."""
    return canonical(text).rstrip(_TRAILING)


def meaning_of(text: str) -> tuple[str, ...]:
    """What a statement says, for comparing: the language that its words were read in, then the words, in their order.

    Equal for two texts only if they say the same. Signs, numbers, names, negation, quantities, prepositions, pronouns, tense, number and
    gender stay as written; spelling variants, contractions, written-out numbers and articles that change nothing do not. Texts read in
    two languages are never the same, and languages without a list, code, and texts without words count as they are written.

    Args:
        text: as stored. Linear in its length. Never raises.

    >>> meaning_of("Ana doesn't like the blue colour.") == meaning_of("ana does not like the blue color")
    True
    """
    statement = statement_of(text)
    if not statement:
        return "", canonical(text)
    return meaning_in(statement, detect(statement))


def meaning_in(text: str, language: str) -> tuple[str, ...]:
    """`meaning_of` a text that was read in a language (ISO 639-1); one without a list, such as "" or `und`, leaves the text as it is."""
    statement = statement_of(text)
    rewrite = _REWRITE.get(language)
    if rewrite is None or _AS_WRITTEN.search(statement) or _LETTERS.search(statement):
        return "", statement
    words = _without_quiet_comma(rewrite(list(_measures(list(_words(statement))))))
    return (language, *words) if words else ("", statement)


def _words(statement: str) -> Iterator[str]:
    """Words, and the stops behind them as words of their own. What has other signs in it stays in one piece."""
    for chunk in _BULLET.sub("", statement).rstrip(_ENDING + " ").split():
        hour = _HOUR.fullmatch(chunk)
        word = f"{hour['half']}m" if hour is not None else chunk.rstrip(_STOPS)
        stops = "" if hour is not None else chunk[len(word) :]
        yield from (part for part in (word, "." if _FULL_STOPS.fullmatch(stops) else stops) if part)


def _measures(words: Sequence[str]) -> Iterator[str]:
    """One spelling for a number with its unit: "5%", "5 percent"."""
    after_number = False
    for word in words:
        measured = _MEASURED.fullmatch(word)
        if measured is not None:
            yield from (measured["number"], measured["unit"])
        else:
            yield _UNITS.get(word, word) if after_number else word
        after_number = _IS_NUMBER.fullmatch(word) is not None


def _without_quiet_comma(words: list[str]) -> list[str]:
    """Without the only comma when it stands before "and" or "but": with others it may tell a list from names in apposition."""
    if words.count(",") != 1:
        return words
    place = words.index(",")
    return words[:place] + words[place + 1 :] if words[place + 1 : place + 2] and words[place + 1] in {"and", "but", "e", "mas"} else words
