"""A product of a test on a port, for clients and commands that are no part of the test."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass, field

from api.app import create_app
from api.cli.serving import _Server, http_config
from api.cli.sockets import listen, url_of
from memdb.runtime import Runtime
from tests.support.product import Caller


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


def key_of(caller: Caller) -> str:
    return caller.headers["Authorization"].removeprefix("Bearer ")
