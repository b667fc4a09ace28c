"""`memdb mcp` over stdio: the same list of tools, and each call is sent to the server's `/mcp`, where the one implementation is.

It begins without a server and goes on when one comes back: a call that finds none is answered with what to do.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ErrorData
from pydantic import ValidationError

from api.cli.client import Client, Refused
from api.mcp.server import make_server, result_of

if TYPE_CHECKING:
    from api.mcp.schema import Tool
    from api.mcp.server import Context

PATH: Final = "/mcp"
_NOT_MEMDB = "the server answered with something that is no MCP; is MEMDB_URL a memdb server of this release?"
_LOST: Final = frozenset({"connection_lost"})


async def serve(url: str, key: str, version: str) -> None:
    """Serve on stdin and stdout until stdin ends. Nothing but protocol goes to stdout."""

    async def call(_context: Context, tool: Tool, arguments: dict[str, Any] | None) -> CallToolResult:
        # A thread and a connection for each call: calls run side by side, and one connection takes one request at a time.
        return await asyncio.to_thread(_forward, Client(url, key), tool, arguments)

    server = make_server(version, call)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _forward(client: Client, tool: Tool, arguments: dict[str, Any] | None) -> CallToolResult:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool.name, "arguments": arguments or {}}}
    try:
        with client:
            reply = client.post(PATH, message)
    except Refused as refused:
        again = "; it may have been carried out: look before you repeat it" if refused.code in _LOST and not tool.reads else ""
        return _failed(refused.code, refused.message + again)
    if not isinstance(reply, dict):
        return _failed("not_memdb", _NOT_MEMDB)
    try:
        if "error" in reply:
            raise MCPError.from_error_data(ErrorData.model_validate(reply["error"]))
        return CallToolResult.model_validate(reply.get("result"))
    except ValidationError:
        return _failed("not_memdb", _NOT_MEMDB)


def _failed(code: str, detail: str) -> CallToolResult:
    return result_of(json.dumps({"code": code, "detail": detail}, ensure_ascii=False), failed=True)
