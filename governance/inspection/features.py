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

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUCKETS: Final = 1 << 17
RUNS: Final = (4, 6)  # characters; shorter ones say little, longer ones are words
STRETCH_WORDS_MAX: Final = 40  # an order is a sentence or two
STRETCH_WORDS_MIN: Final = 4  # "Yes.", "Note:" say nothing alone

Places: TypeAlias = "NDArray[np.int64]"

_WORD: Final = re.compile(r"\w+|\[\w+\]|[^\w\s]")
_DIGITS: Final = re.compile(r"\d+")
_END: Final = re.compile(r"[.!?;]+(?=\s|$)|\n+")
_MULTIPLIER: Final = np.uint32(0x01000193)
_MIX: Final = np.uint32(0x9E3779B1)


@dataclass(frozen=True, slots=True)
class Features:
    """`places[i]` is the offset at which feature i begins, `buckets[i]` its number, 0 to `BUCKETS` - 1. In no order."""

    places: Places
    buckets: Places


def features(text: str) -> Features:
    """Return the features of a folded text; at most five for each of its characters."""
    plain = _DIGITS.sub(_zeros, text)
    words = [(match.start(), crc32(match[0].encode())) for match in _WORD.finditer(plain)]
    places = [np.array([start for start, _ in words], dtype=np.int64)]
    hashed = np.array([number for _, number in words], dtype=np.uint32)
    buckets = [_bucket(hashed)]
    for gap in (1, 2):
        places.append(places[0][: max(0, len(words) - gap)])
        buckets.append(_bucket(hashed[:-gap] * _MULTIPLIER + np.uint32(gap) + (hashed[gap:] ^ _MIX)))
    for length in RUNS:
        runs = _runs(plain, length)
        places.append(np.arange(len(runs), dtype=np.int64))
        buckets.append(_bucket(runs))
    return Features(np.concatenate(places), np.concatenate(buckets))


def stretches(text: str) -> list[tuple[int, int]]:
    """Return start and end of what is judged as one: sentences, short ones with what follows them, long ones in overlapping halves."""
    found: list[tuple[int, int]] = []
    begun: list[re.Match[str]] = []
    start = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        begun += _WORD.finditer(text, start, end)
        start = end
        if len(begun) >= STRETCH_WORDS_MIN:
            found += _cut(begun)
            begun = []
    return [*found, *(_cut(begun) if begun else ())]


def _cut(words: list[re.Match[str]]) -> list[tuple[int, int]]:
    if len(words) <= STRETCH_WORDS_MAX:
        return [(words[0].start(), words[-1].end())]
    half = STRETCH_WORDS_MAX // 2
    starts = range(0, len(words) - half, half)
    return [(words[at].start(), words[min(at + STRETCH_WORDS_MAX, len(words)) - 1].end()) for at in starts]


def _zeros(match: re.Match[str]) -> str:
    return "0" * (match.end() - match.start())


def _runs(text: str, length: int) -> NDArray[np.uint32]:
    """Numbers of all runs of so many characters, in order of place."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if len(codes) < length:
        return np.empty(0, dtype=np.uint32)
    total = len(codes) - length + 1
    numbers = np.full(total, length, dtype=np.uint32)
    for at in range(length):
        numbers = (numbers ^ codes[at : at + total]) * _MULTIPLIER
    return numbers


def _bucket(numbers: NDArray[np.uint32]) -> Places:
    mixed = numbers * _MIX
    return ((mixed ^ (mixed >> np.uint32(15))) % np.uint32(BUCKETS)).astype(np.int64)
