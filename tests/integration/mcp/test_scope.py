"""Who calls follows from the key: nothing crosses an org, no argument makes a caller another, a key that is gone opens nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from mcp import MCPError

from tests.integration.mcp.conftest import Connect, Served, call, key_of, over_http, refused
from tests.support.product import Caller, Product

CODE = "the locker of Ana stands in the north hall"


async def test_a_memory_of_one_org_is_not_found_by_another_in_any_tool(connected: Connect, product: Product, ana: Caller) -> None:
    stranger = await product.make_caller()
    async with connected(ana) as client:
        made = await call(client, "remember", content=CODE)
        recalled = await call(client, "recall", query="where is the locker?")
    assert made["id"] in await ana.list_ids()
    async with connected(stranger) as client:
        for query in ("where is the locker?", made["id"]):
            assert (await call(client, "recall", query=query))["evidence"] == []
            assert (await call(client, "get_context", query=query))["context"] == ""
        for brain_id in (made["brain_id"], str(uuid4())):
            assert (await refused(client, "recall", {"query": "locker", "brain_id": brain_id}))["code"] == "not_found"
            assert (await refused(client, "remember", {"content": "x y", "brain_id": brain_id}))["code"] == "not_found"
        there = [await refused(client, "forget_memory", {"memory_id": memory_id}) for memory_id in (made["id"], str(uuid4()))]
        assert there[0] == there[1]
        assert there[0]["code"] == "not_found"
        assert (await refused(client, "update_memory", {"memory_id": made["id"], "content": "gone"}))["code"] == "not_found"
        vote = {"recall_id": recalled["recall_id"], "memory_id": made["id"], "outcome": "wrong"}
        assert (await refused(client, "give_feedback", vote))["code"] == "not_found"
        assert made["brain_id"] not in json.dumps(await call(client, "list_brains"))
    assert (await ana.read(made["id"]))["version"] == 1


IDENTITIES: list[dict[str, Any]] = [
    {"user_id": "bruno"},
    {"userId": "bruno"},
    {"tenant": "T2"},
    {"scope": {"person": None}},
    {"subject": "bruno"},
    {"subject_id": str(uuid4())},
    {"org_id": None},
    {"act_as": "bruno"},
    {"agent_id": 7},
]


@pytest.mark.parametrize("identity", IDENTITIES, ids=lambda i: next(iter(i)))
async def test_an_argument_that_names_an_identity_is_refused_logged_and_audited(
    served: Served, product: Product, ana: Caller, identity: dict[str, Any], json_logs: Callable[[], str]
) -> None:
    async with over_http(served.url, key_of(ana), "legacy") as client:
        error = await refused(client, "recall", {"query": "address", **identity})
    assert (error["code"], error["field"]) == ("invalid_input", next(iter(identity)))
    assert "follows from the key" in error["detail"]
    assert "bruno" not in json.dumps(error)
    lines = [json.loads(line) for line in json_logs().splitlines()]
    (told,) = [line for line in lines if line["event"] == "identity_argument_refused"]
    assert (told["action"], told["level"]) == ("recall", "warning")
    assert "bruno" not in json.dumps(lines)
    events = await product.rows(
        "SELECT detail FROM mem.audit_events WHERE org_id = :org AND action = 'identity_argument.refused'", org=ana.org_id
    )
    assert [row.detail for row in events] == [{"tool": "recall"}]


async def test_a_request_acts_for_somebody_by_the_header_as_over_http(served: Served, ana: Caller) -> None:
    rui = await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Rui"})
    bot = await ana.make_person("Bot", act_as_subjects=[rui["id"]], capabilities=["act_as"])
    async with over_http(served.url, key_of(bot), "legacy", **{"Memdb-Act-As": rui["id"]}) as client:
        made = await call(client, "remember", content="Rui sails on Sundays")
    assert made["brain_id"] == rui["home_brain_id"]
    async with over_http(served.url, key_of(bot), "legacy") as client:
        assert (await call(client, "recall", query="who sails?"))["evidence"] == []


async def test_a_reader_cannot_write_or_forget(connected: Connect, ana: Caller) -> None:
    made = await ana.write("the lighthouse is white", brain_id=str(ana.everybody))
    reader = await ana.make_person("Rita", max_role="reader")
    async with connected(reader) as client:
        assert (await call(client, "recall", query="lighthouse"))["evidence"]
        for name, arguments in {
            "remember": {"content": "the lighthouse is red"},
            "update_memory": {"memory_id": made["id"], "content": "the lighthouse is red"},
            "forget_memory": {"memory_id": made["id"]},
        }.items():
            assert (await refused(client, name, arguments))["code"] == "access_denied", name
    assert (await ana.read(made["id"]))["version"] == 1


async def test_a_revoked_key_is_refused_at_its_next_call(connected: Connect, ana: Caller) -> None:
    bot = await ana.make_person("Bot")
    async with connected(bot) as client:
        await call(client, "remember", content="the dock is wet")
        key_id = key_of(bot).split("_")[2]
        await ana.send("DELETE", f"/v1/admin/keys/{key_id}", expect=204)
        try:
            error = await refused(client, "recall", {"query": "dock"})
        except MCPError as raised:  # over HTTP the whole request is refused, and the client does not tell its body
            error = {"code": "unauthenticated"} if "Server returned an error response" in str(raised) else {}
        assert error["code"] == "unauthenticated"
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert (await bot.send("POST", "/mcp", expect=401, json=message))["code"] == "unauthenticated"


async def test_the_audience_narrows_what_a_tool_tells(connected: Connect, ana: Caller) -> None:
    rui = await ana.make_person("Rui")
    await ana.write("the surprise for the captain is a cake")
    await ana.write("the meeting for the captain is at noon", brain_id=str(ana.everybody))
    async with connected(ana) as client:
        alone = await call(client, "recall", query="what is for the captain?")
        together = await call(client, "recall", query="what is for the captain?", audience=[str(ana.subject_id), str(rui.subject_id)])
        assert (await refused(client, "recall", {"query": "x", "audience": []}))["field"] == "audience"
    assert "cake" in json.dumps(alone)
    assert "cake" not in json.dumps(together)
    assert "noon" in json.dumps(together)
