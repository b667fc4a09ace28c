"""Graph branch: memories near what the other branches found, up to two hops away: right before or after it, in its episode, linked to it,
or mentioning the same rare thing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from governance.scopes import ScopeFilter
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.storage.statements import load
from retrieval.branches.base import HITS_MAX, Hit
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.query import Question
from retrieval.spread import Edge, spread

SEEDS_MAX: Final = 15
"""Strongest hits to start from."""
SECOND_MAX: Final = 8
"""Memories of the first hop, those over the heaviest edges, from which the second begins."""
HUB: Final = 8
"""Of a thing that more memories mention than this so many are looked at, and what reaches it spreads thin."""

_STATEMENTS = load("retrieval.sql")


class GraphBranch:
    """Personalised PageRank from the hits of the other branches."""

    name = "graph"
    default_weight = 0.2

    async def find(self, conn: AsyncConnection, scope: ScopeFilter, question: Question, _space: EmbeddingSpace) -> list[Hit]:
        if not question.seeds or question.filters.past:
            return []  # episodes and links are those of current versions
        best = sorted(question.seeds, key=lambda m: (-question.seeds[m], m))
        seeds = {m: question.seeds[m] for m in best if question.seeds[m] > 0}
        bound = scope_parameters(scope) | filter_parameters(question.filters) | {"hub": HUB}
        edges = await _edges(conn, bound, list(seeds)[:SEEDS_MAX])
        servable = await _servable(conn, bound, _reached(edges) - set(seeds))
        second = _heaviest(edges, servable)
        if second:
            further = await _edges(conn, bound, second)
            servable |= await _servable(conn, bound, _reached(further) - servable - set(seeds))
            edges += further
        reached = await asyncio.to_thread(spread, seeds, edges, servable)
        kept = [r for place, r in enumerate(reached) if place < HITS_MAX or r.memory_id in seeds]
        return [
            Hit(memory_id=r.memory_id, version=0, rank=rank, raw=r.raw, strength=r.strength, found=r.path) for rank, r in enumerate(kept, 1)
        ]


async def _edges(conn: AsyncConnection, bound: dict[str, Any], ids: list[UUID]) -> list[Edge]:
    rows = await conn.execute(_STATEMENTS["graph_edges"].clause, bound | {"ids": ids})
    return [Edge(r.kind, r.from_id, r.to_id, r.via, float(r.weight), r.label) for r in rows if r.to_id != r.from_id]


async def _servable(conn: AsyncConnection, bound: dict[str, Any], ids: Collection[UUID]) -> set[UUID]:
    if not ids:
        return set()
    return set((await conn.execute(_STATEMENTS["graph_servable"].clause, bound | {"ids": sorted(ids)})).scalars())


def _reached(edges: Collection[Edge]) -> set[UUID]:
    return {e.to_id for e in edges if e.to_id is not None}


def _heaviest(edges: Collection[Edge], servable: Collection[UUID]) -> list[UUID]:
    weights: dict[UUID, float] = {}
    for edge in edges:
        if edge.to_id in servable and edge.to_id is not None:
            weights[edge.to_id] = weights.get(edge.to_id, 0.0) + edge.weight
    return sorted(weights, key=lambda m: (-weights[m], m))[:SECOND_MAX]
