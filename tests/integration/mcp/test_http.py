"""`/mcp` as HTTP: keys, limits, broken messages, restarts, logs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.integration.mcp.conftest import Served, call, key_of, over_http
from tests.support.product import Caller, Product

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture
async def http(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=served.url, headers={"Accept": "application/json, text/event-stream"}) as opened:
        yield opened


def recall(query: str = "x", **message: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "recall", "arguments": {"query": query}}} | message


async def test_without_a_key_nothing_is_told(http: httpx.AsyncClient) -> None:
    for headers in ({}, {"Authorization": "Bearer memdb_main_nobody23_" + "A" * 43}, {"X-API-Key": "none"}):
        reply = await http.post("/mcp", json=LIST, headers=headers)
        assert (reply.status_code, reply.headers["Content-Type"]) == (401, "application/problem+json")
        assert reply.headers["WWW-Authenticate"] == "Bearer"
        assert reply.json()["code"] == "unauthenticated"


async def test_either_header_carries_the_key_and_any_host_name_is_served(http: httpx.AsyncClient, ana: Caller) -> None:
    for headers in (
        {"X-API-Key": key_of(ana)},
        ana.headers,
        {**ana.headers, "Host": "memory.example.com", "Origin": "https://chat.example"},
    ):
        reply = await http.post("/mcp", json=LIST, headers=headers)
        assert reply.status_code == 200
        assert len(reply.json()["result"]["tools"]) >= 7
        assert reply.headers["Content-Type"].startswith("application/json")
        assert reply.headers["X-Request-Id"]
        assert "mcp-session-id" not in reply.headers


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_there_is_no_stream_and_no_session_to_end(http: httpx.AsyncClient, ana: Caller, method: str) -> None:
    reply = await http.request(method, "/mcp", headers=ana.headers)
    assert (reply.status_code, reply.headers["Allow"], reply.json()["code"]) == (405, "POST", "method_not_allowed")


CANARY = "hunter2-ana@example.com"
BROKEN: dict[str, Any] = {
    "no JSON": b"{" + CANARY.encode(),
    "NaN": b'{"jsonrpc":"2.0","id":NaN,"method":"ping","params":{"x":"' + CANARY.encode() + b'"}}',
    "deep": b"[" * 100_000,
    "a list": [recall(CANARY)],
    "a text": CANARY,
    "no method": {"jsonrpc": "2.0", "id": 1, "x": CANARY},
    "no version": {"id": 1, "method": "ping", "x": CANARY},
    "unknown method": {"jsonrpc": "2.0", "id": 1, "method": CANARY},
    "an id that is a secret": {"jsonrpc": "2.0", "id": CANARY, "method": "ping"},
    "an id that is no id": {"jsonrpc": "2.0", "id": [CANARY], "method": "ping"},
    "no id": {"jsonrpc": "2.0", "method": "ping", "x": CANARY},
    "params a list": {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [CANARY]},
    "arguments a list": recall(params={"name": "recall", "arguments": [CANARY]}),
    "name a number": recall(params={"name": 1, "arguments": {CANARY: CANARY}}),
    "a reply": {"jsonrpc": "2.0", "id": 1, "result": {"x": CANARY}},
}


@pytest.mark.parametrize("version", [None, "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("what", BROKEN)
async def test_a_broken_message_is_refused_and_not_repeated(http: httpx.AsyncClient, ana: Caller, what: str, version: str | None) -> None:
    body = BROKEN[what]
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {**ana.headers, "Content-Type": "application/json"} | ({} if version is None else {"MCP-Protocol-Version": version})
    reply = await http.post("/mcp", content=content, headers=headers)
    assert reply.status_code < 500, reply.text
    assert "hunter2" not in reply.text
    assert "error" in reply.json()


async def test_half_a_character_is_refused(http: httpx.AsyncClient, ana: Caller) -> None:
    body = rb'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"a\ud800b"}}}'
    reply = await http.post("/mcp", content=body, headers={**ana.headers, "Content-Type": "application/json"})
    assert reply.status_code < 500
    assert "error" in reply.json() or reply.json()["result"]["isError"]


async def test_the_size_limit_is_that_of_every_route(http: httpx.AsyncClient, ana: Caller, product: Product) -> None:
    body = b" " * (product.runtime.settings.request_bytes_max + 1)
    reply = await http.post("/mcp", content=body, headers={**ana.headers, "Content-Type": "application/json"})
    assert (reply.status_code, reply.json()["code"]) == (413, "request_too_large")


async def test_an_unexpected_failure_tells_nothing_and_is_logged_by_its_type(
    http: httpx.AsyncClient, ana: Caller, json_logs: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise RuntimeError(CANARY)

    message = recall(params={"name": "remember", "arguments": {"content": "x y"}})
    monkeypatch.setattr("api.mcp.calls.memories.form", fails)
    reply = await http.post("/mcp", json=message, headers=ana.headers)
    assert reply.json()["result"]["isError"]
    assert json.loads(reply.json()["result"]["content"][0]["text"]) == {"code": "internal", "detail": "the server failed"}
    logs = ""
    while '"request"' not in logs:  # the line of a request is written behind its reply
        await asyncio.sleep(0.01)
        logs += json_logs()
    assert "RuntimeError" in logs
    assert "hunter2" not in logs
    (request,) = [told for line in logs.splitlines() if (told := json.loads(line))["event"] == "request"]
    assert (request["route"], request["status"], request["code"]) == ("/mcp", 200, "internal")


async def test_a_call_that_takes_too_long_is_ended_and_leaves_nothing_running(
    product: Product, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = asyncio.Event()

    async def slow(*_: object) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    monkeypatch.setattr("api.mcp.calls.memories.form", slow)
    short = replace(product.runtime, settings=product.runtime.settings.model_copy(update={"request_timeout_s": 0.5}))
    reply = await ana.through(short).client.post(
        "/mcp",
        json=recall(params={"name": "remember", "arguments": {"content": "x y"}}),
        headers={**ana.headers, "Accept": "application/json"},
    )
    assert (reply.status_code, reply.json()["code"]) == (504, "request_timeout")
    assert ended.is_set()


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_session_survives_a_restart_of_the_server(product: Product, ana: Caller, mode: str) -> None:
    server = Served(product.runtime)
    await server.start()
    try:
        async with over_http(server.url, key_of(ana), mode) as client:
            made = await call(client, "remember", content="the anchor is rusty")
            await server.stop()
            await server.start()
            assert (await call(client, "recall", query="anchor"))["evidence"][0]["id"] == made["id"]
            assert (await client.list_tools()).tools
    finally:
        await server.stop()


async def test_an_id_of_a_session_that_never_was_is_no_error(http: httpx.AsyncClient, ana: Caller) -> None:
    reply = await http.post("/mcp", json=LIST, headers={**ana.headers, "Mcp-Session-Id": "0123456789abcdef"})
    assert reply.status_code == 200


async def test_a_notification_is_taken(http: httpx.AsyncClient, ana: Caller) -> None:
    reply = await http.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=ana.headers)
    assert reply.status_code == 202


async def test_text_of_memories_stays_out_of_the_log(http: httpx.AsyncClient, ana: Caller, json_logs: Callable[[], str]) -> None:
    message = recall(params={"name": "remember", "arguments": {"content": "the vermilion parrot sleeps"}})
    assert (await http.post("/mcp", json=message, headers=ana.headers)).status_code == 200
    assert (await http.post("/mcp", json=recall("vermilion parrot"), headers=ana.headers)).status_code == 200
    logs = json_logs()
    assert logs.count('"tool"') >= 2
    assert "vermilion" not in logs
