"""What a question asks for exactly, and whether it asks for anything else."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.routing import IDS_MAX, Exact, find_exact

ID = "01980000-0000-7000-8000-0000000000a0"


def found(text: str) -> Exact:
    return find_exact(text, ("en", "pt", "und"))


@pytest.mark.parametrize("text", [ID, f" {ID.upper()}.", f"({ID})", f"`{ID}`"])
def test_an_id_alone_is_all_that_is_asked(text: str) -> None:
    assert found(text) == Exact(ids=(UUID(ID),), alone=True)


def test_an_id_in_a_sentence_is_found_and_not_alone() -> None:
    assert found(f"who wrote {ID}?") == Exact(ids=(UUID(ID),))


@pytest.mark.parametrize("text", [f"x{ID}", f"{ID}0", f"{ID}-1", "01980000-0000-7000-8000", "who is Ana?"])
def test_what_is_no_id_is_none(text: str) -> None:
    assert found(text).ids == ()


def test_ids_are_bounded_and_counted_once() -> None:
    assert found(f"{ID} {ID}").ids == (UUID(ID),)
    assert len(found(" ".join(str(UUID(int=n)) for n in range(1, 30))).ids) == IDS_MAX


@pytest.mark.parametrize("text", ['"red fox"', "“red fox”", "«red fox»", ' "Red FOX" .'])
def test_words_between_quotation_marks_are_looked_up_in_their_order(text: str) -> None:
    exact = found(text)
    assert exact.alone
    assert exact.phrase == "('red' <-> 'fox')"


def test_a_phrase_in_a_sentence_is_not_alone_and_several_are_all_meant() -> None:
    exact = found('who said "red fox" and "old dog"?')
    assert (exact.phrase, exact.alone) == ("('red' <-> 'fox') & ('old' <-> 'dog')", False)


@pytest.mark.parametrize("text", ['what is "meridian"?', 'a 5" screen and a 7" one', '"', '""', '"!!"'])
def test_a_single_word_and_stray_marks_are_no_phrase(text: str) -> None:
    assert found(text).phrase is None


def test_a_path_is_a_topic_and_a_word_may_be_one() -> None:
    assert found("Clients/Mérídian") == Exact(topic="clients/meridian", alone=True)
    assert found("health") == Exact(topic="health")
    assert found("clients/meridian/") == Exact(topic="clients/meridian", alone=True)
    for text in ("what about health?", "a long statement about clients/meridian"):
        assert found(text) == Exact()


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    exact = found(text)
    assert sum(map(bool, (exact.ids, exact.phrase, exact.topic))) <= 1
