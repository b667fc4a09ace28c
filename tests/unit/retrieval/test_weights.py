"""Weights by kind: every branch has one, and a request's are for all kinds."""

from __future__ import annotations

import pytest

from memdb.models.memory import Kind
from retrieval.branches.registry import BRANCHES
from retrieval.weights import DEFAULTS, weights_for


@pytest.mark.parametrize("kind", Kind)
def test_every_branch_counts_for_every_kind(kind: Kind) -> None:
    assert set(DEFAULTS[kind]) == {branch.name for branch in BRANCHES}
    assert all(weight > 0 for weight in DEFAULTS[kind].values())


def test_a_request_weighs_all_kinds_alike_and_leaves_out_what_it_does_not_name() -> None:
    weights = weights_for({"lexical": 2.0})
    assert set(weights) == set(Kind)
    for of_kind in weights.values():
        assert of_kind == {"lexical": 2.0, "vector": 0.0, "entity": 0.0, "feedback": 0.0, "graph": 0.0}


def test_without_a_wish_the_defaults_count() -> None:
    assert weights_for(None) is DEFAULTS
