from __future__ import annotations

import math

import pytest

from benchmarks.figures import MEASURES, bars, mean, paired_interval, score

ROW = dict.fromkeys(MEASURES, 0.0)


def rows(value: float, count: int) -> list[dict[str, float]]:
    return [dict.fromkeys(MEASURES, value)] * count


def test_figures_of_a_ranking() -> None:
    ranked = ["x", "a", *(f"n{n}" for n in range(8)), "b"]
    found = score(ranked, frozenset({"a", "b"}))
    assert found["recall@5"] == found["recall@10"] == 0.5
    assert found["recall@20"] == 1.0
    assert found["hit@10"] == 1.0
    assert found["mrr"] == 0.5
    assert found["ndcg@10"] == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))


def test_perfect_and_empty_rankings() -> None:
    assert score(["a", "b"], frozenset({"a", "b"})) == dict.fromkeys(MEASURES, 1.0)
    assert score([], frozenset({"a"})) == ROW


def test_a_label_that_comes_again_counts_once_at_its_first_place() -> None:
    assert score(["s1", "s1", "s2"], frozenset({"s2"}))["mrr"] == 0.5
    assert score(["s1", "s1"], frozenset({"s1", "s2"}))["recall@5"] == 0.5


def test_mean_is_rounded_and_counts() -> None:
    assert mean([{**ROW, "mrr": 1.0}, ROW, ROW])["mrr"] == 0.3333
    assert mean([])["questions"] == 0


def test_interval_is_the_same_each_time_and_holds_the_mean() -> None:
    first, second = [1.0, 0.0, 1.0, 1.0] * 50, [0.0, 0.0, 1.0, 0.5] * 50
    low, high = paired_interval(first, second)
    assert (low, high) == paired_interval(first, second)
    assert low < 0.375 < high
    # The standard error is 0.029; pairs are kept together, so that the interval is no wider than 1.96 of it on each side.
    assert high - low == pytest.approx(2 * 1.96 * 0.0293, rel=0.1)


def test_interval_of_equal_rankings_is_nothing() -> None:
    assert paired_interval([0.5, 1.0], [0.5, 1.0], draws=100) == (0.0, 0.0)


def test_bars_of_the_families() -> None:
    scores = {"fused": rows(0.8, 200), "bm25": rows(0.81, 200), "lexical": rows(0.8, 200), "vector": rows(0.3, 200)}
    single = {"best": "lexical", "value": 0.0, "low": 0.0, "high": 0.0, "bar": -0.02, "met": True}
    assert bars("locomo_dev", "turns", scores, ["lexical", "vector"]) == {
        "recall@10": {"value": 0.8, "bar": 0.72, "met": True},
        "recall@10 - best single": single,
    }
    assert bars("qmsum", "turns", scores, ["lexical", "vector"])["hit@10 - bm25"] == {"value": -0.01, "bar": -0.01, "met": True}
    assert bars("ir_faquad_pt", "turns", scores, ["lexical", "vector"])["ndcg@10 - bm25"] == {"value": -0.01, "bar": -0.005, "met": False}
    assert list(bars("locomo_dev", "observations", scores, ["lexical"])) == ["recall@10 - best single"]


def test_small_sets_get_no_interval() -> None:
    scores = {"fused": rows(0.8, 199), "bm25": rows(0.8, 199), "vector": rows(0.9, 199)}
    assert bars("rooms", "turns", scores, ["vector"])["recall@10 - best single"] == {"best": "vector", "value": -0.1}


def test_a_fused_ranking_that_is_clearly_worse_does_not_pass() -> None:
    scores = {"fused": rows(0.7, 200), "bm25": rows(0.8, 200), "vector": rows(0.75, 200)}
    single = bars("rooms", "turns", scores, ["vector"])["recall@10 - best single"]
    assert isinstance(single, dict)
    assert single["met"] is False
