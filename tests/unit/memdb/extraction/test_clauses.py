"""Two clauses in one sentence: the second is no part of what the first tells, and is read with the subject that it leaves out."""

from __future__ import annotations

import pytest

from memdb.extraction.rules.semantic import semantic
from tests.unit.memdb.extraction.talk import ANA, BRUNO, said


def told(words: str) -> list[str | None]:
    return [one.content for one in semantic(said(words))]


@pytest.mark.parametrize(
    ("words", "contents"),
    [
        ("I live in Swansea and drive a Fiat", ["Ana lives in Swansea.", "Ana drives a Fiat."]),
        ("I'm allergic to pollen and wear glasses", ["Ana is allergic to pollen.", "Ana wears glasses."]),
        ("I work at Acme and play the cello on Sundays", ["Ana works at Acme.", "Ana plays the cello on Sundays."]),
        ("I live in Leeds and work at Acme and play chess", ["Ana lives in Leeds.", "Ana works at Acme.", "Ana plays chess."]),
        ("I love bread and butter and hate olives", ["Ana loves bread and butter.", "Ana hates olives."]),
        ("I'm from Porto and allergic to cats", ["Ana is from Porto.", "Ana is allergic to cats."]),
        ("I live in Bath but work at Acme", ["Ana lives in Bath.", "Ana works at Acme."]),
        ("Bruno lives in Porto and drives a Fiat", ["Bruno lives in Porto.", "Bruno drives a Fiat."]),
        ("My wife works at Tesco and plays the violin", ["Ana's wife works at Tesco.", "Ana's wife plays the violin."]),
        ("Moro em Santos e dirijo um Fusca", ["Ana mora em Santos.", "Ana tem um Fusca."]),
        ("Gosto de samba e detesto sertanejo", ["Ana gosta de samba.", "Ana detesta sertanejo."]),
        ("Sou do Porto e alérgica a gatos", ["Ana é do Porto.", "Ana é alérgica a gatos."]),
        ("Bruno mora em Santos e dirige um Fusca", ["Bruno mora em Santos.", "Bruno tem um Fusca."]),
        ("Tenho dois filhos e um cachorro", ["Ana tem dois filhos.", "Ana tem um cachorro."]),
    ],
)
def test_a_second_clause_is_read_by_its_own_rule(words: str, contents: list[str]) -> None:
    assert told(words) == contents


@pytest.mark.parametrize(
    ("words", "content"),
    [
        ("I live in Leeds and keep two goats", "Ana lives in Leeds."),
        ("I live in Leeds and commute to York", "Ana lives in Leeds."),
        ("I like tea and brew my own beer", "Ana likes tea."),
        ("I like tea and commute by train", "Ana likes tea."),
        ("I like tea and usually skip breakfast", "Ana likes tea."),
        ("My parents live in Leeds and own a shop", "Ana's parents live in Leeds."),
        ("Trabalho na Vale e estudo à noite", "Ana trabalha na Vale."),
        ("Trabalho no Ministério da Saúde e leciono à noite", "Ana trabalha no Ministério da Saúde."),
        ("Tenho alergia a nozes e carrego uma EpiPen", "Ana tem alergia a nozes."),
        ("Adoro cinema e escrevo poesia", "Ana adora cinema."),
        ("Moro em Minas e crio galinhas", "Ana mora em Minas."),
        ("Adoro praia e quero aprender surfe", "Ana adora praia."),
        ("Meus pais moram em Santos e têm uma loja", "Os pais de Ana moram em Santos."),
    ],
)
def test_a_second_clause_that_no_rule_reads_is_left_out(words: str, content: str) -> None:
    assert told(words) == [content]


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("I love fish and chips", "fish and chips"),
        ("I love rock and roll", "rock and roll"),
        ("I love food and drink", "food and drink"),
        ("I like salt and vinegar crisps", "salt and vinegar crisps"),
        ("I love red wine and hard cheese", "red wine and hard cheese"),
        ("I love wine and cheese from France", "wine and cheese from France"),
        ("I love hiking and reading", "hiking and reading"),
        ("I enjoy reading and playing chess", "reading and playing chess"),
        ("I'm allergic to peanuts and shellfish", "peanuts and shellfish"),
        ("I live in Trinidad and Tobago", "Trinidad and Tobago"),
        ("I work at Marks and Spencer", "Marks and Spencer"),
        ("I work at the Department of Health and Social Care", "Department of Health and Social Care"),
        ("Moro em Antígua e Barbuda", "Antígua e Barbuda"),
        ("Gosto de arroz e feijão", "arroz e feijão"),
        ("Gosto de pão e manteiga", "pão e manteiga"),
        ("Gosto de bife e frango frito", "bife e frango frito"),
        ("Gosto de vinho e queijo brie", "vinho e queijo brie"),
        ("Gosto de samba e de forró", "samba e de forró"),
        ("Gosto de cozinhar e tocar violão", "cozinhar e tocar violão"),
        ("Trabalho na Ernst e Young", "Ernst e Young"),
    ],
)
def test_what_belongs_together_stays_whole(words: str, value: str) -> None:
    assert [one.value for one in semantic(said(words))] == [value]


@pytest.mark.parametrize(
    "words",
    [
        "I live in Leeds and teach",  # the name of a place might go on like this
        "Moro em Santos e leciono",
        "I want to live in Rome and drive a Vespa",
        "I don't drink and drive",
        "Quero morar em Roma e dirigir um Fusca",
    ],
)
def test_what_is_unclear_or_only_wished_is_not_told(words: str) -> None:
    assert [one for one in told(words) if one != "Ana lives in Leeds."] == []


def test_who_is_named_in_between_is_the_subject_of_what_follows() -> None:
    assert told("I live in Bath and my brother is busy and drives a Fiat") == ["Ana lives in Bath."]
    assert told("I live in Bath and my brother is Welsh and drives a Fiat")[1:] == [
        "Ana's brother is Welsh.",
        "Ana's brother drives a Fiat.",
    ]
    found = semantic(said("I live in Bath, Bruno lives in Leeds and drives a Fiat"))
    assert [(one.about, one.value) for one in found] == [((ANA,), "Bath"), ((BRUNO,), "Leeds"), ((BRUNO,), "Fiat")]


def test_words_that_may_be_denied_or_wished_too_carry_no_subject_on() -> None:
    assert told("I can't stand jazz and play the cello") == ["Ana cannot stand jazz."]
    assert told("I like to cook and play the cello") == ["Ana likes to cook."]
    assert told("I no longer work at Orion and live in Leeds") == [None]


def test_the_quote_of_a_clause_without_its_subject_is_verbatim() -> None:
    _, car = semantic(said("I live in Swansea and drive a Fiat"))
    assert (car.quote, car.about, car.said_by) == ("drive a Fiat", (ANA,), ANA)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("I'm allergic to milk and Bruno eats meat", ["Ana is allergic to milk.", "Bruno eats meat."]),
        ("I live in Leeds and Bruno lives in York", ["Ana lives in Leeds.", "Bruno lives in York."]),
        ("Bruno works at Lidl and Mike O works at Aldi", ["Bruno works at Lidl.", "Mike O works at Aldi."]),
        ("Mike O likes tea and Bruno likes coffee", ["Mike O likes tea.", "Bruno likes coffee."]),
        ("My sister lives in Leeds and Bruno lives in York", ["Ana's sister lives in Leeds.", "Bruno lives in York."]),
        ("I'm allergic to eggs and my son is allergic to nuts", ["Ana is allergic to eggs.", "Ana's son is allergic to nuts."]),
        ("O Bruno mora em Faro e o Mike O mora em Beja", ["Bruno mora em Faro.", "Mike O mora em Beja."]),
        ("O Bruno é alérgico a ovos e o Mike O é alérgico a soja", ["Bruno é alérgico a ovos.", "Mike O é alérgico a soja."]),
        ("Sou alérgica a leite e o meu filho é alérgico a pólen", ["Ana é alérgica a leite.", "O filho de Ana é alérgico a pólen."]),
        ("I live in Leeds and Zora lives in York", ["Ana lives in Leeds."]),
    ],
)
def test_a_clause_of_somebody_else_is_no_part_of_the_value(words: str, told: list[str]) -> None:
    assert [one.content for one in semantic(said(words))] == told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Gosto de arroz e feijão e salada", "Ana gosta de arroz e feijão e salada."),
        ("Sou alérgica a amendoim e a camarão", "Ana é alérgica a amendoim e a camarão."),
        ("I work at Marks and Spencer", "Ana works at Marks and Spencer."),
        ("I live in Trinidad and Tobago", "Ana lives in Trinidad and Tobago."),
    ],
)
def test_what_belongs_together_stays(words: str, told: str) -> None:
    assert [one.content for one in semantic(said(words))] == [told]
