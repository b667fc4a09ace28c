"""The event loop of every command: the fast one where it exists, never the default one of Windows, which the driver cannot use."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import TypeVar

if sys.platform != "win32":
    import uvloop

Result = TypeVar("Result")


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """What makes the loops of this system."""
    if sys.platform == "win32":
        return asyncio.SelectorEventLoop
    return uvloop.new_event_loop


def run_async(work: Coroutine[object, object, Result]) -> Result:
    """Run a coroutine to its end in a loop of its own."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(work)
