"""Ctrl-C and SIGTERM: before the server runs they interrupt the start, afterwards they ask the server to stop."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class StopSignal:
    """What the next signal does."""

    def __init__(self) -> None:
        self._stop: Callable[[], None] | None = None
        self.count = 0

    def hand_to(self, stop: Callable[[], None]) -> None:
        """From now on call this instead of interrupting; it must only set flags."""
        self._stop = stop

    def receive(self, _number: int, _frame: FrameType | None) -> None:
        """The handler."""
        self.count += 1
        if self._stop is None:
            raise KeyboardInterrupt
        self._stop()


@contextmanager
def stop_signals() -> Iterator[StopSignal]:
    """Catch both signals until the block ends; SIGTERM is treated as Ctrl-C."""
    stop = StopSignal()
    numbers = (signal.SIGINT, signal.SIGTERM)
    former = {number: signal.signal(number, stop.receive) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
