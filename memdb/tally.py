"""What a process has written since it started, counted where it is written, so that no door can forget to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Written:
    """One sort of write. `door`: the channel, such as `http`, `mcp` or `extraction`; the rest are words of the product, never text."""

    door: str
    kind: str
    action: str
    status: str


class Tally:
    """Counts of writes that are in the database; not shared between processes."""

    def __init__(self) -> None:
        self._counts: Counter[Written] = Counter()

    def add(self, written: Written) -> None:
        """Count one, after its transaction."""
        self._counts[written] += 1

    def counts(self) -> Mapping[Written, int]:
        """All so far."""
        return dict(self._counts)
