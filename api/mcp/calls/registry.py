"""Which function answers which tool. A tool without one, and one without a tool, is noticed when this is loaded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from api.mcp.arguments import Arguments
from api.mcp.caller import Caller
from api.mcp.calls import brains, memories, people, sessions, units
from api.mcp.schema import Tool
from api.mcp.tools import brains as brain_tools
from api.mcp.tools import memories as memory_tools
from api.mcp.tools import people as people_tools
from api.mcp.tools import sessions as session_tools
from api.mcp.tools import units as unit_tools
from api.mcp.tools.registry import TOOLS
from memdb.errors import ConfigurationError

Call: TypeAlias = "Callable[[Caller, Arguments], Awaitable[str]]"

_CALLS: Final[Mapping[Tool, Call]] = {
    brain_tools.LIST_BRAINS: brains.list_brains,
    unit_tools.QUERY_BRAIN: units.query_brain,
    unit_tools.READ_UNIT: units.read_unit,
    unit_tools.WRITE_UNIT: units.write_unit,
    unit_tools.REPORT_CONFLICT: units.report_conflict,
    memory_tools.REMEMBER: memories.remember,
    memory_tools.RECALL: memories.recall,
    memory_tools.GET_CONTEXT: memories.get_context,
    memory_tools.UPDATE_MEMORY: memories.update_memory,
    memory_tools.FORGET_MEMORY: memories.forget_memory,
    memory_tools.GIVE_FEEDBACK: memories.give_feedback,
    session_tools.RECORD_TURNS: sessions.record_turns,
    people_tools.RESOLVE_SUBJECT: people.resolve_subject,
    people_tools.GET_CARD: people.get_card,
    people_tools.GREP_MEMORY: people.grep_memory,
}
if set(_CALLS) != set(TOOLS):
    raise ConfigurationError("api/mcp/tools/registry.py and api/mcp/calls/registry.py list different tools")

CALLS: Final[Mapping[str, Call]] = MappingProxyType({tool.name: call for tool, call in _CALLS.items()})
