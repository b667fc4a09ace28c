"""Blending: independent of the order of branches, monotone, in 0..1, shares that sum to one, pure branches at weight 0 and 1."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.models.memory import Kind
from retrieval.branches.base import EXACT, Hit
from retrieval.fusion import Fused, lift
from retrieval.fusion import fuse as fuse_by_kind

BRANCHES = ("feedback", "graph", "lexical", "vector")
IDS = [UUID(int=n) for n in range(1, 9)]
# Nothing between 0 and a thousandth: products of such numbers vanish, and nobody has them.
parts = st.just(0.0) | st.floats(0.001, 1)
strengths = st.dictionaries(st.sampled_from(IDS), parts, max_size=len(IDS))
found_by_branch = st.dictionaries(st.sampled_from(BRANCHES), strengths)
weights_of_branches = st.fixed_dictionaries(dict.fromkeys(BRANCHES, st.just(0.0) | st.floats(0.001, 100)))


def hits(by_memory: dict[UUID, float]) -> list[Hit]:
    ranked = sorted(by_memory.items(), key=lambda pair: (-pair[1], pair[0].int))
    return [Hit(memory_id, 0, Kind.SEMANTIC, rank, strength * 30, strength) for rank, (memory_id, strength) in enumerate(ranked, 1)]


def fuse(found: Mapping[str, Sequence[Hit]], weights: Mapping[str, float]) -> list[Fused]:
    return fuse_by_kind(found, dict.fromkeys(Kind, weights))


@given(found_by_branch, weights_of_branches, st.randoms())
def test_the_order_of_branches_and_of_their_hits_means_nothing(
    found: dict[str, dict[UUID, float]], weights: dict[str, float], chance: random.Random
) -> None:
    names = list(found)
    chance.shuffle(names)
    shuffled = {name: chance.sample(hits(found[name]), len(found[name])) for name in names}
    assert fuse(shuffled, weights) == fuse({name: hits(found[name]) for name in sorted(found)}, weights)


@given(found_by_branch, weights_of_branches)
def test_scores_fall_within_0_and_1_and_shares_sum_to_one(found: dict[str, dict[UUID, float]], weights: dict[str, float]) -> None:
    fused = fuse({name: hits(by_memory) for name, by_memory in found.items()}, weights)
    keys = [(-f.score, f.memory_id.int) for f in fused]
    assert keys == sorted(keys)
    assert len({f.memory_id for f in fused}) == len(fused)
    for f in fused:
        assert 0 < f.score <= 1
        assert sum(share.share for share in f.branches.values()) == pytest.approx(1)
        assert all(0 <= share.share <= 1 and weights[name] > 0 for name, share in f.branches.items())


@given(found_by_branch, weights_of_branches, st.sampled_from(BRANCHES), st.sampled_from(IDS), parts)
def test_a_stronger_hit_never_lowers_its_memory(
    found: dict[str, dict[UUID, float]], weights: dict[str, float], branch: str, memory_id: UUID, more: float
) -> None:
    before = {name: dict(by_memory) for name, by_memory in found.items()} | {branch: dict(found.get(branch, {}))}
    after = {name: dict(by_memory) for name, by_memory in before.items()}
    after[branch][memory_id] = max(more, before[branch].get(memory_id, 0.0))
    scores = [_scores(which, weights) for which in (before, after)]
    assert scores[1].get(memory_id, 0.0) >= scores[0].get(memory_id, 0.0)
    assert {m: s for m, s in scores[0].items() if m != memory_id} == {m: s for m, s in scores[1].items() if m != memory_id}


@given(found_by_branch, st.sampled_from(BRANCHES))
def test_weight_one_and_nothing_else_gives_the_pure_branch(found: dict[str, dict[UUID, float]], branch: str) -> None:
    fused = fuse({name: hits(by_memory) for name, by_memory in found.items()}, {branch: 1.0})
    pure = [hit for hit in hits(found.get(branch, {})) if hit.strength > 0]
    assert [f.memory_id for f in fused] == [hit.memory_id for hit in pure]
    assert [f.score for f in fused] == pytest.approx([hit.strength for hit in pure])
    assert all(set(f.branches) == {branch} for f in fused)


@given(found_by_branch, weights_of_branches)
def test_a_dull_oracle_agrees(found: dict[str, dict[UUID, float]], weights: dict[str, float]) -> None:
    scores = _scores(found, weights)
    total = sum(weights[name] for name in found)
    for memory_id in IDS:
        expected = sum(weights[name] * by_memory.get(memory_id, 0.0) for name, by_memory in found.items()) / total if total else 0.0
        assert scores.get(memory_id, 0.0) == pytest.approx(min(1.0, expected), abs=1e-9)


def test_a_branch_that_did_not_find_a_memory_adds_nothing_and_takes_nothing() -> None:
    vector, word, other = IDS[:3]
    found = {"vector": hits({vector: 0.5}), "lexical": hits({word: 0.2, other: 0.4})}
    fused = {f.memory_id: f for f in fuse(found, {"vector": 1.0, "lexical": 1.0})}
    assert {m: f.score for m, f in fused.items()} == pytest.approx({vector: 0.25, other: 0.2, word: 0.1})
    assert set(fused[vector].branches) == {"vector"}


def test_equal_hits_and_a_single_one_divide_by_nothing() -> None:
    assert [f.score for f in fuse({"vector": hits(dict.fromkeys(IDS, 0.7))}, {"vector": 2.0})] == pytest.approx([0.7] * len(IDS))
    assert [f.score for f in fuse({"vector": hits({IDS[0]: 1.0})}, {"vector": 2.0})] == [1.0]


@pytest.mark.parametrize(
    ("found", "weights"), [({}, {"vector": 1.0}), ({"vector": []}, {}), ({"vector": [], "lexical": []}, {"vector": 1.0})]
)
def test_nothing_found_or_nothing_weighted_is_no_answer(found: dict[str, list[Hit]], weights: dict[str, float]) -> None:
    assert fuse(found, weights) == []


def test_versions_of_one_memory_are_apart() -> None:
    old, new = Hit(IDS[0], 1, Kind.SEMANTIC, 1, 1.0, 0.9), Hit(IDS[0], 0, Kind.SEMANTIC, 2, 1.0, 0.5)
    assert [(f.version, f.score) for f in fuse({"vector": [old, new]}, {"vector": 1.0})] == [(1, 0.9), (0, 0.5)]


def _scores(found: dict[str, dict[UUID, float]], weights: dict[str, float]) -> dict[UUID, float]:
    return {f.memory_id: f.score for f in fuse({name: hits(by_memory) for name, by_memory in found.items()}, weights)}


@given(found_by_branch, weights_of_branches, weights_of_branches)
def test_each_kind_is_weighed_by_its_own_weights(
    found: dict[str, dict[UUID, float]], weights: dict[str, float], others: dict[str, float]
) -> None:
    ranked = {name: hits(by_memory) for name, by_memory in found.items()}
    steps = {
        name: [replace(hit, kind=Kind.PROCEDURAL, memory_id=UUID(int=hit.memory_id.int + 100)) for hit in some]
        for name, some in ranked.items()
    }
    both = {name: [*ranked[name], *steps[name]] for name in ranked}
    table = dict.fromkeys(Kind, weights) | {Kind.PROCEDURAL: others}
    scores = {f.memory_id: f.score for f in fuse_by_kind(both, table)}
    apart = {f.memory_id: f.score for f in [*fuse(ranked, weights), *fuse(steps, others)]}
    assert scores == apart


@given(found_by_branch, weights_of_branches, st.lists(st.sampled_from([*IDS, UUID(int=99)]), unique=True))
def test_what_was_asked_for_exactly_comes_first_in_its_order(
    found: dict[str, dict[UUID, float]], weights: dict[str, float], asked: list[UUID]
) -> None:
    ranked = fuse({name: hits(by_memory) for name, by_memory in found.items()}, weights)
    exact = [Hit(memory_id, 0, Kind.SEMANTIC, rank, 1.0, 1.0, ("id",)) for rank, memory_id in enumerate(asked, 1)]
    lifted = lift(ranked, exact)
    assert [f.memory_id for f in lifted[: len(asked)]] == asked
    assert [f for f in lifted if EXACT not in f.branches] == [f for f in ranked if f.memory_id not in asked]
    for f in lifted[: len(asked)]:
        assert f.score == 1
        assert sum(share.share for share in f.branches.values()) == pytest.approx(1)
        assert all(0 <= share.share <= 1 for share in f.branches.values())
