"""Snowball stems, and the two forms of a word that let texts with and without accents meet."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Final

import Stemmer

from memdb.text.normalise import canonical, fold

_ALGORITHMS: Final[dict[str, str]] = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
    "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sv": "swedish", "tr": "turkish",
}  # fmt: skip
_STEMMED_LENGTH_MAX = 64  # longer "words" are keys and hashes
_LEXEME_BYTES_MAX = 200  # Postgres takes 2,046 bytes; no word is that long, and the index stays small

_local = threading.local()


@lru_cache(maxsize=65_536)
def forms(word: str, language: str) -> tuple[str, ...]:
    """Give the one or two lexemes of a plain word: the folded stem, and the stem of the folded word where that differs.

    Both are needed: an algorithm that knows accents cuts "relatórios" where it leaves "relatorios" alone. A word typed with and
    without accents shares its second form.

    Args:
        word: one word, in any case.
        language: ISO 639-1 code; without a stemmer (or `und`) the word is only folded.
    """
    bare = fold(word)
    algorithm = _ALGORITHMS.get(language)
    if algorithm is None or len(bare) > _STEMMED_LENGTH_MAX or any(map(str.isdigit, bare)):
        return (cut_lexeme(bare),)
    stemmer = _stemmer(algorithm)
    return tuple(dict.fromkeys((fold(stemmer.stemWord(canonical(word))) or bare, stemmer.stemWord(bare) or bare)))


def cut_lexeme(lexeme: str) -> str:
    """Cut to 200 bytes of UTF-8, between characters."""
    if len(lexeme) * 4 <= _LEXEME_BYTES_MAX:
        return lexeme
    return lexeme.encode("utf-8", "replace")[:_LEXEME_BYTES_MAX].decode("utf-8", "ignore")


def _stemmer(algorithm: str) -> Stemmer.Stemmer:
    """Give this thread's stemmer: one instance must not be used by two threads at once (PyStemmer's documentation)."""
    stemmers: dict[str, Stemmer.Stemmer] = _local.__dict__.setdefault("stemmers", {})
    if algorithm not in stemmers:
        stemmers[algorithm] = Stemmer.Stemmer(algorithm, 0)  # 0: `forms` caches
    return stemmers[algorithm]
