"""What every tool promises, over each transport."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client

from memdb.text.tokens import count_tokens
from tests.integration.mcp.conftest import Connect, call, refused, text_of
from tests.support.product import Caller

NOWHERE = "00000000-0000-7000-8000-000000000000"
REQUIRED: dict[str, dict[str, Any]] = {
    "query_brain": {"brain_id": NOWHERE, "topic": "clients"},
    "read_unit": {"brain_id": NOWHERE, "unit_id": NOWHERE},
    "write_unit": {"brain_id": NOWHERE, "topic": "clients", "content": "the bridge is closed"},
    "report_conflict": {"memory_id": NOWHERE, "other_id": NOWHERE},
    "resolve_subject": {"name": "Rui"},
    "get_card": {"subject_id": NOWHERE},
    "grep_memory": {"subject_id": NOWHERE, "pattern": "bridge"},
    "remember": {"content": "the bridge is closed"},
    "recall": {"query": "which bridge is closed?"},
    "get_context": {"query": "which bridge is closed?"},
    "update_memory": {"memory_id": NOWHERE},
    "forget_memory": {"memory_id": NOWHERE},
    "give_feedback": {"recall_id": NOWHERE, "memory_id": NOWHERE, "outcome": "used"},
}
STRICT = {"type", "description", "properties", "required", "additionalProperties", "items", "enum"}
BOUNDS = {"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"}


def keywords(schema: dict[str, Any]) -> set[str]:
    found = set(schema)
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        found |= keywords(inner)
    return found


async def test_every_schema_is_one_that_the_strictest_client_takes(connected: Connect, ana: Caller) -> None:
    async with connected(ana) as client:
        tools = (await client.list_tools()).tools
    assert 13 <= len(tools) <= 16
    for tool in tools:
        schema = tool.input_schema
        Draft202012Validator.check_schema(schema)
        assert keywords(schema) <= STRICT | BOUNDS, tool.name
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
        assert tool.description
        for name, parameter in schema["properties"].items():
            assert isinstance(parameter["type"], str), name
            assert len(parameter["description"]) > 5, name
    by_name = {tool.name: tool for tool in tools}
    hints = by_name["recall"].annotations
    assert hints is not None
    assert (hints.read_only_hint, hints.open_world_hint) == (True, False)
    hints = by_name["forget_memory"].annotations
    assert hints is not None
    assert hints.destructive_hint is True


async def test_what_is_remembered_is_recalled_at_once_corrected_and_forgotten(connected: Connect, ana: Caller) -> None:
    async with connected(ana) as client:
        made = await call(client, "remember", content="marker QX-58213 smoke. Mail ana@example.com", topic="Releases", tags=["smoke"])
        assert (made["action"], made["status"], made["redacted"]) == ("ADD", "active", ["EMAIL_ADDRESS"])
        found = await call(client, "recall", query="QX-58213")
        assert [e["id"] for e in found["evidence"]] == [made["id"]]
        assert "QX-58213" in found["card"]
        assert "ana@example.com" not in json.dumps(found)
        assert set(found["evidence"][0]) == {"id", "score", "content", "topic", "freshness"}
        by_id = await call(client, "recall", query=made["id"])
        assert [e["id"] for e in by_id["evidence"]] == [made["id"]]
        told = await call(client, "give_feedback", recall_id=found["recall_id"], memory_id=made["id"], outcome="helpful")
        assert told["replaced"] is False
        context = await call(client, "get_context", query="what of QX-58213?")
        assert "QX-58213" in context["context"]
        changed = await call(client, "update_memory", memory_id=made["id"], content="marker QX-58213 is gone", expected_version=1)
        assert changed["version"] == 2
        conflict = await refused(client, "update_memory", {"memory_id": made["id"], "content": "no", "expected_version": 1})
        assert conflict["code"] == "version_conflict"
        assert (await call(client, "forget_memory", memory_id=made["id"]))["deleted"] is True
        assert (await call(client, "recall", query="QX-58213"))["evidence"] == []


async def test_what_is_written_through_a_tool_is_there_over_http_and_the_other_way(connected: Connect, ana: Caller) -> None:
    made = await ana.write("the harbour master is called Olga")
    async with connected(ana) as client:
        found = await call(client, "recall", query="who is the harbour master?")
        assert made["id"] in [e["id"] for e in found["evidence"]]
        kept = await call(client, "remember", content="the ferry leaves at nine")
        brains = await call(client, "list_brains")
    assert (await ana.read(kept["id"]))["content"] == "the ferry leaves at nine"
    listed = {b["id"]: b for b in brains["brains"]}
    assert listed.keys() == {b["id"] for b in (await ana.send("GET", "/v1/brains", expect=200))["items"]}
    assert brains["brains"][0]["home"] is True


async def test_null_is_absent_and_so_are_arguments_left_out(connected: Connect, ana: Caller) -> None:
    async with connected(ana) as client:
        assert not (await client.call_tool("list_brains", None)).is_error
        assert not (await client.call_tool("list_brains", {})).is_error
        made = await call(client, "remember", content="nulls are fine", kind=None, brain_id=None, topic=None, tags=None, about=None)
        assert made["action"] == "ADD"
        assert (await call(client, "recall", query="nulls", about=None, audience=None, limit=None, token_budget=None))["evidence"]
        for name, needed in REQUIRED.items():
            error = await refused(client, name, None)
            assert (error["code"], error["field"]) == ("invalid_input", next(iter(needed)))
        assert (await refused(client, "remember", {"content": None}))["field"] == "content"
        assert (await refused(client, "update_memory", {"memory_id": NOWHERE}))["code"] == "invalid_input"


WRONG: list[Any] = [7, 7.5, True, "seven", [7], ["seven"], [None], {"seven": 7}, [[]]]


async def test_wrong_types_are_refused_and_never_turned_into_others(connected: Connect, ana: Caller) -> None:
    async with connected(ana) as client:
        tools = (await client.list_tools()).tools
        for tool in tools:
            for name, schema in tool.input_schema["properties"].items():
                for value in WRONG:
                    if Draft202012Validator(schema).is_valid(value) and not (name.endswith("_id") or name in {"about", "audience"}):
                        continue
                    error = await refused(client, tool.name, {**REQUIRED.get(tool.name, {}), name: value})
                    # Of a list it may name the place.
                    assert (error["code"], error["field"].partition("[")[0]) == ("invalid_input", name), (tool.name, name, value)
                    assert "seven" not in json.dumps(error)


async def test_an_unknown_argument_is_refused_without_a_word_of_its_value(connected: Connect, ana: Caller) -> None:
    async with connected(ana) as client:
        for tool in (await client.list_tools()).tools:
            error = await refused(client, tool.name, {**REQUIRED.get(tool.name, {}), "colour": "vermilion"})
            assert (error["code"], error["field"]) == ("invalid_input", "colour")
            assert "vermilion" not in json.dumps(error)
        secret = await refused(client, "recall", {"query": "x", "hunter2@example.com": 1})
        assert secret["field"] == "?"
        assert "hunter2" not in json.dumps(secret)


@pytest.mark.parametrize("budget", [200, 500, 1_000, 4_000])
async def test_a_reply_fits_its_budget_and_says_how_to_get_the_rest(connected: Connect, ana: Caller, budget: int) -> None:
    lines = [
        {"content": f'the barrel {n} holds "salted" herring\n\tfrom the north, ' + "counted twice, " * 30, "kind": "episodic"}
        for n in range(40)
    ]
    await ana.write_batch(lines)
    async with connected(ana) as client:
        result = await client.call_tool("recall", {"query": "what do the barrels hold?", "limit": 40, "token_budget": budget})
        context = await client.call_tool("get_context", {"query": "what do the barrels hold?", "token_budget": budget})
    for one in (result, context):
        assert count_tokens(text_of(one)) <= budget
    reply = json.loads(text_of(result))
    assert reply["card"]
    assert len(reply["evidence"]) + reply.get("left_out", 0) == 40
    assert (reply.get("left_out", 0) > 0) == ("more" in reply)
    assert all(len(e["content"]) < 170 and e["content"].endswith("…") for e in reply["evidence"])


async def test_an_unknown_tool_is_an_error_of_the_protocol(connected: Connect, ana: Caller) -> None:
    async with connected(ana) as client:
        with pytest.raises(Exception, match="no such tool") as caught:
            await client.call_tool("drop_everything", {})
        assert "drop_everything" not in str(caught.value)


async def test_calls_run_side_by_side(connected: Connect, ana: Caller) -> None:
    async with connected(ana) as client:
        await _remember_many(client, 8)
        found = await call(client, "recall", query="buoy", limit=20)
    assert len(found["evidence"]) == 8


async def _remember_many(client: Client, count: int) -> None:
    await asyncio.gather(*(call(client, "remember", content=f"buoy number {n} is lit", kind="episodic") for n in range(count)))
