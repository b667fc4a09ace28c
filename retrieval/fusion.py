"""Many ranked lists to one, by blending scores. Pure.

A branch's share of a memory is weight times strength, where strength is its own score in 0..1 on a scale that does not depend on the other
hits; a branch that did not find a memory adds nothing. The fused score is the sum over the weights that are in play for that kind of
memory, so it stays in 0..1.
Reciprocal rank fusion with k = 60 was worse than BM25 alone with every embedding model that was measured; see docs/decisions/0004.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memdb.models.memory import Kind
from retrieval.branches.base import EXACT, Hit


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


def fuse(found: Mapping[str, Sequence[Hit]], weights: Mapping[Kind, Mapping[str, float]]) -> list[Fused]:
    """Blend the hits of branches; best first, ties by memory id.

    Args:
        found: branch name -> its hits; branches that did not answer are absent.
        weights: kind of memory -> branch name -> weight, 0 or more.
    """
    in_play = {kind: sum(of_kind.get(name, 0.0) for name in sorted(found)) for kind, of_kind in weights.items()}
    # By number: hashing UUIDs would take most of the time.
    parts: dict[tuple[int, int], list[tuple[str, Hit, float]]] = {}
    # In the order of names: sums do not depend on the order in which branches answered.
    for name in sorted(found):
        shares = {kind: of_kind.get(name, 0.0) / (in_play[kind] or 1.0) for kind, of_kind in weights.items()}
        for hit in found[name]:
            share = shares[hit.kind]
            if share > 0:
                parts.setdefault((hit.memory_id.int, hit.version), []).append((name, hit, share * hit.strength))
    fused = []
    for (_, version), by_branch in parts.items():
        total = sum([value for _, _, value in by_branch])
        if total > 0:
            branches = {name: BranchShare(hit.rank, hit.raw, value / total, hit.found) for name, hit, value in by_branch}
            fused.append(Fused(by_branch[0][1].memory_id, version, min(1.0, total), branches))
    return sorted(fused, key=lambda f: (-f.score, f.memory_id.int, f.version))


def lift(ranked: Sequence[Fused], exact: Sequence[Hit]) -> list[Fused]:
    """Put what was asked for exactly before everything else, with a score of 1, in the order of its ranks.

    What the branches say of such a memory stays its part of the score; the rest of it is that it was asked for.
    """
    known = {(f.memory_id, f.version): f for f in ranked}
    lifted = []
    for hit in sorted(exact, key=lambda h: h.rank):
        other = known.pop((hit.memory_id, hit.version), None)
        score = other.score if other is not None else 0.0
        branches = {} if other is None else {name: replace(b, share=b.share * score) for name, b in other.branches.items()}
        asked = BranchShare(rank=hit.rank, raw=hit.raw, share=1.0 - score, found=hit.found)
        lifted.append(Fused(hit.memory_id, hit.version, 1.0, branches | {EXACT: asked}))
    return [*lifted, *known.values()]
