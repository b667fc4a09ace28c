"""The application on a real socket of this machine, and a client that keeps its connection.

Server and client share this process and its loop, so that what the client does is part of what is measured. This client therefore writes
the request and reads the reply, and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from json import dumps, loads
from typing import Any

import uvicorn

from api.app import create_app
from api.cli.serving import http_config
from api.cli.sockets import listen
from api.logging import configure
from benchmarks.harness import Bench


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    content: bytes

    def json(self) -> Any:  # noqa: ANN401 - any JSON value
        """The body."""
        return loads(self.content)

    def raise_for_status(self) -> None:
        """Raise unless it was answered."""
        if self.status >= 400:
            raise RuntimeError(f"HTTP {self.status}: {self.content[:500]!r}")


class Client:
    """One connection to the server, for one request at a time; made again where the server closed it for want of requests."""

    def __init__(self, port: int, key: str, act_as: str | None = None) -> None:
        self._port = port
        self.key = key
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        acting = "" if act_as is None else f"Memdb-Act-As: {act_as}\r\n"
        self._headers = (
            f" HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n{acting}Content-Type: application/json\r\nContent-Length: "
        )

    def another(self, key: str, act_as: str | None = None) -> Client:
        """A client of the same server with another key, which acts for a subject if one is given; the caller closes it."""
        return Client(self._port, key, act_as)

    async def post(self, path: str, *, json: object) -> Reply:
        """Send a body and read the reply."""
        return await self._ask("POST", path, dumps(json).encode())

    async def get(self, path: str) -> Reply:
        """Read the reply."""
        return await self._ask("GET", path, b"")

    async def _ask(self, method: str, path: str, body: bytes) -> Reply:
        reader, writer = await self._connected()
        writer.write(f"{method} {path}{self._headers}{len(body)}\r\n\r\n".encode() + body)
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        headers: Mapping[bytes, bytes] = {name.lower(): value for name, _, value in (line.partition(b": ") for line in lines)}
        return Reply(int(first.split(b" ")[1]), await reader.readexactly(int(headers[b"content-length"])))

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None or self._streams[0].at_eof():
            self.close()
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        return self._streams

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()


@contextlib.asynccontextmanager
async def served(bench: Bench) -> AsyncIterator[Client]:
    """Serve the bench with the settings of `memdb serve`; its log lines are written, to nowhere."""
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(http_config(create_app(bench.runtime)))
    with contextlib.redirect_stderr(_Nowhere()):
        configure("info", "json")
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0.01)
        client = Client(listener.getsockname()[1], bench.key)
        try:
            yield client
        finally:
            client.close()
            server.should_exit = True
            await serving


class _Nowhere(io.TextIOBase):
    """A stream that keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)
