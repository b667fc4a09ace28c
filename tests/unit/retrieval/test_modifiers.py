"""Modifiers are named, bounded together, and apply to what they say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import prod
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.trust import Trust
from memdb.lifecycle.freshness import Freshness
from retrieval.modifiers import FACTOR_MAX, FACTOR_MIN, Modifier, Window, modified, modifiers_of, windows_of
from tests.support.memories import NOW, make_memory_value

DAY = timedelta(days=1)


def names(*asked: Window, said_at: tuple[datetime, ...] = (), contested: bool = False, **fields: Any) -> list[str]:
    """Of a memory that is neither fresh nor stale, so that freshness says nothing."""
    memory = make_memory_value(**fields)
    return [m.name for m in modifiers_of(memory, Freshness.AGING, said_at, asked, contested=contested)]


@given(st.floats(0, 1), st.lists(st.builds(Modifier, st.just("any"), st.floats(0.5, 2)), max_size=6))
def test_all_modifiers_together_move_a_score_by_at_most_a_tenth(score: float, some: list[Modifier]) -> None:
    assert score * FACTOR_MIN <= modified(score, some) <= min(1.0, score * FACTOR_MAX)
    assert (FACTOR_MIN, FACTOR_MAX) == (0.9, 1.1)


def test_an_ordinary_memory_has_none() -> None:
    assert names() == []


def test_fresh_is_raised_and_stale_and_past_are_lowered() -> None:
    told = (Freshness.FRESH, Freshness.STALE, Freshness.PAST)
    fresh, stale, past = (modifiers_of(make_memory_value(), freshness, (), ()) for freshness in told)
    assert [m.name for m in (*fresh, *stale, *past)] == ["freshness"] * 3
    assert fresh[0].factor > 1 > stale[0].factor
    assert past[0].factor < 1


@pytest.mark.parametrize("level", Trust)
def test_what_came_from_outside_is_lowered(level: Trust) -> None:
    assert names(trust=level.label) == (["trust"] if level < Trust.AGENT else [])


def test_less_trust_never_counts_more() -> None:
    factors = [modified(0.5, modifiers_of(make_memory_value(trust=level.label), Freshness.AGING, (), ())) for level in sorted(Trust)]
    assert factors == sorted(factors)


def test_a_time_that_the_question_names_raises_what_happened_or_was_said_then() -> None:
    may = Window(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC))
    inside, outside = datetime(2023, 5, 31, 23, 59, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC)
    assert names(may, said_at=(inside,)) == ["time_window"]
    assert names(may, event_from=inside, event_to=outside + DAY) == ["time_window"]
    assert names(may, said_at=(outside,)) == names(may) == names(said_at=(inside,)) == []


def test_what_somebody_contests_is_lowered() -> None:
    assert names(contested=True) == ["conflict"]
    ana, bruno = uuid4(), uuid4()
    own, hearsay = [
        prod(m.factor for m in modifiers_of(make_memory_value(about=(ana,), said_by=who), Freshness.AGING, (), (), contested=True))
        for who in (ana, bruno)
    ]
    assert hearsay < own < 1, "what a person says of themselves comes before what others say of them"


def test_times_of_a_question_resolve_against_now() -> None:
    assert windows_of("what did Ana say yesterday?", "en", NOW) == (Window(*(datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2))),)
    assert windows_of("o que Ana disse em maio de 2023?", "pt", NOW)[0].start == datetime(2023, 5, 1, tzinfo=UTC)
    assert windows_of("what does Ana like?", "en", NOW) == ()
