from __future__ import annotations

from typing import Any

import pytest

from benchmarks.people import bars, headline
from benchmarks.people_figures import Answered, CardSeen, answer_figures, front_figures
from benchmarks.people_isolation import Foreign, speakers_of
from benchmarks.people_leaks import Guard, Hidden, flat, make_guard, spoken, strings, topics_named
from benchmarks.people_speed import TOPICS, patterns, topic, worst
from benchmarks.synthetic import make_texts

SALARY = Hidden("salary", "0198-a", "A proposta de Lisboa é de 2.400 euros por mês", "salary")
RENT = Hidden("rent", "0198-b", "O aluguel é de 3.450 reais por mês", "rent")
LINE = "More about Ana: 3 memories on rent, set-time, last change 2026-03-02; POST /v1/subjects/1/drawer:grep"


def guard(**changes: Any) -> Guard:
    given: dict[str, Any] = {"hidden": [SALARY], "shown": [RENT], "statements": [], "values": ["077.914.113-00"]}
    return make_guard(**(given | changes))


# ------------------------------------------------------------------------------------------------------------------ leaks
@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ({"evidence": [{"memory": {"id": "0198-a"}}]}, ["id of salary"]),
        ({"path": {"0198-a": 1}}, ["id of salary"]),
        ({"card": {"text": "- a PROPOSTA de Lisboa, é de…"}}, ["text of salary"]),
        ([{"deep": ["said: 07791411300."]}], ["value of 077…"]),
        ({"text": LINE.replace("rent", "salary")}, ["topic salary"]),
        ({"text": LINE, "content": RENT.content, "id": "0198-b"}, []),
        ({"text": "a proposta de Lisboa chegou"}, []),  # four words are nobody's
    ],
)
def test_what_is_hidden_is_found_wherever_it_stands(reply: Any, found: list[str]) -> None:
    assert guard().find(reply) == found


def test_words_that_may_be_shown_are_no_leak_of_hidden_ones() -> None:
    twin = Hidden("twin", None, "O aluguel é de 3.450 reais por ano", "rent")
    told = guard(hidden=[twin])
    assert told.find(RENT.content) == []
    assert told.find(twin.content) == ["text of twin"]
    assert told.topics == frozenset()


def test_a_short_text_is_found_whole_and_not_inside_a_word() -> None:
    told = guard(hidden=[Hidden("term", None, "Bia namora", None)])
    assert told.find("a Bia namora?") == ["text of term"]
    assert told.find("Bia namorava") == []


def test_statements_that_may_be_nowhere_are_looked_for() -> None:
    assert guard(statements=[("gluten", "Caio não come glúten.")]).find("caio nao; Caio não come glúten") == ["text of gluten"]


def test_all_strings_of_a_reply_are_seen() -> None:
    assert list(strings({"a": [1, {"b": None, "c": True}], "d": "e"})) == ["a", "1", "b", "c", "True", "d", "e"]
    assert (spoken("R$ 50,\npor-pessoa"), flat("é 0-7 A")) == ("r 50 por pessoa", "é07a")


def test_topics_are_read_from_the_last_line() -> None:
    assert topics_named(f"At the front about Ana:\n- x on y, last change\n{LINE}") == ["rent", "set-time"]
    assert topics_named("More about Ana: 1 memory, last change 2026-03-02; POST …") == []


# ---------------------------------------------------------------------------------------------------------------- figures
def test_fronts_are_exact_or_say_what_is_missing() -> None:
    cards = [
        CardSeen("one", frozenset({"a", "b"}), frozenset(), ("b", "a")),
        CardSeen("two", frozenset({"c", "d"}), frozenset({"old"}), ("c", "old", "small")),
    ]
    found = front_figures(cards, ["small"])
    assert (found["fronts_exact"], found["precision"], found["recall"], found["outdated_at_front"]) == (0.5, 0.75, 0.75, 1)
    assert found["deviations"] == [{"card": "two", "missing": ["d"], "extra": ["old", "small"]}]


def test_a_memory_that_is_shown_twice_is_not_exact() -> None:
    assert not CardSeen("one", frozenset({"a"}), frozenset(), ("a", "a")).exact


def answered(shown: str, expected: str = "", stale: str = "", category: str = "who", **more: Any) -> Answered:
    known: dict[str, Any] = {"question_id": shown, "answerable": bool(expected), "for_audience": False}
    return Answered(**(known | more), category=category, expected=frozenset(expected), stale=frozenset(stale), shown=tuple(shown))


def test_hits_are_among_the_first_five() -> None:
    found = answer_figures([answered("abcde", "e"), answered("abcdef", "f"), answered("xy", category="audience", for_audience=True)])
    assert found["who_and_audience"] == {"asked": 3, "expecting": 2, "hit@5": 0.5, "all@5": 0.5, "hit@5_or_front": 0.5}
    assert found["missed"] == {"abcdef": 6}
    assert (found["unanswerable_with_evidence"], found["unanswerable_for_the_audience_with_evidence"]) == (1, 1)
    assert found["categories"]["audience"]["hit@5"] is None


def test_what_the_front_shows_counts_apart() -> None:
    found = answer_figures([answered("abcdef", "z", front=frozenset("z"))])["all"]
    assert (found["hit@5"], found["hit@5_or_front"]) == (0.0, 1.0)


@pytest.mark.parametrize(("shown", "fault"), [("sa", True), ("as", False), ("s", True), ("b", False)])
def test_stale_above_expected_is_a_fault(shown: str, *, fault: bool) -> None:
    assert answered(shown, "a", "s").stale_first is fault


# -------------------------------------------------------------------------------------------------------------- isolation
def test_foreign_memories_are_counted_among_the_first_ten() -> None:
    foreign = Foreign()
    own = {"memory": {"id": "1", "about": ["ana"], "brain_id": "b"}}
    other = {"memory": {"id": "2", "about": ["bia"], "brain_id": "b"}}
    foreign.count("q1", [own, other], "ana", None)
    foreign.count("q2", [own], None, {"c"})
    foreign.count("q3", [own] * 10 + [other], "ana", {"b"})
    foreign.count("q4", [], "ana", {"b"})
    assert foreign.found == ["q1: 2", "q2: 1"]
    assert foreign.figures()["with_evidence"] == 0.75


@pytest.mark.parametrize(
    ("question", "evidence", "speakers"),
    [
        ("When did ana move?", ["D1"], ["Ana"]),
        ("What did Ana tell Bia?", ["D2"], ["Bia"]),
        ("Who moved?", ["D1", "D2"], ["Ana", "Bia"]),
        ("Is Anabela here?", [], ["Ana", "Bia"]),
    ],
)
def test_the_speaker_of_a_question(question: str, evidence: list[str], speakers: list[str]) -> None:
    turns = [{"turn_id": "D1", "speaker": "Ana"}, {"turn_id": "D2", "speaker": "Bia"}]
    conversation = {"speakers": ["Ana", "Bia"], "sessions": [{"turns": turns}]}
    assert speakers_of({"question": question, "evidence": evidence}, conversation) == speakers


# ------------------------------------------------------------------------------------------------------------------ speed
def test_topics_of_a_brain_are_different() -> None:
    assert len({topic(number) for number in range(TOPICS)}) == TOPICS


def test_patterns_stand_in_the_notes() -> None:
    notes = make_texts(60)
    for what in ("unique", "rare"):
        assert all(any(pattern in note.text for note in notes) for pattern in patterns(notes, what, 12))
    assert all(sum(pattern in note.text for note in notes) == 1 for pattern in patterns(notes, "unique", 12) if pattern[-2:-1].isdigit())


def test_the_worst_of_a_kind_counts() -> None:
    rows = {"card": {"ratio": 1.5}, "card of the hoarder": {"ratio": 9.0}, "topic, exact": {"ratio": 2.0}, "topic, words": {"ratio": 3.0}}
    assert (worst({"p50": rows}, "card"), worst({"p50": rows}, "topic")) == (1.5, 3.0)


# --------------------------------------------------------------------------------------------------------------- headline
def test_bars_are_held_against_what_was_measured() -> None:
    nothing = headline(None, None, None)
    assert set(nothing.values()) == {None}
    assert bars(nothing) == {}
    isolation = {"ways": {"about": {"foreign_in_first_ten": 0}, "both": {"foreign_in_first_ten": 2}}}
    assert bars(headline(None, isolation, None)) == {"foreign_in_first_ten": {"value": 2, "most": 0, "met": False}}
