"""What the learned screen sees of a text: hashed words, pairs of words and runs of characters, each with its place. Pure.

A place belongs to every feature, so that the score of any stretch of the text is a difference of two prefix sums: the whole text is read
once, however many stretches are looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias
from zlib import crc32

import numpy as np

from governance.inspection.concepts import concepts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BUCKETS: Final = 1 << 17
PAIR_WORDS_MAX: Final = 8  # between two concepts that make a pair
PAIRS_MAX: Final = 6  # concepts before one that it is paired with
NEGATED_WORDS: Final = 5  # after a negation
RUN_LENGTH: Final = 5  # characters; shorter ones say little, longer ones are words
WORD_VALUE: Final = 1.0
IDEA_VALUE: Final = 1.0
RUN_VALUE: Final = 0.3  # there are many, and they say the same as the words around them
STRETCH_WORDS_MAX: Final = 40  # an order is a sentence or two
STRETCH_WORDS_MIN: Final = 4  # "Yes.", "Note:" say nothing alone

Places: TypeAlias = "NDArray[np.int64]"
Word: TypeAlias = "tuple[int, int, str]"
"""Start, end, and the word itself."""

_NEGATIONS: Final = frozenset({"not", "never", "no", "don", "dont", "without", "nao", "nunca", "jamais", "sem", "nem", "cannot"})
_WORD: Final = re.compile(r"\w+|\[\w+\]|[^\w\s]")
_ZEROS: Final = str.maketrans("123456789", "000000000")
_END: Final = re.compile(r"[.!?;]+(?=\s|$)|\n+")
_DENIED: Final = 0x5BD1E995
_MULTIPLIER: Final = np.uint32(0x01000193)
_MIX: Final = np.uint32(0x9E3779B1)


@dataclass(frozen=True, slots=True)
class Features:
    """Feature i begins at offset `places[i]`, has number `buckets[i]`, 0 to `BUCKETS` - 1, and weighs `values[i]`. In no order."""

    places: Places
    buckets: Places
    values: NDArray[np.float64]


def words_of(text: str) -> list[Word]:
    """Return words, labels and marks of a folded text, in order."""
    return [(match.start(), match.end(), match[0]) for match in _WORD.finditer(text)]


def features(text: str, words: Sequence[Word]) -> Features:
    """Return the features of a folded text; fewer than twenty for each of its words, and one for each character."""
    starts = np.array([start for start, _, _ in words], dtype=np.int64)
    hashed = np.array([crc32(word.encode("utf-8", "surrogatepass")) for word in _negated(words)], dtype=np.uint32)
    ideas = _ideas(words)
    runs = _runs(text)
    parts = [
        (starts, hashed, WORD_VALUE),
        *(
            (starts[: max(0, len(words) - gap)], hashed[:-gap] * _MULTIPLIER + np.uint32(gap) + (hashed[gap:] ^ _MIX), WORD_VALUE)
            for gap in (1, 2)
        ),
        (np.array([start for start, _ in ideas], dtype=np.int64), np.array([number for _, number in ideas], dtype=np.uint32), IDEA_VALUE),
        (np.arange(len(runs), dtype=np.int64), runs, RUN_VALUE),
    ]
    return Features(
        np.concatenate([places for places, _, _ in parts]),
        _bucket(np.concatenate([numbers for _, numbers, _ in parts])),
        np.concatenate([np.full(len(places), value) for places, _, value in parts]),
    )


def _negated(words: Sequence[Word]) -> list[str]:
    """Words, numbers as zeros, marked where one of the few before them says no: `never share` is not `share`."""
    marked: list[str] = []
    left = 0
    for _, _, word in words:
        if word in _NEGATIONS:
            left = NEGATED_WORDS
            marked.append(word)
            continue
        if not word[0].isalnum():
            left = 0
        plain = word if word.isalpha() else word.translate(_ZEROS)
        marked.append(plain + "!" if left else plain)
        left = max(0, left - 1)
    return marked


def _ideas(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Concepts and ordered pairs of near ones, as place and number."""
    found: list[tuple[int, int]] = []
    recent: list[tuple[int, int]] = []  # index of the word, concept
    denied = -NEGATED_WORDS - 1
    for index, (start, _, word) in enumerate(words):
        if word in _NEGATIONS:
            denied = index
        concepts = concepts_of(word)
        if not concepts:
            continue
        if 0 < index - denied <= NEGATED_WORDS:
            concepts = tuple(concept ^ _DENIED for concept in concepts)
        recent = [(at, concept) for at, concept in recent if index - at <= PAIR_WORDS_MAX][-PAIRS_MAX:]
        for concept in concepts:
            found.append((start, concept))
            found += [(start, (before * 31 + concept) & 0xFFFFFFFF) for _, before in recent]
        recent += [(index, concept) for concept in concepts]
    return found


def stretches(text: str, words: Sequence[Word]) -> list[tuple[int, int]]:
    """Return start and end of what is judged as one: sentences, short ones with what follows them, long ones in overlapping halves."""
    found: list[tuple[int, int]] = []
    begun = at = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        while at < len(words) and words[at][1] <= end:
            at += 1
        if at - begun >= STRETCH_WORDS_MIN or (end == len(text) and at > begun):
            found += _cut(words[begun:at])
            begun = at
    return found


def _cut(words: Sequence[Word]) -> list[tuple[int, int]]:
    if len(words) <= STRETCH_WORDS_MAX:
        return [(words[0][0], words[-1][1])]
    half = STRETCH_WORDS_MAX // 2
    return [(words[at][0], words[min(at + STRETCH_WORDS_MAX, len(words)) - 1][1]) for at in range(0, len(words) - half, half)]


def _runs(text: str) -> NDArray[np.uint32]:
    """Numbers of all runs of `RUN_LENGTH` characters, in order of place."""
    codes = np.frombuffer(text.translate(_ZEROS).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if len(codes) < RUN_LENGTH:
        return np.empty(0, dtype=np.uint32)
    total = len(codes) - RUN_LENGTH + 1
    numbers = np.full(total, RUN_LENGTH, dtype=np.uint32)
    for at in range(RUN_LENGTH):
        numbers = (numbers ^ codes[at : at + total]) * _MULTIPLIER
    return numbers


def _bucket(numbers: NDArray[np.uint32]) -> Places:
    mixed = numbers * _MIX
    return ((mixed ^ (mixed >> np.uint32(15))) % np.uint32(BUCKETS)).astype(np.int64)
