"""Rows of conflicts: which versions or memories cannot both hold, who said so, and how it was settled."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import Select, any_, delete, insert, literal, or_, select, update

from governance.redaction.findings import RedactedText
from governance.scopes import ScopeFilter
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn

_C = t.conflicts.c
_COLUMNS = (
    _C.id, _C.brain_id, _C.memory_id, _C.version, _C.other_id, _C.other_version, _C.reason, _C.note, _C.raised_at, _C.raised_by,
    _C.raised_key,
)  # fmt: skip


class ConflictReason(StrEnum):
    """Why two writes are a conflict."""

    BASE_VERSION = "base_version"  # the writer had seen another version than the one that was replaced
    WINDOW = "window"  # another key had written other content shortly before
    REPORTED = "reported"  # somebody said so
    SPEAKERS = "speakers"  # two people say different values of what has one at a time


class Resolution(StrEnum):
    """How a conflict was settled."""

    KEPT = "kept"  # the current side holds
    RESTORED = "restored"  # the other side holds
    MERGED = "merged"  # a new text took the place of both
    BOTH = "both"  # they do not contradict each other
    GONE = "gone"  # a side was deleted


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """An open conflict. Both ids are the same where two versions of one memory contradict each other. `note` is redacted."""

    id: UUID
    brain_id: UUID
    memory_id: UUID
    version: int
    other_id: UUID
    other_version: int
    reason: ConflictReason
    note: str | None = field(repr=False)
    raised_at: datetime
    raised_by: UUID
    raised_key: str


@dataclass(frozen=True, slots=True)
class NewConflict:
    """A conflict to store; each side is (memory, version)."""

    id: UUID
    brain_id: UUID
    side: tuple[UUID, int]
    other: tuple[UUID, int]
    reason: ConflictReason
    note: RedactedText | None
    raised: tuple[UUID, str]
    """Subject and key."""


async def list_open(conn: ReadConn | WriteConn, scope: ScopeFilter, memory_ids: Collection[UUID]) -> list[ConflictRow]:
    """Open conflicts of these memories within the scope, oldest first."""
    wanted = any_(literal(list(memory_ids), t.UUIDS))
    query = _open(scope).where(or_(_C.memory_id == wanted, _C.other_id == wanted)).order_by(_C.id)
    return [_row(row) for row in await conn.execute(query)]


async def list_in_brain(conn: ReadConn, scope: ScopeFilter, brain_id: UUID, *, after: UUID | None, limit: int) -> list[ConflictRow]:
    """Open conflicts of a brain, oldest first; at most `limit` of those behind `after`."""
    query = _open(scope).where(_C.brain_id == brain_id)
    if after is not None:
        query = query.where(_C.id > after)
    return [_row(row) for row in await conn.execute(query.order_by(_C.id).limit(limit))]


async def insert_conflict(conn: WriteConn, org_id: UUID, new: NewConflict, now: datetime) -> None:
    """Flag a conflict."""
    await conn.execute(
        insert(t.conflicts).values(
            org_id=org_id,
            id=new.id,
            brain_id=new.brain_id,
            memory_id=new.side[0],
            version=new.side[1],
            other_id=new.other[0],
            other_version=new.other[1],
            reason=new.reason.value,
            note=None if new.note is None else new.note.text,
            raised_at=now,
            raised_by=new.raised[0],
            raised_key=new.raised[1],
        )
    )


async def settle(
    conn: WriteConn, org_id: UUID, ids: Collection[UUID], resolution: Resolution, settled: tuple[UUID, str], now: datetime
) -> int:
    """Close conflicts; how many were open. `settled` is the subject and key that did it."""
    query = update(t.conflicts).where(_C.org_id == org_id, _C.id == any_(literal(list(ids), t.UUIDS)), _C.resolved_at.is_(None))
    values = {"resolved_at": now, "resolved_by": settled[0], "resolved_key": settled[1], "resolution": resolution.value}
    done = await conn.execute(query.values(values))
    return done.rowcount


async def forget_conflicts(conn: WriteConn, org_id: UUID, memory_id: UUID) -> None:
    """Delete the conflicts of a memory that goes."""
    await conn.execute(delete(t.conflicts).where(_C.org_id == org_id, or_(_C.memory_id == memory_id, _C.other_id == memory_id)))


def _open(scope: ScopeFilter) -> Select[Any]:
    return select(*_COLUMNS).where(
        _C.org_id == scope.org_id, _C.brain_id == any_(literal(list(scope.brain_ids), t.UUIDS)), _C.resolved_at.is_(None)
    )


def _row(row: Any) -> ConflictRow:  # noqa: ANN401 - a database row
    return ConflictRow(
        id=row.id,
        brain_id=row.brain_id,
        memory_id=row.memory_id,
        version=row.version,
        other_id=row.other_id,
        other_version=row.other_version,
        reason=ConflictReason(row.reason),
        note=row.note,
        raised_at=row.raised_at,
        raised_by=row.raised_by,
        raised_key=row.raised_key,
    )
