"""Times in text, resolved against the time of the text and never against today."""

from __future__ import annotations

import time
from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.text.time_spans import Precision, add_months, weekday_span
from memdb.text.times import TimeMention, find_times

# A Wednesday; the next day is the leap day.
SAID = datetime.fromisoformat("2024-02-28T23:30-03:00")


def _only(text: str, language: str) -> TimeMention:
    mentions = find_times(text, language, SAID)
    assert len(mentions) == 1, mentions
    return mentions[0]


ENGLISH = [
    ("tomorrow is my exam", "tomorrow", "2024-02-29", "2024-03-01", Precision.DAY),
    ("last Friday we signed", "last Friday", "2024-02-23", "2024-02-24", Precision.DAY),
    ("see you in two weeks", "in two weeks", "2024-03-11", "2024-03-18", Precision.WEEK),
    ("next month we move", "next month", "2024-03-01", "2024-04-01", Precision.MONTH),
    ("it was yesterday", "yesterday", "2024-02-27", "2024-02-28", Precision.DAY),
    ("due 2026-03-12.", "2026-03-12", "2026-03-12", "2026-03-13", Precision.DAY),
    ("on 12 March 2026", "12 March 2026", "2026-03-12", "2026-03-13", Precision.DAY),
    ("on March 12th, 2026", "March 12th, 2026", "2026-03-12", "2026-03-13", Precision.DAY),
    ("since March 2026", "March 2026", "2026-03-01", "2026-04-01", Precision.MONTH),
    ("in 2019 she left", "in 2019", "2019-01-01", "2020-01-01", Precision.YEAR),
    ("three days ago", "three days ago", "2024-02-25", "2024-02-26", Precision.DAY),
    ("a couple of weeks ago", "a couple of weeks ago", "2024-02-12", "2024-02-19", Precision.WEEK),
    ("next Friday", "next Friday", "2024-03-01", "2024-03-02", Precision.DAY),
    ("next Wednesday", "next Wednesday", "2024-03-06", "2024-03-07", Precision.DAY),
    ("Monday next week", "Monday next week", "2024-03-04", "2024-03-05", Precision.DAY),
    ("last year", "last year", "2023-01-01", "2024-01-01", Precision.YEAR),
    ("March of last year", "March of last year", "2023-03-01", "2023-04-01", Precision.MONTH),
    ("the day after tomorrow", "the day after tomorrow", "2024-03-01", "2024-03-02", Precision.DAY),
    ("met on 25/12/2023", "25/12/2023", "2023-12-25", "2023-12-26", Precision.DAY),
]
PORTUGUESE = [
    ("ontem choveu", "ontem", "2024-02-27", "2024-02-28", Precision.DAY),
    ("a prova é amanhã", "amanhã", "2024-02-29", "2024-03-01", Precision.DAY),
    ("hoje de manhã corri", "hoje de manhã", "2024-02-28", "2024-02-29", Precision.DAY),
    ("mudou há três semanas", "há três semanas", "2024-02-05", "2024-02-12", Precision.WEEK),
    ("mudou ha tres semanas", "ha tres semanas", "2024-02-05", "2024-02-12", Precision.WEEK),
    ("volto daqui a dois dias", "daqui a dois dias", "2024-03-01", "2024-03-02", Precision.DAY),
    ("foi terça passada", "terça passada", "2024-02-27", "2024-02-28", Precision.DAY),
    ("na próxima sexta", "próxima sexta", "2024-03-01", "2024-03-02", Precision.DAY),
    ("sexta-feira que vem", "sexta-feira que vem", "2024-03-01", "2024-03-02", Precision.DAY),
    ("em 12 de março de 2026", "12 de março de 2026", "2026-03-12", "2026-03-13", Precision.DAY),
    ("em 1º de maio de 2025", "1º de maio de 2025", "2025-05-01", "2025-05-02", Precision.DAY),
    ("no dia 03/04/2026", "03/04/2026", "2026-04-03", "2026-04-04", Precision.DAY),
    ("na semana que vem", "semana que vem", "2024-03-04", "2024-03-11", Precision.WEEK),
    ("no mês passado", "mês passado", "2024-01-01", "2024-02-01", Precision.MONTH),
    ("depois de amanhã", "depois de amanhã", "2024-03-01", "2024-03-02", Precision.DAY),
    ("anteontem", "anteontem", "2024-02-26", "2024-02-27", Precision.DAY),
    ("segunda da semana que vem", "segunda da semana que vem", "2024-03-04", "2024-03-05", Precision.DAY),
    ("Ana faz 30 anos amanhã", "amanhã", "2024-02-29", "2024-03-01", Precision.DAY),
    ("ano que vem", "ano que vem", "2025-01-01", "2026-01-01", Precision.YEAR),
]


@pytest.mark.parametrize(
    ("language", "text", "surface", "first", "last", "precision"),
    [("en", *row) for row in ENGLISH] + [("pt", *row) for row in PORTUGUESE],
)
def test_days_are_those_of_the_speaker(language: str, text: str, surface: str, first: str, last: str, precision: Precision) -> None:
    mention = _only(text, language)
    assert text[mention.start : mention.end] == surface
    assert mention.from_ == datetime.fromisoformat(f"{first}T00:00-03:00")
    assert mention.to == datetime.fromisoformat(f"{last}T00:00-03:00")
    assert mention.precision == precision
    # Only English and Portuguese have rules of their own; a text of unknown language is read by both.
    assert mention in find_times(text, "und", SAID)


@pytest.mark.parametrize(
    ("text", "language", "moment"),
    [
        ("amanhã às 15h", "pt", "2024-02-29T15:00-03:00"),
        ("amanhã às 9h30", "pt", "2024-02-29T09:30-03:00"),
        ("tomorrow at 3pm", "en", "2024-02-29T15:00-03:00"),
        ("tomorrow at 12am", "en", "2024-02-29T00:00-03:00"),
        ("yesterday at 10:30", "en", "2024-02-27T10:30-03:00"),
        ("2026-03-12T14:30Z", "en", "2026-03-12T14:30+00:00"),
        ("2026-03-12 14:30", "en", "2026-03-12T14:30-03:00"),
    ],
)
def test_a_time_of_day_narrows_to_the_minute(text: str, language: str, moment: str) -> None:
    mention = _only(text, language)
    assert mention.from_ == datetime.fromisoformat(moment)
    assert mention.precision == Precision.MINUTE


@pytest.mark.parametrize(
    ("text", "language"),
    [("31 February 2026", "en"), ("2026-02-30", "en"), ("03/04/2026", "en"), ("on March 12", "en"), ("dia 12 de março", "pt"),
     ("31/02/2026", "pt"), ("tomorrow at 13pm", "en"), ("ontem às 25h", "pt")],
)  # fmt: skip
def test_what_is_unclear_or_impossible_stays_unresolved(text: str, language: str) -> None:
    mention = _only(text, language)
    assert (mention.from_, mention.to, mention.precision) == (None, None, None)


@pytest.mark.parametrize(
    ("text", "language"),
    [("we may march on", "en"), ("de manhã eu corro", "pt"), ("a segunda vez", "pt"), ("v2024-01-02-3", "en"), ("someday soon", "en"),
     ("há dois carros", "pt"), ("room 2019", "en"), ("tomorrowland", "en"), ("the second of them", "en"), ("ha, three apples", "pt")],
)  # fmt: skip
def test_no_time_is_invented(text: str, language: str) -> None:
    assert find_times(text, language, SAID) == []


def test_without_an_anchor_only_absolute_times_resolve() -> None:
    relative, absolute = find_times("tomorrow or 12 March 2026", "en", None)
    assert relative.from_ is None
    assert absolute.from_ == datetime.fromisoformat("2026-03-12T00:00Z")


def test_a_naive_anchor_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        find_times("tomorrow", "en", SAID.replace(tzinfo=None))


def test_a_day_of_clock_change_is_a_whole_day() -> None:
    zone = ZoneInfo("Europe/Lisbon")
    mention = find_times("tomorrow", "en", datetime(2026, 3, 28, 12, tzinfo=zone))[0]
    assert mention.from_ is not None
    assert mention.to is not None
    assert mention.to.timestamp() - mention.from_.timestamp() == 23 * 3600
    hours = find_times("in 24 hours", "en", datetime(2026, 3, 28, 12, tzinfo=zone))[0]
    assert hours.from_ == datetime(2026, 3, 29, 13, tzinfo=zone)


def test_offsets_survive_characters_that_grow_when_folded() -> None:
    text = "İİ ﬃ 👍 João chega amanhã"
    mention = _only(text, "pt")
    assert text[mention.start : mention.end] == "amanhã"


@given(st.dates(date(1990, 1, 1), date(2100, 1, 1)), st.integers(0, 6), st.sampled_from([1, -1]))
def test_the_nearest_weekday_is_found_by_walking(day: date, weekday: int, direction: int) -> None:
    walked = day + timedelta(days=direction)
    while walked.weekday() != weekday:
        walked += timedelta(days=direction)
    anchor = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo("America/Sao_Paulo"))
    assert weekday_span(anchor, weekday, direction).from_.date() == walked


@given(st.dates(date(1900, 1, 1), date(2200, 1, 1)), st.integers(-600, 600))
def test_months_move_and_clamp(day: date, count: int) -> None:
    moved = add_months(day, count)
    assert (moved.year * 12 + moved.month) - (day.year * 12 + day.month) == count
    assert moved.day == day.day or (moved.day < day.day and (moved + timedelta(days=1)).day == 1)


@given(st.text() | st.from_regex(r"(in|há|ha) [0-9]{1,3} (years|anos|weeks|dias)( ago| atrás)?", fullmatch=True))
def test_never_raises_and_mentions_are_ordered(text: str) -> None:
    for anchor in (SAID, datetime.fromisoformat("0001-01-01T00:00Z"), datetime.fromisoformat("9999-12-31T23:59Z"), None):
        mentions = find_times(text, "und", anchor)
        for mention in mentions:
            assert 0 <= mention.start < mention.end <= len(text)
            assert mention.from_ is None or (mention.to is not None and mention.from_ < mention.to)
        assert all(left.end <= right.start for left, right in pairwise(mentions))


@pytest.mark.parametrize("text", ["1 " * 30_000, "tomorrow " * 7_000, "é " * 30_000, "in a " * 12_000, "1" * 60_000])
def test_long_text_takes_little_time(text: str) -> None:
    begin = time.process_time()
    find_times(text, "und", SAID)
    assert time.process_time() - begin < 4
