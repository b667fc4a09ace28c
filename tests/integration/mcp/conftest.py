"""The connector as clients meet it: a server on a socket, the official client over HTTP, and `memdb mcp` as a process of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import CallToolResult, TextContent

from memdb.config import Settings
from memdb.providers.embedding.base import EmbeddingSpace
from tests.support.database import Cluster, clone
from tests.support.product import Caller, Product, running
from tests.support.served import Served, key_of

COMMAND = Path(sys.executable).with_name("memdb")
TRANSPORTS = ("legacy", "modern", "stdio")
"""The handshake of 2025 and the stateless messages of 2026 over HTTP, and stdio."""

Connect = Callable[[Caller], AbstractAsyncContextManager[Client]]


@pytest.fixture(scope="session")
async def product(settings: Settings, cluster: Cluster, space: EmbeddingSpace) -> AsyncIterator[Product]:
    with clone(cluster, space) as database:
        async with running(settings, database) as opened:
            yield opened


@pytest.fixture(scope="session")
async def served(product: Product) -> AsyncIterator[Served]:
    server = Served(product.runtime)
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def ana(product: Product) -> Caller:
    """The administrator of a new org."""
    return await product.make_caller()


@asynccontextmanager
async def over_http(url: str, key: str, mode: str, **headers: str) -> AsyncIterator[Client]:
    async with (
        create_mcp_http_client(headers={"Authorization": f"Bearer {key}", **headers}) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def command(url: str, key: str) -> StdioServerParameters:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MEMDB_", "PYTHON"))}
    return StdioServerParameters(command=str(COMMAND), args=["mcp"], env=env | {"MEMDB_URL": url, "MEMDB_KEY": key})


def connect(transport: str, url: str, key: str) -> AbstractAsyncContextManager[Client]:
    if transport == "stdio":
        return Client(command(url, key))
    return over_http(url, key, {"legacy": "legacy", "modern": "2026-07-28"}[transport])


@pytest.fixture(params=TRANSPORTS)
def connected(request: pytest.FixtureRequest, served: Served) -> Connect:
    """Connects a caller over one transport."""
    return lambda caller: connect(request.param, served.url, key_of(caller))


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def call(client: Client, name: str, /, **arguments: Any) -> dict[str, Any]:
    """The reply of a call that must succeed."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    return dict(json.loads(text_of(result)))


async def refused(client: Client, name: str, arguments: dict[str, Any] | None) -> dict[str, Any]:
    """The error of a call that must be refused."""
    result = await client.call_tool(name, arguments)
    assert result.is_error, text_of(result)
    return dict(json.loads(text_of(result)))
