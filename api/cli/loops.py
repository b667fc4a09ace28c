"""The event loop of every command: one kind on all systems, because the database driver cannot use the default one of Windows."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

Result = TypeVar("Result")


def run_async(work: Coroutine[object, object, Result]) -> Result:
    """Run a coroutine to its end in a loop of its own."""
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(work)
