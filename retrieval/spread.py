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
BETWEEN: Final = frozenset({"episode", "entity"})


class DidNotConverge(Exception):
    """The walk found no end: its ranks say nothing."""


@dataclass(frozen=True, slots=True)
class Edge:
    """From each of some memories to each of others, or to their episode (no `to_ids`). Ids are numbers: hashing and comparing UUIDs would
    take most of the time. `via`: the episode or entity between them; `label`: the entity's.
    """

    kind: str
    from_ids: tuple[int, ...]
    to_ids: tuple[int, ...]
    via: int | None
    weight: float
    label: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Reached:
    """A memory with its strength, 0..1."""

    memory_id: int
    raw: float
    strength: float


Way = tuple[float, float, str, int, str]
"""A step to a memory, the least is the best: strength of where it begins, and weight of the edge, both negated; kind; where; label."""


def spread(seeds: Mapping[int, float], edges: Sequence[Edge]) -> list[Reached]:
    """Memories near the seeds, seeds included, best first, ties by id.

    Args:
        seeds: memory -> strength, above 0.
        edges: between memories that may be returned.

    Raises:
        DidNotConverge: there is no answer.
    """
    if not seeds or not edges:
        return []
    walked = _walk(seeds, edges)
    episodes = _episodes(seeds, edges)
    peak, top, most = max(seeds.values()), max(walked.values()), max(episodes.values(), default=0.0)
    reached = []
    for memory_id, rank in walked.items():
        episode = episodes.get(memory_id, 0.0) / most if most > 0 else 0.0
        value = (1 - EPISODE_SHARE) * rank / top + EPISODE_SHARE * episode
        if value > 0:
            reached.append(Reached(memory_id, rank, min(1.0, peak * value)))
    return sorted(reached, key=lambda r: (-r.strength, r.memory_id))


def warm() -> None:
    """Load what the first walk needs, networkx and scipy: a server does it beside serving, so that no question waits for it."""
    spread({1: 1.0}, [Edge("link", (1,), (2,), None, 1.0)])


def _walk(seeds: Mapping[int, float], edges: Iterable[Edge]) -> dict[int, float]:
    weights = _weights(edges)
    met = {node for pair in weights for node in pair}
    joined = {memory_id: strength for memory_id, strength in seeds.items() if memory_id in met}
    # A seed without an edge keeps its share of the walk, which needs no walking: only how much the others have of it changes.
    whole = sum(seeds.values())
    share = sum(joined.values()) / whole
    unit = 1 / (1 - share + share / (1 - DAMPING))
    ranks = {memory_id: unit * strength / whole for memory_id, strength in seeds.items() if memory_id not in met}
    if joined:
        scale = unit * share / (1 - DAMPING)
        ranks |= {node: rank * scale for node, rank in _pagerank(weights, joined).items() if node >= 0}
    return ranks


def _weights(edges: Iterable[Edge]) -> dict[tuple[int, int], float]:
    """Weights by pair of nodes; of parallel edges the last counts. Nodes below 0 stand between memories."""
    between: dict[tuple[str, int | None], int] = {}
    weights: dict[tuple[int, int], float] = {}
    for edge in edges:
        # An entity, like an episode, is a node between its memories: then a hub spreads thin what reaches it.
        if edge.kind in BETWEEN:
            middle = between.setdefault((edge.kind, edge.via), -1 - len(between))
            for memory_id in _joined(edge):
                weights[memory_id, middle] = edge.weight
        else:
            for one, other in ((f, t) for f in edge.from_ids for t in edge.to_ids if f != t):
                weights[min(one, other), max(one, other)] = edge.weight
    return weights


def _pagerank(weights: Mapping[tuple[int, int], float], seeds: Mapping[int, float]) -> Mapping[int, float]:
    nx = import_module("networkx")  # a quarter of a second with its own imports: `warm` loads it beside serving
    graph: Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((one, other, weight) for (one, other), weight in weights.items())
    try:
        ranks: Mapping[int, float] = nx.pagerank(graph, alpha=DAMPING, personalization=seeds)
    except nx.PowerIterationFailedConvergence as error:
        raise DidNotConverge from error
    return ranks


def _joined(edge: Edge) -> Iterable[int]:
    """The memories that meet in the middle of an edge; one that meets only itself does not."""
    if edge.kind == "episode":
        return edge.from_ids
    ends = {*edge.from_ids, *edge.to_ids}
    return ends if len(ends) > 1 else ()


def _episodes(seeds: Mapping[int, float], edges: Iterable[Edge]) -> dict[int, float]:
    """For each memory the strength of its strongest episode: the squares of its seeds' strengths, so that one good hit counts more than
    many weak ones.
    """
    members: dict[int, set[int]] = {}
    for edge in edges:
        if edge.kind == "episode" and edge.via is not None:
            members.setdefault(edge.via, set()).update(edge.from_ids)
    found: dict[int, float] = {}
    for inside in members.values():
        strength = sum(seeds.get(memory_id, 0.0) ** 2 for memory_id in sorted(inside))
        for memory_id in inside:
            found[memory_id] = max(found.get(memory_id, 0.0), strength)
    return found


def find_paths(seeds: Mapping[int, float], edges: Sequence[Edge], wanted: Collection[int]) -> dict[int, tuple[str, ...]]:
    """The ways from the strongest seeds to some memories beside the seeds, over heavy edges first: the seed, and one step or two."""
    first = _ways(seeds, edges, seeds, None)
    far = {memory_id for memory_id in wanted if memory_id not in first}
    second = _ways({**seeds, **first}, edges, seeds, far) if far else {}
    paths: dict[int, tuple[str, ...]] = {}
    for memory_id in wanted:
        if memory_id in first:
            paths[memory_id] = (str(UUID(int=first[memory_id][3])), _step(first[memory_id]))
        elif memory_id in second:
            last = second[memory_id]
            before = first[last[3]]
            paths[memory_id] = (str(UUID(int=before[3])), _step(before), _step(last))
    return paths


def _ways(known: Mapping[int, object], edges: Iterable[Edge], seeds: Mapping[int, float], wanted: Collection[int] | None) -> dict[int, Way]:
    """The best step to each memory that is not known yet; of `wanted` alone unless that is None."""
    best: dict[int, Way] = {}
    for edge in edges:
        if wanted is None:
            to_ids = [to_id for to_id in edge.to_ids if to_id not in known]
        else:
            to_ids = [to_id for to_id in edge.to_ids if to_id in wanted]
        starts = [(-seeds.get(memory_id, 0.0), memory_id) for memory_id in edge.from_ids if memory_id in known] if to_ids else ()
        if starts:
            strength, from_id = min(starts)
            way = (strength, -edge.weight, edge.kind, from_id, edge.label or "")
            for to_id in to_ids:
                if to_id not in best or way < best[to_id]:
                    best[to_id] = way
    return best


def _step(way: Way) -> str:
    return f"{way[2]} {way[4]}" if way[4] else way[2]
