"""Size, time, ids and headers of requests, and what reaches the log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from fastapi import FastAPI

from api.app import create_app
from api.middleware import TimeLimit
from memdb.runtime import Runtime
from tests.integration.conftest import Org


async def _chunks(total: int) -> AsyncIterator[bytes]:
    for _ in range(total // 65_536 + 1):
        yield b"a" * 65_536


async def test_a_body_that_is_too_large_is_refused_announced_or_not(client: httpx.AsyncClient, org: Org, runtime: Runtime) -> None:
    limit = runtime.settings.request_bytes_max
    json_type = {**org.headers, "Content-Type": "application/json"}
    announced = await client.post("/v1/brains", headers=json_type, content=b"a" * (limit + 1))
    chunked = await client.post("/v1/brains", headers=json_type, content=_chunks(limit))
    for reply in (announced, chunked):
        assert (reply.status_code, reply.json()["code"]) == (413, "request_too_large")
        assert reply.headers["Content-Type"] == "application/problem+json"
    assert (await client.get("/v1/brains", headers=org.headers)).status_code == 200


async def test_a_slow_request_is_ended(runtime: Runtime) -> None:
    async def slow(_scope: object, _receive: object, _send: object) -> None:
        await asyncio.sleep(30)

    app = create_app(runtime)
    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    await TimeLimit(slow, timeout_s=0.02)({"type": "http", "state": {}, "app": app}, None, send)  # type: ignore[arg-type]  # plain functions
    assert sent[0]["status"] == 504
    assert json.loads(bytes(sent[1]["body"]))["code"] == "request_timeout"  # type: ignore[call-overload]  # bytes


async def test_a_time_out_of_the_route_itself_is_no_request_timeout() -> None:
    async def fails(_scope: object, _receive: object, _send: object) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await TimeLimit(fails, timeout_s=5)({"type": "http", "state": {}}, None, None)  # type: ignore[arg-type]  # plain functions


@pytest.mark.parametrize("sent", ["0197fbd2-9c1e-7a43-8a60-2f1c6d9b8e11", "4bf92f3577b34da6a3ce929d0e0e4736", "req-42", "job.7_a"])
async def test_a_safe_request_id_is_kept(client: httpx.AsyncClient, sent: str) -> None:
    assert (await client.get("/healthz", headers={"X-Request-Id": sent})).headers["X-Request-Id"] == sent


@pytest.mark.parametrize(
    "sent", ["", "a b", "ana@example.com", "529.982.247-25", "x" * 65, "AKIA" + "QWERTYUIOPASDFGH", "ghp_" + "a1B2" * 9]
)
async def test_another_request_id_is_replaced(client: httpx.AsyncClient, sent: str) -> None:
    reply = await client.get("/v1/nowhere", headers={"X-Request-Id": sent})
    assert reply.headers["X-Request-Id"] != sent
    assert reply.json()["request_id"] == reply.headers["X-Request-Id"]


async def test_every_reply_has_security_headers(client: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/v1/brains", "/nowhere"):
        headers = (await client.get(path)).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Frame-Options"] == "DENY"


async def test_the_log_line_has_the_route_and_nothing_that_was_sent(
    client: httpx.AsyncClient, org: Org, json_logs: Callable[[], str]
) -> None:
    secret = "sk-test-" + "a1" * 20
    await client.get(f"/v1/brains?cursor={secret}", headers=org.headers)
    await client.get(f"/v1/subjects/{secret}", headers=org.headers)
    await client.post("/v1/brains", headers={**org.headers, "User-Agent": secret}, json={"kind": secret, secret: secret})
    written = json_logs()
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["route"] for line in lines if line["event"] == "request"] == ["/v1/brains", "/v1/subjects/{subject_id}", "/v1/brains"]
    assert {line["key_id"] for line in lines if line["event"] == "request"} == {org.created.key.key_id}
    assert secret not in written
    assert org.key not in written


async def test_an_unforeseen_error_is_500_and_its_text_stays_here(
    app: FastAPI, client: httpx.AsyncClient, org: Org, json_logs: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("row of ana@example.com")

    monkeypatch.setattr("memdb.directory.brains.list_brains", broken)
    reply = await client.get("/v1/brains", headers=org.headers)
    assert (reply.status_code, reply.json()["code"]) == (500, "internal")
    written = json_logs()
    assert "ana@example.com" not in reply.text + written
    failure = next(json.loads(line) for line in written.splitlines() if '"failure"' in line)
    assert failure["error_types"] == ["RuntimeError"]
    assert "broken" in failure["places"][0]
    assert app.state.runtime.database.checked_out == 0
