"""Capitalised runs: words with a capital that stand side by side, with the particles that names have between them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from governance.redaction.names.folding import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD: Final = re.compile(r"[^\W\d_]+(?:(?!['’]s(?![^\W\d_]))['’-][^\W\d_]+)*")
_JOINT: Final = re.compile(r"[ \t\u00a0]{1,3}|-")
_JOINT_AFTER_INITIAL: Final = re.compile(r" ?\.? ?")
_PARTICLES_MAX: Final = 2
RUN_WORDS_MAX: Final = 24  # longer ones are headings or lists without commas

PARTICLES: Final = frozenset(
    "de da do dos das del della der den di du la le el van von ter ten af av zu zur y bin ibn al".split()  # noqa: SIM905 - twenty quoted words read worse
)
"""What may stand between two parts of a name in small letters."""


@dataclass(frozen=True, slots=True)
class Word:
    """`plain` is the word in small letters without accents."""

    start: int
    end: int
    plain: str
    capital: bool
    upper: bool

    @property
    def is_initial(self) -> bool:
        return self.end - self.start == 1 and self.capital


@dataclass(frozen=True, slots=True)
class Run:
    """Words in order of place, never empty; its first and last one are no particles."""

    words: tuple[Word, ...]

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        return self.words[-1].end

    @property
    def names(self) -> tuple[Word, ...]:
        """The words without particles and initials."""
        return tuple(word for word in self.words if word.plain not in PARTICLES and not word.is_initial)


def words_of(text: str) -> list[Word]:
    """Return all words of a text."""
    return [_word(match) for match in _WORD.finditer(text)]


def runs_of(text: str, words: Sequence[Word]) -> Iterator[Run]:
    """Return maximal runs in order of place, of at most `RUN_WORDS_MAX` words.

    Words in capitals and words with one capital are not mixed, except initials.
    """
    current: list[Word] = []
    pending: list[Word] = []
    for word in words:
        touches = bool(current) and _touch(text, (pending or current)[-1], word)
        if word.plain in PARTICLES and touches and len(pending) < _PARTICLES_MAX:
            pending.append(word)
            continue
        if word.capital and word.plain not in PARTICLES:
            if touches and len(current) < RUN_WORDS_MAX and _mix(current, word):
                current.extend((*pending, word))
            else:
                yield from _run(current)
                current = [word]
        else:
            yield from _run(current)
            current = []
        pending = []
    yield from _run(current)


def cut(run: Run, is_boundary: Sequence[bool]) -> Iterator[Run]:
    """Return what is left of a run when some of its words, one flag a word, are taken out."""
    part: list[Word] = []
    for word, boundary in zip(run.words, is_boundary, strict=True):
        if boundary:
            yield from _run(_trimmed(part))
            part = []
        else:
            part.append(word)
    yield from _run(_trimmed(part))


def _word(match: re.Match[str]) -> Word:
    shown = match[0]
    return Word(match.start(), match.end(), folded(shown), shown[0].isupper(), len(shown) > 1 and shown.isupper())


def _run(words: list[Word]) -> Iterator[Run]:
    if words and not all(word.is_initial for word in words):
        yield Run(tuple(words))


def _trimmed(words: list[Word]) -> list[Word]:
    start, end = 0, len(words)
    while start < end and words[start].plain in PARTICLES:
        start += 1
    while end > start and words[end - 1].plain in PARTICLES:
        end -= 1
    return words[start:end]


def _touch(text: str, before: Word, word: Word) -> bool:
    joint = _JOINT_AFTER_INITIAL if before.is_initial else _JOINT
    return joint.fullmatch(text, before.end, word.start) is not None


def _mix(current: list[Word], word: Word) -> bool:
    if word.is_initial:
        return True
    last = next((known for known in reversed(current) if not known.is_initial and known.plain not in PARTICLES), None)
    return last is None or last.upper == word.upper
