"""The names that an org has given us: its subjects and their aliases, and its places."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import LOCATION, PERSON
from governance.redaction.findings import EntityType, Finding
from governance.redaction.names.runs import words_of
from governance.redaction.recognizers.base import CERTAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from governance.redaction.names.runs import Word

WORDS_MAX: Final = 8
SINGLE_CHARACTERS_MIN: Final = 2


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Names by their words. A name of several words is found in any case, one of a single word only with its capital: `will` stays."""

    by_first: Mapping[str, tuple[tuple[tuple[str, ...], EntityType], ...]] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, people: Iterable[str], places: Iterable[str] = ()) -> KnownNames:
        """Make them from names as people write them; empty ones and ones of more than eight words are left out."""
        found: dict[str, set[tuple[tuple[str, ...], EntityType]]] = {}
        for names, entity in ((people, PERSON), (places, LOCATION)):
            for name in names:
                words = tuple(word.plain for word in words_of(name))
                if words and len(words) <= WORDS_MAX and (len(words) > 1 or len(words[0]) >= SINGLE_CHARACTERS_MIN):
                    found.setdefault(words[0], set()).add((words, entity))
        # The longest first: `Ana Silva Costa` is not `Ana Silva`.
        return cls(
            MappingProxyType({first: tuple(sorted(names, key=lambda item: (-len(item[0]), item))) for first, names in found.items()})
        )

    def find(self, words: Sequence[Word]) -> Iterator[Finding]:
        """Return the known names among the words of a text, in order of place, without overlaps."""
        position = 0
        while position < len(words):
            match = self._at(words, position)
            if match is None:
                position += 1
                continue
            length, entity = match
            yield Finding(entity, words[position].start, words[position + length - 1].end, CERTAIN)
            position += length

    def _at(self, words: Sequence[Word], position: int) -> tuple[int, EntityType] | None:
        for name, entity in self.by_first.get(words[position].plain, ()):
            if len(name) == 1 and not words[position].capital:
                continue
            # A space apart, or a full stop and a space behind an initial.
            part = words[position : position + len(name)]
            if tuple(word.plain for word in part) == name and all(
                after.start - before.end <= 1 + before.is_initial for before, after in pairwise(part)
            ):
                return len(name), entity
        return None


NOBODY: Final = KnownNames()
