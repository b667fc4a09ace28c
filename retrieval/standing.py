"""How a memory stands when it is shown: how fresh it is and what stands against it, and how a card says so in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from governance.policy.memory_rules import MemoryRules
from governance.scopes import ScopeFilter
from memdb.keyring import Keyring
from memdb.lifecycle.conflicts import Conflict, load_conflicts
from memdb.lifecycle.freshness import Freshness, freshness_of
from memdb.models.memory import Memory
from memdb.storage.database import ReadConn
from memdb.storage.memories import Stored
from retrieval.query import Filters

SIDE_CHARACTERS: Final = 100
"""Of the other side of a conflict; the whole of it is in the evidence and behind the id."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory with how it stands."""

    memory: Memory
    freshness: Freshness
    conflict: Conflict | None = None


async def stand(
    conn: ReadConn, scope: ScopeFilter, rows: Sequence[Stored], filters: Filters, rules: MemoryRules, keyring: Keyring
) -> list[Entry]:
    """Entries of rows that may be shown, in their order; conflicts are looked for only where a row says that one is open.

    Args:
        scope: of the reply, after its audience.
    """
    contested = {row.memory.id: row.memory for row in rows if row.contested}
    conflicts = await load_conflicts(conn, scope, contested, keyring, filters.now)
    return [Entry(row.memory, freshness_of(row.memory, filters.now, rules), conflicts.get(row.memory.id)) for row in rows]


def remarks_of(freshness: Freshness, conflict: Conflict | None) -> list[str]:
    """What a reader has to know beside the text: that it is not fresh, that it is contested and by what."""
    remarks = [] if freshness is Freshness.FRESH else [freshness.value]
    if conflict is not None:
        side = " ".join(conflict.sides[0].content.split())
        shown = side if len(side) <= SIDE_CHARACTERS else side[:SIDE_CHARACTERS].rstrip() + "…"
        others = len(conflict.sides) + conflict.more - 1
        remarks.append(f"contested, the other side: “{shown}”" + (f" and {others} more" if others else ""))
    return remarks
