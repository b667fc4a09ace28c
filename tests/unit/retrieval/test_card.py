"""The card: whatever the evidence and the budget, it fits, and says what it left out."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from memdb.ids import make_id
from memdb.models.memory import Kind
from memdb.storage.origins import SourceRow
from memdb.text.tokens import count_tokens
from retrieval.card import CUT_MARK, HEADINGS, compose
from retrieval.evidence import Evidence
from tests.support.memories import make_memory_value

words = st.lists(st.sampled_from(["tea", "Zanzibar", "naïve", "お茶", "🙂", "x" * 40, "12:30"]), min_size=1, max_size=40).map(" ".join)
contents = st.lists(st.tuples(st.sampled_from(Kind), st.one_of(words, st.text(min_size=1, max_size=60))), max_size=8)


def evidence(
    content: str, kind: Kind = Kind.SEMANTIC, *, current: bool = True, speaker: str | None = None, said_at: datetime | None = None
) -> Evidence:
    memory = make_memory_value(content, kind=kind)
    source = SourceRow(memory.id, make_id(), None, make_id(), content, speaker, None, 0, said_at)
    return Evidence(memory=memory, score=0.5, branches={}, sources=(source,), current=current)


@settings(max_examples=40, deadline=None)
@given(contents, st.integers(1, 200))
def test_a_card_never_exceeds_its_budget_and_accounts_for_everything(items: list[tuple[Kind, str]], budget: int) -> None:
    card = compose([evidence(content, kind) for kind, content in items], budget)
    assert card.tokens == (count_tokens(card.text) if card.text else 0)
    assert card.tokens <= budget
    assert 0 <= card.over_budget <= len(items)
    assert bool(card.text) == (card.over_budget < len(items))


@settings(max_examples=15, deadline=None)
@given(contents)
def test_with_room_for_everything_everything_stands_in_it(items: list[tuple[Kind, str]]) -> None:
    card = compose([evidence(content, kind) for kind, content in items], 32_000)
    assert card.over_budget == 0
    assert all(content in card.text for _, content in items)
    assert CUT_MARK not in card.text


def test_a_best_hit_that_is_too_long_is_cut_with_a_marker() -> None:
    card = compose([evidence("tea " * 500), evidence("short")], 30)
    assert card.text.startswith("Facts:\n- tea tea")
    assert card.text.endswith(CUT_MARK)
    assert 20 < card.tokens <= 30
    assert card.over_budget == 1


def test_a_later_hit_that_does_not_fit_is_counted_and_a_shorter_one_still_shown() -> None:
    card = compose([evidence("tea at noon"), evidence("milk " * 500), evidence("rum")], 40)
    assert (card.text, card.over_budget) == ("Facts:\n- tea at noon\n- rum", 1)


def test_kinds_stand_under_their_headings_in_one_order() -> None:
    card = compose([evidence(kind.value, kind) for kind in reversed(Kind)], 500)
    assert [line for line in card.text.splitlines() if line.endswith(":")] == [f"{heading}:" for heading in HEADINGS.values()]
    assert set(HEADINGS) == set(Kind)


def test_a_line_says_when_and_by_whom_it_was_said_and_whether_it_still_holds() -> None:
    said_at = datetime(2026, 3, 2, 9, tzinfo=UTC)
    card = compose([evidence("tea at noon", current=False, speaker="Carla", said_at=said_at)], 500)
    assert card.text == "Facts:\n- tea at noon (2026-03-02, said by Carla, no longer current)"


def test_nothing_gives_an_empty_card() -> None:
    card = compose([], 100)
    assert (card.text, card.tokens, card.token_budget, card.over_budget) == ("", 0, 100, 0)
