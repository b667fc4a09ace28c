"""Relatives, the speaker with others, periods that are over, exceptions, and times that stand alone."""

from __future__ import annotations

import pytest

from memdb.extraction.candidates import Candidate, Ended
from memdb.extraction.rules.episodic import episodic
from memdb.extraction.rules.registry import BY_KIND
from memdb.extraction.rules.semantic import semantic
from memdb.extraction.transcript import Transcript
from tests.unit.memdb.extraction.table_daily import KIN, NOT_OF_KIN, NOT_PAST, NOT_TOGETHER, PAST, TOGETHER
from tests.unit.memdb.extraction.talk import ANA, BRUNO, said


def everything(room: Transcript) -> list[Candidate]:
    return [one for handler in BY_KIND.values() for one in handler(room)]


@pytest.mark.parametrize(("rule", "words", "told", "attribute", "value"), KIN)
def test_a_fact_of_a_relative_is_told_as_the_speakers(rule: str, words: str, told: str, attribute: str, value: str | None) -> None:
    (found,) = semantic(said(words))
    assert (found.rule, found.content, found.about) == (rule, told, (ANA,))
    assert (found.attribute, found.value) == (attribute, value)
    assert found.quote in words


@pytest.mark.parametrize("words", NOT_OF_KIN)
def test_what_only_sounds_like_a_relatives_fact_is_left_alone(words: str) -> None:
    assert everything(said(words)) == []


def test_a_relative_is_not_taken_for_the_member_of_that_name() -> None:
    (found,) = semantic(said("my brother Bruno is vegan"))
    assert (found.content, found.about) == ("Ana's brother Bruno is vegan.", (ANA,))


def test_only_who_is_the_only_one_has_one_value_at_a_time() -> None:
    wife, brother = semantic(said("my wife lives in Porto", "my brother lives in Porto"))
    assert (wife.single, brother.single) == (True, False)


def test_what_a_relative_no_longer_does_ends() -> None:
    (found,) = semantic(said("my wife no longer works at Orion"))
    assert (found.content, found.ends) == (None, (Ended("wife/work/employer", "Orion"),))


def test_who_tells_of_a_relative_took_no_part() -> None:
    (found,) = episodic(said("my daughter graduated yesterday from Leiden"))
    assert (found.about, found.data) == ((ANA,), {"participants": []})


@pytest.mark.parametrize(("words", "told"), TOGETHER)
def test_what_the_speaker_did_with_others_is_read(words: str, told: str) -> None:
    (found,) = everything(said(words))
    assert (found.content, found.about) == (told, (ANA,))
    assert found.quote in words


@pytest.mark.parametrize("words", NOT_TOGETHER)
def test_what_only_sounds_like_what_several_did_is_left_alone(words: str) -> None:
    assert everything(said(words)) == []


@pytest.mark.parametrize(("words", "told", "since", "until"), PAST)
def test_what_held_for_a_time_has_its_period(words: str, told: str, since: str | None, until: str) -> None:
    (found,) = semantic(said(words))
    assert found.content == told
    assert found.about == ((BRUNO,) if "Bruno" in told else (ANA,))
    assert not found.single
    assert (found.valid_from and f"{found.valid_from:%Y-%m-%d}", f"{found.valid_to:%Y-%m-%d}") == (since, until)


@pytest.mark.parametrize("words", NOT_PAST)
def test_what_has_no_period_that_is_over_is_left_alone(words: str) -> None:
    assert everything(said(words)) == []


def test_a_former_employer_leaves_the_present_one() -> None:
    now, then = semantic(said("I work at Arm", "I worked at Nokia from 2008 to 2015"))
    assert (now.value, then.value) == ("Arm", "Nokia")


@pytest.mark.parametrize(
    ("words", "told", "since"),
    [
        ("Since 2019 I live in Ghent", "Ana lives in Ghent since 2019.", "2019-01-01"),
        ("desde 2019 trabalho na Embraer", "Ana trabalha na Embraer desde 2019.", "2019-01-01"),
        ("since March 2020 I work at Arm", "Ana works at Arm since March 2020.", "2020-03-01"),
    ],
)
def test_since_when_may_stand_before(words: str, told: str, since: str) -> None:
    (found,) = semantic(said(words))
    assert found.content == told
    assert f"{found.valid_from:%Y-%m-%d}" == since


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("I work from home every day except on Sundays", "Ana works from home every day except on Sundays."),
        ("I don't eat meat, except at Christmas", "Ana does not eat meat, except at Christmas."),
        ("corro todo dia, exceto aos domingos", "Ana corre todo dia, exceto aos domingos."),
        ("I don't work on Fridays except in May", "Ana does not work on Fridays except in May."),
        ("não como carne, menos peixe", "Ana não come carne, menos peixe."),
    ],
)
def test_an_exception_is_kept(words: str, told: str) -> None:
    (found,) = semantic(said(words))
    assert found.content == told
    assert found.quote == words


@pytest.mark.parametrize("words", ["I don't eat meat except when you cook it", "corro todo dia, exceto quando você vem"])
def test_a_statement_whose_exception_cannot_be_read_is_not_kept(words: str) -> None:
    assert semantic(said(words)) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("I have a meeting with the bank on Friday at 10am", "Ana has a meeting with the bank on 1 March 2024 at 10am."),
        ("tenho consulta na sexta às 15h", "Ana tem consulta em 1 de março de 2024 às 15h."),
        ("I broke my arm in October", "Ana broke their arm in October 2023."),
        ("quebrei o pé em outubro", "Ana quebrou o pé em outubro de 2023."),
        ("I visited Porto on Sunday", "Ana visited Porto on 25 February 2024."),
        ("I'm on vacation from December 20 to January 3", "Ana is on vacation from 20 December 2024 to 3 January 2025."),
        ("estou de férias de 20 de dezembro a 5 de janeiro", "Ana está de férias de 20 de dezembro de 2024 a 5 de janeiro de 2025."),
    ],
)
def test_a_day_or_month_alone_is_the_nearest_one(words: str, told: str) -> None:
    (found,) = everything(said(words))
    assert found.content == told


@pytest.mark.parametrize(
    "words",
    [
        "I have a meeting on Wednesday",
        "I visited Porto on Wednesday",
        "I visited Porto on Sunday or Monday",
        "I play chess in October",
        "tenho consulta na quarta",
        "comprei a quinta na serra",
    ],
)
def test_a_day_that_could_be_another_one_is_left_open(words: str) -> None:
    assert everything(said(words)) == []


@pytest.mark.parametrize(
    ("words", "attribute", "value"),
    [
        ("I do not drink alcohol", "diet", "no alcohol"),
        ("I don't drink", "diet", "no alcohol"),
        ("I no longer eat meat", "diet", "no meat"),
        ("não como carne", "diet", "sem carne"),
        ("não bebo", "diet", "sem álcool"),
        ("não tomo mais café", "diet", "sem café"),
        ("I work at Canva as a product designer", "work/employer", "Canva"),
        ("trabalho na Vale como engenheira", "work/employer", "Vale"),
        ("moro na Rua das Flores, 123", "home/address", "Rua das Flores, 123"),
    ],
)
def test_a_value_says_the_same_as_its_sentence(words: str, attribute: str, value: str) -> None:
    (found,) = semantic(said(words))
    assert (found.attribute, found.value) == (attribute, value)


@pytest.mark.parametrize("words", ["I'm a fan of nobody", "I like no one", "sou fã de ninguém", "gosto de ninguém"])
def test_nobody_is_no_value(words: str) -> None:
    assert semantic(said(words)) == []


def test_what_is_sold_is_over() -> None:
    (found,) = semantic(said("I sold my Honda"))
    assert (found.content, found.ends) == (None, (Ended("car", "Honda"),))
    (found,) = semantic(said("I sold my Honda and bought a Tesla"))
    assert (found.value, found.ends) == ("Tesla", (Ended("car", "Honda"),))
