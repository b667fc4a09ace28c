"""Health, readiness and figures: what a stranger sees, what a key sees, what this machine sees."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from uuid import UUID

import httpx
import psycopg
from fastapi import FastAPI
from psycopg import sql

from api.routes.health import FIGURES_WITHIN_S
from memdb.runtime import Runtime
from memdb.sessions.cutting import cut_due
from memdb.storage.schema_file import SCHEMA_VERSION
from tests.integration.conftest import Org, SteppingClock
from tests.support.database import FreshDatabase, in_database


def _switch(database: FreshDatabase, *, allow: bool) -> None:
    """Let a database take connections or not; not ends those that are open."""
    with psycopg.connect(in_database(database.superuser_url, "postgres"), autocommit=True) as conn:
        conn.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(sql.Identifier(database.name), sql.SQL(str(allow).lower())))
        if not allow:
            conn.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (database.name,))


async def test_healthz_answers_a_stranger_and_tells_nothing(client: httpx.AsyncClient) -> None:
    reply = await client.get("/healthz")
    assert (reply.status_code, reply.json()) == (200, {"status": "ok"})


async def test_readyz_tells_a_stranger_the_status_alone(client: httpx.AsyncClient) -> None:
    reply = await client.get("/readyz")
    assert reply.status_code == 200
    assert reply.json() == {"status": "ready", "details": None}


async def test_readyz_shows_details_to_a_key(client: httpx.AsyncClient, org: Org) -> None:
    details = (await client.get("/readyz", headers=org.headers)).json()["details"]
    assert details["database"] == "ok"
    assert details["schema_version"] == SCHEMA_VERSION
    assert details["extensions"]["vector"]
    assert details["pending_embeddings"] == 0


async def test_readyz_shows_details_to_this_machine_but_not_through_a_proxy(app: FastAPI) -> None:
    transport = httpx.ASGITransport(app=app, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as local:
        assert (await local.get("/readyz")).json()["details"]["pending_embeddings"] is None
        assert (await local.get("/readyz", headers={"X-Forwarded-For": "203.0.113.9"})).json()["details"] is None
        assert (await local.get("/readyz", headers={"Host": "rebound.example"})).json()["details"] is None


async def test_the_server_says_so_while_the_database_is_gone(client: httpx.AsyncClient, org: Org, module_database: FreshDatabase) -> None:
    assert (await client.get("/v1/brains", headers=org.headers)).status_code == 200
    _switch(module_database, allow=False)
    ready = await client.get("/readyz")
    assert (ready.status_code, ready.json()) == (503, {"status": "unavailable", "details": None})
    refused = await client.get("/v1/brains", headers=org.headers)
    assert (refused.status_code, refused.json()["code"]) == (503, "storage_unavailable")
    assert refused.headers["Retry-After"] == "1"
    assert (await client.get("/healthz")).status_code == 200
    _switch(module_database, allow=True)
    assert (await client.get("/readyz")).status_code == 200
    assert (await client.get("/v1/brains", headers=org.headers)).status_code == 200


async def test_metrics_need_an_operator_or_this_machine(client: httpx.AsyncClient, app: FastAPI, org: Org, other_org: Org) -> None:
    assert (await client.get("/metrics")).status_code == 401
    assert (await client.get("/metrics", headers=other_org.headers)).status_code == 403
    await client.get("/v1/brains", headers=org.headers)
    figures = (await client.get("/metrics", headers=org.headers)).text
    assert 'memdb_requests_total{method="GET",route="/v1/brains",status="200"} 1.0' in figures
    assert "memdb_connections_in_use" in figures
    transport = httpx.ASGITransport(app=app, client=("::1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://[::1]:8765") as local:
        assert (await local.get("/metrics")).status_code == 200


async def test_unknown_paths_are_counted_without_their_text(client: httpx.AsyncClient, org: Org) -> None:
    await client.get("/v1/ana@example.com")
    figures = (await client.get("/metrics", headers=org.headers)).text
    assert "ana" not in figures
    assert 'route="none",status="404"' in figures


def _value(figures: str, name: str) -> float:
    """The value of one figure, with its labels as the text has them."""
    (found,) = re.findall(rf"^{re.escape(name)} (\S+)$", figures, re.MULTILINE)
    return float(found)


async def test_metrics_tell_what_waits_of_every_org_and_for_how_long(
    client: httpx.AsyncClient, org: Org, other_org: Org, clock: SteppingClock
) -> None:
    names = ("memdb_open_turns", 'memdb_unfinished_extractions{handler="semantic",state="waiting"}', 'memdb_jobs{state="todo"}')
    before = {name: _value((await client.get("/metrics", headers=org.headers)).text, name) for name in names}
    for of in (org, other_org):
        session = (await client.post("/v1/sessions", headers=of.headers, json={})).json()["id"]
        turns = {"turns": [{"text": "the zanzibar plan"}, {"text": "hello"}]}
        await client.post(f"/v1/sessions/{session}/turns", headers=of.headers, json=turns)
        assert (await client.post(f"/v1/sessions/{session}:flush", headers=of.headers)).status_code == 200
        await client.post(f"/v1/sessions/{session}/turns", headers=of.headers, json=turns)
    clock.ahead += timedelta(hours=2)
    figures = (await client.get("/metrics", headers=org.headers)).text
    assert {name: _value(figures, name) - before[name] for name in names} == dict(zip(names, (4, 2, 8), strict=True))
    for name in ("memdb_open_turn_oldest_seconds", "memdb_unread_snapshot_oldest_seconds"):
        assert 7_200 <= _value(figures, name) < 7_200 + 600
    assert _value(figures, "memdb_workers") == 0
    assert "zanzibar" not in figures
    assert str(org.id) not in figures


async def test_a_scrape_does_not_wait_for_a_database_that_is_late(
    client: httpx.AsyncClient, org: Org, runtime: Runtime, module_database: FreshDatabase
) -> None:
    await client.get("/metrics", headers=org.headers)
    with psycopg.connect(module_database.owner_url) as conn:
        conn.execute("LOCK TABLE mem.extractions IN ACCESS EXCLUSIVE MODE")
        started_s = time.monotonic()
        late = await client.get("/metrics", headers=org.headers)
        assert time.monotonic() - started_s < 10 * FIGURES_WITHIN_S, "on a machine that does other things as well"
        conn.rollback()
    assert late.status_code == 200
    assert _value(late.text, "memdb_figures_unread_total") == 1
    assert "memdb_open_turns" not in late.text
    assert "memdb_requests_total" in late.text
    assert runtime.database.checked_out == 0, "the connection is given back"
    assert "memdb_open_turns" in (await client.get("/metrics", headers=org.headers)).text


async def test_open_turns_are_as_old_as_the_first_of_them(
    client: httpx.AsyncClient, org: Org, clock: SteppingClock, runtime: Runtime, module_database: FreshDatabase
) -> None:
    made = (await client.post("/v1/sessions", headers=org.headers, json={"max_messages": 2})).json()
    session, path = made["id"], f"/v1/sessions/{made['id']}"
    seen: list[tuple[int, float | None]] = []

    async def look() -> None:
        with psycopg.connect(module_database.owner_url) as conn:
            row = conn.execute("SELECT next_position - open_from, open_since FROM mem.sessions WHERE id = %s", (session,)).fetchone()
        assert row is not None
        seen.append((row[0], None if row[1] is None else round((clock.now() - row[1]).total_seconds(), -2)))

    async def say() -> None:
        assert (await client.post(f"{path}/turns", headers=org.headers, json={"turns": [{"text": "hello"}]})).status_code == 201

    await say()
    clock.ahead += timedelta(seconds=1_000)
    await say()
    await say()
    await look()
    await cut_due(runtime, org.id, (UUID(session), UUID(made["brain_id"])))
    await look()
    await client.post(f"{path}:flush", headers=org.headers)
    await look()
    clock.ahead += timedelta(seconds=1_000)
    await say()
    await look()
    assert seen == [(3, 1_000), (1, 0), (0, None), (1, 0)]
