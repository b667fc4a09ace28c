"""How long each step took."""

from __future__ import annotations

import time


class Stopwatch:
    """Laps in milliseconds on the monotonic clock; `laps` keeps their order and ends with none called `total`."""

    def __init__(self) -> None:
        self._started = self._last = time.perf_counter()
        self.laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        """Close the step `name`; a name given twice adds up."""
        now = time.perf_counter()
        self.laps[name] = round(self.laps.get(name, 0.0) + (now - self._last) * 1000, 3)
        self._last = now

    @property
    def total_ms(self) -> float:
        """Since the watch was made."""
        return round((time.perf_counter() - self._started) * 1000, 3)
