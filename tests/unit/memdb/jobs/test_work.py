"""The loop that does jobs ends when it is told to, whatever becomes of the cancellation on its way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from procrastinate import App

from memdb.jobs.worker import work


class Swallowing:
    """A queue whose pool makes another error of a cancellation."""

    def __init__(self) -> None:
        self.opened = 0

    @asynccontextmanager
    async def open_async(self) -> AsyncIterator[None]:
        self.opened += 1
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise ConnectionError("the pool is not open") from None
        yield


async def test_a_cancellation_that_is_swallowed_ends_it_all_the_same() -> None:
    queue = Swallowing()
    task = asyncio.create_task(work(cast("App", queue)))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait_for(task, 5)
    assert queue.opened == 1
