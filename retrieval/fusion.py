"""Many ranked lists to one, by blending scores. Pure.

A branch's share of a memory is weight times strength, where strength is its own score in 0..1 on a scale that does not depend on the other
hits; a branch that did not find a memory adds nothing. The fused score is the sum over the weights that are in play, so it stays in 0..1.
Reciprocal rank fusion with k = 60 was worse than BM25 alone with every embedding model that was measured; see docs/decisions/0004.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from retrieval.branches.base import Hit


@dataclass(frozen=True, slots=True)
class BranchShare:
    """What one branch says of a memory; `share` of the final score, all shares of a memory sum to 1; `found` as in `Hit`."""

    rank: int
    raw: float
    share: float
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fused:
    """A memory with its fused score, 0..1, and what each branch contributed."""

    memory_id: UUID
    version: int
    score: float
    branches: Mapping[str, BranchShare]


def fuse(found: Mapping[str, Sequence[Hit]], weights: Mapping[str, float]) -> list[Fused]:
    """Blend the hits of branches; best first, ties by memory id.

    Args:
        found: branch name -> its hits; branches that did not answer are absent.
        weights: branch name -> weight, 0 or more.
    """
    in_play = sum(weights.get(name, 0.0) for name in sorted(found))
    if in_play <= 0:
        return []
    parts: dict[tuple[UUID, int], dict[str, tuple[Hit, float]]] = {}
    for name, hits in found.items():
        weight = weights.get(name, 0.0)
        if weight <= 0:
            continue
        for hit in hits:
            parts.setdefault((hit.memory_id, hit.version), {})[name] = (hit, weight * hit.strength)
    fused = []
    for (memory_id, version), by_branch in parts.items():
        # Summed in the order of names: the result does not depend on the order in which branches answered.
        total = sum(by_branch[name][1] for name in sorted(by_branch))
        if total <= 0:
            continue
        branches = {
            name: BranchShare(rank=hit.rank, raw=hit.raw, share=value / total, found=hit.found)
            for name, (hit, value) in sorted(by_branch.items())
        }
        fused.append(Fused(memory_id, version, min(1.0, total / in_play), branches))
    return sorted(fused, key=lambda f: (-f.score, f.memory_id.int, f.version))
