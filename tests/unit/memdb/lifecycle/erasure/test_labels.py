"""Labels are found as people write them, and nowhere else."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.lifecycle.erasure.labels import ERASED, Finder, Found, Labels, shift, tell_apart
from memdb.models.memory import StoredRedaction

FINDER = Finder(Labels(("ana souza", "joao", "strauss", "may", "田中"), ("mike",), ("mike larsen",)))


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Ana Souza's dog", f"{ERASED}'s dog"),
        ("ANA_SOUZA and ana-souza", f"{ERASED} and {ERASED}"),
        ("João, joa\u0303o and J\u200boão", f"{ERASED}, {ERASED} and {ERASED}"),
        ("Strauß left", f"{ERASED} left"),
        ("田中さんは", f"{ERASED}さんは"),
        ("banana souza, Joaozinho", "banana souza, Joaozinho"),
        ("Mike Larsen plays", "Mike Larsen plays"),
    ],
)
def test_a_label_is_found_as_people_write_it(text: str, marked: str) -> None:
    assert FINDER.mark(text, all_of_them=False).text == marked


def test_what_others_are_called_too_is_open_until_it_is_decided() -> None:
    assert FINDER.mark("Mike left", all_of_them=False).open
    assert FINDER.mark("Mike left", all_of_them=True).text == f"{ERASED} left"
    assert not FINDER.mark("Mike Larsen left", all_of_them=False).open


def test_a_word_that_is_also_a_name_is_one_with_a_capital() -> None:
    assert FINDER.mark("You may ask May", all_of_them=False).text == f"You may ask {ERASED}"


def test_keys_and_values_of_data_are_marked_with_their_places() -> None:
    value, places, still_open = FINDER.mark_json({"joao": ["hi João", 1], "x": {"y": "Mike"}}, all_of_them=False)
    assert value == {ERASED: [f"hi {ERASED}", 1], "x": {"y": "Mike"}}
    assert set(places) == {"data.joao[0]"}
    assert still_open


def test_redactions_move_with_the_text_and_go_with_what_they_covered() -> None:
    before = [
        StoredRedaction("content", "EMAIL_ADDRESS", "replace", 10, 19, None),
        StoredRedaction("content", "PERSON", "replace", 0, 4, None),
    ]
    assert shift(before, {"content": (Found(0, 4, sure=True),)}) == (StoredRedaction("content", "EMAIL_ADDRESS", "replace", 14, 23, None),)


def test_whoever_else_may_be_meant_makes_a_label_unsure() -> None:
    own, ana = UUID(int=1), UUID(int=2)
    labels = tell_apart(["ana", "ana souza", "x"], {own: ["ana"], ana: ["ana lima", "mother of ana souza"]}, [own])
    assert labels.unsure == ("ana",)
    assert labels.sure == ("ana souza",)


@given(st.text(max_size=60))
def test_marking_twice_changes_nothing_and_leaves_no_label(text: str) -> None:
    once = FINDER.mark(text, all_of_them=True)
    assert FINDER.find(once.text) == []
    assert FINDER.mark(once.text, all_of_them=True).text == once.text
