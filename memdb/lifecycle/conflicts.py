"""Conflicts: flagged, shown with both sides to every reader of the brain, and settled by somebody who may write there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from governance.audit import actor_of
from governance.errors import InvalidInput, NotFound, ServiceError
from governance.principals import Role
from governance.scopes import ScopeFilter, readable_by, require_role
from governance.trust import Trust
from memdb.errors import VersionConflict
from memdb.formation.note import check_note, redact_note
from memdb.formation.pipeline import Writer
from memdb.ids import make_id
from memdb.keyring import Keyring
from memdb.lifecycle.edit import Change, edit, find_served, get_served
from memdb.lifecycle.freshness import Freshness, freshness_of
from memdb.models.memory import Memory, Status
from memdb.runtime import Runtime
from memdb.storage import conflicts, memories
from memdb.storage.audit import Auditor, record
from memdb.storage.conflicts import ConflictReason, ConflictRow, NewConflict, Resolution
from memdb.storage.database import ReadConn, WriteConn, identity_of

SIDES_MAX: Final = 5
"""Other sides that are shown of one memory, newest first; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Side:
    """What stands against a memory: one of its own former versions, or another memory."""

    memory_id: UUID
    version: int
    content: str = field(repr=False)
    written_by: UUID
    writer_label: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why a memory is in conflict and with what. `more`: sides beyond those shown. `notes` are redacted."""

    reasons: tuple[ConflictReason, ...]
    raised_at: datetime
    sides: tuple[Side, ...]
    more: int
    notes: tuple[str, ...] = field(default=(), repr=False)


async def load_conflicts(
    conn: ReadConn | WriteConn, scope: ScopeFilter, current: Mapping[UUID, Memory], keyring: Keyring, now: datetime
) -> dict[UUID, Conflict]:
    """The open conflicts of memories that are shown, by memory. A side that no door would show is left out, and a conflict without any.

    Args:
        scope: of the reply, after its audience.
        current: memory id -> current version.
    """
    if not current:
        return {}
    rows = await conflicts.list_open(conn, scope, current.keys())
    return await show(conn, scope, rows, current, keyring, now) if rows else {}


async def show(
    conn: ReadConn | WriteConn,
    scope: ScopeFilter,
    rows: Collection[ConflictRow],
    current: Mapping[UUID, Memory],
    keyring: Keyring,
    now: datetime,
) -> dict[UUID, Conflict]:
    """The same from rows that were read."""
    past = {(row.memory_id, v) for row in rows if row.memory_id == row.other_id for v in (row.version, row.other_version)}
    past -= {(memory.id, memory.version) for memory in current.values()}
    others = {m for row in rows if row.memory_id != row.other_id for m in (row.memory_id, row.other_id)}
    versions = await memories.list_versions(conn, scope, past, keyring)  # type: ignore[arg-type]  # reads alike through both
    found = await memories.list_by_id(conn, scope, others, keyring)
    shown = {m: row.memory for m, row in found.items() if not row.held and row.intact and _is_current(row.memory, now)}
    views = {}
    for memory in current.values():
        mine = [row for row in rows if memory.id in {row.memory_id, row.other_id}]
        against: dict[tuple[UUID, int], Side] = {}
        told = []
        for row in mine:
            sides = _against(row, memory, versions, shown)
            against |= {(s.memory_id, s.version): s for s in sides}
            told += [row] if sides else []
        if against:
            views[memory.id] = _view(told, list(against.values()))
    return views


def _against(row: ConflictRow, memory: Memory, versions: Mapping[tuple[UUID, int], Memory], shown: Mapping[UUID, Memory]) -> list[Side]:
    if row.memory_id == row.other_id:
        pairs = [(memory.id, v) for v in (row.version, row.other_version) if v != memory.version]
        return [_side(versions[pair]) for pair in pairs if pair in versions]
    other = row.other_id if row.memory_id == memory.id else row.memory_id
    return [_side(shown[other])] if other in shown else []


def _side(memory: Memory) -> Side:
    return Side(memory.id, memory.version, memory.content, memory.written_by, memory.writer_label, memory.updated_at)


def _view(rows: Collection[ConflictRow], sides: list[Side]) -> Conflict:
    newest = sorted(sides, key=lambda side: (side.recorded_at, side.version, side.memory_id), reverse=True)
    reasons = tuple(sorted({row.reason for row in rows}))
    notes = tuple(row.note for row in rows if row.note is not None)
    return Conflict(reasons, min(row.raised_at for row in rows), tuple(newest[:SIDES_MAX]), max(0, len(newest) - SIDES_MAX), notes)


def _is_current(memory: Memory, now: datetime) -> bool:
    lasts = memory.valid_to is None or memory.valid_to > now
    return memory.status is Status.ACTIVE and lasts and (memory.expires_at is None or memory.expires_at > now)


@dataclass(frozen=True, slots=True)
class Served:
    """A memory that a door shows, with how fresh it is and what stands against it."""

    memory: Memory
    freshness: Freshness
    conflict: Conflict | None


async def read_served(runtime: Runtime, writer: Writer, memory_id: UUID) -> Served:
    """A memory that a door may show to this caller, with what a reader has to know beside it.

    Raises:
        NotFound: unknown, deleted, held, expired or in a brain that the caller may not read.
        IntegrityFailed: the row was changed behind the product's back.
    """
    now, scope = runtime.clock.now(), readable_by(writer.principal, writer.access)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        stored = await find_served(conn, scope, memory_id, runtime.keyring, now)
        contested = {memory_id: stored.memory} if stored.contested else {}
        found = await load_conflicts(conn, scope, contested, runtime.keyring, now)
    return Served(stored.memory, freshness_of(stored.memory, now, writer.memory), found.get(memory_id))


async def view(runtime: Runtime, writer: Writer, memory: Memory) -> Served:
    """The same of a memory that was just changed."""
    now, scope = runtime.clock.now(), readable_by(writer.principal, writer.access)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        found = await load_conflicts(conn, scope, {memory.id: memory}, runtime.keyring, now)
    return Served(memory, freshness_of(memory, now, writer.memory), found.get(memory.id))


async def list_conflicts(
    runtime: Runtime, writer: Writer, brain_id: UUID, *, after: UUID | None, limit: int
) -> tuple[list[tuple[ConflictRow, Memory, Conflict]], UUID | None]:
    """Open conflicts of a brain, oldest first, with the memory that each is about and its other sides; several of one memory are one on a
    page. The id that the next page begins behind is None when this was the last. What no door would show is left out.

    Raises:
        NotFound: the brain is unknown or not readable.
    """
    require_role(writer.principal, writer.access, brain_id, Role.READER)
    now, scope = runtime.clock.now(), readable_by(writer.principal, writer.access).narrow([brain_id])
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        rows = await conflicts.list_in_brain(conn, scope, brain_id, after=after, limit=limit + 1)
        page = rows[:limit]
        found = await memories.list_by_id(conn, scope, {row.memory_id for row in page}, runtime.keyring)
        current = {m: row.memory for m, row in found.items() if not row.held and row.intact and _is_current(row.memory, now)}
        views = await show(conn, scope, page, current, runtime.keyring, now)
    first = {row.memory_id: row for row in reversed(page) if row.memory_id in views}
    shown = [(row, current[row.memory_id], views[row.memory_id]) for row in page if first.get(row.memory_id) is row]
    return shown, page[-1].id if len(rows) > limit else None


# ----------------------------------------------------------------------------------------------------------------- report
async def report(runtime: Runtime, writer: Writer, memory_id: UUID, other_id: UUID, note: str | None) -> UUID:
    """Flag that two memories of one brain cannot both hold; the id of the conflict. Said twice it is one.

    Raises:
        NotFound: one of them is unknown, or no door would show it to the caller.
        AccessDenied: the caller may read the brain but not write there.
        InvalidInput: both are the same, or they lie in different brains, or the note is refused.
    """
    if memory_id == other_id:
        raise InvalidInput("a memory cannot contradict itself; name two", field="other_id")
    check_note(note)
    now = runtime.clock.now()
    memory, other = [await get_served(runtime, writer, one, now) for one in (memory_id, other_id)]
    if memory.brain_id != other.brain_id:
        raise InvalidInput("the two memories lie in different brains; a conflict never crosses a brain", field="other_id")
    require_role(writer.principal, writer.access, memory.brain_id, Role.WRITER)
    kept = await redact_note(runtime, writer.principal, writer.redaction, note, memory.brain_id)
    principal = writer.principal
    raised = (principal.subject_id, principal.key_id)
    sides = ((memory.id, memory.version), (other.id, other.version))
    new = NewConflict(make_id(), memory.brain_id, *sides, ConflictReason.REPORTED, kept, raised)
    async with runtime.database.write(identity_of(principal)) as conn:
        scope = readable_by(principal, writer.access)
        for each in sorted((memory_id, other_id)):  # in one order; of two who say it at once the second sees the first
            if await memories.lock(conn, scope, each, runtime.keyring) is None:
                raise NotFound("no such memory among those that this key may read")
        for row in await conflicts.list_open(conn, scope, [memory_id]):
            if {row.memory_id, row.other_id} == {memory_id, other_id}:
                return row.id
        await conflicts.insert_conflict(conn, principal.org_id, new, now)
        detail = {"other": other_id, "reason": new.reason.value, "noted": kept is not None}
        await record(
            conn, _auditor(runtime, writer, now).event("memory.conflict", ("memory", memory_id), brain_id=memory.brain_id, detail=detail)
        )
    return new.id


# ---------------------------------------------------------------------------------------------------------------- resolve
@dataclass(frozen=True, slots=True)
class Choice:
    """How a conflict is settled: exactly one of a version of this memory, the memory of the two that holds, a text that takes the place of
    both, or that both hold.
    """

    keep_version: int | None = None
    keep_memory: UUID | None = None
    content: str | None = field(default=None, repr=False)
    both: bool = False
    expected_version: int | None = None

    def check(self) -> None:
        """Raise InvalidInput unless exactly one way is chosen."""
        chosen = [self.keep_version is not None, self.keep_memory is not None, self.content is not None, self.both]
        if sum(chosen) != 1:
            raise InvalidInput("choose exactly one of keep_version, keep_memory, content and both")


async def resolve(runtime: Runtime, writer: Writer, memory_id: UUID, choice: Choice) -> Memory:
    """Settle the open conflicts of a memory; the memory as it is then. What does not hold stays in the history.

    A pair of memories: the one that does not hold ends now (`valid_to`), and is found by `valid_at`. When this memory holds, all that
    contradict it end; when another one does, this one alone.

    Raises:
        NotFound: the memory is unknown or no door would show it, or it is in no conflict, or the chosen side is none of its.
        AccessDenied: the caller may read it but not write.
        VersionConflict: it is not at `expected_version`, or was changed meanwhile.
        InvalidInput: not exactly one choice, or the text is refused.
    """
    choice.check()
    now, principal = runtime.clock.now(), writer.principal
    memory = await get_served(runtime, writer, memory_id, now)
    require_role(principal, writer.access, memory.brain_id, Role.WRITER)
    if choice.expected_version is not None and choice.expected_version != memory.version:
        message = f"expected_version is {choice.expected_version}, the memory is at {memory.version}; read it again"
        raise VersionConflict(message, current=memory.version)
    scope = readable_by(principal, writer.access)
    async with runtime.database.read(identity_of(principal)) as conn:
        rows = await conflicts.list_open(conn, scope, [memory_id])
        if not rows:
            raise NotFound("the memory is in no open conflict")
        versions = await memories.list_versions(conn, scope, {(memory_id, choice.keep_version or 0)}, runtime.keyring)
    resolution = await _apply(runtime, writer, memory, choice, rows, versions.get((memory_id, choice.keep_version or 0)))
    async with runtime.database.write(identity_of(principal)) as write:
        settled = (principal.subject_id, principal.key_id)
        count = await conflicts.settle(write, principal.org_id, [row.id for row in rows], resolution, settled, now)
        detail = {"resolution": resolution.value, "conflicts": count}
        event = _auditor(runtime, writer, now).event("memory.resolve", ("memory", memory_id), brain_id=memory.brain_id, detail=detail)
        await record(write, event)
    return await get_served(runtime, writer, choice.keep_memory or memory_id, runtime.clock.now())


async def _apply(
    runtime: Runtime, writer: Writer, memory: Memory, choice: Choice, rows: Collection[ConflictRow], restored: Memory | None
) -> Resolution:
    """Make the chosen side the one that is served. Nothing is settled yet: should this fail, the flag stays."""
    others = {m for row in rows for m in (row.memory_id, row.other_id)} - {memory.id}
    if choice.both or choice.keep_version == memory.version:
        if choice.keep_version is not None:
            await _end(runtime, writer, others)
        return Resolution.BOTH if choice.both else Resolution.KEPT
    if choice.keep_memory is not None:
        if choice.keep_memory not in {memory.id, *others}:
            raise NotFound("the memory to keep is no side of this conflict", field="keep_memory")
        # What else contradicts this memory need not contradict the one that holds.
        await _end(runtime, writer, others if choice.keep_memory == memory.id else {memory.id})
        return Resolution.KEPT if choice.keep_memory == memory.id else Resolution.RESTORED
    change = Change(content=choice.content) if choice.content is not None else _restoring(restored, rows)
    await _edit(runtime, writer, memory.id, change, memory.version)
    await _end(runtime, writer, others)
    return Resolution.MERGED if choice.content is not None else Resolution.RESTORED


def _restoring(restored: Memory | None, rows: Collection[ConflictRow]) -> Change:
    if restored is None or restored.version not in {v for row in rows for v in (row.version, row.other_version)}:
        raise NotFound("the version to keep is no side of this conflict", field="keep_version")
    data = restored.data if isinstance(restored.data, Mapping) else {}
    return Change(
        content=restored.content,
        data=data,
        tags=restored.tags,
        valid_from=restored.valid_from,
        valid_to=restored.valid_to,
        trust=Trust.parse(restored.trust),
    )


async def _end(runtime: Runtime, writer: Writer, memory_ids: Collection[UUID]) -> None:
    for memory_id in sorted(memory_ids):
        await _edit(runtime, writer, memory_id, Change(valid_to=runtime.clock.now()), None)


async def _edit(runtime: Runtime, writer: Writer, memory_id: UUID, change: Change, expected_version: int | None) -> None:
    formed = await edit(runtime, writer, memory_id, change, expected_version, settles=True)
    if isinstance(error := formed.outcomes[0], ServiceError):
        raise error


def _auditor(runtime: Runtime, writer: Writer, now: datetime) -> Auditor:
    return Auditor(runtime.keyring, writer.principal.org_id, actor_of(writer.principal), at=now, request_id=writer.request_id)
