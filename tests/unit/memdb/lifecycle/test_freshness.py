"""Freshness goes by the last confirmation and the kind; a plan whose date has gone is past, an account of the past is not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.policy.memory_rules import HALF_LIFE_DAYS, MemoryRules
from memdb.lifecycle.freshness import Freshness, freshness_of
from memdb.models.memory import Kind
from tests.support.memories import NOW, make_memory_value

DAY = timedelta(days=1)
RULES = MemoryRules()
ORDER = [Freshness.FRESH, Freshness.AGING, Freshness.STALE]


def test_every_kind_has_a_half_life() -> None:
    assert set(HALF_LIFE_DAYS) == set(Kind)


@pytest.mark.parametrize("kind", Kind)
def test_it_is_fresh_for_one_half_life_and_aging_for_another(kind: Kind) -> None:
    half, tick = timedelta(days=HALF_LIFE_DAYS[kind]), timedelta(microseconds=1)
    ages = [timedelta(0), half, half + tick, 2 * half, 2 * half + tick]
    found = [freshness_of(make_memory_value(kind=kind, confirmed_at=NOW - age), NOW, RULES) for age in ages]
    assert found == [Freshness.FRESH, Freshness.FRESH, Freshness.AGING, Freshness.AGING, Freshness.STALE]


@given(st.sampled_from(Kind), st.integers(0, 2_000), st.integers(0, 2_000))
def test_what_was_confirmed_earlier_is_never_fresher(kind: Kind, earlier: int, later: int) -> None:
    older, younger = sorted((earlier, later), reverse=True)
    places = [ORDER.index(freshness_of(make_memory_value(kind=kind, confirmed_at=NOW - age * DAY), NOW, RULES)) for age in (older, younger)]
    assert places[0] >= places[1]


@pytest.mark.parametrize(
    ("starts", "ends", "expected"),
    [
        (NOW - 2 * DAY, NOW - DAY, Freshness.PAST),
        (NOW - 2 * DAY, NOW, Freshness.PAST),
        (NOW - 2 * DAY, NOW + DAY, Freshness.FRESH),
        (NOW + DAY, NOW + 2 * DAY, Freshness.FRESH),
        (NOW - 9 * DAY, NOW - 8 * DAY, Freshness.FRESH),
    ],
    ids=["gone", "just gone", "going on", "ahead", "had happened when it was told"],
)
def test_only_a_date_that_lay_ahead_makes_a_memory_past(starts: object, ends: object, expected: Freshness) -> None:
    memory = make_memory_value(confirmed_at=NOW - 5 * DAY, event_from=starts, event_to=ends)
    assert freshness_of(memory, NOW, RULES) is expected


def test_a_topic_and_those_below_it_may_have_a_half_life_of_their_own() -> None:
    rules = MemoryRules(topic_half_life_days={"brand": 300, "brand/voice/today": 1})
    found = {
        topic: freshness_of(make_memory_value(topic=topic, confirmed_at=NOW - 299 * DAY), NOW, rules)
        for topic in (None, "Brand/Voice", "brand", "brands", "brand/voice/today")
    }
    assert found == {
        None: Freshness.AGING,
        "Brand/Voice": Freshness.FRESH,
        "brand": Freshness.FRESH,
        "brands": Freshness.AGING,
        "brand/voice/today": Freshness.STALE,
    }
