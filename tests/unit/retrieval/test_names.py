"""Names in a question, and memories weighed by them."""

from __future__ import annotations

from random import Random
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.names import MENTIONS, Match, Met, QueryName, find_names, keep_longest, rarity, score

IDS = [UUID(int=n) for n in range(1, 9)]


def name_of(text: str, dictionary: dict[str, list[UUID]] | None = None) -> QueryName:
    return find_names(text, dictionary or {})[0]


def met(name: QueryName, number: int, memories: list[int], *, concerns: bool = False, sure: float = 1.0, count: int | None = None) -> Met:
    match = Match(IDS[number], name, f"label {number}", concerns=concerns, sure=sure)
    return Met(match, frozenset(memories), len(memories) if count is None else count)


def test_runs_of_words_are_names_unless_they_begin_or_end_with_a_common_word() -> None:
    assert [n.folded for n in find_names("Where does Ana of Faro live?", {})] == [
        "ana of faro live",
        "ana of faro",
        "faro live",
        "ana",
        "faro",
        "live",
    ]


def test_accents_case_and_possessives_do_not_matter() -> None:
    assert name_of("João's").folded == name_of("joao").folded == "joao"


def test_namesakes_all_count_and_none_is_picked() -> None:
    assert name_of("Mike", {"mike": [IDS[0], IDS[1]]}).subject_ids == (IDS[0], IDS[1])


def test_an_empty_or_common_question_names_nobody() -> None:
    assert find_names("", {}) == find_names("what is it?", {}) == ()


def test_only_long_capitalised_words_may_be_mistyped() -> None:
    assert [n.may_be_mistyped for n in (name_of("Jhon"), name_of("jhon"), name_of("Ann"), name_of("#4411"))] == [True, False, False, False]


def test_the_longest_name_covers_its_parts() -> None:
    whole, *_ = names = find_names("Mike Chen", {})
    part = next(n for n in names if n.folded == "mike")
    kept = keep_longest(
        [Match(IDS[0], part, "Mike Ross", concerns=True, sure=0.7), Match(IDS[1], whole, "Mike Chen", concerns=True, sure=1.0)]
    )
    assert [m.label for m in kept] == ["Mike Chen"]


def test_two_people_of_one_name_stay_two() -> None:
    mike = name_of("Mike")
    first, second = keep_longest(
        [Match(IDS[0], mike, "Mike Chen", concerns=True, sure=0.7), Match(IDS[1], mike, "Mike Ross", concerns=True, sure=0.7)]
    )
    found = score([Met(first, frozenset({3}), 1), Met(second, frozenset({4}), 1)], 100, 9)
    assert {(s.memory_id, s.labels) for s in found} == {(3, ("Mike Chen",)), (4, ("Mike Ross",))}


def test_a_rare_name_weighs_more_than_a_frequent_one() -> None:
    rare, frequent = find_names("Zanzibar", {})[0], find_names("Lisbon", {})[0]
    best, second = score([met(rare, 0, [5], count=1), met(frequent, 1, [6], count=60)], 100, 9)
    assert (best.memory_id, second.memory_id) == (5, 6)


def test_a_mention_counts_little_and_not_at_all_where_the_named_one_speaks() -> None:
    ana = name_of("Ana")
    (alone,) = score([met(ana, 0, [5])], 100, 9)
    assert alone.raw == MENTIONS * rarity(1, 100)
    found = score([met(ana, 0, [5]), met(ana, 1, [6], concerns=True)], 100, 9)
    assert [s.memory_id for s in found] == [6]


def test_entities_of_one_name_do_not_add_up() -> None:
    ana = name_of("Ana")
    one = score([met(ana, 0, [5], concerns=True)], 100, 9)
    assert score([met(ana, 0, [5], concerns=True), met(ana, 1, [5], concerns=True)], 100, 9)[0].raw == one[0].raw


@settings(deadline=None)  # the first call imports what the others use
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 7), st.integers(1, 50)), max_size=12), st.randoms())
def test_scores_stay_within_bounds_and_do_not_depend_on_order(rows: list[tuple[int, bool, int, int]], order: Random) -> None:
    names = find_names("Ana Bo Cy Di", {})[-4:]
    all_met = [met(names[n], n, [m], concerns=concerns, count=count) for n, concerns, m, count in rows]
    found = score(all_met, 60, 99)
    assert all(0 < s.strength <= 1 for s in found)
    assert [s.raw for s in found] == sorted((s.raw for s in found), reverse=True)
    shuffled = order.sample(all_met, len(all_met))
    assert [(s.memory_id, s.raw) for s in score(shuffled, 60, 99)] == [(s.memory_id, s.raw) for s in found]
