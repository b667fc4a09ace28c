"""Keys in use: the last use that is told, how many requests are answered, and what guessing leads to."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

from api.lockout import FAILURES_FREE
from memdb.directory.authentication import USE_NOTED_EVERY
from memdb.errors import StorageUnavailable
from memdb.storage import keys
from tests.integration.keys.callers import key_id, make_key, make_subject, status, with_key
from tests.support.product import Caller, Product, Statements, open_client

WRONG = "A" * 43


async def last_use(admin: Caller, key: str) -> datetime | None:
    page = await admin.send("GET", "/v1/admin/keys", expect=200, params={"limit": 200})
    at = {one["id"]: one["last_used_at"] for one in page["items"]}[key]
    return None if at is None else datetime.fromisoformat(at)


def guessing(caller: Caller, key: str) -> Caller:
    """The same caller with this key's id and another secret."""
    return with_key(caller, "_".join([*key.split("_", 3)[:3], WRONG]))


def slow_server(product: Product, caller: Caller, **limits: int) -> Caller:
    """The same caller at a server with these limits."""
    settings = product.runtime.settings.model_copy(update=limits)
    return replace(caller, client=open_client(replace(product.runtime, settings=settings)))


# ------------------------------------------------------------------------------------------------------------- last use
async def test_the_last_use_is_told_and_stored_once_in_some_minutes(product: Product, ana: Caller) -> None:
    made = await make_key(ana, await make_subject(ana, "agent", "helper"))
    agent = with_key(ana, made["key"])
    assert await last_use(ana, made["id"]) is None
    watched = Statements(product.runtime.database)
    await asyncio.gather(*(status(agent) for _ in range(8)))
    for _ in range(5):
        await status(agent)
    watched.stop()
    assert sum("SET last_used_at" in one for one in watched.seen) == 1
    first = await last_use(ana, made["id"])
    assert first is not None
    assert abs(product.clock.now() - first) < timedelta(minutes=1)
    product.clock.ahead += USE_NOTED_EVERY + timedelta(seconds=1)
    await status(agent)
    second = await last_use(ana, made["id"])
    assert second is not None
    assert second > first


async def test_a_refused_key_was_not_used(ana: Caller) -> None:
    made = await make_key(ana, await make_subject(ana, "agent", "helper"))
    assert await status(guessing(ana, made["key"])) == 401
    assert await last_use(ana, made["id"]) is None


async def test_a_use_that_cannot_be_stored_fails_no_request(product: Product, ana: Caller, monkeypatch: object) -> None:
    made = await make_key(ana, await make_subject(ana, "agent", "helper"))

    async def fail(*_: object) -> None:
        raise StorageUnavailable

    monkeypatch.setattr(keys, "note_use", fail)  # type: ignore[attr-defined]  # pytest's
    assert await status(with_key(ana, made["key"])) == 200


# ----------------------------------------------------------------------------------------------------------- rate limits
async def test_too_many_requests_are_429_with_the_time_to_wait(product: Product, ana: Caller) -> None:
    agent = with_key(ana, (await make_key(ana, await make_subject(ana, "agent", "helper"), requests_per_minute=3))["key"])
    assert [await status(agent) for _ in range(3)] == [200, 200, 200]
    reply = await agent.client.get("/v1/brains", headers=dict(agent.headers))
    assert (reply.status_code, reply.json()["code"]) == (429, "rate_limited")
    assert reply.headers["Content-Type"] == "application/problem+json"
    assert 1 <= int(reply.headers["Retry-After"]) == reply.json()["retry_after_s"] <= 60
    assert await status(ana) == 200


async def test_mcp_is_counted_with_the_rest(ana: Caller) -> None:
    agent = with_key(ana, (await make_key(ana, await make_subject(ana, "agent", "helper"), requests_per_minute=2))["key"])
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_brains", "arguments": {}}}
    headers = {**agent.headers, "Accept": "application/json, text/event-stream"}
    assert await status(agent) == 200
    assert (await agent.client.post("/mcp", json=call, headers=headers)).status_code == 200
    refused = await agent.client.post("/mcp", json=call, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert "Retry-After" in refused.headers


async def test_an_org_has_a_number_for_all_of_its_keys(product: Product, ana: Caller) -> None:
    at = slow_server(product, ana, org_requests_per_minute=4)
    other = with_key(at, (await make_key(ana, ana.subject_id))["key"])
    assert [await status(one) for one in (at, other, at, other)] == [200] * 4
    assert [await status(one) for one in (at, other)] == [429, 429]
    assert await status(replace(await product.make_caller(), client=at.client)) == 200


async def test_a_stranger_is_not_told_of_limits(product: Product, ana: Caller) -> None:
    at = slow_server(product, ana, key_requests_per_minute=1)
    assert [await status(at) for _ in range(2)] == [200, 429]
    guess = guessing(at, at.headers["Authorization"].removeprefix("Bearer "))
    assert await status(guess) == 401


# -------------------------------------------------------------------------------------------------------------- lock-out
async def test_guessing_locks_the_guesser_out_and_not_the_owner(product: Product, ana: Caller) -> None:
    key = ana.headers["Authorization"].removeprefix("Bearer ")
    attacker = replace(ana, client=open_client(product.runtime))
    guess = guessing(attacker, key)
    assert [await status(guess) for _ in range(FAILURES_FREE)] == [401] * FAILURES_FREE
    reply = await guess.client.get("/v1/brains", headers=dict(guess.headers))
    assert (reply.status_code, reply.json()["code"], reply.headers["Retry-After"]) == (429, "locked_out", "1")
    assert await status(with_key(attacker, key)) == 429, "the right secret is no way out of the wait"
    transport = guess.client._transport
    transport.client = ("198.51.100.7", 40_000)  # type: ignore[attr-defined]  # httpx's ASGI transport
    assert await status(with_key(attacker, key)) == 200, "the owner, at another address"
    transport.client = ("203.0.113.9", 40_000)  # type: ignore[attr-defined]
    product.clock.ahead += timedelta(seconds=2)
    assert await status(with_key(attacker, key)) == 200


async def test_an_unknown_key_id_a_wrong_secret_and_an_unknown_org_cost_the_same_statements(product: Product, ana: Caller) -> None:
    org, key, _ = ana.headers["Authorization"].removeprefix("Bearer memdb_").split("_", 2)
    assert await status(ana) == 200  # the server has seen the right one
    asked = []
    for name, known in ((org, key), (org, "zzzz2222yyyy"), ("nobody", key)):
        watched = Statements(product.runtime.database)
        assert await status(with_key(ana, f"memdb_{name}_{known}_{WRONG}")) == 401
        watched.stop()
        asked.append(watched.seen)
    assert len(asked[0]) >= 2
    assert asked[0] == asked[1] == asked[2]


async def test_a_revoked_key_that_goes_on_calling_is_slowed_down(ana: Caller) -> None:
    made = await make_key(ana, await make_subject(ana, "agent", "helper"))
    agent = with_key(ana, made["key"])
    await ana.send("DELETE", f"/v1/admin/keys/{key_id(agent)}", expect=204)
    answers = [await status(agent) for _ in range(FAILURES_FREE + 1)]
    assert answers == [401] * FAILURES_FREE + [429]
