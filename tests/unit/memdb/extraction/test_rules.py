"""Every rule with what it reads and what it leaves alone, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from memdb.extraction.rules import (
    dated,
    english,
    english_daily,
    english_life,
    english_room,
    portuguese,
    portuguese_daily,
    portuguese_life,
    portuguese_room,
)
from memdb.extraction.rules.agreed import AGREED
from memdb.extraction.rules.episodic import episodic
from memdb.extraction.rules.semantic import semantic
from memdb.extraction.rules.standing import STANDING
from tests.unit.memdb.extraction import table_daily, table_english, table_life, table_portuguese
from tests.unit.memdb.extraction.table_english import Case
from tests.unit.memdb.extraction.talk import ANA, BRUNO, said

FACTS: Mapping[str, Case] = {
    **table_english.FACTS, **table_portuguese.FACTS, **table_english.PLANS, **table_portuguese.PLANS, **table_life.ENGLISH, **table_life.PORTUGUESE,
    **table_daily.ENGLISH, **table_daily.PORTUGUESE, **table_daily.PLANS,
}  # fmt: skip
EVENTS: Mapping[str, Case] = {**table_english.EVENTS, **table_portuguese.EVENTS, **table_life.EVENTS, **table_daily.EVENTS}
ROOM: Mapping[str, Case] = {**table_life.ROOM, **table_daily.ROOM}


def positives(table: Mapping[str, Case]) -> list[tuple[str, str, str]]:
    return [(rule, words, told) for rule, (yes, _) in table.items() for words, told in yes]


def negatives(table: Mapping[str, Case]) -> list[tuple[str, str]]:
    return [(rule, words) for rule, (_, no) in table.items() for words in no]


def test_every_rule_has_a_case_of_each_sort() -> None:
    lives = (
        *english_life.RULES,
        *english_room.RULES,
        *portuguese_life.RULES,
        *portuguese_room.RULES,
        *english_daily.RULES,
        *portuguese_daily.RULES,
    )
    facts = {one.rule.name for one in (*english.RULES, *portuguese.RULES, *lives, *dated.PLANS)}
    assert facts == FACTS.keys()
    assert {one.rule.name for one in (*STANDING, *AGREED)} == ROOM.keys()
    assert {one.rule.name for one in dated.EVENTS} == EVENTS.keys()
    assert all(yes and no for yes, no in (*FACTS.values(), *EVENTS.values(), *ROOM.values()))


@pytest.mark.parametrize(("rule", "words", "told"), positives(FACTS))
def test_a_fact_is_read(rule: str, words: str, told: str) -> None:
    (found,) = [one for one in semantic(said(words)) if one.rule == rule]
    assert found.content == told
    assert found.about == ((BRUNO,) if told.startswith("Bruno") else (ANA,))
    assert found.said_by == ANA
    assert found.quote in words
    assert found.attribute


@pytest.mark.parametrize(("rule", "words"), negatives(FACTS))
def test_what_only_sounds_like_a_fact_is_left_alone(rule: str, words: str) -> None:
    assert [one.content for one in semantic(said(words)) if one.rule == rule] == []


@pytest.mark.parametrize(("rule", "words", "told"), positives(EVENTS))
def test_an_event_is_read(rule: str, words: str, told: str) -> None:
    (found,) = [one for one in episodic(said(words)) if one.rule == rule]
    assert found.content == told
    assert found.about == (ANA,)
    assert found.data == {"participants": [str(ANA)]}
    assert found.quote in words


@pytest.mark.parametrize(("rule", "words"), negatives(EVENTS))
def test_what_only_sounds_like_an_event_is_left_alone(rule: str, words: str) -> None:
    assert [one.content for one in episodic(said(words)) if one.rule == rule] == []


@pytest.mark.parametrize(("rule", "words", "told"), positives(ROOM))
def test_what_holds_of_the_room_is_read(rule: str, words: str, told: str) -> None:
    (found,) = [one for one in semantic(said(words)) if one.rule == rule]
    assert (found.content, found.about, found.said_by) == (told, (), ANA)
    assert found.quote in words


@pytest.mark.parametrize(("rule", "words"), negatives(ROOM))
def test_what_only_sounds_as_if_it_held_of_the_room_is_left_alone(rule: str, words: str) -> None:
    assert [one.content for one in semantic(said(words)) if one.rule == rule] == []
