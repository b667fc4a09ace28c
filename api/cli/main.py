"""Entry point of `memdb`. It imports nothing that takes time, so that Ctrl-C is heeded from the first moment.

The commands and all that they need stand in `commands.py`.
"""

from __future__ import annotations

import os
import signal
from importlib import import_module

INTERRUPTED = 130


def run() -> None:
    """Run the command of `sys.argv` and exit with its code, see `commands.run`."""
    # While modules load nothing is open that would have to be closed, and an exception in the middle of it may be swallowed or turned
    # into another by whatever is being loaded.
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else whoever started the command keeps the signal from it
    if heeded:
        signal.signal(signal.SIGINT, _leave)
    commands = import_module("api.cli.commands")
    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    commands.run()


def _leave(_number: int, _frame: object) -> None:
    os._exit(INTERRUPTED)
