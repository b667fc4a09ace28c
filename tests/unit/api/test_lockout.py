"""Lock-out on guessing: whom it stops, for how long, and what it keeps in mind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from api import lockout
from api.lockout import FAILURES_FREE, FORGOTTEN_AFTER, WAIT_MAX_S, Lockout, wait_s
from governance.api_keys import PresentedKey
from governance.errors import AccessDenied, LockedOut, Unauthenticated

HERE, ELSEWHERE = "203.0.113.9", "198.51.100.7"


class Watch:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.at = datetime(2026, 1, 31, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def wait(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def guarded(watch: Watch) -> Lockout:
    return Lockout(watch)


def key(key_id: str = "abcd2345", org: str = "main") -> str:
    return PresentedKey(org, key_id, bytes(32)).render()


def fail(guarded: Lockout, address: str = HERE, presented: str | None = None) -> None:
    with pytest.raises(Unauthenticated), guarded.attempt(address, presented or key()):
        raise Unauthenticated


def refused_for(guarded: Lockout, address: str = HERE, presented: str | None = None) -> int:
    """Seconds to wait; 0 when an attempt is let through, which is then not judged."""
    try:
        with guarded.attempt(address, presented or key()):
            raise AccessDenied
    except LockedOut as error:
        seconds = error.facts["retry_after_s"]
        assert isinstance(seconds, int)
        return seconds
    except AccessDenied:
        return 0


def test_a_few_failures_are_free_and_then_the_wait_doubles(guarded: Lockout, watch: Watch) -> None:
    for _ in range(FAILURES_FREE - 1):
        fail(guarded)
        assert refused_for(guarded) == 0
    for expected in (1, 2, 4, 8):
        fail(guarded)
        assert refused_for(guarded) == expected
        watch.wait(expected - 0.5)
        assert refused_for(guarded) == 1
        watch.wait(0.5)
        assert refused_for(guarded) == 0
    assert wait_s(10_000) == WAIT_MAX_S


def test_the_owner_elsewhere_and_other_keys_here_are_let_through(guarded: Lockout) -> None:
    for _ in range(FAILURES_FREE):
        fail(guarded)
    assert refused_for(guarded) > 0
    assert refused_for(guarded, ELSEWHERE) == 0
    assert refused_for(guarded, HERE, key("zzzz9999")) == 0
    assert refused_for(guarded, HERE, key(org="other")) == 0


def test_the_right_key_forgets_failures_and_another_refusal_does_not(guarded: Lockout) -> None:
    for _ in range(FAILURES_FREE - 1):
        fail(guarded)
    assert refused_for(guarded) == 0  # AccessDenied inside: the key was right, whatever it may not do
    with guarded.attempt(HERE, key()):
        pass
    for _ in range(FAILURES_FREE - 1):
        fail(guarded)
    assert refused_for(guarded) == 0


def test_failures_are_forgotten_after_a_while(guarded: Lockout, watch: Watch) -> None:
    for _ in range(FAILURES_FREE - 1):
        fail(guarded)
    watch.wait(FORGOTTEN_AFTER.total_seconds() + 1)
    fail(guarded)
    assert refused_for(guarded) == 0


def test_addresses_of_one_ipv6_site_are_one_and_a_mapped_one_is_ipv4(guarded: Lockout) -> None:
    for host in range(FAILURES_FREE):
        fail(guarded, f"2001:db8::{host:x}")
        fail(guarded, f"::ffff:{ELSEWHERE}")
    assert refused_for(guarded, "2001:db8::ffff") > 0
    assert refused_for(guarded, "2001:db8:0:1::1") == 0
    assert refused_for(guarded, ELSEWHERE) > 0


def test_what_is_no_key_is_not_counted(guarded: Lockout) -> None:
    for _ in range(3 * FAILURES_FREE):
        fail(guarded, HERE, "memdb_main_abcd2345_short")
    assert guarded._failures == {}


def test_memory_is_bounded_and_the_oldest_is_forgotten(guarded: Lockout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "PAIRS_MAX", 50)
    for _ in range(FAILURES_FREE):
        fail(guarded)
    for number in range(49):
        fail(guarded, ELSEWHERE, key(f"k{number:05}"))
    assert refused_for(guarded) > 0
    fail(guarded, ELSEWHERE, key("another1"))
    assert len(guarded._failures) == 50
    assert refused_for(guarded) == 0
