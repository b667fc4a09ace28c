"""What is known of subjects beside an answer: what stands at their front, and what lies in their drawer. The one place that reads it, so
that the card of a search and the card of a subject say the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from governance.scopes import ScopeFilter
from memdb.keyring import Keyring
from memdb.models.memory import Memory, Placement
from memdb.storage import memories
from memdb.storage.database import ReadConn, search
from memdb.storage.memories import Stored
from memdb.storage.statements import load
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.filters import holds_at, is_servable
from retrieval.names import QueryName
from retrieval.query import Filters, Question
from retrieval.standing import Entry, stand

SUBJECTS_MAX: Final = 3
ENTRIES_MAX: Final = 12
"""Memories at the front of all subjects in play together."""
TOPICS_MAX: Final = 5

_STATEMENTS = load("retrieval.sql")


@dataclass(frozen=True, slots=True)
class Drawer:
    """What lies in the drawer of a subject; `label` as the question names it, None when it gives the id alone. `topics`: the largest first;
    `members`: all identities that the subject was merged from; `overflow`: how many of `count` belong to the front and found no room there.
    """

    subject_id: UUID
    label: str | None = field(repr=False)
    count: int
    topics: tuple[str, ...] = field(repr=False)
    changed_at: datetime
    members: frozenset[UUID] = frozenset()
    overflow: int = 0

    @property
    def call(self) -> str:
        """The call that opens it."""
        return drawer_call(self.subject_id)

    def holds(self, memory: Memory) -> bool:
        """True for a memory that `count` counts, if it is one of those that were counted."""
        return memory.placement is Placement.DRAWER and not {self.subject_id, *self.members}.isdisjoint(memory.about)


@dataclass(frozen=True, slots=True)
class Front:
    """What stands at the front of the subjects in play, newest first, and their drawers with anything in them."""

    entries: tuple[Entry, ...] = ()
    drawers: tuple[Drawer, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """What the index knows of one subject: ids at the front, newest first, how many there are in all, and the drawer if there is any."""

    front: tuple[UUID, ...]
    front_count: int
    front_changed_at: datetime | None
    drawer: Drawer | None


def drawer_call(subject_id: UUID) -> str:
    """The call that opens the drawer of a subject, as agents are told of it."""
    return f"POST /v1/subjects/{subject_id}/drawer:grep"


def subjects_in_play(question: Question) -> dict[UUID, str | None]:
    """Subjects that the question is narrowed to, else those that it names, with the name. A name that several bear means none of them."""
    if question.filters.about:
        return dict.fromkeys([*dict.fromkeys(question.same.root(s) for s in question.filters.about)][:SUBJECTS_MAX])
    known = sorted((n for n in question.names if n.subject_ids), key=lambda n: (-n.length, n.start))
    found: dict[UUID, str | None] = {}
    taken: list[QueryName] = []
    for name in known:
        if any(name.covers(other) for other in taken):
            continue
        taken.append(name)
        if len(name.subject_ids) == 1 and len(found) < SUBJECTS_MAX:
            found.setdefault(name.subject_ids[0], name.surface)
    return found


async def read_front(conn: ReadConn, scope: ScopeFilter, question: Question, keyring: Keyring) -> Front:
    """Front and drawers of the subjects in play, within the scope; nothing when the past is asked for."""
    subjects = subjects_in_play(question)
    if not subjects or question.filters.past or not scope.brain_ids:
        return Front()
    filters = widened(question.filters)
    groups = {subject_id: question.same.group(subject_id) for subject_id in subjects}
    known = await read_known(conn, scope, groups, filters, ENTRIES_MAX, one_plan=True)
    ids = sorted({memory_id for one in known.values() for memory_id in one.front}, reverse=True)[:ENTRIES_MAX]
    shown = await stand(conn, scope, await list_shown(conn, scope, ids, filters, keyring), filters, question.rules, keyring)
    drawers = [replace(one.drawer, label=subjects[root]) for root, one in known.items() if one.drawer is not None]
    return Front(tuple(shown), tuple(drawers))


def widened(filters: Filters) -> Filters:
    """Without what narrows the question: that does not narrow what is to be kept in mind."""
    return replace(filters, kinds=None, about=None, said_by=None, topic=None, tags=None, facets=None, created_from=None, created_to=None)


async def read_known(
    conn: ReadConn, scope: ScopeFilter, groups: Mapping[UUID, frozenset[UUID]], filters: Filters, entries: int, *, one_plan: bool = False
) -> dict[UUID, Known]:
    """What is known of each subject within the scope, in the order of `groups`.

    Args:
        conn: under the identity of the request.
        scope: of the reply, after its audience.
        groups: subject -> all identities that it was merged from, itself among them.
        filters: without what would narrow.
        entries: ids at the front at most.
        one_plan: the transaction is one of `Database.answer`.
    """
    pairs = [(root, member) for root, members in groups.items() for member in sorted(members)]
    asked = {"subject_ids": [root for root, _ in pairs], "member_ids": [member for _, member in pairs]}
    rows = await search(
        conn, _STATEMENTS["subjects_known"].sql, scope_parameters(scope) | filter_parameters(filters) | asked, one_plan=one_plan
    )
    return {root: _known(root, members, [row for row in rows if row.subject_id == root], entries) for root, members in groups.items()}


async def list_memory_ids(
    conn: ReadConn, scope: ScopeFilter, members: frozenset[UUID], filters: Filters, placement: Placement | None, limit: int
) -> list[UUID]:
    """Memories about one subject within the scope, newest first; `placement` None: front and drawer."""
    asked = {"member_ids": sorted(members), "placement": None if placement is None else placement.value, "limit": limit}
    rows = await search(conn, _STATEMENTS["subject_memories"].sql, scope_parameters(scope) | filter_parameters(filters) | asked)
    return [row.memory_id for row in rows]


async def list_shown(conn: ReadConn, scope: ScopeFilter, ids: Sequence[UUID], filters: Filters, keyring: Keyring) -> list[Stored]:
    """Those of the memories that may be shown, in the same order: the second lock, one memory at a time."""
    rows = await memories.list_by_id(conn, scope, ids, keyring)
    return [rows[i] for i in ids if i in rows and is_servable(rows[i], scope, filters.now) and holds_at(rows[i].memory, filters)]


def _known(root: UUID, members: frozenset[UUID], rows: Sequence[Any], entries: int) -> Known:
    front = [row for row in rows if row.placement == Placement.FRONT.value]
    inside = [row for row in rows if row.placement == Placement.DRAWER.value]
    ids = sorted({memory_id for row in front for memory_id in row.front}, reverse=True)[:entries]
    drawer = None
    if inside:
        topics = tuple(row.topic for row in inside if row.topic is not None)[:TOPICS_MAX]
        drawer = Drawer(root, None, sum(row.memories for row in inside), topics, max(row.changed_at for row in inside), members)
    changed_at = max((row.changed_at for row in front), default=None)
    return Known(tuple(ids), sum(row.memories for row in front), changed_at, drawer)
