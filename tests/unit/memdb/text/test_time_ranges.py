"""Times that run from one to another, whole weeks and weekends, days beside hours, and names that look both ways. Said on a Wednesday."""

from __future__ import annotations

from datetime import datetime

import pytest

from memdb.text.times import find_event, find_times

SAID = datetime.fromisoformat("2026-05-13T10:00-03:00")


def spans(text: str, language: str, direction: int) -> list[tuple[str, str, str]]:
    """Each mention with its first and its last moment, to the minute; `open` where it is not resolved."""
    found = find_times(text, language, SAID, direction)
    return [
        (text[one.start : one.end], "open" if one.from_ is None else f"{one.from_:%Y-%m-%d %H:%M}", "" if one.to is None else f"{one.to:%Y-%m-%d %H:%M}")
        for one in found
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "begins", "ends"),
    [
        ("en", "next week", "2026-05-18", "2026-05-25"),
        ("en", "this weekend", "2026-05-16", "2026-05-18"),
        ("en", "in two weeks", "2026-05-25", "2026-06-01"),
        ("en", "from 14 to 18 December", "2026-12-14", "2026-12-19"),
        ("en", "from 28 December to 3 January", "2026-12-28", "2027-01-04"),
        ("en", "between 3 and 5 June", "2026-06-03", "2026-06-06"),
        ("en", "June 5-9", "2026-06-05", "2026-06-10"),
        ("en", "from June to August", "2026-06-01", "2026-09-01"),
        ("en", "from Monday to Friday", "2026-05-18", "2026-05-23"),
        ("en", "the week of 8 June", "2026-06-08", "2026-06-15"),
        ("en", "the first Monday of June", "2026-06-01", "2026-06-02"),
        ("pt", "semana que vem", "2026-05-18", "2026-05-25"),
        ("pt", "neste fim de semana", "2026-05-16", "2026-05-18"),
        ("pt", "daqui a duas semanas", "2026-05-25", "2026-06-01"),
        ("pt", "de 14 a 18 de dezembro", "2026-12-14", "2026-12-19"),
        ("pt", "de 28 de dezembro a 3 de janeiro", "2026-12-28", "2027-01-04"),
        ("pt", "entre 3 e 5 de junho", "2026-06-03", "2026-06-06"),
        ("pt", "de junho a agosto", "2026-06-01", "2026-09-01"),
        ("pt", "de segunda a sexta", "2026-05-18", "2026-05-23"),
        ("pt", "semana de 8 de junho", "2026-06-08", "2026-06-15"),
        ("pt", "primeira segunda de junho", "2026-06-01", "2026-06-02"),
        ("pt", "véspera de Natal", "2026-12-24", "2026-12-25"),
    ],
)
def test_it_lasts_through_its_last_day(language: str, text: str, begins: str, ends: str) -> None:
    assert spans(text, language, 1) == [(text, f"{begins} 00:00", f"{ends} 00:00")]


@pytest.mark.parametrize(
    ("language", "text", "begins", "ends"),
    [
        ("en", "tomorrow from 9 to 11", "2026-05-14 09:00", "2026-05-14 11:00"),
        ("en", "from 9 to 11 tomorrow", "2026-05-14 09:00", "2026-05-14 11:00"),
        ("en", "tomorrow from 10pm to 2am", "2026-05-14 22:00", "2026-05-15 02:00"),
        ("en", "at 3pm on Friday", "2026-05-15 15:00", "2026-05-15 15:01"),
        ("en", "15:00 UTC on 3 June 2026", "2026-06-03 12:00", "2026-06-03 12:01"),
        ("pt", "amanhã das 9h às 11h", "2026-05-14 09:00", "2026-05-14 11:00"),
        ("pt", "amanhã das 22h às 2h", "2026-05-14 22:00", "2026-05-15 02:00"),
        ("pt", "sexta às 15h", "2026-05-15 15:00", "2026-05-15 15:01"),
    ],
)
def test_hours_belong_to_the_day_beside_them(language: str, text: str, begins: str, ends: str) -> None:
    assert spans(text, language, 1) == [(text, begins, ends)]


@pytest.mark.parametrize(
    ("language", "text", "ahead", "behind"),
    [
        ("en", "on 14 December", "2026-12-14", "2025-12-14"), ("en", "on Friday", "2026-05-15", "2026-05-08"), ("en", "in March", "2027-03-01", "2026-03-01"),
        ("en", "on the 20th", "2026-05-20", "2026-04-20"), ("pt", "dia 14 de dezembro", "2026-12-14", "2025-12-14"), ("pt", "na sexta", "2026-05-15", "2026-05-08"),
        ("pt", "em março", "2027-03-01", "2026-03-01"), ("pt", "no Natal", "2026-12-25", "2025-12-25"), ("pt", "réveillon", "2026-12-31", "2025-12-31"),
    ],
)  # fmt: skip
def test_what_is_told_says_which_one_is_meant(language: str, text: str, ahead: str, behind: str) -> None:
    for direction, day in ((1, ahead), (-1, behind)):
        ((_, begins, _),) = spans(text, language, direction)
        assert begins == f"{day} 00:00"
    assert all(begins == "open" for _, begins, _ in spans(text, language, 0)), "without a direction it is a guess"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "every Tuesday at 7pm"), ("pt", "toda terça às 19h"), ("en", "03/05/2026"), ("en", "it moved from Monday to Friday"), ("en", "a week from Friday"),
        ("pt", "comprei a quinta na serra"), ("pt", "uma quinta em Sintra"), ("pt", "a terça parte"), ("en", "from 2010 to 2014"), ("pt", "de 2010 a 2014"),
    ],
)  # fmt: skip
def test_what_could_be_another_time_or_none_has_no_date(language: str, text: str) -> None:
    assert all(begins == "open" for _, begins, _ in spans(text, language, 1))


@pytest.mark.parametrize(
    ("language", "text", "happens"),
    [
        ("en", "Ana lives in Porto since 2019", None),
        ("en", "The report is due by 3 June 2026", None),
        ("en", "The fair is on 3 June 2026", "2026-06-03"),
        ("en", "Ana is away from 3 June 2026 to 5 June 2026", "2026-06-03"),
        ("pt", "Ana mora no Porto desde 2019", None),
        ("pt", "A feira é em 3 de junho de 2026", "2026-06-03"),
        ("pt", "Ana viaja de 3 de junho de 2026 a 5 de junho de 2026", "2026-06-03"),
    ],
)
def test_a_bound_is_no_event(language: str, text: str, happens: str | None) -> None:
    event = find_event(text, language, SAID)
    assert (None if event is None or event.from_ is None else f"{event.from_:%Y-%m-%d}") == happens
