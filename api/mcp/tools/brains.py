"""Tools on brains."""

from __future__ import annotations

from typing import Final

from api.mcp.schema import Tool

LIST_BRAINS: Final = Tool(
    name="list_brains",
    title="List brains",
    description=(
        "List the brains (containers of memories: your own, those of teams, rooms and the org) that you may read: id, kind, name, and your "
        "role in each. `home` is where `remember` writes when no brain_id is given. Call it before you share or look for something in one "
        "particular brain."
    ),
    reads=True,
    repeatable=True,
)

TOOLS: Final[tuple[Tool, ...]] = (LIST_BRAINS,)
