"""Evidence: a memory, how well it answers, why it was found, how far it is to be believed, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from governance.policy.memory_rules import MemoryRules
from memdb.lifecycle.conflicts import Conflict
from memdb.lifecycle.freshness import Freshness, freshness_of
from memdb.models.memory import Memory
from memdb.storage.origins import SourceRow
from memdb.text.similar import Signature, signature
from retrieval.branches.base import EXACT
from retrieval.filters import Candidate
from retrieval.fusion import BranchShare
from retrieval.modifiers import Modifier, Window, modified, modifiers_of


@dataclass(frozen=True, slots=True)
class Evidence:
    """One answer. `score` 0..1, with the modifiers on it, not comparable across releases; `current` False when an older version is shown;
    `outcomes`: how often it was said to be of use or not, by outcome, none that was never said.
    """

    memory: Memory
    score: float
    branches: Mapping[str, BranchShare]
    sources: tuple[SourceRow, ...]
    current: bool
    freshness: Freshness
    modifiers: tuple[Modifier, ...] = ()
    outcomes: Mapping[str, int] = field(default_factory=dict)
    conflict: Conflict | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """How many hits were left out, by reason; never which."""

    below_floor: int = 0
    duplicate: int = 0
    over_limit: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """When, about which times, by which half-lives, and the open conflicts of what was found."""

    now: datetime
    windows: tuple[Window, ...] = ()
    rules: MemoryRules = field(default_factory=MemoryRules)
    conflicts: Mapping[UUID, Conflict] = field(default_factory=dict)


def collect(admitted: Sequence[Candidate], sources: Sequence[SourceRow], asked: Asked) -> list[Evidence]:
    """Candidates with sources and modifiers; best first, ties in the order of the candidates.

    Args:
        asked: the times that the question names, now, and what is contested.
    """
    by_memory = _by_memory(sources)
    evidence = []
    for candidate in admitted:
        memory, fused = candidate.memory, candidate.fused
        own = by_memory.get(memory.id, ())
        moments = [s.said_at for s in own if s.said_at is not None]
        # What was asked for exactly comes first, however old it is and whoever said it.
        freshness, conflict = freshness_of(memory, asked.now, asked.rules), asked.conflicts.get(memory.id)
        contested = conflict is not None
        modifiers = () if EXACT in fused.branches else modifiers_of(memory, freshness, moments, asked.windows, contested=contested)
        evidence.append(
            Evidence(
                memory=memory,
                score=modified(fused.score, modifiers),
                branches=fused.branches,
                sources=own,
                current=fused.version == 0,
                freshness=freshness,
                modifiers=modifiers,
                conflict=conflict if fused.version == 0 else None,
                outcomes=candidate.current.outcomes if fused.version == 0 else {},
            )
        )
    return sorted(evidence, key=lambda e: -e.score)


def _by_memory(sources: Sequence[SourceRow]) -> dict[UUID, tuple[SourceRow, ...]]:
    by_memory: dict[UUID, list[SourceRow]] = {}
    for source in sources:
        by_memory.setdefault(source.memory_id, []).append(source)
    return {memory_id: tuple(rows) for memory_id, rows in by_memory.items()}


def choose(evidence: Sequence[Evidence], limit: int) -> tuple[list[Evidence], Dropped]:
    """The answer: near duplicates collapsed onto the better one, at most `limit`."""
    chosen: list[Evidence] = []
    signatures: list[Signature] = []
    duplicates = 0
    for place, item in enumerate(evidence):
        if len(chosen) == limit:
            return chosen, Dropped(duplicate=duplicates, over_limit=len(evidence) - place)
        own = signature(item.memory.content)
        if any(_same_people(item.memory, c.memory) and own.repeats(s) for c, s in zip(chosen, signatures, strict=True)):
            duplicates += 1
        else:
            chosen.append(item)
            signatures.append(own)
    return chosen, Dropped(duplicate=duplicates)


def _same_people(memory: Memory, other: Memory) -> bool:
    # The same words about Ana and about Bruno are two statements.
    return memory.about == other.about and memory.said_by == other.said_by
