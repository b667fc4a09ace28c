"""The thread that runs CPU models."""

from __future__ import annotations

import asyncio
import threading

import pytest

from memdb.errors import ProviderUnavailable
from memdb.providers.embedding.worker import Worker


async def test_a_late_call_is_unavailable_and_a_cancelled_one_never_starts() -> None:
    worker = Worker("test")
    release = threading.Event()
    ran: list[int] = []
    with pytest.raises(ProviderUnavailable, match="did not answer"):
        await worker.run(lambda: release.wait(5), 0.05)
    waiting = asyncio.create_task(worker.run(lambda: ran.append(1), 5))
    await asyncio.sleep(0.02)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    release.set()
    await worker.run(lambda: ran.append(2), 5)
    assert ran == [2]
    worker.close()


async def test_closing_a_worker_releases_those_who_wait() -> None:
    worker = Worker("test")
    release = threading.Event()
    running = asyncio.create_task(worker.run(lambda: release.wait(5), 5))
    waiting = asyncio.create_task(worker.run(lambda: None, 5))
    await asyncio.sleep(0.02)
    worker.close()
    with pytest.raises(ProviderUnavailable):
        await asyncio.wait_for(waiting, 1)
    release.set()
    assert await running
