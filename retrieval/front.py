"""The subjects in play and what the card shows of them before and behind the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from governance.scopes import ScopeFilter
from memdb.keyring import Keyring
from memdb.models.memory import Memory, Placement
from memdb.storage import memories
from memdb.storage.database import ReadConn, stepping
from memdb.storage.statements import load
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.filters import holds_at, is_servable
from retrieval.names import QueryName
from retrieval.query import Question

SUBJECTS_MAX: Final = 3
ENTRIES_MAX: Final = 12
"""Memories at the front of all of them together."""
TOPICS_MAX: Final = 5

_ENTRY: Final[Mapping[str, str | int]] = {"role": "memdb_search", "plan_cache_mode": "force_custom_plan"}
_STATEMENTS = load("retrieval.sql")


@dataclass(frozen=True, slots=True)
class Drawer:
    """What lies in the drawer of a subject; `label` as the question names it, None when it gives the id alone."""

    subject_id: UUID
    label: str | None = field(repr=False)
    count: int
    topics: tuple[str, ...] = field(repr=False)
    changed: str


@dataclass(frozen=True, slots=True)
class Front:
    """Memories at the front of the subjects in play, and their drawers with anything in them."""

    memories: tuple[Memory, ...] = ()
    drawers: tuple[Drawer, ...] = ()


def subjects_in_play(question: Question) -> dict[UUID, str | None]:
    """Subjects that the question is narrowed to, else those that it names, with the name. A name that several bear means none of them."""
    if question.filters.about:
        return dict.fromkeys(question.filters.about[:SUBJECTS_MAX])
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
    # What narrows the question does not narrow what is to be kept in mind.
    filters = replace(
        question.filters, kinds=None, about=None, said_by=None, topic=None, tags=None, facets=None, created_from=None, created_to=None
    )
    bound = scope_parameters(scope) | filter_parameters(filters) | {"subject_ids": list(subjects)}
    # SECURITY: as in the branches, memdb_search sees rows of every org, and the statement binds org and brains.
    async with stepping(conn, _ENTRY, {"role": "none"}):
        known = (await conn.execute(_STATEMENTS["subjects_known"].clause, bound | {"front_max": ENTRIES_MAX})).all()
    ids = sorted({memory_id for row in known for memory_id in row.front or ()}, reverse=True)[:ENTRIES_MAX]
    rows = await memories.list_by_id(conn, scope, ids, keyring)
    shown = [rows[i].memory for i in ids if i in rows and is_servable(rows[i], scope, filters.now) and holds_at(rows[i].memory, filters)]
    drawers = {s: [row for row in known if row.subject_id == s and row.placement == Placement.DRAWER.value] for s in subjects}
    return Front(tuple(shown), tuple(_drawer(s, subjects[s], inside) for s, inside in drawers.items() if inside))


def _drawer(subject_id: UUID, label: str | None, rows: Sequence[Any]) -> Drawer:
    return Drawer(
        subject_id=subject_id,
        label=label,
        count=sum(row.memories for row in rows),
        topics=tuple(row.topic for row in rows if row.topic is not None)[:TOPICS_MAX],
        changed=max(row.changed_at for row in rows).date().isoformat(),
    )
