"""The MCP connector over streamable HTTP. Its protocol is JSON-RPC, described by `docs/mcp.md` and by `tools/list`."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Request, Response

from api.mcp.door import answer
from api.routing import make_router

router = make_router("mcp")

_EXAMPLE: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "recall", "arguments": {"query": "what must Ana not eat?"}},
}
_PARAMS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "of the tool"},
        "arguments": {"type": "object", "properties": {"query": {"type": "string"}, "brain_id": {"type": "string"}}},
    },
}
_BODY: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "jsonrpc": {"type": "string", "const": "2.0"},
        "id": {"type": "integer"},
        "method": {"type": "string"},
        "params": _PARAMS,
    },
    "required": ["jsonrpc", "method"],
    "examples": [_EXAMPLE],
}
_REPLY: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"jsonrpc": {"type": "string"}, "id": {"type": "integer"}, "result": {"type": "object"}, "error": {"type": "object"}},
    "required": ["jsonrpc", "id"],
}


@router.post(
    "/mcp",
    summary="Speak MCP",
    response_class=Response,
    responses={200: {"content": {"application/json": {"schema": _REPLY}}}, 202: {"description": "A notification was taken"}},
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": _BODY}}}},
)
async def speak(request: Request) -> Response:
    """One JSON-RPC message of the Model Context Protocol, stateless; errors of tools are results with `isError`. See docs/mcp.md."""
    return await answer(request)
