"""Rate limits: whose requests are counted together, and when there is room again."""

from __future__ import annotations

import time
from uuid import uuid4

import pytest

from api.rate_limits import RateLimits
from governance.errors import RateLimited

ORG, OTHER_ORG = uuid4(), uuid4()


def admitted(limits: RateLimits, key_id: str, times: int, *, org: object = ORG, own: int | None = None) -> int:
    """How many of so many requests are let through."""
    count = 0
    for _ in range(times):
        try:
            limits.count(org, key_id, own)  # type: ignore[arg-type]  # a UUID
        except RateLimited:
            continue
        count += 1
    return count


def test_a_key_has_the_servers_number_or_its_own() -> None:
    limits = RateLimits(4, 0)
    assert admitted(limits, "a", 9) == 4
    assert admitted(limits, "b", 9, own=2) == 2
    assert admitted(limits, "c", 9, own=7) == 7


def test_a_key_id_of_another_org_is_another_key() -> None:
    limits = RateLimits(4, 0)
    assert admitted(limits, "a", 9) == 4
    assert admitted(limits, "a", 9, org=OTHER_ORG) == 4


def test_keys_of_an_org_share_its_number_and_a_refused_request_counts_for_nobody() -> None:
    limits = RateLimits(3, 5)
    assert admitted(limits, "a", 9) == 3  # six were refused by the key's own number
    assert admitted(limits, "b", 9) == 2
    assert admitted(limits, "c", 9) == 0
    assert admitted(limits, "a", 9, org=OTHER_ORG) == 3


def test_zero_is_no_bound() -> None:
    assert admitted(RateLimits(0, 0), "a", 2_000) == 2_000


def test_who_is_refused_is_told_when_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    # The library reads the machine's clock; it is turned here so that nobody waits.
    now = 1_800_000_015.0
    monkeypatch.setattr(time, "time", lambda: now)
    limits = RateLimits(6, 0)
    assert admitted(limits, "a", 9) == 6
    with pytest.raises(RateLimited) as refused:
        limits.count(ORG, "a", None)
    wait = refused.value.facts["retry_after_s"]
    assert isinstance(wait, int)
    assert 1 <= wait <= 60
    assert "6 requests a minute" in refused.value.message
    now += wait + 1
    assert admitted(limits, "a", 1) == 1
    now += 120
    assert admitted(limits, "a", 9) == 6
