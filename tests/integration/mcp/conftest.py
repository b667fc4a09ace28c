"""The connector as clients meet it: a server on a socket, the official client over HTTP, and `memdb mcp` as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp_types import CallToolResult, TextContent

from api.app import create_app
from api.cli.serving import _Server, http_config
from api.cli.sockets import listen, url_of
from memdb.config import Settings
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.runtime import Runtime
from tests.support.database import Cluster, clone
from tests.support.product import Caller, Product, running

COMMAND = Path(sys.executable).with_name("memdb")
TRANSPORTS = ("legacy", "modern", "stdio")
"""The handshake of 2025 and the stateless messages of 2026 over HTTP, and stdio."""

Connect = Callable[[Caller], AbstractAsyncContextManager[Client]]


@dataclass
class Served:
    """The product on a port; it can be stopped and started again on the same one."""

    runtime: Runtime
    port: int = 0
    url: str = ""
    _open: ExitStack = field(default_factory=ExitStack, repr=False)
    _server: _Server | None = field(default=None, repr=False)
    _task: asyncio.Task[None] | None = field(default=None, repr=False)

    async def start(self) -> None:
        listener = self._open.enter_context(listen("127.0.0.1", self.port))
        self.port, self.url = listener.getsockname()[1], url_of(listener)
        self._server = _Server(http_config(create_app(self.runtime)))
        self._task = asyncio.create_task(self._server.serve(sockets=[listener]))
        while not self._server.started:  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        assert self._server is not None
        assert self._task is not None
        self._server.should_exit = True
        await self._task
        self._open.close()


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


def key_of(caller: Caller) -> str:
    return caller.headers["Authorization"].removeprefix("Bearer ")


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
