"""Whether two texts say the same in the same words, so that showing both is a waste.

Conservative on purpose: hiding a memory is worse than showing it twice. Cosine cannot tell "allergic to peanuts" from "allergic to
walnuts" (0.92) or "Carla reports to Diego" from the reverse (0.98); the words in their order can.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memdb.text.normalise import canonical, fold

_WORD = re.compile(r"\w+(?:[.,:'@/+-]\w+)*|[^\w\s]")
_QUIET_PUNCTUATION: Final = frozenset(".,;:!\"'()[]…¡-")  # "?" is not quiet: a question is not the statement
# Articles alone, without "a" ("plan A", "vitamin A", and a preposition in Portuguese). Prepositions, pronouns, auxiliaries and tenses all
# carry meaning: "from" is not "to", "worked" is not "works".
_ARTICLES: Final = frozenset({"the", "an"})
_PLURAL_BASE_MIN = 3
# Plural look-alikes that are other words; "pais" (parents) is also not "país".
_NOT_PLURALS: Final = frozenset(
    {
        "news",
        "goods",
        "arms",
        "customs",
        "glasses",
        "means",
        "pais",
        "costas",
        "ferias",
        "oculos",
        "gas",
        "has",
        "was",
        "his",
        "its",
        "does",
    }
)
# Words that differ by their accents alone. A text without any accent may have been typed without them, except in these words.
_ACCENT_PAIRS: Final = frozenset(
    "avo avos pais esta publico secretaria sabia baba cara coco por pode pelo de da e sede forma bebe maio para so numero".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Signature:
    """A text in the form in which near duplicates are compared; made once when one text meets many."""

    canonical: str
    words: tuple[str, ...]

    def repeats(self, other: Signature) -> bool:
        """True when both say the same in the same words; see `near_duplicate`."""
        if self.canonical == other.canonical:
            return True
        if len(self.words) != len(other.words) or not self.words:
            return False
        accents_optional = self.canonical.isascii() != other.canonical.isascii()
        return all(_same(word, twin, accents_optional) for word, twin in zip(self.words, other.words, strict=True))


def signature(text: str) -> Signature:
    """The signature of a text. Linear in the length."""
    form = canonical(text)
    return Signature(form, tuple(_content(form)))


def near_duplicate(a: str, b: str) -> bool:
    """Tell whether two texts are the same words in the same order.

    What may differ: case, code points, punctuation other than question marks and signs, "the" and "an", singular and plural, and
    accents where one text has none at all. Numbers, names and their order, negation, tense, prepositions and pictographs never differ.
    Symmetric and reflexive. Linear in the length.

    >>> near_duplicate("Ana likes green apples.", "ana likes green apple"), near_duplicate("Ana likes tea", "Ana likes tea?")
    (True, False)
    """
    return signature(a).repeats(signature(b))


def _content(text: str) -> list[str]:
    words = _WORD.findall(text)
    return [
        word
        for index, word in enumerate(words)
        if (word not in _ARTICLES and word not in _QUIET_PUNCTUATION) or _is_sign_of_number(words, index)
    ]


def _is_sign_of_number(words: list[str], index: int) -> bool:
    """Tell whether a dash makes a number negative; a dash between words says nothing."""
    return words[index] == "-" and words[index + 1 : index + 2] != [] and words[index + 1][0].isdigit()


def _same(word: str, other: str, accents_optional: bool) -> bool:  # noqa: FBT001 - private, one call
    if word == other or _is_plural_of(word, other) or _is_plural_of(other, word):
        return True
    return accents_optional and (bare := fold(word)) == fold(other) and bare not in _ACCENT_PAIRS


def _is_plural_of(word: str, base: str) -> bool:
    if len(base) < _PLURAL_BASE_MIN or not base.isalpha() or fold(word) in _NOT_PLURALS:
        return False
    sibilant = base.endswith(("s", "x", "z", "ch", "sh", "o", "r"))
    return word == base + "s" or (sibilant and word == base + "es") or (base.endswith("y") and word == base[:-1] + "ies")
