"""Health, readiness and figures: what a stranger sees, what a key sees, what this machine sees."""

from __future__ import annotations

import httpx
import psycopg
from fastapi import FastAPI
from psycopg import sql

from memdb.storage.schema_file import SCHEMA_VERSION
from tests.integration.conftest import Org
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
