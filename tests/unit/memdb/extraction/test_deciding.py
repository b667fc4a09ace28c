"""A language model says what statements are to what is known: what of it is believed, and what becomes of nonsense."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from memdb.extraction.deciding import CASES_MAX, Deciding
from memdb.formation.judging import Case
from memdb.models.memory import Kind, Memory, WriteAction
from memdb.models.reconciling import Refused, Verdict
from memdb.providers.chat.base import Spent
from tests.support.memories import NOW, SUBJECT, make_memory_value
from tests.support.scripted_model import DROPPED, ScriptedModel, refusal

HOME = {"attribute": "home", "value": "Porto"}
LABEL = "tiny/reconcile.1"


@pytest.fixture
async def server() -> AsyncIterator[ScriptedModel]:
    async with ScriptedModel() as scripted:
        yield scripted


def known(content: str, **changes: Any) -> Memory:
    return make_memory_value(content, **({"about": (SUBJECT,), "data": {"attribute": "home", "value": "Lisbon"}} | changes))


def case(content: str, *near: Memory, turn: str = "", **changes: Any) -> Case:
    """A statement of which only what a judge looks at is there."""
    item: Any = SimpleNamespace(
        content=SimpleNamespace(text=content),
        fragment=SimpleNamespace(text=SimpleNamespace(text=turn)),
        about=changes.get("about", (SUBJECT,)),
        kind=changes.get("kind", Kind.SEMANTIC),
        data=SimpleNamespace(value=changes.get("data", HOME)),
        valid_from=NOW,
        claim=None,
    )
    return Case(item, near)


def says(*items: dict[str, Any]) -> str:
    return json.dumps({"items": items})


async def decide(server: ScriptedModel, answer: Any, *cases: Case) -> list[Verdict | None]:
    server.otherwise = answer
    model = server.make()
    try:
        return await Deciding(model).judge(cases)
    finally:
        await model.aclose()


async def outcome(server: ScriptedModel, one: Case, **item: Any) -> WriteAction | Refused | None:
    """The action that is believed, or why none is."""
    (verdict,) = await decide(server, says({"s": 1, "quote": None, "m": 1, **item}), one)
    assert verdict is not None
    return verdict.refused or verdict.action


async def test_it_is_shown_data_with_small_numbers_and_no_ids(server: ScriptedModel) -> None:
    memory = known("Ana lives in <b>Lisbon</b>.", valid_from=NOW)
    await decide(server, says(), case("Ana lives in Porto.", memory, turn="I moved to Porto"))
    assert server.asked() == {
        "statements": [
            {
                "s": 1,
                "text": "Ana lives in Porto.",
                "turn": "I moved to Porto",
                "since": "2026-03-02T09:00+00:00",
                "near": [{"m": 1, "text": "Ana lives in <b>Lisbon</b>.", "since": "2026-03-02T09:00+00:00", "until": None}],
            }
        ]
    }
    sent = json.dumps(server.requests[0])
    assert str(memory.id) not in sent
    assert str(SUBJECT) not in sent
    assert "<b>" not in server.requests[0]["messages"][1]["content"]


async def test_a_change_is_believed_with_words_of_the_turn(server: ScriptedModel) -> None:
    memory = known("Ana lives in Lisbon.")
    one = case("Ana lives in Porto.", memory, turn="I moved from Lisbon to Porto")
    (verdict,) = await decide(server, says({"s": 1, "action": "replaces", "m": 1, "quote": "from Lisbon to Porto"}), one)
    assert verdict == Verdict(WriteAction.UPDATE, LABEL, memory.id, 1)
    assert await outcome(server, one, action="replaces") is Refused.NO_QUOTE
    assert await outcome(server, one, action="replaces", quote="moved to Rio") is Refused.QUOTE_NOT_SAID


@pytest.mark.parametrize("value", ["peanuts", None])
async def test_what_the_turn_does_not_name_goes_on(server: ScriptedModel, value: str | None) -> None:
    both = {"attribute": "allergy", "value": "walnuts"}
    memory = known("Ana is allergic to peanuts.", data={"attribute": "allergy"} | ({} if value is None else {"value": value}))
    one = case("Ana is allergic to walnuts.", memory, turn="I'm allergic to walnuts", data=both)
    assert await outcome(server, one, action="replaces", quote="I'm allergic to walnuts") is Refused.FORMER_NOT_NAMED
    one = case("Ana is allergic to walnuts.", memory, turn="Walnuts, not peanuts!", data=both)
    assert await outcome(server, one, action="replaces", quote="Walnuts, not peanuts!") is WriteAction.UPDATE


async def test_a_change_needs_the_same_subjects_and_a_named_attribute(server: ScriptedModel) -> None:
    said: dict[str, Any] = {"action": "replaces", "quote": "Porto"}
    for memory in (known("Ana is a nurse.", data={"attribute": "work/role", "value": "nurse"}), known("Ana is a nurse.", data={})):
        assert await outcome(server, case("Ana lives in Porto.", memory, turn="Porto"), **said) is Refused.OTHER_ATTRIBUTE
    bare = case("Ana lives in Porto.", known("Ana lives in Lisbon.", data={}), turn="Porto", data={})
    assert await outcome(server, bare, **said) is Refused.OTHER_ATTRIBUTE
    other = case("Ana lives in Porto.", known("Bruno lives in Lisbon.", about=()), turn="Porto")
    assert await outcome(server, other, **said) is Refused.OTHER_SUBJECTS


@pytest.mark.parametrize(
    "other",
    [
        "Ana lives in Lisbon.",
        "Ana does not live in Porto.",
        "Ana lives in Porto since 2019.",
        "Bruno lives in Porto.",
        "Ana lived in Porto.",
    ],
)
async def test_a_word_that_differs_keeps_two_statements_apart(server: ScriptedModel, other: str) -> None:
    one = case("Ana lives in Porto.", known(other), turn="I live in Porto")
    assert await outcome(server, one, action="same") is Refused.WORDS_DIFFER
    assert await outcome(server, one, action="same", quote="I live in Porto") is Refused.WORDS_DIFFER


async def test_a_quote_with_both_words_shows_that_they_mean_one_thing(server: ScriptedModel) -> None:
    one = case("Ana lives in Oporto.", known("Ana lives in Porto."), turn="Oporto, or Porto as we say")
    assert await outcome(server, one, action="same", quote="Oporto, or Porto") is WriteAction.REINFORCE
    assert await outcome(server, one, action="same") is Refused.WORDS_DIFFER


async def test_steps_and_definitions_are_not_lost_in_a_repetition(server: ScriptedModel) -> None:
    for kind, data in ((Kind.PROCEDURAL, {"name": "to boot it", "steps": ["a", "b"]}), (Kind.TAXONOMIC, {"term": "P0", "definition": "x"})):
        memory = known("The same words.", kind=kind, data=data)
        changed = {**data, "steps": ["a"]} if kind is Kind.PROCEDURAL else {**data, "definition": "y"}
        assert await outcome(server, case("The same words.", memory, kind=kind, data=changed), action="same") is Refused.OTHER_DATA
        assert await outcome(server, case("The same words.", memory, kind=kind, data=data), action="same") is WriteAction.REINFORCE


@pytest.mark.parametrize("number", [0, 2, -1, None, 10**6])
async def test_a_memory_that_was_not_shown_is_nobody(server: ScriptedModel, number: int | None) -> None:
    one = case("Ana lives in Porto.", known("Ana lives in Lisbon."), turn="Porto")
    assert await outcome(server, one, action="replaces", m=number, quote="Porto") is Refused.UNKNOWN_NEIGHBOUR


@pytest.mark.parametrize("number", ["12x", 2.5, "2 ", "01980000-0000-7000-8000-0000000000b0", True])
async def test_one_item_of_the_wrong_shape_does_not_keep_the_others_out(server: ScriptedModel, number: object) -> None:
    first, second = known("Ana lives in Lisbon."), known("Ana lives in Lisboa.", data={"attribute": "home", "value": "Lisboa"})
    cases = [case("Ana lives in Porto.", first, turn="Porto"), case("Ana lives in Braga.", second, turn="Lisboa, now Braga")]
    items = [
        {"s": 1, "action": "replaces", "m": number, "quote": "Porto"},
        {"s": 2, "action": "replaces", "m": 1, "quote": "Lisboa, now Braga"},
    ]
    assert await decide(server, says(*items, {"s": 9, "action": "add"}), *cases) == [
        None,
        Verdict(WriteAction.UPDATE, LABEL, second.id, 1),
    ]


async def test_two_answers_are_none(server: ScriptedModel) -> None:
    one = case("Ana lives in Porto.", known("Ana lives in Lisbon."), turn="Porto")
    items = [{"s": 1, "action": "replaces", "m": 1, "quote": "Porto"}, {"s": 1, "action": "add", "m": None}]
    assert await decide(server, says(*items), one) == [Verdict(WriteAction.ADD, LABEL, refused=Refused.TWO_ANSWERS)]


async def test_nonsense_is_repaired_once_and_then_decides_nothing(server: ScriptedModel) -> None:
    one = case("Ana lives in Porto.", known("Ana lives in Lisbon."), turn="Porto")
    model = server.make()
    judge = Deciding(model)
    server.script.extend(["as you like", says({"s": 1, "action": "add", "m": None})])
    assert await judge.judge([one]) == [Verdict(WriteAction.ADD, LABEL)]
    server.otherwise = "as you like"
    assert await judge.judge([one]) == [None]
    assert len(server.requests) == 4
    assert judge.spent == Spent(400, 40)
    await model.aclose()


@pytest.mark.parametrize("failure", [DROPPED, refusal(500), refusal(401), "", "[]x"], ids=["dropped", "500", "401", "empty", "prose"])
async def test_a_model_that_fails_decides_nothing(server: ScriptedModel, failure: Any) -> None:
    assert await decide(server, failure, case("Ana lives in Porto.", known("Ana lives in Lisbon."))) == [None]


async def test_many_statements_are_asked_about_in_several_questions(server: ScriptedModel) -> None:
    cases = [case(f"Ana lives in {n}.", known("Ana lives in Lisbon.")) for n in range(CASES_MAX + 1)]
    verdicts = await decide(server, says({"s": 1, "action": "add", "m": None}), *cases)
    assert [len(server.asked(n)["statements"]) for n in range(2)] == [CASES_MAX, 1]
    assert [n for n, verdict in enumerate(verdicts) if verdict is not None] == [0, CASES_MAX]
