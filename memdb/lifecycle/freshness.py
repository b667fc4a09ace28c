"""How far the last confirmation of a memory lies back. Pure: the clock is the caller's."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from governance.policy.memory_rules import MemoryRules
from memdb.models.memory import Memory
from memdb.text.normalise import fold


class Freshness(StrEnum):
    """Fresh within one half-life of its kind or topic, aging within two, then stale; past once a date that lay ahead has gone."""

    FRESH = "fresh"
    AGING = "aging"
    STALE = "stale"
    PAST = "past"


def freshness_of(memory: Memory, now: datetime, rules: MemoryRules) -> Freshness:
    """How fresh a memory is by the half-lives of its org. A plan is past when its date has gone, however lately it was confirmed; an
    account of what happened is not.
    """
    starts, ends = memory.event_from, memory.event_to
    if starts is not None and ends is not None and starts > memory.confirmed_at and ends <= now:
        return Freshness.PAST
    topic = None if memory.topic is None else fold(memory.topic)
    age, half_life = now - memory.confirmed_at, timedelta(days=rules.half_life(memory.kind.value, topic))
    if age <= half_life:
        return Freshness.FRESH
    return Freshness.AGING if age <= 2 * half_life else Freshness.STALE
