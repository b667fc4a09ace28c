"""Names in a question: runs of its words that may name an entity or a subject. Pure; what of them exists the entity branch finds out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memdb.text.normalise import LETTER, fold
from memdb.text.stop_words import stop_words

WORDS_MAX: Final = 4
"""Longest run; longer names are found by their beginning."""
NAMES_MAX: Final = 96
MENTIONS: Final = 0.25
"""Weight of a name that only stands in the text: the lexical branch has counted that already. 0 for names of those who speak or are spoken
about: whoever is addressed by name says nothing in that turn (LoCoMo turns, recall@10 0.71 without such mentions, 0.67 with them)."""
_MISTYPED_MIN: Final = 4
_TWO_ERRORS_MIN: Final = 8
_LENGTHS: Final = range(2, 81)
_WORD = re.compile(rf"#?{LETTER}+(?:['’&./_-]{LETTER}+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_COMMON = stop_words(("en", "pt", "es"))


@dataclass(frozen=True, slots=True)
class QueryName:
    """A run of words: its first word's place and how many it has, as written and folded. `capital`: each begins with a capital letter or
    a digit. `subject_ids`: who bears it as a label in this org; several are namesakes, and all of them count.
    """

    start: int
    length: int
    surface: str = field(repr=False)
    folded: str = field(repr=False)
    capital: bool
    subject_ids: tuple[UUID, ...] = ()

    @property
    def may_be_mistyped(self) -> bool:
        """True for a single capitalised word that is long enough not to be near everything."""
        return self.capital and self.length == 1 and len(self.folded) >= _MISTYPED_MIN and self.folded[0].isalpha()

    @property
    def errors_max(self) -> int:
        """Typing errors (letters added, left out, changed or swapped with the next) up to which a name may be meant."""
        return 1 if len(self.folded) < _TWO_ERRORS_MIN else 2

    def covers(self, other: QueryName) -> bool:
        """True when they share a word of the question."""
        return self.start < other.start + other.length and other.start < self.start + self.length


def find_names(text: str, dictionary: Mapping[str, Sequence[UUID]]) -> tuple[QueryName, ...]:
    """Runs of up to WORDS_MAX words that neither begin nor end with a common word, longest first, then by place.

    >>> [name.folded for name in find_names("Did Mike Chen call?", {})]
    ['mike chen call', 'mike chen', 'chen call', 'mike', 'chen', 'call']
    """
    words = [_POSSESSIVE.sub("", match[0]) for match in _WORD.finditer(text)]
    folded = [fold(word) for word in words]
    names = []
    for length in range(WORDS_MAX, 0, -1):
        for start in range(len(words) - length + 1):
            run = folded[start : start + length]
            name = " ".join(run)
            if run[0] in _COMMON or run[-1] in _COMMON or len(name) not in _LENGTHS:
                continue
            written = words[start : start + length]
            capital = all(word[0].isupper() or word[0].isdigit() or word in _COMMON for word in written)
            names.append(QueryName(start, length, " ".join(written), name, capital, tuple(dictionary.get(name, ()))))
    return tuple(names[-NAMES_MAX:])


# ------------------------------------------------------------------------------------------------------------------ scoring
@dataclass(frozen=True, slots=True)
class Match:
    """An entity or subject that a name of the question means. `concerns`: its memories are said by it or about it, and do not only mention
    it; `sure` in 0..1.
    """

    id: UUID
    name: QueryName
    label: str = field(repr=False)
    concerns: bool
    sure: float

    @property
    def is_subject(self) -> bool:
        """True for a subject of the org, False for an entity of a brain."""
        return self.id in self.name.subject_ids


@dataclass(frozen=True, slots=True)
class Met:
    """A match with memories that it stands in, as numbers, and in how many it stands altogether."""

    match: Match
    memories: frozenset[int]
    count: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A memory by the names of a question. `raw`: sum of inverse frequencies; `strength`: the same in 0..1, as a share of the rarest. Ids
    of memories are numbers: hashing and comparing UUIDs would take most of the time.
    """

    memory_id: int
    raw: float
    strength: float
    labels: tuple[str, ...] = field(repr=False)


def keep_longest(matches: Iterable[Match]) -> list[Match]:
    """Leave out matches whose words a longer match covers: "Mike Chen" means no other Mike."""
    kept: list[Match] = []
    for match in sorted(matches, key=lambda m: (-m.name.length, m.name.start, m.id)):
        if not any(k.name.length > match.name.length and k.name.covers(match.name) for k in kept):
            kept.append(match)
    return kept


def score(met: Sequence[Met], documents: int, limit: int) -> list[Scored]:
    """Memories by how rare the names are that they share with the question, best first, ties by id, at most so many. Namesakes do not add
    up: of the entities of one name the best counts.
    """
    most = rarity(1, documents)
    concerned = {m.match.name.start for m in met if m.match.concerns and m.count}
    worth: dict[int, dict[int, tuple[float, str]]] = {}
    for each in met:
        match = each.match
        relation = 1.0 if match.concerns else 0.0 if match.name.start in concerned else MENTIONS
        value = match.sure * relation * rarity(each.count, documents)
        for memory_id in each.memories if value > 0 else ():
            names = worth.setdefault(memory_id, {})
            names[match.name.start] = max(names.get(match.name.start, (0.0, "")), (value, match.label))
    raws = {memory_id: sum(value for _, (value, _) in sorted(names.items())) for memory_id, names in worth.items()}
    best = sorted(raws, key=lambda memory_id: (-raws[memory_id], memory_id))[:limit]
    return [Scored(m, raws[m], min(1.0, raws[m] / most), tuple(label for _, (_, label) in sorted(worth[m].items()))) for m in best]


def rarity(holding: int, documents: int) -> float:
    """Inverse document frequency, as BM25 has it.

    >>> rarity(1, 100) > rarity(50, 100) > rarity(100, 100) > 0
    True
    """
    holding = min(holding, documents)
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))
