"""Waiting for something outside, with a word every few seconds, until another thread says that nobody waits any more."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

_POLL_FIRST_S = 0.01
_POLL_LAST_S = 0.25
_SAY_EVERY_S = 3.0


class GaveUp(Exception):
    """The wait was ended by whoever had asked for it; what was begun is undone."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Whom a start or stop tells how it goes, and who may end it. `given_up` is asked four times a second and more."""

    tell: Callable[[str], None]
    given_up: Callable[[], bool]

    def __call__(self, message: str) -> None:
        self.tell(message)


def silent() -> Progress:
    """Tells nobody and is never given up."""
    return Progress(lambda _: None, lambda: False)


def wait_until(done: Callable[[], bool], say: Progress, what: str, *, give_up_after_s: float | None = None) -> bool:
    """Poll `done` until it is true; False when the time is up (None: never).

    Says `what` with the seconds passed every three seconds. Exceptions of `done` end the wait.

    Raises:
        GaveUp: `say` was given up.
    """
    began = time.monotonic()
    said = 0.0
    pause_s = _POLL_FIRST_S
    while not done():
        elapsed_s = time.monotonic() - began
        if say.given_up():
            raise GaveUp
        if give_up_after_s is not None and elapsed_s >= give_up_after_s:
            return False
        if elapsed_s - said >= _SAY_EVERY_S:
            said = elapsed_s
            say(f"{what} ({elapsed_s:.0f} s)")
        time.sleep(pause_s)
        pause_s = min(pause_s * 1.5, _POLL_LAST_S)
    return True
