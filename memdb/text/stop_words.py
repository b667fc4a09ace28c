"""Function words of English, Portuguese and Spanish, from the lists in `stopwords/`."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from memdb.text.normalise import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FOLDER = Path(__file__).parent / "stopwords"


def _read(language: str) -> frozenset[str]:
    lines = (_FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(fold(word) for line in lines if not line.startswith("#") for word in line.split())


STOP_WORDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType({language: _read(language) for language in ("en", "pt", "es")})
"""ISO 639-1 code to folded words."""


def stop_words(languages: Iterable[str]) -> frozenset[str]:
    """Give the folded stop words of all the languages together; a language without a list adds none."""
    return frozenset().union(*(STOP_WORDS.get(language, frozenset()) for language in languages))
