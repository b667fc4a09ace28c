"""The tools as the protocol library serves them; what a call does is given. Both transports are made around this."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from api.mcp.schema import Tool as Entry
from api.mcp.tools.registry import BY_NAME, INSTRUCTIONS, TOOLS

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    Context: TypeAlias = "ServerRequestContext[Any, Any]"
    Call: TypeAlias = "Callable[[Context, Entry, dict[str, Any] | None], Awaitable[CallToolResult]]"

NAME = "memdb"


def make_server(version: str, call: Call) -> Server[Any]:
    """A server of the tools.

    Args:
        version: release of the product.
        call: what a call of a known tool does; arguments are unchecked.
    """

    async def list_tools(_context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_tool(entry) for entry in TOOLS])

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        entry = BY_NAME.get(params.name)
        if entry is None:
            raise MCPError(INVALID_PARAMS, "no such tool; tools/list names them")
        return await call(context, entry, params.arguments)

    # Arguments are no headers here, so the library need not look for some in the schemas at each call.
    return Server(
        NAME,
        version=version,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=lambda _name: None,
    )


def result_of(text: str, *, failed: bool) -> CallToolResult:
    """The result of a call: one text."""
    return CallToolResult(content=[TextContent(text=text)], is_error=failed)


def _tool(entry: Entry) -> Tool:
    return Tool(
        name=entry.name,
        title=entry.title,
        description=entry.description,
        input_schema=dict(entry.schema()),
        annotations=ToolAnnotations(
            title=entry.title,
            read_only_hint=entry.reads,
            destructive_hint=entry.destroys,
            idempotent_hint=entry.repeatable,
            open_world_hint=False,
        ),
    )
