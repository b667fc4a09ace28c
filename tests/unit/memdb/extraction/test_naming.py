"""Who may be meant by a name in a talk. Pure parts; `tests/integration/sessions/test_first_names.py` has the room."""

from __future__ import annotations

from uuid import UUID

import pytest

from memdb.extraction.naming import find_spoken, pick

REED, STONE, TEAM = (UUID(int=number) for number in range(1, 4))
LABELS = {
    "emma reed": (REED,),
    "emma stone": (STONE,),
    "emma": (TEAM,),
    "joão souza": (STONE,),
    "will smith": (STONE,),
    "dona ana": (REED,),
}


@pytest.mark.parametrize(
    ("text", "whole", "short"),
    [
        ("Emma is allergic to latex", {"emma"}, {"emma"}),
        ("a emma é alérgica", {"emma"}, {"emma"}),
        ("Emma Reed is allergic to latex", {"emma", "emma reed"}, {"emma"}),
        ("will you come?", set(), set()),
        ("a dona é alérgica", set(), set()),
        ("Emmanuel is allergic", set(), set()),
    ],
)
def test_labels_and_first_names_that_occur_are_found(text: str, whole: set[str], short: set[str]) -> None:
    spoken = find_spoken([text], LABELS)
    assert (set(spoken.whole), set(spoken.short)) == (whole, short)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Emma Watson is great. Emma is allergic to latex", False),
        ("a Emma Souza chegou. A Emma é alérgica", False),
        ("Emma I think is allergic", True),
        ("Emma. Great!", True),
        ("Emma Reed and Emma", True),
    ],
)
def test_a_first_name_beside_another_surname_is_not_known(text: str, meant: bool) -> None:
    assert ("emma" in find_spoken([text], {"emma reed": (REED,)}).short) is meant


def pick_emma(*, here: set[UUID], people: set[UUID] | None = None, whole: tuple[UUID, ...] = ()) -> tuple[UUID, ...]:
    bearers = {"emma reed": (REED,), "emma stone": (STONE,)}
    return pick("emma", bearers, here=here, people=here if people is None else people, whole=whole)


def test_the_one_who_is_here_is_meant_and_of_two_nobody() -> None:
    assert pick_emma(here={REED}) == (REED,)
    assert pick_emma(here={REED, STONE}) == (REED, STONE)


def test_nobody_is_meant_by_a_first_name_who_is_not_here_or_no_person() -> None:
    assert pick_emma(here=set()) == ()
    assert pick_emma(here={REED}, people=set()) == ()


def test_whoever_is_called_so_is_as_likely_as_who_begins_so() -> None:
    assert pick_emma(here={REED, TEAM}, people={REED}, whole=(TEAM,)) == (REED, TEAM)
    # Of two of whom one is here, that one; whoever is elsewhere is known by the whole label alone.
    assert pick_emma(here={REED}, whole=(TEAM,)) == (REED,)
    assert pick_emma(here=set(), whole=(TEAM,)) == (TEAM,)
