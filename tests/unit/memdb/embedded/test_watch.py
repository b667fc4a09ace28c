"""When a dead server is started again, and when the watch ends; without a server and without waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event

import pytest

from memdb.embedded import watch
from memdb.embedded.waiting import GaveUp
from memdb.embedded.watch import PAUSES_S, STEADY_AFTER_S, keep_running
from memdb.errors import ConfigurationError, StorageUnavailable


class Clock(Event):
    """A stop signal whose waits pass at once, and the time that they would have taken."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def wait(self, timeout: float | None = None) -> bool:
        self.now += timeout or 0.0
        return self.is_set()


class Server:
    """Dies when told; `outcomes` of the restarts: None comes back, an error does not."""

    def __init__(self, clock: Clock, looks: Iterator[bool | Exception], outcomes: Iterator[Exception | None]) -> None:
        self._clock, self._looks, self._outcomes = clock, looks, outcomes
        self.restarted_at: list[float] = []

    def is_running(self) -> bool:
        look = next(self._looks, None)
        if look is None:
            self._clock.set()
            return True
        if isinstance(look, Exception):
            raise look
        return look

    def restart(self, *, given_up: Callable[[], bool]) -> None:
        assert given_up() is self._clock.is_set()
        self.restarted_at.append(self._clock.now)
        outcome = next(self._outcomes)
        if outcome is not None:
            raise outcome


def run(looks: list[bool | Exception], outcomes: list[Exception | None]) -> tuple[Server, Clock, list[float]]:
    clock = Clock()
    server, told = Server(clock, iter(looks), iter(outcomes)), list[float]()
    keep_running(server, clock, lambda: told.append(clock.now), clock=lambda: clock.now)
    return server, clock, told


def test_a_living_server_is_left_alone() -> None:
    server, _, told = run([True] * 5, [])
    assert (server.restarted_at, told) == ([], [])


def test_a_dead_one_is_started_at_once_and_then_with_growing_pauses() -> None:
    failure = ConfigurationError("no space")
    server, _, told = run([True, False, True], [failure, failure, None])
    gaps = [b - a for a, b in zip(server.restarted_at, server.restarted_at[1:], strict=False)]
    assert gaps == list(PAUSES_S[1:3])
    assert server.restarted_at[0] == told[0]
    assert len(told) == 1, "one warning for all tries"


def test_after_the_last_try_the_reason_is_raised() -> None:
    with pytest.raises(StorageUnavailable, match="try 5 failed"):
        run([False], [ConfigurationError(f"try {i} failed") for i in range(1, len(PAUSES_S) + 1)])
    assert sorted(PAUSES_S) == list(PAUSES_S)


def test_one_that_ends_soon_after_each_start_uses_up_the_tries() -> None:
    with pytest.raises(StorageUnavailable, match="soon after each start"):
        run([False] * (len(PAUSES_S) + 1), [None] * len(PAUSES_S))


def test_one_that_has_lived_long_has_all_tries_again() -> None:
    calm: list[bool | Exception] = [True] * int(STEADY_AFTER_S / watch.LOOK_EVERY_S)
    looks = [looked for _ in range(len(PAUSES_S) + 3) for looked in [*calm, False]]
    server, _, _ = run(looks, [None] * len(looks))
    assert len(server.restarted_at) == len(PAUSES_S) + 3


def test_the_end_of_the_watch_ends_a_restart_too() -> None:
    server, _, _ = run([False], [GaveUp()])
    assert len(server.restarted_at) == 1


def test_a_look_that_fails_says_nothing_about_the_server() -> None:
    server, _, told = run([ConfigurationError("too many open files"), True], [])
    assert (server.restarted_at, told) == ([], [])
