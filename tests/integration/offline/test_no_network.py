"""With every way out closed the product works as ever: it makes no call that nobody configured."""

from __future__ import annotations

import socket
from typing import NoReturn

import httpx
import pytest

from api.container import warm
from memdb.lifecycle.upkeep import run_once
from memdb.runtime import Runtime
from tests.integration.conftest import Org

WAYS_OUT = (socket, "getaddrinfo"), (socket, "create_connection"), (socket.socket, "connect"), (socket.socket, "connect_ex")


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where something tried to go. Postgres is behind a Unix socket of the C library, which this does not close."""
    found: list[str] = []

    def refuse(*arguments: object, **_named: object) -> NoReturn:
        found.append(repr(arguments))
        raise OSError("closed by the test")

    for owner, name in WAYS_OUT:
        monkeypatch.setattr(owner, name, refuse)
    return found


async def test_writing_searching_and_upkeep_make_no_call(tried: list[str], runtime: Runtime, client: httpx.AsyncClient, org: Org) -> None:
    await warm(runtime)
    for content in (
        "Ana can be reached at ana.souza@some-company.com.br or +55 11 98765-4321, IBAN GB33BUKB20201555555555",
        "O Bruno prefere reuniões curtas; o site dele é https://bruno.example.org/agenda",
        "The release moved to Friday",
    ):
        reply = await client.post("/v1/memories", json={"content": content, "kind": "semantic"}, headers=org.headers)
        assert reply.status_code == 201
        assert reply.json()["embedding"] == "stored"
    asked = {"query": "como falar com ana@other-company.com?", "token_budget": 200, "min_score": 0.0}
    found = (await client.post("/v1/memories/search", json=asked, headers=org.headers)).json()
    assert found["evidence"]
    assert found["degraded"] == []
    await run_once(runtime)
    assert tried == []


async def test_the_two_languages_share_one_space(client: httpx.AsyncClient, org: Org) -> None:
    for content in ("O Diego é vegetariano", "The payment tests run every night", "A Carla toca violoncelo"):
        await client.post("/v1/memories", json={"content": content, "kind": "semantic"}, headers=org.headers)
    asked = {"query": "Who does not eat meat?", "weights": {"vector": 1.0}}
    found = (await client.post("/v1/memories/search", json=asked, headers=org.headers)).json()
    assert found["evidence"][0]["memory"]["content"] == "O Diego é vegetariano"


def test_the_ways_out_are_closed(tried: list[str]) -> None:
    with pytest.raises(OSError, match="closed"):
        socket.create_connection(("192.0.2.1", 443), timeout=1)
    assert len(tried) == 1
