"""Streamable HTTP, one request at a time: nothing outlives a request, so that a restart under a client's session goes unnoticed.

The library's manager is made anew for each request. It costs no more than its fields, it needs nothing started or stopped with the
application, and when a request is cut off by the time limit or by its client, everything that it had begun ends with it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import Response

from api.mcp.caller import caller_of
from api.mcp.calls import dispatch
from api.mcp.server import make_server, result_of

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolResult
    from starlette.types import Message, Receive, Scope, Send

    from api.mcp.schema import Tool
    from api.mcp.server import Context

# SECURITY: the library's check of Host and Origin is off. It protects servers that ask for no credential from a page in a browser which
# gives this address a name of its own. Here each request needs a key in a header, which no browser adds by itself and no page has; and the
# server answers under whatever name its owner gives it.
_SECURITY = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class Exchange(Response):
    """A response that the library writes. The body was read before, so that errors of reading it are answered like those of any route."""

    def __init__(self, body: bytes, version: str) -> None:
        super().__init__()
        self._sent = body
        self._version = version

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        manager = StreamableHTTPSessionManager(
            _server(self._version),
            json_response=True,
            stateless=True,
            security_settings=_SECURITY,
            max_request_body_size=len(self._sent) + 1,  # the limit of the product was applied while the body was read
        )
        async with manager.run():
            await manager.handle_request(scope, _again(self._sent, receive), send)


@cache
def _server(version: str) -> Server[Any]:
    return make_server(version, _call)


async def _call(context: Context, tool: Tool, arguments: dict[str, Any] | None) -> CallToolResult:
    request = context.request
    assert request is not None, "the transport hands on the request that `api/routing.py` let in"
    answer = await dispatch.call(caller_of(request), tool, arguments)
    if answer.code != dispatch.OK:
        request.scope["state"]["code"] = answer.code  # for the log line of the request, whose status is 200
    return result_of(answer.text, failed=answer.code != dispatch.OK)


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, as if it came now; then what comes behind it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay
