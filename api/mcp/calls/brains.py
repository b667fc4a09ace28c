"""What the tools on brains do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from api.mcp.replies import Reply, fit
from memdb.directory import brains

if TYPE_CHECKING:
    from api.mcp.arguments import Arguments
    from api.mcp.caller import Caller

BRAINS_MAX: Final = 200
REPLY_TOKENS: Final = 4_000
_MORE = "GET /v1/brains lists all, by pages"


async def list_brains(caller: Caller, _given: Arguments) -> str:
    """The home first, then oldest first."""
    found = await brains.list_brains(caller.runtime, caller.who, kind=None, after=None, limit=BRAINS_MAX)
    items = [
        {"id": brain.row.id, "kind": brain.row.kind, "name": brain.row.name, "role": brain.role} | ({"home": True} if brain.home else {})
        for brain in sorted(found, key=lambda brain: not brain.home)
    ]
    full = {"note": f"the first {BRAINS_MAX}; {_MORE}"} if len(found) == BRAINS_MAX else {}
    return fit(Reply(full, _MORE, items_name="brains", items=items), REPLY_TOKENS)
