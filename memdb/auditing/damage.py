"""What verification found: kinds of damage, how often, the first of each, and what it looked at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

FIRST_MAX: Final = 5
"""Records that are named of one kind."""


class Damage(StrEnum):
    """Kinds of damage, with what each means for whoever reads the report."""

    EVENT_MISSING = "event_missing"  # the log has its place, the event is gone
    EVENT_CHANGED = "event_changed"
    EVENT_UNSEALED = "event_unsealed"  # an event that neither has a place nor waits for one: put in, or its place was taken out
    CHAIN_GAP = "chain_gap"  # a place of the log is gone
    CHAIN_BROKEN = "chain_broken"  # an event stands where another stood
    HEAD_FORGED = "head_forged"  # the head was not signed by this installation
    HEAD_AHEAD = "head_ahead"  # the log ends before its head: it was cut, or the database is older
    HEAD_DIFFERS = "head_differs"  # another log has been written since
    MEMORY_CHANGED = "memory_changed"  # the row does not match its seals
    MEMORY_NOT_AS_RECORDED = "memory_not_as_recorded"  # the seals match and the last event vouches for another state: an older row put back
    MEMORY_WITHOUT_EVENT = "memory_without_event"
    MEMORY_MISSING = "memory_missing"  # an event says that it was added, nothing that it went
    VERSION_CHANGED = "version_changed"
    VERSION_MISSING = "version_missing"
    INDEX_MISSING = "index_missing"
    INDEX_CHANGED = "index_changed"  # words, or what is filtered by, are not the memory's
    VECTOR_CHANGED = "vector_changed"
    VECTOR_MISSING = "vector_missing"  # it has none, and waits for none
    POLICY_CHANGED = "policy_changed"


@dataclass(frozen=True, slots=True)
class Found:
    """One damaged record. `place`: what of it, such as the name of a column, or the position in the log."""

    damage: Damage
    object_kind: str
    object_id: str
    place: str | None = None

    def __str__(self) -> str:
        return f"{self.damage.value}: {self.object_kind} {self.object_id}" + ("" if self.place is None else f" ({self.place})")


@dataclass(slots=True)
class Report:
    """Of one org. `unsealed`: events that wait for their place; `unexported`: events behind the exported head, those that wait included.

    oldest_unsealed: when the first of them was written. head_at: when the head was exported. earlier: records that a release before the
    chain wrote, which seals cover as far as that release made them. accepted: damaged records of the log that its owner took as they are.
    """

    org: str
    org_id: UUID
    events: int = 0
    memories: int = 0
    versions: int = 0
    vectors: int = 0
    earlier: int = 0
    accepted: int = 0
    unsealed: int = 0
    oldest_unsealed: datetime | None = None
    head_position: int | None = None
    head_at: datetime | None = None
    unexported: int = 0
    counts: Counter[Damage] = field(default_factory=Counter)
    first: list[Found] = field(default_factory=list)

    def add(self, found: Found) -> None:
        """Count a damaged record, and keep it if it is among the first of its kind."""
        if self.counts[found.damage] < FIRST_MAX:
            self.first.append(found)
        self.counts[found.damage] += 1

    @property
    def intact(self) -> bool:
        return not self.counts
