"""Graph branch: memories near what the other branches found, up to two hops away: right before or after it, in its episode, linked to it,
or mentioning the same rare thing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from memdb.models.memory import Kind
from memdb.storage.sending import fetch
from memdb.storage.statements import load
from retrieval.branches.base import HITS_MAX, KINDS, Asked, Hit, Later
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.spread import Edge, find_paths, spread

SEEDS_MAX: Final = 15
"""Strongest hits to start from."""
SECOND_MAX: Final = 8
"""Memories of the first hop, those over the heaviest edges, from which the second begins."""
HUB: Final = 8
"""Of a thing that more memories mention than this so many are looked at, and what reaches it spreads thin."""

RETURNABLE: Final = "memory"
"""Kind of the row that says which memories may be returned."""

_STATEMENTS = load("retrieval.sql")


class GraphBranch:
    """Personalised PageRank from the hits of the other branches."""

    name = "graph"
    looks_up = True

    async def find(self, conn: AsyncConnection, asked: Asked) -> list[Hit] | Later:
        question = asked.question
        if not question.seeds or question.filters.past:
            return []  # episodes and links are those of current versions
        best = sorted(((m.int, strength) for m, strength in question.seeds.items() if strength > 0), key=lambda s: (-s[1], s[0]))
        around = Around(dict(best), [], {m.int: kind for m, kind in asked.kinds.items()})
        bound = scope_parameters(asked.scope) | filter_parameters(question.filters) | {"hub": HUB}
        await _extend(conn, bound, [number for number, _ in best[:SEEDS_MAX]], around)
        second = heaviest(around.edges, around.seeds)
        if second:
            await _extend(conn, bound, second, around)
        return partial(_walk, around)


@dataclass(frozen=True, slots=True)
class Around:
    """Seeds with their strength, what leads away from them, and the kinds of all memories that are met; ids as in `retrieval.spread`."""

    seeds: dict[int, float]
    edges: list[Edge]
    kinds: dict[int, Kind]


def _walk(around: Around) -> list[Hit]:
    kept = [r for place, r in enumerate(spread(around.seeds, around.edges)) if place < HITS_MAX or r.memory_id in around.seeds]
    paths = find_paths(around.seeds, around.edges, {r.memory_id for r in kept} - around.seeds.keys())
    return [
        Hit(UUID(int=r.memory_id), 0, around.kinds[r.memory_id], rank, r.raw, r.strength, paths.get(r.memory_id, ()))
        for rank, r in enumerate(kept, 1)
    ]


async def _extend(conn: AsyncConnection, bound: dict[str, Any], numbers: list[int], around: Around) -> None:
    ids = [UUID(int=number) for number in numbers]
    rows = await fetch(conn, _STATEMENTS["graph_edges"].sql, bound | {"ids": ids})
    kinds = {m.int: KINDS[k] for row in rows if row.kind == RETURNABLE for m, k in zip(row.to_ids or (), row.kinds or (), strict=True)}
    leading = [row for row in rows if row.kind != RETURNABLE]
    # Of parallel edges the last counts: links behind what stands before or after, of links the heaviest.
    for kind, via, label, weight, from_ids, to_ids, _ in sorted(leading, key=lambda row: (row.kind, row.weight)):
        reached = () if to_ids is None else tuple(n for n in [m.int for m in to_ids] if n in kinds)
        if reached or to_ids is None:
            around.edges.append(Edge(kind, tuple([m.int for m in from_ids]), reached, via and via.int, weight, label))
    around.kinds.update(kinds)


def heaviest(edges: Collection[Edge], seeds: Collection[int]) -> list[int]:
    """The SECOND_MAX memories beside the seeds to which the heaviest edges lead, ties by id."""
    weights: dict[int, float] = {}
    for edge in edges:
        for to_id in edge.to_ids:
            if to_id not in seeds:
                leading = len(edge.from_ids) - (to_id in edge.from_ids)
                weights[to_id] = weights.get(to_id, 0.0) + edge.weight * leading
    return sorted(weights, key=lambda m: (-weights[m], m))[:SECOND_MAX]
