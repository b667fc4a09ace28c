"""Words as names are compared by. Apart from the lists of words, which take their time to load."""

from __future__ import annotations

import unicodedata


def folded(word: str) -> str:
    """Lower case without accents, typographic apostrophes as ASCII ones; the length may change."""
    decomposed = unicodedata.normalize("NFD", word.replace("\u2019", "'").lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))
