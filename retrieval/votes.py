"""What votes say of a memory. Pure: Bayesian shrinkage, caps per key and per subject, decay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from memdb.models.outcome import Outcome

VALUES: Final = {
    Outcome.HELPFUL: 1.0,
    Outcome.USED: 0.5,  # the agent's own act, so weaker than a judgement
    Outcome.NOT_HELPFUL: -1.0,
    Outcome.STALE: -1.0,
    Outcome.WRONG: -1.0,
    Outcome.HARMFUL: -2.0,
}
"""What a fresh vote for the very same question counts."""
PRIOR: Final = 2.0
"""Votes that are taken to say nothing, so that one voice is worth a third and four agreeing ones two thirds."""
HALF_LIFE: Final = timedelta(days=90)
"""As good as forgotten after a year: people and facts have moved on."""
VOTES_OF_SUBJECT_MAX: Final = 2
"""Of one subject on one memory, whatever its number of keys; of one key there is one."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What a key said about a memory in answer to a question; `nearness` of that question to the present one, 0..1."""

    memory_id: UUID
    key_id: str
    subject_id: UUID
    outcome: Outcome
    nearness: float
    created_at: datetime


def weigh(votes: Iterable[Vote], now: datetime) -> dict[UUID, float]:
    """Strength by memory, above 0 and below 1; a memory whose votes say nothing good is absent. The order of votes does not matter.

    Votes against a memory take away from those for it and from nothing else, so that nobody can bury what the other branches find.
    """
    by_memory: dict[UUID, list[Vote]] = {}
    for vote in votes:
        by_memory.setdefault(vote.memory_id, []).append(vote)
    strengths = {memory_id: _strength(capped(some), now) for memory_id, some in by_memory.items()}
    return {memory_id: strength for memory_id, strength in strengths.items() if strength > 0}


def capped(votes: Iterable[Vote]) -> list[Vote]:
    """Of votes on one memory the newest of each key, and of those the newest of each subject, newest first."""
    keys: set[str] = set()
    subjects: dict[UUID, int] = {}
    kept = []
    for vote in sorted(votes, key=_newest_first):
        if vote.key_id in keys:
            continue
        keys.add(vote.key_id)
        if subjects.get(vote.subject_id, 0) < VOTES_OF_SUBJECT_MAX:
            subjects[vote.subject_id] = subjects.get(vote.subject_id, 0) + 1
            kept.append(vote)
    return kept


def _newest_first(vote: Vote) -> tuple[float, float, float, str, UUID]:
    # Of two at the same moment the worse one, and then any one, but always the same.
    return (-vote.created_at.timestamp(), VALUES[vote.outcome], vote.nearness, vote.key_id, vote.subject_id)


def _strength(votes: Iterable[Vote], now: datetime) -> float:
    good = bad = 0.0
    for vote in votes:
        age = max(now - vote.created_at, timedelta())
        said = VALUES[vote.outcome] * vote.nearness * 0.5 ** (age / HALF_LIFE)
        good, bad = good + max(said, 0.0), bad - min(said, 0.0)
    return good / (good + bad + PRIOR)
