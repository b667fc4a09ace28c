"""Waiting for something outside, with a word every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable

_POLL_FIRST_S = 0.01
_POLL_LAST_S = 0.25
_SAY_EVERY_S = 3.0


def wait_until(done: Callable[[], bool], say: Callable[[str], None], what: str, *, give_up_after_s: float | None = None) -> bool:
    """Poll `done` until it is true; False when the time is up (None: never).

    Says `what` with the seconds passed every three seconds. Exceptions of `done` end the wait.
    """
    began = time.monotonic()
    said = 0.0
    pause_s = _POLL_FIRST_S
    while not done():
        elapsed_s = time.monotonic() - began
        if give_up_after_s is not None and elapsed_s >= give_up_after_s:
            return False
        if elapsed_s - said >= _SAY_EVERY_S:
            said = elapsed_s
            say(f"{what} ({elapsed_s:.0f} s)")
        time.sleep(pause_s)
        pause_s = min(pause_s * 1.5, _POLL_LAST_S)
    return True
