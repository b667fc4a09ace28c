"""When that happens which somebody tells: sentences, and the time of the event that is kept, said on Wednesday 13 May 2026 in São Paulo."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import pytest

from memdb.extraction.rules.episodic import episodic
from memdb.extraction.rules.semantic import semantic
from memdb.text.times import find_event
from tests.unit.memdb.extraction.talk import said

SAID_AT: Final = "2026-05-13T10:00-03:00"

DATED_EN: Final = [
    ("I'm on holiday next week", "2026-05-18", "2026-05-25"),
    ("I'm on holiday from 14 to 18 December", "2026-12-14", "2026-12-19"),
    ("I'm on holiday from December 14 to 18", "2026-12-14", "2026-12-19"),
    ("I'm on holiday from December 14 to December 18", "2026-12-14", "2026-12-19"),
    ("I'm on holiday December 14-18", "2026-12-14", "2026-12-19"),
    ("I'm on holiday 14-18 December", "2026-12-14", "2026-12-19"),
    ("I'm on holiday from 28 December to 3 January", "2026-12-28", "2027-01-04"),
    ("I'm away from 30 May to 2 June", "2026-05-30", "2026-06-03"),
    ("I'm on leave between 1 and 5 June", "2026-06-01", "2026-06-06"),
    ("I'm on vacation from Monday to Friday", "2026-05-18", "2026-05-23"),
    ("I'm flying to Rome this weekend", "2026-05-16", "2026-05-18"),
    ("I'm flying to Rome in two weeks", "2026-05-25", "2026-06-01"),
    ("I'm flying to Rome in a week", "2026-05-18", "2026-05-25"),
    ("I'm flying to Rome in 3 days", "2026-05-16", "2026-05-17"),
    ("I have a meeting from 9 to 11 tomorrow", "2026-05-14T09:00", "2026-05-14T11:00"),
    ("I have a meeting tomorrow from 9 to 11", "2026-05-14T09:00", "2026-05-14T11:00"),
    ("I have a meeting tomorrow from 9am to 11am", "2026-05-14T09:00", "2026-05-14T11:00"),
    ("I have a meeting tomorrow from 2 to 4pm", "2026-05-14T14:00", "2026-05-14T16:00"),
    ("I have a meeting tomorrow at 3pm", "2026-05-14T15:00", "2026-05-14T15:01"),
    ("I have a meeting tomorrow at noon", "2026-05-14T12:00", "2026-05-14T12:01"),
    ("I have a shift tomorrow from 10pm to 2am", "2026-05-14T22:00", "2026-05-15T02:00"),
    ("I have a meeting on the first Monday of June", "2026-06-01", "2026-06-02"),
    ("I have a meeting on the last Friday of the month", "2026-05-29", "2026-05-30"),
    ("I'm flying to Rome on New Year's Eve", "2026-12-31", "2027-01-01"),
    ("I'm flying to Rome at Christmas", "2026-12-25", "2026-12-26"),
    ("I'm flying to Rome on Christmas Eve", "2026-12-24", "2026-12-25"),
    ("I'm flying to Rome on Christmas Day", "2026-12-25", "2026-12-26"),
    ("I'm flying to Rome in mid-June", "2026-06-01", "2026-07-01"),
    ("I'm flying to Rome at the end of March", "2027-03-01", "2027-04-01"),
    ("I'm flying to Rome in early July", "2026-07-01", "2026-08-01"),
    ("I'm flying to Rome next month", "2026-06-01", "2026-07-01"),
    ("I have an appointment on Friday", "2026-05-15", "2026-05-16"),
    ("I have an appointment on Friday at 3pm", "2026-05-15T15:00", "2026-05-15T15:01"),
    ("I have an appointment on Friday morning", "2026-05-15", "2026-05-16"),
    ("I have an appointment this Friday", "2026-05-15", "2026-05-16"),
    ("I have an appointment on the 20th", "2026-05-20", "2026-05-21"),
    ("I have an appointment on the 5th", "2026-06-05", "2026-06-06"),
    ("I have an appointment on 20 May", "2026-05-20", "2026-05-21"),
    ("I have an appointment on May 20th at 8:30", "2026-05-20T08:30", "2026-05-20T08:31"),
    ("I have an appointment on 25/05/2026", "2026-05-25", "2026-05-26"),
    ("I have an appointment on 2026-05-20", "2026-05-20", "2026-05-21"),
    ("I'm away from 2026-05-20 to 2026-05-25", "2026-05-20", "2026-05-26"),
    ("I'm away from June to August", "2026-06-01", "2026-09-01"),
    ("I have a flight tonight at 11", "2026-05-13T23:00", "2026-05-13T23:01"),
    ("I have a flight tomorrow night", "2026-05-14", "2026-05-15"),
    ("I'm away Friday to Sunday", "2026-05-15", "2026-05-18"),
    ("I'm away from tomorrow until Friday", "2026-05-14", "2026-05-16"),
    ("I'm away the week of June 8", "2026-06-08", "2026-06-15"),
    ("I have an exam next Tuesday", "2026-05-19", "2026-05-20"),
    ("I have a meeting at 3pm today", "2026-05-13T15:00", "2026-05-13T15:01"),
    ("I'm on leave in 2027", "2027-01-01", "2028-01-01"),
    ("I have an exam on 1 Jan", "2027-01-01", "2027-01-02"),
    ("I have an exam on Dec 5", "2026-12-05", "2026-12-06"),
    ("I have a meeting tomorrow at 14:00 UTC", "2026-05-14T11:00", "2026-05-14T11:01"),
    ("I'm on holiday from the 14th to the 18th", "2026-05-14", "2026-05-19"),
    ("I'm on holiday 14th-18th of June", "2026-06-14", "2026-06-19"),
    ("I'm on holiday from 14 December 2026 to 3 January 2027", "2026-12-14", "2027-01-04"),
    ("I visited Rome last week", "2026-05-04", "2026-05-11"),
    ("I visited Rome on Monday", "2026-05-11", "2026-05-12"),
    ("I visited Rome from 3 to 7 May", "2026-05-03", "2026-05-08"),
    ("I visited Rome in March", "2026-03-01", "2026-04-01"),
    ("I visited Rome last weekend", "2026-05-09", "2026-05-11"),
    ("I visited Rome on Christmas Eve", "2025-12-24", "2025-12-25"),
    ("I visited Rome two days ago", "2026-05-11", "2026-05-12"),
    ("I'm in Madrid from Tuesday to Thursday", "2026-05-19", "2026-05-22"),
]
OPEN_EN: Final = [
    "I'm on vacation until next Friday",
    "I'm flying to Rome next weekend",
    "I have a flight tomorrow at midnight",
    "I have a class every Tuesday at 7pm",
    "I have an appointment on 03/05/2026",
    "I'm away next summer",
    "I have an exam a week on Friday",
    "I have an exam on Friday week",
    "I have a meeting tomorrow at 3pm PST",
    "I have an exam on 31 June",
    "I'm on holiday from 18 to 14 December",
]
LASTING_EN: Final = [
    ("I'm on vacation from Monday", None, None),
    ("I'm on vacation until Thursday", None, "2026-05-15"),
    ("I'm on leave until the end of the month", None, "2026-06-01"),
    ("I live in Porto since 2019", "2019-01-01", None),
    ("Since 2019 I live in Porto", "2019-01-01", None),
    ("I work at Bosch since last month", "2026-04-01", None),
]

DATED_PT: Final = [
    ("estou de férias semana que vem", "2026-05-18", "2026-05-25"),
    ("estou de férias de 14 a 18 de dezembro", "2026-12-14", "2026-12-19"),
    ("estou de férias entre 14 e 18 de dezembro", "2026-12-14", "2026-12-19"),
    ("estou de férias do dia 14 ao dia 18", "2026-05-14", "2026-05-19"),
    ("estou de férias do dia 20 até o dia 25 de maio", "2026-05-20", "2026-05-26"),
    ("estou de férias de 28 de dezembro a 3 de janeiro", "2026-12-28", "2027-01-04"),
    ("estou de férias de 30/05 a 02/06", "2026-05-30", "2026-06-03"),
    ("tenho consulta dia 20/05", "2026-05-20", "2026-05-21"),
    ("tenho consulta em 03/06/2026", "2026-06-03", "2026-06-04"),
    ("estou de férias de segunda a sexta", "2026-05-18", "2026-05-23"),
    ("estou fora de quinta a domingo", "2026-05-14", "2026-05-18"),
    ("vou viajar daqui a duas semanas", "2026-05-25", "2026-06-01"),
    ("vou viajar daqui a 15 dias", "2026-05-28", "2026-05-29"),
    ("vou viajar neste fim de semana", "2026-05-16", "2026-05-18"),
    ("vou viajar mês que vem", "2026-06-01", "2026-07-01"),
    ("tenho prova no sábado", "2026-05-16", "2026-05-17"),
    ("tenho prova neste sábado", "2026-05-16", "2026-05-17"),
    ("tenho reunião amanhã das 9 às 11", "2026-05-14T09:00", "2026-05-14T11:00"),
    ("tenho reunião das 9h às 11h amanhã", "2026-05-14T09:00", "2026-05-14T11:00"),
    ("tenho reunião amanhã das 14h às 16h30", "2026-05-14T14:00", "2026-05-14T16:30"),
    ("tenho plantão amanhã das 22h às 2h", "2026-05-14T22:00", "2026-05-15T02:00"),
    ("tenho reunião amanhã ao meio-dia", "2026-05-14T12:00", "2026-05-14T12:01"),
    ("tenho reunião na primeira segunda de junho", "2026-06-01", "2026-06-02"),
    ("tenho reunião na primeira segunda-feira de junho", "2026-06-01", "2026-06-02"),
    ("tenho reunião na última sexta do mês", "2026-05-29", "2026-05-30"),
    ("vou viajar na véspera de Natal", "2026-12-24", "2026-12-25"),
    ("vou viajar no Natal", "2026-12-25", "2026-12-26"),
    ("vou viajar na véspera de Ano Novo", "2026-12-31", "2027-01-01"),
    ("vou viajar no Réveillon", "2026-12-31", "2027-01-01"),
    ("vou viajar em meados de junho", "2026-06-01", "2026-07-01"),
    ("vou viajar no fim de março", "2027-03-01", "2027-04-01"),
    ("vou viajar no início de julho", "2026-07-01", "2026-08-01"),
    ("tenho reunião amanhã às 15h", "2026-05-14T15:00", "2026-05-14T15:01"),
    ("tenho reunião amanhã às 3 da tarde", "2026-05-14T15:00", "2026-05-14T15:01"),
    ("tenho jantar amanhã às 8 da noite", "2026-05-14T20:00", "2026-05-14T20:01"),
    ("tenho jantar hoje à noite", "2026-05-13", "2026-05-14"),
    ("tenho jantar hoje às 20h", "2026-05-13T20:00", "2026-05-13T20:01"),
    ("tenho dentista sexta às 10h", "2026-05-15T10:00", "2026-05-15T10:01"),
    ("tenho dentista na sexta à tarde", "2026-05-15", "2026-05-16"),
    ("tenho dentista dia 20", "2026-05-20", "2026-05-21"),
    ("tenho dentista dia 5", "2026-06-05", "2026-06-06"),
    ("tenho dentista dia 20 de maio às 8h30", "2026-05-20T08:30", "2026-05-20T08:31"),
    ("tenho dentista no dia 1º de junho", "2026-06-01", "2026-06-02"),
    ("vou viajar de junho a agosto", "2026-06-01", "2026-09-01"),
    ("estou fora na semana do dia 8 de junho", "2026-06-08", "2026-06-15"),
    ("vou viajar em 2027", "2027-01-01", "2028-01-01"),
    ("estou fora de hoje até sexta", "2026-05-13", "2026-05-16"),
    ("estou fora de amanhã a domingo", "2026-05-14", "2026-05-18"),
    ("visitei Roma no fim de semana passado", "2026-05-09", "2026-05-11"),
    ("visitei Roma na segunda", "2026-05-11", "2026-05-12"),
    ("visitei Roma na semana passada", "2026-05-04", "2026-05-11"),
    ("visitei Roma de 3 a 7 de maio", "2026-05-03", "2026-05-08"),
    ("tenho reunião amanhã às 14h UTC", "2026-05-14T11:00", "2026-05-14T11:01"),
    ("estou fora de sexta a segunda", "2026-05-15", "2026-05-19"),
    ("tenho prova quarta que vem", "2026-05-20", "2026-05-21"),
    ("estou de férias de 14 a 18/12", "2026-12-14", "2026-12-19"),
    ("estou de férias de 14/12 a 18/12", "2026-12-14", "2026-12-19"),
    ("estou de férias de 14 a 18 de dezembro de 2026", "2026-12-14", "2026-12-19"),
    ("estou de férias de 28 de dezembro de 2026 a 3 de janeiro de 2027", "2026-12-28", "2027-01-04"),
    ("vou viajar daqui a um mês", "2026-06-01", "2026-07-01"),
    ("tenho reunião às 9h de amanhã", "2026-05-14T09:00", "2026-05-14T09:01"),
    ("tenho reunião amanhã de manhã", "2026-05-14", "2026-05-15"),
    ("tenho prova dia 31 de dezembro", "2026-12-31", "2027-01-01"),
    ("tenho prova dia 1 de janeiro", "2027-01-01", "2027-01-02"),
    ("visitei Roma na véspera de Natal", "2025-12-24", "2025-12-25"),
]
OPEN_PT: Final = [
    "vou viajar no fim de semana que vem",
    "tenho voo amanhã à meia-noite",
    "tenho aula toda terça às 19h",
    "tenho reunião amanhã às 14h no horário de Lisboa",
    "vou viajar no feriado",
    "tenho reunião todo dia 5 às 9h",
    "tenho prova 31 de fevereiro",
]
LASTING_PT: Final = [
    ("estou de férias até quinta", None, "2026-05-15"),
    ("estou de férias até o fim do mês", None, "2026-06-01"),
    ("moro em Recife desde 2019", "2019-01-01", None),
    ("desde 2019 eu moro em Recife", "2019-01-01", None),
    ("trabalho na Bosch desde março de 2019", "2019-03-01", None),
    ("estou de férias a partir de segunda", None, None),
]


def _moment(written: str | None) -> datetime | None:
    return None if written is None else datetime.fromisoformat(f"{written}{'' if 'T' in written else 'T00:00'}-03:00")


@pytest.mark.parametrize(("words", "begins", "ends"), [*DATED_EN, *DATED_PT])
def test_an_event_covers_the_time_that_is_told_and_no_other(words: str, begins: str, ends: str) -> None:
    transcript = said(words, at=SAID_AT)
    (found,) = semantic(transcript) + episodic(transcript)
    event = find_event(found.content or "", "en" if words in {row[0] for row in DATED_EN} else "pt", _moment("2026-05-20"))
    assert event is not None, found.content
    assert (event.from_, event.to) == (_moment(begins), _moment(ends)), found.content
    # A plan is found before it begins and shown as past when it is over: the statement itself holds from when it was said on.
    assert found.valid_from is None


@pytest.mark.parametrize("words", [*OPEN_EN, *OPEN_PT])
def test_a_time_that_could_be_two_or_none_gives_no_date(words: str) -> None:
    transcript = said(words, at=SAID_AT)
    for found in semantic(transcript) + episodic(transcript):
        assert find_event(found.content or "", "und", _moment("2026-05-20")) is None
        assert (found.valid_from, found.valid_to) == (None, None)


@pytest.mark.parametrize(("words", "since", "until"), [*LASTING_EN, *LASTING_PT])
def test_what_lasts_from_or_until_a_time_is_no_event(words: str, since: str | None, until: str | None) -> None:
    transcript = said(words, at=SAID_AT)
    (found,) = semantic(transcript) + episodic(transcript)
    assert find_event(found.content or "", "und", _moment("2026-05-20")) is None, found.content
    assert (found.valid_from, found.valid_to) == (_moment(since), _moment(until))


@pytest.mark.parametrize(
    ("words", "told", "value"),
    [
        ("I'm on holiday from 14 to 18 December", "Ana is on holiday from 14 December 2026 to 18 December 2026.", "on holiday"),
        ("estou de férias de 14 a 18 de dezembro", "Ana está de férias de 14 de dezembro de 2026 a 18 de dezembro de 2026.", "de férias"),
        ("I have a meeting tomorrow from 2 to 4pm", "Ana has a meeting on 14 May 2026 from 14:00 to 16:00.", "a meeting"),
        ("I'm flying to Rome in mid-June", "Ana is flying to Rome in mid-June 2026.", "flying to Rome"),
        ("vou viajar no fim de março", "Ana vai viajar no fim de março de 2027.", "viajar"),
        ("visitei Roma na semana passada", "Ana visitou Roma na semana 2026-05-04/2026-05-10.", "Roma"),
        ("I'm away from June to August", "Ana is away from June 2026 to August 2026.", "away"),
        ("I'm away from tomorrow until Friday", "Ana is away from 14 May 2026 to 15 May 2026.", "away"),
    ],
)
def test_a_value_is_what_is_done_and_the_time_stands_in_the_statement(words: str, told: str, value: str) -> None:
    transcript = said(words, at=SAID_AT)
    (found,) = semantic(transcript) + episodic(transcript)
    assert (found.content, found.value) == (told, value)
