"""Cuts text into words, compounds (codes, addresses, hyphenated words) and runs of scripts that write no spaces."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from memdb.text.normalise import fold, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

# Scripts without spaces between words, and Hangul, where particles stick to the noun: Thai, Lao, Myanmar, Khmer, kana, Han, Hangul.
_UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30fa"
    "\u30fc-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
# Marks that Python's \w leaves out although they are inside words: Latin, Hebrew, Arabic, and the vowel signs of Indic scripts.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd"
    "\u0a01-\u0a51\u0a81-\u0acd\u0b01-\u0b57\u0b82-\u0bcd\u0c00-\u0c56\u0c81-\u0cd6\u0d00-\u0d57"
)
_LETTER = rf"(?:(?![{_UNSPACED}])[\w{_MARKS}])"
# INVARIANT: linear: letters and joints exclude each other, and possessive runs are never given back.
_TOKEN = re.compile(
    rf"(?P<compound>{_LETTER}++(?:(?:[-.:@'/&=?%~#+]{{1,3}}|,(?=\d)){_LETTER}++)*(?P<tail>[+#]{{1,2}}(?!{_LETTER}))?)|(?P<run>[{_UNSPACED}]++)"
)
_PART = re.compile(rf"{_LETTER}+")
_PIECE = re.compile(r"[^_]+")

_CONTRACTION = re.compile(r"(?P<word>\w+)'(?:s|re|ll|ve|d|m)", re.IGNORECASE)
_NEGATION = re.compile(r"\w+n't", re.IGNORECASE)
_JOINED = re.compile(r"\w+(?:[-']\w+)+")


@dataclass(frozen=True, slots=True)
class Token:
    """One token in reading order, with its case.

    `whole` is the token as written ("node.js"); `parts` are the plain words in it ("node", "js"), empty for a plain word;
    `joined` is a hyphenated word without its hyphens ("email" for "e-mail"), else None. `bigrams` (folded) is not empty for a run of an
    unspaced script, and then `whole` is that run.
    """

    whole: str
    parts: tuple[str, ...] = ()
    joined: str | None = None
    bigrams: tuple[str, ...] = ()


def tokenise(text: str) -> Iterator[Token]:
    """Cut text into tokens; signs and pictographs are left out. Never raises."""
    for match in _TOKEN.finditer(visible(text)):
        run = match["run"]
        if run is not None:
            if any(character.isalnum() for character in run):
                yield Token(run, bigrams=_bigrams(fold(run)))
        elif any(character.isalnum() for character in match["compound"]):
            yield _compound(match["compound"])


@lru_cache(maxsize=8_192)
def _compound(whole: str) -> Token:
    contraction = _CONTRACTION.fullmatch(whole)
    if contraction is not None:
        return Token(contraction["word"])
    if _NEGATION.fullmatch(whole):
        return Token(whole)
    parts = tuple(piece for part in _PART.findall(whole) for piece in _PIECE.findall(part) if any(map(str.isalnum, piece)))
    if parts == (whole,):
        return Token(whole)
    joined = re.sub("[-']", "", whole) if _JOINED.fullmatch(whole) and not any(map(str.isdigit, whole)) else None
    return Token(whole, parts=parts, joined=joined)


def _bigrams(run: str) -> tuple[str, ...]:
    """Pair neighbouring characters, each with the vowel and tone marks that sit on it; a single character stands for itself."""
    clusters: list[str] = []
    for character in run:
        if clusters and unicodedata.category(character)[0] == "M":
            clusters[-1] += character
        else:
            clusters.append(character)
    if len(clusters) == 1:
        return (clusters[0],)
    return tuple(first + second for first, second in pairwise(clusters))
