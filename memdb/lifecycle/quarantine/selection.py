"""What a quarantine is asked to hold: conditions, and in which directions it follows where memories came from."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from governance.errors import InvalidInput
from governance.scopes import of_job
from memdb.storage import selecting
from memdb.storage.contents import list_contents
from memdb.storage.database import Identity
from memdb.storage.selecting import PAGE, Conditions, Selected
from memdb.timing import Stopwatch

if TYPE_CHECKING:
    from memdb.runtime import Runtime
    from memdb.storage.database import ReadConn

IDS_MAX: Final = 10_000
"""Of one request; more are held by what they have in common."""
SELECTED_MAX: Final = 1_000_000
TEXTS: Final = 2_000
"""Texts that are looked through with one connection out for as long as it takes to read them."""
PATTERN_SECONDS_MAX: Final = 120.0

Match = Callable[[list[str]], list[bool]]
"""Which texts a pattern matches; it runs on a thread, in time linear in the texts."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions, all of which a memory has to meet; at least one is given. `searched`: `ids` are what a search found.

    `forward`: also what came from them; `backward`: also what they came from, and the sessions that they were learned from.
    """

    ids: tuple[UUID, ...] | None = None
    writer: UUID | None = None
    key_id: str | None = None
    session_id: UUID | None = None
    source: str | None = field(default=None, repr=False)
    created_from: datetime | None = None
    created_to: datetime | None = None
    brain_id: UUID | None = None
    match: Match | None = field(default=None, repr=False)
    searched: bool = False
    forward: bool = False
    backward: bool = False

    def check(self) -> None:
        """Raise InvalidInput for a selection of everything, or of too many ids."""
        given = (self.ids, self.writer, self.key_id, self.session_id, self.source, self.created_from, self.created_to, self.brain_id)
        if all(one is None for one in given) and self.match is None:
            raise InvalidInput("name at least one condition: a quarantine of everything is not one", field="selection")
        if self.ids is not None and not 1 <= len(self.ids) <= IDS_MAX and not self.searched:
            raise InvalidInput(f"ids must be 1 to {IDS_MAX}; hold more by what they have in common", field="ids")
        if self.created_from is not None and self.created_to is not None and self.created_from >= self.created_to:
            raise InvalidInput("created_from must be before created_to", field="created_from")

    def to_json(self) -> dict[str, Any]:
        """What is kept of it: neither a source's name nor a pattern nor a question, only that there was one."""
        kept: dict[str, Any] = {
            "writer": self.writer,
            "key_id": self.key_id,
            "session_id": self.session_id,
            "brain_id": self.brain_id,
            "created_from": None if self.created_from is None else self.created_from.isoformat(),
            "created_to": None if self.created_to is None else self.created_to.isoformat(),
        }
        said = {name: str(value) for name, value in kept.items() if value is not None}
        flags = {"source": self.source, "pattern": self.match, "search": self.searched or None}
        said |= {name: True for name, value in flags.items() if value is not None}  # type: ignore[misc]  # values of JSON
        if self.ids is not None and not self.searched:
            said["ids"] = len(self.ids)  # type: ignore[assignment]  # the same
        return said | {"forward": self.forward, "backward": self.backward}


@dataclass(frozen=True, slots=True)
class Found:
    """What a selection comes to: memories by id, and (brain, session) of the sessions that are held with them, in order."""

    memories: dict[UUID, Selected]
    sessions: tuple[tuple[UUID, UUID], ...]

    def count(self, what: Callable[[Selected], object]) -> dict[str, int]:
        """How many memories have each value of something, most frequent first."""
        return {str(name): n for name, n in Counter(map(what, self.memories.values())).most_common()}


async def find(runtime: Runtime, org_id: UUID, wanted: Selection) -> Found:
    """What a selection comes to now. Raises InvalidInput: it comes to more than SELECTED_MAX, or takes too long."""
    identity = Identity(org_id)
    async with runtime.database.read(identity) as conn:
        matched = await _matched(conn, org_id, wanted)
    if wanted.match is not None:
        matched = await _matching(runtime, org_id, matched, wanted.match)
    async with runtime.database.read(identity) as conn:
        return await _follow(conn, org_id, wanted, matched)


async def _follow(conn: ReadConn, org_id: UUID, wanted: Selection, matched: dict[UUID, Selected]) -> Found:
    """Back first, then forward: what came from the sources is found as well."""
    sessions = set() if wanted.session_id is None else {wanted.session_id}
    if wanted.backward:
        back, sessions = await _back(conn, org_id, matched, sessions)
        matched |= await _resolve(conn, org_id, back - matched.keys())
    if wanted.forward:
        ahead = await selecting.select_of_sessions(conn, org_id, sessions) if sessions else set()
        matched |= await _resolve(conn, org_id, ahead - matched.keys())
        matched |= await _resolve(conn, org_id, await _closure(conn, org_id, matched, selecting.list_came_from))
    return Found(matched, tuple(await selecting.list_brains_of_sessions(conn, org_id, sessions)) if sessions else ())


async def _back(conn: ReadConn, org_id: UUID, matched: dict[UUID, Selected], sessions: set[UUID]) -> tuple[set[UUID], set[UUID]]:
    back = await _closure(conn, org_id, matched, selecting.list_made_of)
    found = set(sessions)
    for some in _chunks({*matched, *back}):
        found |= await selecting.list_sessions_of_memories(conn, org_id, some)
    return back, found


async def _closure(conn: ReadConn, org_id: UUID, start: Collection[UUID], step: Any) -> set[UUID]:  # noqa: ANN401 - one of two functions
    """What is reached from memories in any number of steps, themselves left out."""
    seen, edge = set(start), set(start)
    while edge:
        reached: set[UUID] = set()
        for some in _chunks(edge):
            reached |= await step(conn, org_id, some)
        edge = reached - seen
        seen |= edge
        _bound(len(seen))
    return seen - set(start)


async def _matched(conn: ReadConn, org_id: UUID, wanted: Selection) -> dict[UUID, Selected]:
    among: set[UUID] | None = None if wanted.ids is None else set(wanted.ids)
    if wanted.session_id is not None:
        of_session = await selecting.select_of_sessions(conn, org_id, [wanted.session_id])
        among = of_session if among is None else among & of_session
    if wanted.source is not None:
        of_source = await selecting.select_of_source(conn, org_id, wanted.source)
        among = of_source if among is None else among & of_source
    conditions = Conditions(None, wanted.writer, wanted.key_id, wanted.brain_id, wanted.created_from, wanted.created_to)
    return await _page(conn, org_id, conditions) if among is None else await _resolve(conn, org_id, among, conditions)


async def _page(conn: ReadConn, org_id: UUID, conditions: Conditions) -> dict[UUID, Selected]:
    found: dict[UUID, Selected] = {}
    after = None
    while True:
        rows = await selecting.select_memories(conn, org_id, conditions, after=after, limit=PAGE)
        found |= {row.memory_id: row for row in rows}
        _bound(len(found))
        if len(rows) < PAGE:
            return found
        after = rows[-1].memory_id


async def _resolve(conn: ReadConn, org_id: UUID, ids: Collection[UUID], conditions: Conditions | None = None) -> dict[UUID, Selected]:
    """Those of some ids that there are, and that meet the conditions."""
    found: dict[UUID, Selected] = {}
    for some in _chunks(ids):
        wanted = replace(conditions or Conditions(), ids=tuple(some))
        found |= {row.memory_id: row for row in await selecting.select_memories(conn, org_id, wanted, after=None, limit=PAGE)}
    return found


async def _matching(runtime: Runtime, org_id: UUID, found: dict[UUID, Selected], match: Match) -> dict[UUID, Selected]:
    """Those whose text a pattern matches. Texts are read brain by brain, and matched on a thread with no connection out."""
    watch = Stopwatch()
    by_brain: dict[UUID, list[UUID]] = {}
    for one in found.values():
        by_brain.setdefault(one.brain_id, []).append(one.memory_id)
    kept: dict[UUID, Selected] = {}
    for brain_id in sorted(by_brain):
        for some in _chunks(by_brain[brain_id], TEXTS):
            if watch.total_ms > PATTERN_SECONDS_MAX * 1_000:
                raise InvalidInput("the pattern has to look through too much text; add a brain, a writer or a time range", field="pattern")
            async with runtime.database.read(Identity(org_id, job_brain_id=brain_id)) as conn:
                texts = await list_contents(conn, of_job(org_id, brain_id), some)
            ids = sorted(texts)
            matches = await asyncio.to_thread(match, [texts[one] for one in ids])
            kept |= {one: found[one] for one, matched in zip(ids, matches, strict=True) if matched}
    return kept


def _chunks(ids: Collection[UUID], size: int = PAGE) -> Iterable[list[UUID]]:
    ordered = sorted(ids)
    return (ordered[start : start + size] for start in range(0, len(ordered), size))


def _bound(count: int) -> None:
    if count > SELECTED_MAX:
        raise InvalidInput(f"the selection comes to more than {SELECTED_MAX} memories; narrow it", field="selection")
