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
        self._asked = False
        self.count = 0
        self.interrupted = False

    def hand_to(self, stop: Callable[[], None]) -> None:
        """From now on call this instead of interrupting; it must only set flags."""
        self._stop = stop
        if self._asked:
            stop()

    def ask(self) -> None:
        """Stop what runs, or what will run, without an interrupt."""
        self._asked = True
        if self._stop is not None:
            self._stop()

    def receive(self, _number: int, _frame: FrameType | None) -> None:
        """The handler."""
        self.count += 1
        self._asked = True  # what runs may swallow the interrupt; the server then ends as soon as it begins
        if self._stop is None:
            self.interrupted = True
            raise KeyboardInterrupt
        self._stop()


@contextmanager
def stop_signals() -> Iterator[StopSignal]:
    """Catch both signals until the block ends; SIGTERM is treated as Ctrl-C.

    Raises:
        KeyboardInterrupt: an interrupt ended the block, whatever error was made of it on the way: a module that is being loaded may.
    """
    stop = StopSignal()
    numbers = (signal.SIGINT, signal.SIGTERM)
    former = {number: signal.signal(number, stop.receive) for number in numbers}
    try:
        yield stop
    except Exception:
        if stop.interrupted:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
