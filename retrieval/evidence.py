"""Evidence: a memory, how well it answers, why it was found, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memdb.models.memory import Memory
from memdb.storage.origins import SourceRow
from retrieval.filters import Candidate
from retrieval.fusion import BranchShare


@dataclass(frozen=True, slots=True)
class Evidence:
    """One answer. `score` 0..1, not comparable across releases; `current` False when an older version is shown."""

    memory: Memory
    score: float
    branches: Mapping[str, BranchShare]
    sources: tuple[SourceRow, ...]
    current: bool


def collect(chosen: Sequence[Candidate], sources: Sequence[SourceRow]) -> list[Evidence]:
    """Attach sources, in the order of the candidates."""
    by_memory: dict[UUID, list[SourceRow]] = {}
    for source in sources:
        by_memory.setdefault(source.memory_id, []).append(source)
    return [
        Evidence(
            memory=c.memory,
            score=c.fused.score,
            branches=c.fused.branches,
            sources=tuple(by_memory.get(c.memory.id, ())),
            current=c.fused.version == 0,
        )
        for c in chosen
    ]
