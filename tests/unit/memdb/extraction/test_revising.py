"""What a speaker takes back: a value that was wrong, and a plan that is called off."""

from __future__ import annotations

import pytest

from memdb.extraction.candidates import Ended
from memdb.extraction.rules.semantic import semantic
from tests.unit.memdb.extraction.talk import ANA, BRUNO, said, talk


def contents(*texts: str) -> list[str | None]:
    return [one.content for one in semantic(said(*texts))]


@pytest.mark.parametrize(
    ("told", "correction", "content"),
    [
        ("I live in Bristol", "Actually, it's Bath, not Bristol", "Ana lives in Bath."),
        ("I live in Bristol", "Bath, not Bristol.", "Ana lives in Bath."),
        ("I live in Bristol", "I meant Bath, not Bristol", "Ana lives in Bath."),
        ("I live in Bristol", "no, sorry, not Bristol but Bath", "Ana lives in Bath."),
        ("I live in Bristol", "It's not Bristol, it's Bath", "Ana lives in Bath."),
        ("I live in Bristol", "I live in Bath, not in Bristol", "Ana lives in Bath."),
        ("I'm allergic to peanuts", "Sorry, I meant walnuts, not peanuts", "Ana is allergic to walnuts."),
        ("I'm flying to Oslo on 12 March", "Actually it's Bergen, not Oslo", "Ana is flying to Bergen on 12 March 2024."),
        ("Moro em Bristol", "Na verdade é Bath, não Bristol", "Ana mora em Bath."),
        ("Moro em Bristol", "não é Bristol, é Bath", "Ana mora em Bath."),
        ("Moro em Bristol", "quis dizer Bath, não Bristol", "Ana mora em Bath."),
        ("Sou alérgica a amendoim", "opa, nozes, não amendoim", "Ana é alérgica a nozes."),
    ],
)
def test_a_correction_takes_the_place_of_what_was_wrong(told: str, correction: str, content: str) -> None:
    (wrong,) = semantic(said(told))
    (found,) = semantic(said(told, correction))
    assert (found.content, found.evidence) == (content, (2,))
    assert found.quote in correction
    assert [one.value for one in found.ends if not one.attribute.endswith("/not")] == [wrong.value]


@pytest.mark.parametrize(
    ("told", "correction"),
    [
        ("I live in Leeds", "Actually, it's Bath, not Bristol"),  # nobody said Bristol
        ("I live in Bristol", "Actually, it's raining, not Bristol"),  # no value of a home
        ("Moro em Olinda", "Na verdade é Bath, não Bristol"),
        ("I live in Bristol", "Is it Bath, not Bristol?"),
    ],
)
def test_a_correction_of_nothing_that_was_said_corrects_nothing(told: str, correction: str) -> None:
    assert contents(told, "anyway", "ok", "well", correction) == contents(told)


def test_nobody_corrects_what_another_one_said() -> None:
    found = semantic(talk((ANA, "I live in Bristol"), (BRUNO, "Bath, not Bristol")))
    assert [one.content for one in found] == ["Ana lives in Bristol."]


def test_what_a_statement_stands_for_instead_is_over() -> None:
    (found,) = semantic(said("I'm allergic to walnuts, not peanuts"))
    assert (found.content, found.ends[0]) == ("Ana is allergic to walnuts.", Ended("allergy", "peanuts"))
    (found,) = semantic(said("Moro em Olinda, não em Recife"))
    assert (found.content, found.ends) == ("Ana mora em Olinda.", (Ended("home", "Recife"),))


@pytest.mark.parametrize(
    ("told", "off"),
    [
        ("I'm moving to Vienna in March", "I'm not going to Vienna after all"),
        ("I'm moving to Vienna in March", "I'm not moving to Vienna any more"),
        ("I'm travelling to Porto next week", "the trip to Porto is cancelled"),
        ("I'm travelling to Porto next week", "I had to cancel it. The trip is off"),
        ("I have a dentist appointment next Tuesday at 3pm", "I cancelled the dentist appointment"),
        ("Vou para Viena em março", "Não vou mais para Viena"),
        ("Vou viajar para o Porto semana que vem", "cancelei a viagem"),
        ("Vou viajar para o Porto semana que vem", "A viagem para o Porto foi cancelada"),
        ("Tenho consulta na próxima terça às 15h", "desmarquei a consulta"),
    ],
)
def test_a_plan_that_is_called_off_is_not_told_and_ends(told: str, off: str) -> None:
    (plan,) = semantic(said(told))
    (found,) = semantic(said(told, off))
    assert (found.content, found.ends) == (None, (Ended("plan", plan.value),))


@pytest.mark.parametrize(
    ("told", "off"),
    [
        ("I'm flying to Vienna in March", "the trip to Porto is cancelled"),
        ("I'm flying to Vienna in March", "the meeting in Vienna is cancelled"),
        ("I'm flying to Vienna in March", "I'm not driving to Vienna"),
        ("I'm flying to Vienna in March", "The trip to Vienna might be cancelled"),
        ("I live in Vienna", "the trip to Vienna is cancelled"),
        ("Vou para Viena em março", "a viagem para o Porto foi cancelada"),
        ("Vou para Viena em março", "não vou para o Porto"),
    ],
)
def test_another_plan_stays(told: str, off: str) -> None:
    assert contents(told, off) == contents(told)


def test_between_two_journeys_nobody_chooses() -> None:
    both = ("I'm flying to Vienna in March", "I'm flying to Porto in May")
    assert contents(*both, "the trip is cancelled") == contents(*both)


def test_another_ones_plan_stays() -> None:
    found = semantic(talk((ANA, "I'm flying to Vienna in March"), (BRUNO, "the trip to Vienna is cancelled")))
    assert [one.content for one in found] == ["Ana is flying to Vienna in March 2024."]


def test_a_journey_that_another_talk_told_of_ends_by_its_name() -> None:
    (found,) = semantic(said("I'm not flying to Vienna after all"))
    assert (found.content, found.ends) == (None, (Ended("plan", "flying to Vienna"),))
    (found,) = semantic(said("I'm not going to Vienna after all"))
    assert Ended("plan", "moving to Vienna") in found.ends
    (found,) = semantic(said("Não vou mais para Viena"))
    assert Ended("plan", "para Viena") in found.ends
    assert semantic(said("I'm not going to Vienna")) == []
    assert semantic(said("não vou para Viena")) == []


@pytest.mark.parametrize(
    ("correction", "what"),
    [
        ("I'm not meeting Grace on Monday after all", "meeting Grace"),
        ("I'm not seeing the dentist on 15 December after all", "seeing the dentist"),
        ("I'm not flying to Oslo next week after all", "flying to Oslo"),
        ("não vou mais para Viena na sexta", "para Viena"),
    ],
)
def test_what_is_called_off_may_have_its_day_and_need_not_be_known(correction: str, what: str) -> None:
    (found,) = semantic(said(correction))
    assert found.content is None
    assert what in [one.value for one in found.ends]
    others = semantic(said("I live in Leeds", correction))
    assert "Ana lives in Leeds." in [one.content for one in others], "and takes nothing else along"
