"""From what was found to what lies near it: personalised PageRank over a small graph of memories, and the strength of whole episodes. Pure.

PageRank: Page, Brin, Motwani, Winograd, The PageRank Citation Ranking, 1999; personalised as in Haveliwala, Topic-Sensitive PageRank, 2002.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Final
from uuid import UUID

if TYPE_CHECKING:
    from networkx import Graph

DAMPING: Final = 0.7
"""Share of a walk that goes on from where it is; the rest starts again at a seed."""
EPISODE_SHARE: Final = 0.5
"""How much of a strength is the episode's, the rest is the walk's."""


@dataclass(frozen=True, slots=True)
class Edge:
    """From a memory to another, or to its episode (`to_id` None). `label`: of the entity between them."""

    kind: str
    from_id: UUID
    to_id: UUID | None
    via: UUID | None
    weight: float
    label: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory with its strength, 0..1, and the steps that lead to it from a seed; no steps for a seed itself."""

    memory_id: UUID
    raw: float
    strength: float
    path: tuple[str, ...] = field(repr=False)


def spread(seeds: Mapping[UUID, float], edges: Sequence[Edge], servable: Collection[UUID]) -> list[Reached]:
    """Memories near the seeds, seeds included, best first, ties by id.

    Args:
        seeds: memory -> strength, above 0.
        edges: between memories; those that touch another memory than a seed or a servable one are left out.
        servable: memories beside the seeds that may be returned.
    """
    allowed = {*seeds, *servable}
    used = [e for e in edges if e.from_id in allowed and (e.to_id is None or e.to_id in allowed)]
    if not seeds or not used:
        return []
    walked = _walk(seeds, used)
    episodes = _episodes(seeds, used)
    peak, top, most = max(seeds.values()), max(walked.values()), max(episodes.values(), default=0.0)
    paths = _paths(seeds, used)
    reached = []
    for memory_id in sorted(walked):
        episode = episodes.get(memory_id, 0.0) / most if most > 0 else 0.0
        value = (1 - EPISODE_SHARE) * walked[memory_id] / top + EPISODE_SHARE * episode
        if value > 0:
            reached.append(Reached(memory_id, walked[memory_id], min(1.0, peak * value), paths.get(memory_id, ())))
    return sorted(reached, key=lambda r: (-r.strength, r.memory_id))


def warm() -> None:
    """Load what the first walk needs, networkx and scipy: a server does it beside serving, so that no question waits for it."""
    here, there = UUID(int=1), UUID(int=2)
    spread({here: 1.0}, [Edge("link", here, there, None, 1.0)], [there])


def _walk(seeds: Mapping[UUID, float], edges: Iterable[Edge]) -> dict[UUID, float]:
    # Nodes are numbers: hashing and comparing ids took most of the time.
    numbers: dict[UUID | tuple[str, UUID | None], int] = {memory_id: number for number, memory_id in enumerate(sorted(seeds))}

    def node(of: UUID | tuple[str, UUID | None]) -> int:
        return numbers.setdefault(of, len(numbers))

    weights: dict[tuple[int, int], float] = {}
    for edge in edges:
        # An entity, like an episode, is a node between its memories: then a hub spreads thin what reaches it.
        if edge.kind in {"episode", "entity"}:
            between = node((edge.kind, edge.via))
            weights[node(edge.from_id), between] = edge.weight
            if edge.to_id is not None:
                weights[node(edge.to_id), between] = edge.weight
        elif edge.to_id is not None and edge.to_id != edge.from_id:
            one, other = sorted((node(edge.from_id), node(edge.to_id)))
            weights[one, other] = edge.weight
    nx = import_module("networkx")  # a quarter of a second with its own imports: `warm` loads it beside serving
    graph: Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(numbers)))
    graph.add_weighted_edges_from((one, other, weight) for (one, other), weight in weights.items())
    ranks: Mapping[int, float] = nx.pagerank(graph, alpha=DAMPING, personalization={numbers[m]: seeds[m] for m in seeds}, weight="weight")
    return {of: ranks[number] for of, number in numbers.items() if isinstance(of, UUID)}


def _episodes(seeds: Mapping[UUID, float], edges: Iterable[Edge]) -> dict[UUID, float]:
    """For each memory the strength of its strongest episode: the squares of its seeds' strengths, so that one good hit counts more than
    many weak ones.
    """
    members: dict[UUID, set[UUID]] = {}
    for edge in edges:
        if edge.kind == "episode" and edge.via is not None:
            members.setdefault(edge.via, set()).add(edge.from_id)
    found: dict[UUID, float] = {}
    for inside in members.values():
        strength = sum(seeds.get(memory_id, 0.0) ** 2 for memory_id in sorted(inside))
        for memory_id in inside:
            found[memory_id] = max(found.get(memory_id, 0.0), strength)
    return found


def _paths(seeds: Mapping[UUID, float], edges: Sequence[Edge]) -> dict[UUID, tuple[str, ...]]:
    """The way from the strongest seed to each memory beside the seeds, over heavy edges first."""
    paths: dict[UUID, tuple[str, ...]] = dict.fromkeys(seeds, ())
    steps = sorted(
        (e for e in edges if e.to_id is not None),
        key=lambda e: (-seeds.get(e.from_id, 0.0), -e.weight, e.kind, e.from_id, str(e.to_id)),
    )
    for _ in range(2):
        known = dict(paths)
        for edge in steps:
            if edge.to_id is not None and edge.to_id not in paths and edge.from_id in known:
                step = f"{edge.kind} {edge.label}" if edge.label else edge.kind
                paths[edge.to_id] = (*(known[edge.from_id] or (str(edge.from_id),)), step)
    return paths
