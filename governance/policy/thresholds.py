"""From which score on a finding counts; see the scale in governance/inspection/phrases.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HIGH: Final = 0.8  # hardly ever said in good faith
MODERATE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Thresholds:
    """`moderate`: it may be meant so; `high`: nobody's credential makes it harmless. 0..1."""

    moderate: float = MODERATE
    high: float = HIGH

    def strictest(self, other: Thresholds) -> Thresholds:
        """The lower of both, each."""
        return Thresholds(min(self.moderate, other.moderate), min(self.high, other.high))


DEFAULT_THRESHOLDS: Final = Thresholds()
