"""The application on a real socket of this machine, and a client that keeps its connection."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator

import httpx
import uvicorn

from api.app import create_app
from api.cli.sockets import listen, url_of
from api.logging import configure
from benchmarks.harness import Bench


@contextlib.asynccontextmanager
async def served(bench: Bench) -> AsyncIterator[httpx.AsyncClient]:
    """Serve the bench with the settings of `memdb serve`; its log lines are written, to nowhere."""
    listener = listen("127.0.0.1", 0)
    config = uvicorn.Config(create_app(bench.runtime), log_config=None, access_log=False, server_header=False, lifespan="on")
    server = uvicorn.Server(config)
    with contextlib.redirect_stderr(_Nowhere()):
        configure("info", "json")
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0.01)
        headers = {"Authorization": f"Bearer {bench.key}"}
        try:
            async with httpx.AsyncClient(base_url=url_of(listener), headers=headers, timeout=60, trust_env=False) as client:
                yield client
        finally:
            server.should_exit = True
            await serving


class _Nowhere(io.TextIOBase):
    """A stream that keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)
