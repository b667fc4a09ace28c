"""Conversations over each transport: recorded once, and what is told in one is what everybody in it may hear."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.mcp.conftest import Connect, call, refused
from tests.support.product import Caller


async def test_turns_are_recorded_once_and_give_the_context_of_the_conversation(connected: Connect, ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    members = [{"subject_id": str(bruno.subject_id), "role": "reader"}]
    brain = await ana.make_brain("kitchen", "room", members=members)
    await ana.write("Ana hides the presents in the garage")
    await ana.write("The kitchen is closed on Mondays", brain_id=brain)
    said = [
        {"text": "When is the kitchen closed? Mail me at bru@example.com", "speaker_id": str(bruno.subject_id), "client_turn_id": "m-1"}
    ]
    async with connected(ana) as agent:
        first = await call(agent, "record_turns", conversation="kitchen", turns=said, brain_id=brain)
        assert (first["recorded"], first["brain_id"], first["redacted"]) == (1, brain, ["EMAIL_ADDRESS"])
        more = [*said, {"text": "On Mondays.", "role": "assistant", "client_turn_id": "m-2", "said_at": "2026-03-02T09:03:00-03:00"}]
        again = await call(agent, "record_turns", conversation="kitchen", turns=more, brain_id=brain)
        assert (again["session_id"], again["recorded"], again["known_already"]) == (first["session_id"], 1, 1)
        session: dict[str, Any] = {"session_id": first["session_id"]}
        context = (await call(agent, "get_context", **session))["context"]
        lines = context.splitlines()
        assert lines[0] == "Said lately:"
        assert lines[1].startswith("Bruno: When is the kitchen closed?")
        assert "assistant: On Mondays." in lines
        assert "The kitchen is closed on Mondays" in context
        presents = {"query": "where are the presents?"}
        assert "garage" in str(await call(agent, "recall", **presents)), "she may know it, alone"
        assert "garage" not in str(await call(agent, "recall", **presents, **session)), "Bruno listens"
        assert "garage" not in str(await call(agent, "get_context", **presents, **session))


async def test_an_error_names_the_turn_that_is_wrong(connected: Connect, ana: Caller) -> None:
    good: dict[str, Any] = {"text": "x"}
    nobody = "01980000-0000-7000-8000-000000000001"
    async with connected(ana) as agent:
        for wrong, field in (
            ({"text": 1}, "turns[2].text"),
            ({"text": "x", "said_at": "yesterday"}, "turns[2].said_at"),
            ({"text": "x", "speaker_id": nobody}, "turns[2].speaker_id"),
            ({"role": "user"}, "turns[2].text"),
            ("x", "turns[2]"),
        ):
            error = await refused(agent, "record_turns", {"conversation": "c", "turns": [good, good, wrong]})
            assert (error["code"], error["field"]) == ("invalid_input", field), error


@pytest.mark.parametrize(
    "arguments",
    [
        {"turns": [{"text": "x"}]},
        {"conversation": "c", "turns": []},
        {"conversation": "c", "turns": "x"},
        {"conversation": "c", "turns": ["x"]},
        {"conversation": "c", "turns": [{"text": "x", "more": 1}]},
        {"conversation": "c", "turns": [{"role": "user"}]},
        {"conversation": "c", "turns": [{"text": 1}]},
        {"conversation": "c", "turns": [{"text": "x", "role": "nobody"}]},
        {"conversation": "c", "turns": [{"text": "x", "said_at": "yesterday"}]},
        {"conversation": "c", "turns": [{"text": "x", "said_at": "2026-03-02T09:03:00"}]},
        {"conversation": "c", "turns": [{"text": "x"}], "user_id": "ana"},
    ],
)
async def test_wrong_turns_are_refused(connected: Connect, ana: Caller, arguments: dict[str, Any]) -> None:
    async with connected(ana) as agent:
        assert (await refused(agent, "record_turns", arguments))["code"] == "invalid_input"
    assert (await ana.send("GET", "/v1/sessions", expect=200))["items"] == []


async def test_a_context_needs_a_question_or_a_session(connected: Connect, ana: Caller) -> None:
    async with connected(ana) as agent:
        assert (await refused(agent, "get_context", {}))["field"] == "query"
        assert (await refused(agent, "get_context", {"session_id": str(ana.subject_id)}))["code"] == "not_found"
