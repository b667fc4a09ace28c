"""Entity branch: memories that somebody named in the question said, that are about them, or that mention what it names.

A rare name says much, a frequent one little. Of frequent ones only memories that another branch found are looked at: that everybody in a
room speaks is no reason to return everything. Names are found with and without accents, by their beginning, and with a typing error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from rapidfuzz.distance import OSA
from sqlalchemy.ext.asyncio import AsyncConnection

from memdb.models.memory import SPEAKER
from memdb.storage.sending import Row, fetch
from memdb.storage.statements import load
from memdb.storage.subjects import Groups
from retrieval.branches.base import HITS_MAX, KINDS, Asked, Hit
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.names import Match, Met, QueryName, keep_longest, score

BEGINS: Final = 0.7
"""The name only begins like the entity's ("mike" for "mike chen")."""
MISTYPED: Final = 0.8
NAMES_MAX: Final = 30
"""Entities of one name."""
ALIKE_MAX: Final = 500
"""Entities that are compared with a mistyped name: those with its first letter."""
RARE_MAX: Final = 200
"""Memories of an entity up to which all of them are hits."""
COUNTED_MAX: Final = 2_000
PEOPLE: Final = frozenset({SPEAKER, "person", "subject"})
LAST: Final = "\U0010ffff"
"""Behind every other character in byte order."""

_STATEMENTS = load("retrieval.sql")


class EntityBranch:
    """Names of the question among entities and subjects in scope, weighted by rarity."""

    name = "entity"
    looks_up = False

    async def find(self, conn: AsyncConnection, asked: Asked) -> list[Hit]:
        question = asked.question
        if not question.names or question.filters.past:
            return []  # what is mentioned and who said it is known of current versions alone
        documents = (await asked.statistics.get(conn)).documents
        if documents <= 0:
            return []
        subjects = [Match(s, n, n.surface, concerns=True, sure=1.0) for n in question.names for s in n.subject_ids]
        bound = scope_parameters(asked.scope) | filter_parameters(question.filters) | {"counted_max": COUNTED_MAX}
        matches = keep_longest([*subjects, *await self._entities(conn, bound, question.names)])
        kinds: dict[int, str] = {}
        met = await self._meet_subjects(conn, bound, [m for m in matches if m.is_subject], question.same, kinds)
        bound |= {"seeds": list(question.seeds)}
        met += await self._meet_entities(conn, bound, [m for m in matches if not m.is_subject], kinds)
        best = score(met, documents, HITS_MAX + len(question.seeds))
        return [
            Hit(UUID(int=s.memory_id), 0, KINDS[kinds[s.memory_id]], rank, raw=s.raw, strength=s.strength, found=s.labels)
            for rank, s in enumerate(best, 1)
        ]

    async def _entities(self, conn: AsyncConnection, bound: dict[str, Any], names: Sequence[QueryName]) -> list[Match]:
        rows = await _look_up(conn, bound, [name.folded for name in names], exact=True)
        found = [m for row in rows if (m := _matched(names[row.place], row)) is not None]
        mistyped = [n for n in names if n.may_be_mistyped and not any(n.covers(match.name) for match in found)]
        if mistyped:
            rows = await _look_up(conn, bound, [n.folded[0] for n in mistyped], exact=False)
            alike = [
                (mistyped[r.place], r) for r in rows if OSA.distance(mistyped[r.place].folded, r.folded) <= mistyped[r.place].errors_max
            ]
            found += [Match(r.id, name, r.name, concerns=r.kind == SPEAKER, sure=MISTYPED) for name, r in alike]
        return found

    async def _meet_subjects(
        self, conn: AsyncConnection, bound: dict[str, Any], subjects: Sequence[Match], same: Groups, kinds: dict[int, str]
    ) -> list[Met]:
        if not subjects:
            return []
        memories: dict[UUID, set[int]] = {}
        members = sorted({member for m in subjects for member in same.group(m.id)})
        for row in await fetch(conn, _STATEMENTS["entity_subjects"].sql, bound | {"subject_ids": members}):
            memories.setdefault(same.root(row.subject_id), set()).add(row.memory_id.int)
            kinds[row.memory_id.int] = row.kind
        return [Met(m, frozenset(memories.get(m.id, ())), len(memories.get(m.id, ()))) for m in subjects]

    async def _meet_entities(
        self, conn: AsyncConnection, bound: dict[str, Any], entities: Sequence[Match], kinds: dict[int, str]
    ) -> list[Met]:
        if not entities:
            return []
        wanted = bound | {"entity_ids": sorted({m.id for m in entities}), "rare_max": RARE_MAX}
        counts: dict[UUID, int] = {}
        memories: dict[UUID, frozenset[int]] = {}
        for entity_id, count, memory_ids, found in await fetch(conn, _STATEMENTS["entity_memories"].sql, wanted):
            if memory_ids is None:
                counts[entity_id] = count
            else:
                numbers = [memory_id.int for memory_id in memory_ids]
                memories[entity_id] = frozenset(numbers)
                kinds.update(zip(numbers, found, strict=True))
        return [Met(m, memories.get(m.id, frozenset()), counts.get(m.id, 0)) for m in entities]


async def _look_up(conn: AsyncConnection, bound: dict[str, Any], names: list[str], *, exact: bool) -> Sequence[Row]:
    asked = {"names": names, "ends": [name + LAST for name in names], "places": list(range(len(names))), "exact": exact}
    asked |= {"names_max": NAMES_MAX if exact else ALIKE_MAX, "org_id": bound["org_id"], "brain_ids": bound["brain_ids"]}
    return await fetch(conn, _STATEMENTS["entity_names"].sql, asked)


def _matched(name: QueryName, row: Row) -> Match | None:
    """None for a thing that only begins like a word in lower case: "house" does not mean "House of Cards"."""
    begins = row.folded != name.folded
    if begins and not name.capital and row.kind not in PEOPLE:
        return None
    return Match(row.id, name, row.name, concerns=row.kind == SPEAKER, sure=BEGINS if begins else 1.0)
