"""What raises or lowers a score besides what was found: freshness, trust, the time that a question asks about, and conflicts. Pure.

All of them together move a score by at most a tenth, so that they decide between equals and never bury an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import prod
from typing import Final

from governance.trust import Trust
from memdb.lifecycle.freshness import Freshness
from memdb.models.memory import Memory
from memdb.text.times import find_times

FACTOR_MIN: Final = 0.9
FACTOR_MAX: Final = 1.1
FRESHNESS: Final = {Freshness.FRESH: 1.02, Freshness.AGING: 1.0, Freshness.STALE: 0.96, Freshness.PAST: 0.96}
TRUST: Final = {Trust.WEB: 0.95, Trust.IMPORTED: 0.98, Trust.TOOL: 0.98, Trust.AGENT: 1.0, Trust.MEMBER: 1.0, Trust.ADMIN: 1.0}
IN_TIME: Final = 1.05
"""The memory speaks of, or was said at, a time that the question names."""
CONTESTED: Final = 0.98
"""Somebody says otherwise: what nobody contests comes first, and both sides of a conflict stay together."""
CONTESTED_HEARSAY: Final = 0.96
"""The same of what somebody else says of its subjects: what they say of themselves comes before it."""
MOMENT: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Window:
    """A time, from `start` up to, not including, `end`; both aware."""

    start: datetime
    end: datetime

    def meets(self, other: Window) -> bool:
        """True when they have a moment in common."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Modifier:
    """A factor on a score, with what it stands for."""

    name: str
    factor: float


def windows_of(text: str, language: str, now: datetime) -> tuple[Window, ...]:
    """The times that a question names, resolved against now."""
    return tuple(Window(t.from_, t.to) for t in find_times(text, language, now) if t.from_ is not None and t.to is not None)


def modifiers_of(
    memory: Memory, freshness: Freshness, said_at: Sequence[datetime], asked: Sequence[Window], *, contested: bool = False
) -> tuple[Modifier, ...]:
    """What applies to a memory, in fixed order; factors of 1 are left out.

    Args:
        freshness: of the memory.
        said_at: when its sources were said.
        asked: times that the question names.
        contested: it is in a conflict that nobody has settled.
    """
    own = [Window(moment, moment + MOMENT) for moment in said_at]
    if memory.event_from is not None and memory.event_to is not None:
        own.append(Window(memory.event_from, memory.event_to))
    meets = any(window.meets(other) for window in own for other in asked)
    factors = {
        "freshness": FRESHNESS[freshness],
        "trust": TRUST[Trust.parse(memory.trust)],
        "time_window": IN_TIME if meets else 1.0,
        "conflict": _conflict(memory) if contested else 1.0,
    }
    return tuple(Modifier(name, factor) for name, factor in factors.items() if factor != 1.0)


def _conflict(memory: Memory) -> float:
    hearsay = memory.said_by is not None and bool(memory.about) and memory.said_by not in memory.about
    return CONTESTED_HEARSAY if hearsay else CONTESTED


def modified(score: float, modifiers: Sequence[Modifier]) -> float:
    """The score with all factors on it, 0..1; together they count at most a tenth up or down.

    >>> modified(0.5, [Modifier("freshness", 0.8), Modifier("trust", 0.8)])
    0.45
    """
    return min(1.0, score * min(FACTOR_MAX, max(FACTOR_MIN, prod(m.factor for m in modifiers))))
