"""Figures of rankings, and the bars that they are held against. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

MEASURES: Final = ("recall@5", "recall@10", "recall@20", "hit@10", "mrr", "ndcg@10")
DRAWS: Final = 10_000
SEED: Final = 20_240_607
INTERVAL_QUESTIONS_MIN: Final = 200
"""Smaller sets get no interval: it would be too wide to say anything."""

Scores = Mapping[str, Sequence[Mapping[str, float]]]
"""Ranking -> figures of each question, in the same order of questions for all rankings."""


def score(ranked: Sequence[str], relevant: frozenset[str]) -> dict[str, float]:
    """Figures of one ranking, best first; a label that comes again counts once, at its first place.

    >>> score(["a", "b"], frozenset({"b"}))["mrr"]
    0.5
    """
    found = [label in relevant for label in dict.fromkeys(ranked)]
    gain = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(found[:10], 1) if hit)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), 10) + 1))
    return {
        "recall@5": sum(found[:5]) / len(relevant),
        "recall@10": sum(found[:10]) / len(relevant),
        "recall@20": sum(found[:20]) / len(relevant),
        "hit@10": float(any(found[:10])),
        "mrr": next((1 / rank for rank, hit in enumerate(found, 1) if hit), 0.0),
        "ndcg@10": gain / ideal,
    }


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Means over questions, 0 of none, rounded to four places; and how many there were."""
    return {name: round(sum(row[name] for row in rows) / max(1, len(rows)), 4) for name in MEASURES} | {"questions": len(rows)}


def paired_interval(first: Sequence[float], second: Sequence[float], draws: int = DRAWS) -> tuple[float, float]:
    """95 % bootstrap interval of the mean of first - second over questions, by percentiles, with a fixed seed."""
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    picks = np.random.default_rng(SEED).integers(0, len(differences), size=(draws, len(differences)), dtype=np.int32)
    low, high = np.percentile(differences[picks].mean(axis=1), [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)


def bars(dataset: str, unit: str, scores: Scores, branches: Sequence[str]) -> dict[str, object]:
    """What is asked of a set, by its name, with `met`; and fused against the best single branch where there are questions enough.

    Args:
        dataset: name of the folder; those of a family begin alike.
        unit: turns, observations or sessions.
        scores: figures of `fused`, `bm25` and each branch, of the questions of the headline.
        branches: names of the branches.
    """
    fused, bm25, found = mean(scores["fused"]), mean(scores["bm25"]), dict[str, object]()
    if dataset.startswith("locomo") and unit == "turns":
        found["recall@10"] = _bar(fused["recall@10"], 0.72)
    if dataset.startswith("qmsum") and unit == "turns":
        found["hit@10 - bm25"] = _bar(fused["hit@10"] - bm25["hit@10"], -0.01)
    if "faquad" in dataset:
        found["ndcg@10 - bm25"] = _bar(fused["ndcg@10"] - bm25["ndcg@10"], -0.005)
    best = max(branches, key=lambda name: (mean(scores[name])["recall@10"], name))
    first, second = ([row["recall@10"] for row in scores[name]] for name in ("fused", best))
    single: dict[str, object] = {"best": best, "value": round(fused["recall@10"] - mean(scores[best])["recall@10"], 4)}
    if len(first) >= INTERVAL_QUESTIONS_MIN:
        low, high = paired_interval(first, second)
        single |= {"low": low, "high": high, "bar": -0.02, "met": low >= -0.02}
    found["recall@10 - best single"] = single
    return found


def _bar(value: float, bar: float) -> dict[str, object]:
    return {"value": round(value, 4), "bar": bar, "met": round(value, 4) >= bar}
