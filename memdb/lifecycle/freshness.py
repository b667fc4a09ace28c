"""How far the last confirmation of a memory lies back. Pure: the clock is the caller's."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from memdb.models.memory import Kind, Memory

HALF_LIFE: Final = {
    Kind.SEMANTIC: timedelta(days=180),
    Kind.EPISODIC: timedelta(days=365),
    Kind.PROCEDURAL: timedelta(days=365),
    Kind.TAXONOMIC: timedelta(days=730),
    Kind.WORKING: timedelta(days=1),
}
"""Time after which half of what is believed of a kind may have changed. Chosen by hand: facts about people move fastest, what a term means
hardly does, and a working note is of its day."""


class Freshness(StrEnum):
    """Fresh within one half-life of its kind, aging within two, then stale; past once a date that lay ahead has gone."""

    FRESH = "fresh"
    AGING = "aging"
    STALE = "stale"
    PAST = "past"


def freshness_of(memory: Memory, now: datetime) -> Freshness:
    """How fresh a memory is. A plan is past when its date has gone, however lately it was confirmed; an account of what happened is not.

    >>> HALF_LIFE[Kind.SEMANTIC] < HALF_LIFE[Kind.TAXONOMIC]
    True
    """
    starts, ends = memory.event_from, memory.event_to
    if starts is not None and ends is not None and starts > memory.confirmed_at and ends <= now:
        return Freshness.PAST
    age, half_life = now - memory.confirmed_at, HALF_LIFE[memory.kind]
    if age <= half_life:
        return Freshness.FRESH
    return Freshness.AGING if age <= 2 * half_life else Freshness.STALE
