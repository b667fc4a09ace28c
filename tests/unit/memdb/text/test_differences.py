"""In which words two statements differ, against the minimal pairs, and what a quote shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.text.differences import difference_of, holds_verbatim

HERE = Path(__file__).parent


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line.strip()]


def test_every_minimal_pair_differs_and_neither_side_shows_that_it_does_not() -> None:
    for row in rows("minimal_pairs.jsonl"):
        difference = difference_of(row["a"], row["b"])
        assert difference, row
        assert not difference.is_shown_by(row["a"]), row
        assert not difference.is_shown_by(row["b"]), row


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana isn't here.", "ana is not here"),
        ("There are two dogs in the house", "there are 2 dogs in the house."),
        ("Ana é do Porto", "A Ana é do Porto."),
    ],
)
def test_what_says_nothing_is_no_difference(one: str, other: str) -> None:
    assert not difference_of(one, other)


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ("Ana eats peanuts", "Ana eats walnuts", {"peanuts", "walnuts"}),
        ("Ana is not here", "Ana is here", {"not"}),
        ("The service listens on 8090", "The service listens on 8091", {"8090", "8091"}),
        ("run 'git add -a'", "run 'git add a'", {"-a'", "a'"}),
        ("branch main", "branch -main", {"main", "-main"}),
    ],
)
def test_words_that_differ(one: str, other: str, words: set[str]) -> None:
    assert frozenset().union(*difference_of(one, other).sides) == words


def test_another_order_is_a_difference_that_no_quote_explains() -> None:
    difference = difference_of("Carla reports to Diego", "Diego reports to Carla")
    assert difference.reordered
    assert not difference.is_shown_by("Carla reports to Diego, Diego reports to Carla")


def test_a_quote_shows_what_has_both_sides_in_it() -> None:
    difference = difference_of("Bob is allergic to nuts", "Robert is allergic to nuts")
    assert difference.is_shown_by("Robert (Bob to everybody)")
    assert not difference.is_shown_by("Bob to everybody")
    assert not difference_of("Ana is here", "Ana is not here").is_shown_by("Ana is not here")


def test_a_quote_stands_in_the_text_and_says_something() -> None:
    assert holds_verbatim("I moved  to São Paulo!", "moved to são paulo")
    for made_up in ("moved to Rio", "", " ", "!"):
        assert not holds_verbatim("I moved to São Paulo!", made_up)


@given(st.text(max_size=60), st.text(max_size=60))
def test_it_is_symmetric_and_no_text_differs_from_itself(one: str, other: str) -> None:
    assert not difference_of(one, one)
    assert bool(difference_of(one, other)) == bool(difference_of(other, one))
    assert difference_of(one, other).sides == difference_of(other, one).sides[::-1]
