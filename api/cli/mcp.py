"""`memdb mcp`."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from api.cli.client import Client
from api.cli.lazy import Lazy
from api.cli.loops import run_async
from api.cli.options import Key, Url
from api.cli.release import release
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.mcp import proxy
else:
    proxy = Lazy("api.mcp.proxy")


def mcp(url: Url = None, key: Key = None) -> None:
    """Speak MCP on stdin and stdout, for agents that start their tools as a command; the memory is that of the server at MEMDB_URL."""
    client = Client.of(load_settings(url=url, key=key))
    # A thread waits for a line of stdin, and nothing wakes it: let the signal end the process. There is nothing open to be closed.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    run_async(proxy.serve(client.url, client.key, release()))
