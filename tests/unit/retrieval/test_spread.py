"""What lies near the hits, against a walk simulated step by step."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.spread import DAMPING, Edge, Reached, find_paths, spread

M = list(range(1, 13))
EPISODE, OTHER = 100, 101


def link(a: int, b: int, weight: float = 1.0) -> Edge:
    return Edge("link", (M[a],), (M[b],), None, weight)


def in_episode(memory: int, episode: int = EPISODE) -> Edge:
    return Edge("episode", (M[memory],), (), episode, 1.0)


def by_id(reached: list[Reached]) -> dict[int, Reached]:
    return {r.memory_id: r for r in reached}


def walk(seeds: dict[int, float], edges: list[tuple[int, int, float]]) -> dict[int, float]:
    """Personalised PageRank by its definition, 200 steps."""
    nodes = sorted({*seeds, *(a for a, _, _ in edges), *(b for _, b, _ in edges)})
    total = sum(seeds.values())
    start = {n: seeds.get(n, 0.0) / total for n in nodes}
    weights: dict[int, dict[int, float]] = {n: {} for n in nodes}
    for a, b, weight in edges:
        weights[a][b] = weights[b][a] = weight  # the last of parallel edges counts
    ranks = dict(start)
    for _ in range(200):
        following = {n: (1 - DAMPING) * start[n] for n in nodes}
        for n in nodes:
            out = sum(weights[n].values())
            for other, weight in weights[n].items():
                following[other] += DAMPING * ranks[n] * weight / out
            if not out:
                for other in nodes:
                    following[other] += DAMPING * ranks[n] * start[other]
        ranks = following
    return ranks


@settings(deadline=None)  # the first call imports what the others use
@given(
    st.dictionaries(st.integers(0, 3), st.floats(0.05, 1.0), min_size=1),
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.floats(0.1, 1.0)).filter(lambda e: e[0] != e[1]), min_size=1, max_size=15),
)
def test_the_walk_is_personalised_pagerank(seeds: dict[int, float], edges: list[tuple[int, int, float]]) -> None:
    started = {M[n]: strength for n, strength in seeds.items()}
    found = by_id(spread(started, [link(a, b, w) for a, b, w in edges]))
    wanted = walk(started, [(M[a], M[b], w) for a, b, w in edges])
    for memory_id, rank in wanted.items():
        assert (found[memory_id].raw if memory_id in found else 0.0) == pytest.approx(rank, abs=1e-4)


def test_strength_never_exceeds_the_strongest_seed() -> None:
    found = spread({M[0]: 0.4, M[1]: 0.1}, [link(0, 1), link(1, 2), in_episode(0), in_episode(1)])
    assert max(r.strength for r in found) <= 0.4
    assert [r.strength for r in found] == sorted((r.strength for r in found), reverse=True)


def test_the_path_says_how_a_memory_was_reached() -> None:
    edges = [Edge("before", (M[0],), (M[1],), EPISODE, 1.0), Edge("entity", (M[1],), (M[2],), 200, 0.5, "Zanzibar"), link(2, 3)]
    seed = "00000000-0000-0000-0000-000000000001"
    found = find_paths({M[0]: 1.0}, edges, M[1:])
    assert found == {M[1]: (seed, "before"), M[2]: (seed, "before", "entity Zanzibar")}


def test_a_path_begins_at_the_strongest_seed_and_takes_the_heaviest_edge() -> None:
    seeds = {M[0]: 0.2, M[1]: 0.9}
    edges = [link(0, 2), link(1, 2, 0.1), Edge("entity", (M[0], M[1]), (M[2], M[1]), 200, 0.5, "Lyon"), link(0, 3)]
    found = find_paths(seeds, edges, [M[2]])
    assert found == {M[2]: ("00000000-0000-0000-0000-000000000002", "entity Lyon")}


def test_what_meets_only_itself_is_joined_to_nothing() -> None:
    alone = Edge("entity", (M[0],), (M[0],), 200, 1.0, "Lyon")
    assert spread({M[0]: 1.0, M[1]: 0.5}, [alone, link(1, 2)]) == spread({M[0]: 1.0, M[1]: 0.5}, [link(1, 2)])


def test_a_memory_gains_from_an_episode_of_strong_hits() -> None:
    seeds = {M[0]: 0.5, M[1]: 0.5, M[2]: 0.2, M[3]: 0.2}
    edges = [in_episode(0), in_episode(1), in_episode(2), in_episode(3, OTHER)]
    found = by_id(spread(seeds, edges))
    assert found[M[2]].strength > found[M[3]].strength


def test_a_hub_spreads_thin() -> None:
    rare, hub = 200, 201
    edges = [Edge("entity", (M[0],), (M[1],), rare, 1 / 2**0.5), Edge("entity", (M[0],), tuple(M[2:12]), hub, 1 / 10**0.5)]
    found = by_id(spread({M[0]: 1.0}, edges))
    assert found[M[1]].strength > 2 * found[M[5]].strength


def test_nothing_comes_from_nothing() -> None:
    assert spread({}, [link(0, 1)]) == spread({M[0]: 1.0}, []) == []
