"""What somebody was called, found in texts as they were written and replaced by a mark. Pure.

A label is found as whole words, whatever its case, its accents and what stands between its words (`ana souza`, `Ana_Souza`, `ANA-SOUZA`).
Where a longer label of somebody else stands, the shorter one does not: `Mike Larsen` is no `Mike`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Final
from uuid import UUID

from governance.redaction.findings import JsonValue
from governance.redaction.names.ordinary_words import ORDINARY
from memdb.directory.matching import holds_words
from memdb.models.memory import StoredRedaction
from memdb.text.normalise import fold

ERASED: Final = "[ERASED]"
_LETTERS_MIN: Final = 2
"""A label of one letter is not looked for: it would be found everywhere."""
_WORDS = re.compile(r"[^\W_]+")
# What a reader does not see, behind any letter: accents that were not composed, joiners, fillers.
_MARKS: Final = "[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]*"
_BETWEEN: Final = ("[^[:alnum:]]{1,3}", r"[\W_]{1,3}")
_BEGIN: Final = ("(?<![[:alnum:]])", r"(?<![^\W_])")
_END: Final = ("(?![[:alnum:]])", r"(?![^\W_])")
# Latin, Greek and Cyrillic, where one letter is written in several ways.
_LETTER_BLOCKS: Final = ((0x41, 0x250), (0x370, 0x530), (0x1E00, 0x2000), (0xFF21, 0xFF5B))
_UNSPACED_FROM: Final = "\u0e01"  # Thai and whatever comes behind it: a name may end inside a run of letters


@dataclass(frozen=True, slots=True)
class Labels:
    """Folded labels. `sure`: of nobody else; `unsure`: others have them too; `others`: longer ones of others that hold one of these."""

    sure: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def to_json(self) -> dict[str, list[str]]:
        """As it is stored while it is needed."""
        return {"sure": list(self.sure), "unsure": list(self.unsure), "others": list(self.others)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Sequence[str]] | None) -> Labels:
        """The other way; of nothing stored, no labels."""
        return cls() if stored is None else cls(*(tuple(stored[name]) for name in ("sure", "unsure", "others")))


def tell_apart(own: Collection[str], everybody: Mapping[UUID, Collection[str]], ids: Collection[UUID]) -> Labels:
    """Labels by whether they can mean anybody else: somebody outside `ids` who is called so, or by a name that begins so.

    >>> ana, larsen = UUID(int=1), UUID(int=2)
    >>> tell_apart(["mike", "mike okafor"], {ana: ["mike"], larsen: ["mike larsen"]}, [ana])
    Labels(sure=('mike okafor',), unsure=('mike',), others=('mike larsen',))
    """
    wanted = {label for label in own if sum(map(len, _WORDS.findall(label))) >= _LETTERS_MIN}
    foreign = {label for subject_id, labels in everybody.items() if subject_id not in ids for label in labels}
    unsure = {label for label in wanted if any(holds_words(label, other) == 0 for other in foreign)}
    longer = {
        other for other in foreign - wanted if any((holds_words(label, other) or -1) >= 0 or other.startswith(label) for label in wanted)
    }
    return Labels(tuple(sorted(wanted - unsure)), tuple(sorted(unsure)), tuple(sorted(longer)))


@dataclass(frozen=True, slots=True)
class Found:
    """Where a label stands; `sure`: it means nobody else."""

    start: int
    end: int
    sure: bool


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with marks in it. `open`: a label that others share is still there."""

    text: str = field(repr=False)
    places: tuple[Found, ...] = ()
    open: bool = False


@dataclass(frozen=True)
class Finder:
    """Looks for labels."""

    labels: Labels

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        every = sorted({*self.labels.sure, *self.labels.unsure, *self.labels.others}, key=lambda label: (-len(label), label))
        alternatives = [f"(?P<l{place}>{_written(label)[1]})" for place, label in enumerate(every)]
        return re.compile("|".join(alternatives), re.IGNORECASE) if alternatives else None

    @cached_property
    def _every(self) -> tuple[str, ...]:
        return tuple(sorted({*self.labels.sure, *self.labels.unsure, *self.labels.others}, key=lambda label: (-len(label), label)))

    def expression(self, *, sure: bool = True, unsure: bool = True) -> str | None:
        """A regular expression of Postgres that matches wherever `find` may find one of these, and sometimes more; None for no label."""
        wanted = (*(self.labels.sure if sure else ()), *(self.labels.unsure if unsure else ()))
        return "|".join(_written(label)[0] for label in wanted) or None

    def find(self, text: str) -> list[Found]:
        """Where labels stand, in order, never overlapping."""
        if self._pattern is None:
            return []
        found = []
        for match in self._pattern.finditer(text):
            label = self._every[int((match.lastgroup or "l0")[1:])]
            if label in self.labels.others:
                continue
            # Some names are words as well: "may" in lower case is hardly a person.
            ordinary = label in ORDINARY and match[0] == match[0].lower()
            found.append(Found(match.start(), match.end(), label in self.labels.sure and not ordinary))
        return found

    def is_label(self, text: str) -> bool:
        """True when a text is one of the labels that mean nobody else, and nothing beside it."""
        return fold(text) in self.labels.sure

    def mark(self, text: str, *, all_of_them: bool) -> Marked:
        """Put the mark in the place of each label; of those that others share only with `all_of_them`."""
        places = self.find(text)
        replaced = tuple(place for place in places if place.sure or all_of_them)
        made, behind = [], 0
        for place in replaced:
            made += [text[behind : place.start], ERASED]
            behind = place.end
        return Marked("".join([*made, text[behind:]]), replaced, len(replaced) < len(places))

    def mark_json(self, value: JsonValue, *, all_of_them: bool) -> tuple[JsonValue, dict[str, tuple[Found, ...]], bool]:
        """The same in every string and key of a value: the value, where marks were put by path (`data.a[0]`), whether one is open."""
        places: dict[str, tuple[Found, ...]] = {}
        flags: list[bool] = []

        def walk(one: JsonValue, path: str) -> JsonValue:
            if isinstance(one, str):
                marked = self.mark(one, all_of_them=all_of_them)
                flags.append(marked.open)
                if marked.places:
                    places[path] = marked.places
                return marked.text
            if isinstance(one, Mapping):
                return {self._key(key, flags, all_of_them=all_of_them): walk(item, f"{path}.{key}") for key, item in one.items()}
            if isinstance(one, list | tuple):
                return [walk(item, f"{path}[{index}]") for index, item in enumerate(one)]
            return one

        return walk(value, "data"), places, any(flags)

    def _key(self, key: str, flags: list[bool], *, all_of_them: bool) -> str:
        marked = self.mark(key, all_of_them=all_of_them)
        flags.append(marked.open)
        return marked.text


def shift(before: Sequence[StoredRedaction], places: Mapping[str, Sequence[Found]]) -> tuple[StoredRedaction, ...]:
    """Redactions of fields in which marks were put, at their new places; one that a mark covers is gone with what it covered."""
    moved = []
    for one in before:
        ahead, covered = 0, False
        for place in places.get(one.field, ()):
            if place.start < one.end and one.start < place.end:
                covered = True
            elif place.end <= one.start:
                ahead += len(ERASED) - (place.end - place.start)
        if not covered:
            moved.append(replace(one, start=one.start + ahead, end=one.end + ahead))
    return tuple(moved)


@cache
def _written(label: str) -> tuple[str, str]:
    """(for Postgres, for Python): a folded label as people write it."""
    words = _WORDS.findall(label)
    spelt = ["".join(f"{letter}{_MARKS}" for letter in _spelt(word)) for word in words]
    first, last = words[0][0], words[-1][-1]
    of_postgres, of_python = (between.join(spelt) for between in _BETWEEN)
    begins, ends = first < _UNSPACED_FROM, last < _UNSPACED_FROM
    return (
        f"{_BEGIN[0] if begins else ''}{of_postgres}{_END[0] if ends else ''}",
        f"{_BEGIN[1] if begins else ''}{of_python}{_END[1] if ends else ''}",
    )


def _spelt(word: str) -> Iterator[str]:
    position = 0
    while position < len(word):
        two = word[position : position + 2]
        ligatures = _spellings().get(two, "") if len(two) == 2 else ""
        if ligatures:
            yield f"(?:[{ligatures}]|{''.join(_letter(letter) + _MARKS for letter in two)})"
            position += 2
        else:
            yield _letter(word[position])
            position += 1


def _letter(letter: str) -> str:
    spellings = _spellings().get(letter, "")
    return f"[{letter}{letter.upper() if len(letter.upper()) == 1 else ''}{spellings}]"


@cache
def _spellings() -> Mapping[str, str]:
    """Folded letter, or pair of letters, -> the characters that fold to it."""
    found: dict[str, list[str]] = {}
    for begin, end in _LETTER_BLOCKS:
        for point in range(begin, end):
            character = chr(point)
            folded = fold(character) if character.isalpha() else ""
            if 1 <= len(folded) <= 2 and folded.isalnum() and folded != character:
                found.setdefault(folded, []).append(character)
    return {folded: "".join(characters) for folded, characters in found.items()}


def iterate_labels(names: Sequence[str | None]) -> Iterator[str]:
    """Folded names, without those that are none."""
    for name in names:
        if name and _WORDS.search(fold(name)):
            yield fold(name)
