"""One thread that runs a CPU model, so that the event loop never waits for it and two calls never compete for the cores."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from memdb.errors import ProviderUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")
_CLOSED = "the model worker is closed; the server is stopping"


class Worker:
    """Runs calls one after the other, in the order they came; usable from several event loops."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, call: Callable[[], Result], timeout_s: float) -> Result:
        """Run a call in the thread.

        The time counts from its start: waiting behind others is bounded by the caller's own deadline. A call that is cancelled while it
        waits never starts; one that is late runs to its end, unheard.

        Raises:
            ProviderUnavailable: it took longer than `timeout_s` seconds, or the worker is closed.
        """
        loop = asyncio.get_running_loop()
        started = asyncio.Event()

        def work() -> Result:
            loop.call_soon_threadsafe(started.set)
            return call()

        try:
            future = loop.run_in_executor(self._executor, work)
        except RuntimeError as error:  # what an executor raises after its shutdown
            raise ProviderUnavailable(_CLOSED) from error
        future.add_done_callback(lambda _future: started.set())  # cancelled by `close` before its start
        try:
            await started.wait()
            if future.cancelled():
                raise ProviderUnavailable(_CLOSED)
            async with asyncio.timeout(timeout_s):
                return await future
        except TimeoutError as error:
            raise ProviderUnavailable(f"the local model did not answer within {timeout_s:g} s; try again") from error
        finally:
            future.cancel()

    def close(self) -> None:
        """Cancel what waits; the running call ends by itself."""
        self._executor.shutdown(wait=False, cancel_futures=True)
