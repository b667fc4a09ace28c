"""How a memory stands when it is shown: how fresh it is and what stands against it, and how a card says so in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar
from uuid import UUID

from governance.policy.memory_rules import MemoryRules
from governance.scopes import ScopeFilter
from memdb.keyring import Keyring
from memdb.lifecycle.conflicts import Conflict, load_conflicts
from memdb.lifecycle.freshness import Freshness, freshness_of
from memdb.models.memory import Memory
from memdb.storage.database import ReadConn
from memdb.storage.memories import Stored
from retrieval.modifiers import is_hearsay
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
    """Entries of rows that may be shown, in their order, but as `own_first` has it; conflicts are looked for only where a row says that one
    is open.

    Args:
        scope: of the reply, after its audience.
    """
    contested = {row.memory.id: row.memory for row in rows if row.contested}
    conflicts = await load_conflicts(conn, scope, contested, keyring, filters.now)
    return own_first([Entry(row.memory, freshness_of(row.memory, filters.now, rules), conflicts.get(row.memory.id)) for row in rows])


class Standing(Protocol):
    """What is shown of a memory, with what stands against it."""

    @property
    def memory(self) -> Memory:
        """The memory."""
        ...

    @property
    def conflict(self) -> Conflict | None:
        """What stands against it, as long as nobody has settled it."""
        ...


S = TypeVar("S", bound=Standing)


def own_first(shown: Sequence[S]) -> list[S]:
    """The same, but what people say of themselves moved before what others say against it, if that comes first."""
    ordered = list(shown)
    for one in shown:
        at = next(place for place, other in enumerate(ordered) if other is one)
        first = next((place for place, other in enumerate(ordered[:at]) if overrules(one, other)), None)
        if first is not None:
            ordered.insert(first, ordered.pop(at))
    return ordered


def overrules(one: Standing, other: Standing) -> bool:
    """True when the subject of both says the one, somebody else the other, and the two are in conflict."""
    if one.memory.said_by not in one.memory.about or not is_hearsay(other.memory):
        return False
    return other.memory.id in _sides(one) or one.memory.id in _sides(other)


def _sides(one: Standing) -> set[UUID]:
    return set() if one.conflict is None else {side.memory_id for side in one.conflict.sides}


def read_of(entries: Sequence[Entry]) -> list[UUID]:
    """Every memory of which entries hold content: their own, and the other sides of their conflicts."""
    sides = [side.memory_id for entry in entries if entry.conflict is not None for side in entry.conflict.sides]
    return [*(entry.memory.id for entry in entries), *sides]


def remarks_of(freshness: Freshness, conflict: Conflict | None) -> list[str]:
    """What a reader has to know beside the text: that it is not fresh, that it is contested and by what."""
    remarks = [] if freshness is Freshness.FRESH else [freshness.value]
    if conflict is not None:
        side = " ".join(conflict.sides[0].content.split())
        shown = side if len(side) <= SIDE_CHARACTERS else side[:SIDE_CHARACTERS].rstrip() + "…"
        others = len(conflict.sides) + conflict.more - 1
        remarks.append(f"contested, the other side: “{shown}”" + (f" and {others} more" if others else ""))
    return remarks
