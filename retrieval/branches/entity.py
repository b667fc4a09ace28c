"""Entity branch: memories that somebody named in the question said, that are about them, or that mention what it names.

A rare name says much, a frequent one little. Of frequent ones only memories that another branch found are looked at: that everybody in a
room speaks is no reason to return everything. Names are found with and without accents, by their beginning, and with a typing error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from rapidfuzz.distance import OSA
from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from governance.scopes import ScopeFilter
from memdb.models.memory import SPEAKER
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.storage.statements import load
from retrieval.branches.base import HITS_MAX, Hit
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.names import Match, Met, QueryName, keep_longest, score
from retrieval.query import Question

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
    default_weight = 0.3

    async def find(self, conn: AsyncConnection, scope: ScopeFilter, question: Question, _space: EmbeddingSpace) -> list[Hit]:
        if not question.names or question.filters.past:
            return []  # what is mentioned and who said it is known of current versions alone
        documents = (await conn.execute(_STATEMENTS["corpus_size"].clause, scope_parameters(scope))).scalar_one()
        if documents <= 0:
            return []
        subjects = [Match(s, n, n.surface, concerns=True, sure=1.0) for n in question.names for s in n.subject_ids]
        bound = scope_parameters(scope) | filter_parameters(question.filters) | {"counted_max": COUNTED_MAX}
        matches = keep_longest([*subjects, *await self._entities(conn, scope, question.names)])
        met = await self._meet_subjects(conn, bound, [m for m in matches if m.is_subject])
        met += await self._meet_entities(conn, bound, [m for m in matches if not m.is_subject], list(question.seeds))
        best = score(met, documents)[: HITS_MAX + len(question.seeds)]
        return [
            Hit(memory_id=s.memory_id, version=0, rank=rank, raw=s.raw, strength=s.strength, found=s.labels)
            for rank, s in enumerate(best, 1)
        ]

    async def _entities(self, conn: AsyncConnection, scope: ScopeFilter, names: Sequence[QueryName]) -> list[Match]:
        rows = await _look_up(conn, scope, [name.folded for name in names], exact=True)
        found = [m for row in rows if (m := _matched(names[row.place], row)) is not None]
        mistyped = [n for n in names if n.may_be_mistyped and not any(n.covers(match.name) for match in found)]
        if mistyped:
            rows = await _look_up(conn, scope, [n.folded[0] for n in mistyped], exact=False)
            alike = [
                (mistyped[r.place], r) for r in rows if OSA.distance(mistyped[r.place].folded, r.folded) <= mistyped[r.place].errors_max
            ]
            found += [Match(r.id, name, r.name, concerns=r.kind == SPEAKER, sure=MISTYPED) for name, r in alike]
        return found

    async def _meet_subjects(self, conn: AsyncConnection, bound: dict[str, Any], subjects: Sequence[Match]) -> list[Met]:
        if not subjects:
            return []
        memories: dict[UUID, set[UUID]] = {}
        for row in await conn.execute(_STATEMENTS["entity_subjects"].clause, bound | {"subject_ids": [m.id for m in subjects]}):
            memories.setdefault(row.subject_id, set()).add(row.memory_id)
        return [Met(m, frozenset(memories.get(m.id, ())), len(memories.get(m.id, ()))) for m in subjects]

    async def _meet_entities(self, conn: AsyncConnection, bound: dict[str, Any], entities: Sequence[Match], seeds: list[UUID]) -> list[Met]:
        if not entities:
            return []
        ids = [m.id for m in entities]
        counts = {r.id: r.memories for r in await conn.execute(_STATEMENTS["entity_counts"].clause, bound | {"entity_ids": ids})}
        rare = [i for i in ids if counts.get(i, 0) <= RARE_MAX]
        memories: dict[UUID, set[UUID]] = {}
        wanted = bound | {"rare": rare, "frequent": sorted(set(ids) - set(rare)), "seeds": seeds}
        for row in await conn.execute(_STATEMENTS["entity_memories"].clause, wanted):
            memories.setdefault(row.entity_id, set()).add(row.memory_id)
        return [Met(m, frozenset(memories.get(m.id, ())), counts.get(m.id, 0)) for m in entities]


async def _look_up(conn: AsyncConnection, scope: ScopeFilter, names: list[str], *, exact: bool) -> Sequence[Row[Any]]:
    asked = {"names": names, "ends": [name + LAST for name in names], "places": list(range(len(names))), "exact": exact}
    asked |= {"names_max": NAMES_MAX if exact else ALIKE_MAX}
    return (await conn.execute(_STATEMENTS["entity_names"].clause, scope_parameters(scope) | asked)).all()


def _matched(name: QueryName, row: Row[Any]) -> Match | None:
    """None for a thing that only begins like a word in lower case: "house" does not mean "House of Cards"."""
    begins = row.folded != name.folded
    if begins and not name.capital and row.kind not in PEOPLE:
        return None
    return Match(row.id, name, row.name, concerns=row.kind == SPEAKER, sure=BEGINS if begins else 1.0)
