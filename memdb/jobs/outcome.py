"""What came of one try of a handler at a snapshot, for whoever counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memdb.extraction.switching import SWITCHED_OFF
from memdb.models.memory import Kind
from memdb.storage.extractions import Extraction


class Outcome(StrEnum):
    """DONE: read and stored. SWITCHED_OFF: let go, see `switching.py`. FAILED: tried again later. DEAD: given up."""

    DONE = "done"
    SWITCHED_OFF = "switched_off"
    FAILED = "failed"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Tried:
    """One try. `extraction`: as it is then. `latency_s`: since the snapshot was cut, where the handler is done with it the first time."""

    handler: Kind
    outcome: Outcome
    extraction: Extraction
    latency_s: float | None = None

    @classmethod
    def of(cls, done: Extraction, now: datetime) -> Tried:
        """Of one that is done."""
        if done.failure == SWITCHED_OFF:
            return cls(done.handler, Outcome.SWITCHED_OFF, done)
        latency_s = max(0.0, (now - done.created_at).total_seconds()) if done.run == 1 else None
        return cls(done.handler, Outcome.DONE, done, latency_s)


Tell = Callable[[Tried], None]


def tell_nobody(_one: Tried) -> None:
    """Where nobody counts."""
