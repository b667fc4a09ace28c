"""Votes: bounded, capped, decaying, and the same in any order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memdb.models.outcome import Outcome
from retrieval.votes import HALF_LIFE, PRIOR, VALUES, VOTES_OF_SUBJECT_MAX, Vote, weigh

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
MEMORIES = [UUID(int=n) for n in range(3)]
PEOPLE = [UUID(int=100 + n) for n in range(3)]
KEYS = {f"key{n}": PEOPLE[n // 3] for n in range(9)}


def make_vote(outcome: Outcome = Outcome.HELPFUL, **changes: object) -> Vote:
    return replace(Vote(MEMORIES[0], "key0", PEOPLE[0], outcome, 1.0, NOW), **changes)  # type: ignore[arg-type]  # fields of the right type


@st.composite
def votes(draw: st.DrawFn) -> Vote:
    key = draw(st.sampled_from(sorted(KEYS)))
    at = NOW - timedelta(hours=draw(st.integers(0, 9_000)))
    nearness = draw(st.floats(0.0, 1.0))
    return Vote(draw(st.sampled_from(MEMORIES)), key, KEYS[key], draw(st.sampled_from(Outcome)), nearness, at)


some_votes = st.lists(votes(), max_size=40, unique_by=lambda v: (v.created_at, v.key_id, v.memory_id))


def dull(given_votes: list[Vote], memory_id: UUID) -> float:
    """The same, vote by vote: one counts when its key has said nothing newer, and fewer than two other keys of its subject have."""
    good = bad = 0.0
    mine = [v for v in given_votes if v.memory_id == memory_id]
    last = {key: max((v for v in mine if v.key_id == key), key=lambda v: v.created_at) for key in {v.key_id for v in mine}}
    for vote in last.values():
        newer = [
            v for v in last.values() if v.subject_id == vote.subject_id and place(v) < place(vote)
        ]  # fmt: skip
        if len(newer) < VOTES_OF_SUBJECT_MAX:
            worth = VALUES[vote.outcome] * vote.nearness * 2 ** -((NOW - vote.created_at) / HALF_LIFE)
            good += max(0, worth)
            bad += -worth if worth < 0 else 0
    return good / (good + bad + PRIOR)


def place(vote: Vote) -> tuple[float, float, float, str]:
    return (-vote.created_at.timestamp(), VALUES[vote.outcome], vote.nearness, vote.key_id)


@given(some_votes)
def test_it_is_what_counting_by_hand_gives(given_votes: list[Vote]) -> None:
    wanted = {memory_id: dull(given_votes, memory_id) for memory_id in MEMORIES}
    assert weigh(given_votes, NOW) == pytest.approx({m: s for m, s in wanted.items() if s > 0})


@given(some_votes, st.randoms())
def test_the_order_of_votes_does_not_matter(given_votes: list[Vote], rng: object) -> None:
    shuffled = list(given_votes)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis' own Random
    assert weigh(shuffled, NOW) == pytest.approx(weigh(given_votes, NOW))


@given(some_votes)
def test_a_strength_lies_between_nothing_and_one(given_votes: list[Vote]) -> None:
    assert all(0 < strength < 1 for strength in weigh(given_votes, NOW).values())


@given(some_votes, votes())
def test_a_key_that_votes_a_thousand_times_counts_once(given_votes: list[Vote], vote: Vote) -> None:
    flood = [replace(vote, created_at=vote.created_at - timedelta(microseconds=n)) for n in range(1_000)]
    assume(all(v.key_id != vote.key_id or v.created_at < vote.created_at - timedelta(seconds=1) for v in given_votes))
    assert weigh([*given_votes, *flood], NOW) == pytest.approx(weigh([*given_votes, vote], NOW))


@given(some_votes, st.integers(3, 20), st.sampled_from(Outcome))
def test_a_subject_with_many_keys_counts_twice(given_votes: list[Vote], keys: int, outcome: Outcome) -> None:
    stranger = UUID(int=500)
    crowd = [make_vote(outcome, key_id=f"more{n}", subject_id=stranger) for n in range(keys)]
    assert weigh([*given_votes, *crowd], NOW) == pytest.approx(weigh([*given_votes, *crowd[:VOTES_OF_SUBJECT_MAX]], NOW))


@given(some_votes, st.sampled_from(Outcome), st.floats(0.0, 1.0))
def test_one_more_voice_moves_in_its_own_direction(given_votes: list[Vote], outcome: Outcome, nearness: float) -> None:
    voice = make_vote(outcome, key_id="new", subject_id=UUID(int=500), nearness=nearness)
    before, after = weigh(given_votes, NOW), weigh([*given_votes, voice], NOW)
    rest = [m for m in MEMORIES if m != voice.memory_id]
    assert {m: before.get(m) for m in rest} == {m: after.get(m) for m in rest}
    change = after.get(voice.memory_id, 0.0) - before.get(voice.memory_id, 0.0)
    assert change >= -1e-12 if VALUES[outcome] > 0 else change <= 1e-12
    assert abs(change) <= 1 / (1 + PRIOR) + 1e-12, "no single voice moves more than this"


@given(some_votes, votes(), st.floats(0.0, 1.0))
def test_a_vote_for_a_nearer_question_counts_no_less(given_votes: list[Vote], vote: Vote, nearness: float) -> None:
    vote = replace(vote, key_id="new", subject_id=UUID(int=500), outcome=Outcome.HELPFUL)
    near, far = (replace(vote, nearness=pick(vote.nearness, nearness)) for pick in (max, min))
    nearer, farther = (weigh([*given_votes, v], NOW).get(vote.memory_id, 0.0) for v in (near, far))
    assert nearer >= farther - 1e-12


def test_a_better_outcome_counts_more() -> None:
    strengths = [weigh([make_vote(o)], NOW).get(MEMORIES[0], 0.0) for o in (Outcome.WRONG, Outcome.USED, Outcome.HELPFUL)]
    assert strengths == pytest.approx([0, 0.5 / 2.5, 1 / 3])


def test_a_vote_is_worth_half_after_its_half_life() -> None:
    old = make_vote(created_at=NOW - HALF_LIFE)
    assert weigh([old], NOW)[MEMORIES[0]] == pytest.approx(0.5 / (0.5 + PRIOR))


@given(st.integers(0, 2_000), st.integers(0, 2_000))
def test_strength_only_falls_with_age(days: int, more: int) -> None:
    younger, older = (weigh([make_vote(created_at=NOW - timedelta(days=d))], NOW).get(MEMORIES[0], 0.0) for d in (days, days + more))
    assert younger >= older


def test_a_vote_of_a_clock_that_is_ahead_counts_as_one_of_now() -> None:
    assert weigh([make_vote(created_at=NOW + timedelta(days=900))], NOW) == weigh([make_vote()], NOW)


def test_votes_against_take_away_and_add_nothing() -> None:
    against = make_vote(Outcome.HARMFUL, key_id="key3", subject_id=PEOPLE[1])
    assert weigh([against], NOW) == {}
    assert 0 < weigh([make_vote(), against], NOW)[MEMORIES[0]] < weigh([make_vote()], NOW)[MEMORIES[0]]


def test_the_newest_word_of_a_key_is_its_word() -> None:
    before = make_vote(created_at=NOW - timedelta(days=1))
    assert weigh([before, make_vote(Outcome.WRONG)], NOW) == {}
