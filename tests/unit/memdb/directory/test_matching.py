"""Who is meant by a name: rules over candidates, and that nobody is chosen between two who share it."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.directory.matching import Match, Meant, Named, decide, find_near
from memdb.text.normalise import fold

ONE, TWO, THREE = (UUID(int=n) for n in (1, 2, 3))


def person(number: int, *labels: str, here: bool = True) -> Named:
    return Named(UUID(int=number), tuple(map(fold, labels)), here)


def test_the_only_one_of_a_name_is_the_answer() -> None:
    assert decide("mike", [person(1, "Mike"), person(2, "Ana")]) == Meant(ONE)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("Mike",), ("MIKE",)),
        (("Mike Okafor",), ("Mike Larsen",)),
        (("Mike Okafor", "Mike"), ("Mike Larsen",)),
        (("Mike",), ("Mike Larsen",)),
        (("Mike",), ("Mike-Lars",)),
        (("Mike",), ("Michael", "Mike L.")),
        (("Míke",), ("Mike",)),
    ],
)
def test_two_who_share_a_name_are_two(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    meant = decide("mike", [person(1, *first), person(2, *second)])
    assert meant.answer is None
    assert {subject_id for subject_id, _ in meant.candidates} == {ONE, TWO}


def test_a_whole_label_stands_before_a_name_in_the_middle_of_another() -> None:
    assert decide("kim", [person(1, "Kim"), person(2, "Anna Kim")]) == Meant(ONE)
    assert decide("kim", [person(1, "Anna Kim"), person(2, "Bo Kim")]).answer is None


def test_whole_words_of_a_label_are_enough_when_only_one_has_them() -> None:
    assert decide("okafor", [person(1, "Mike Okafor"), person(2, "Mike Larsen")]) == Meant(ONE)
    assert decide("mike okafor", [person(1, "Mike Okafor"), person(2, "Mike Larsen")]) == Meant(ONE)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("mike", "Mikey"), ("ana", "Joana"), ("ana", "Ana_b"), ("ana_b", "anaxb"), ("50%", "50x"), ("50%", "500%"),
        ("a\\b", "a b"), ("o'neil", "oneil"), ("%", "Ana"), ("_", "Ana"), (".*", "Ana"),
    ],
)  # fmt: skip
def test_no_character_stands_for_another_one(name: str, label: str) -> None:
    """A wildcard in a name is a character of it (B002)."""
    meant = decide(fold(name), [person(1, label)])
    assert meant == (Meant(ONE) if (name, label) == ("ana", "Ana_b") else Meant(None))


def test_an_odd_name_is_found_by_itself() -> None:
    for name in ("50%", "a\\b", "ana_b", "O'Neil", '"Bo"', "Ana; DROP", "山田"):
        assert decide(fold(name), [person(1, name), person(2, f"x{name}x")]).answer == ONE


def test_a_name_in_a_script_without_spaces_begins_a_longer_one() -> None:
    assert decide("山田", [person(1, "山田"), person(2, "山田太郎")]).answer is None


def test_who_is_here_is_meant() -> None:
    here, elsewhere = person(1, "Mike Okafor"), person(2, "Mike Larsen", "Mike", here=False)
    assert decide("mike", [here, elsewhere]) == Meant(ONE)


def test_two_who_are_here_are_the_candidates() -> None:
    meant = decide("mike", [person(1, "Mike"), person(2, "Mike"), person(3, "Mike", here=False)])
    assert meant == Meant(None, ((ONE, Match.EXACT), (TWO, Match.EXACT)))


def test_nobody_elsewhere_is_chosen() -> None:
    meant = decide("mike", [person(1, "Ana"), person(2, "Mike", here=False)])
    assert meant == Meant(None, ((TWO, Match.EXACT),))


def test_a_surname_here_does_not_stand_before_a_name_elsewhere() -> None:
    meant = decide("kim", [person(1, "Anna Kim"), person(2, "Kim", here=False)])
    assert meant == Meant(None, ((ONE, Match.PART), (TWO, Match.EXACT)))


def test_nobody_is_chosen_among_more_than_were_looked_at() -> None:
    meant = decide("mike", [person(1, "Mike")], complete=False)
    assert meant == Meant(None, ((ONE, Match.EXACT),))


def test_the_best_come_first() -> None:
    people = [person(3, "Anna Kim"), person(2, "Kim Lee"), person(1, "Kim")]
    assert [s for s, _ in decide("kim", people).candidates] == [ONE, TWO, THREE]


@pytest.mark.parametrize("name", ["she", "my wife", "the user", "user", "i", "ele", "minha esposa"])
def test_a_pronoun_is_nobody(name: str) -> None:
    """Neither by a label nor near one (B039)."""
    labels = ["ines", "mike okafor", "ana souza", "bruno"]
    assert decide(name, [person(n, label) for n, label in enumerate(labels)]) == Meant(None)
    assert find_near(name, labels) == []


def test_near_names_are_mistyped_or_shorter() -> None:
    labels = ["mike okafor", "mike", "ana", "joana", "bruno"]
    assert find_near("mkie", labels) == ["mike", "mike okafor"]
    assert find_near("ana souza", labels) == ["ana"]
    assert find_near("okafer", labels) == ["mike okafor"]
    assert find_near("zzz", labels) == []
    assert find_near("x", []) == []


words = st.sampled_from(["mike", "Míke", "ana", "okafor", "larsen", "m", "50%", "ana_b", "山田", "o'neil", "kim-ann", "kim"])
labels = st.lists(words, min_size=1, max_size=3).map(" ".join)
crowds = st.lists(st.tuples(st.lists(labels, max_size=3), st.booleans()), max_size=6)


def bears(name: str, named: Named) -> bool:
    """The dull rule: a label is the name, or the name and something behind it."""
    return any(label == name or label.startswith((f"{name} ", f"{name}-")) for label in named.labels)


@given(labels, crowds)
def test_nobody_is_chosen_where_two_share_the_label(name: str, crowd: list[tuple[list[str], bool]]) -> None:
    folded = fold(name)
    people = [person(n, *own, here=here) for n, (own, here) in enumerate(crowd)]
    meant = decide(folded, people)
    sharing = [p.subject_id for p in people if p.here and bears(folded, p)]
    if len(sharing) > 1:
        assert meant.answer is None
        assert set(sharing) <= {s for s, _ in meant.candidates}
    if meant.answer is not None:
        assert meant.candidates == ()
        chosen = next(p for p in people if p.subject_id == meant.answer)
        assert chosen.here
        assert any(folded in label for label in chosen.labels)
        assert sharing in ([], [meant.answer])
    if any(bears(folded, p) for p in people):
        assert meant.answer is not None or meant.candidates


@given(labels, crowds)
def test_the_order_in_which_people_are_found_changes_nothing(name: str, crowd: list[tuple[list[str], bool]]) -> None:
    people = [person(n, *own, here=here) for n, (own, here) in enumerate(crowd)]
    assert decide(fold(name), people) == decide(fold(name), people[::-1])


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=8))
def test_near_names_are_labels(name: str, known: list[str]) -> None:
    assert set(find_near(name, known)) <= set(known)
