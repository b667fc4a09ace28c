"""Looks of administrators into brains. Row-level security shows them to whoever looked and to the readers of the brain."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select

from governance.redaction.findings import RedactedText
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn


@dataclass(frozen=True, slots=True)
class LookRow:
    """A look of a key, and so of its subject, into a brain. `ends_at`: when it ends by itself; `ended_at`: when somebody ended it."""

    id: UUID
    brain_id: UUID
    key_id: str
    subject_id: UUID
    reason: str = field(repr=False)
    begins_at: datetime
    ends_at: datetime
    ended_at: datetime | None = None


async def open_look(conn: WriteConn, row: LookRow, reason: RedactedText) -> bool:
    """Let the key of this transaction look into a brain; `row.reason` is not looked at, only the redacted one.

    Returns:
        False when the org has no such brain.
    """
    opened = func.mem.break_glass(row.id, row.brain_id, reason.text, row.begins_at, row.ends_at)
    return bool((await conn.execute(select(opened))).scalar_one())


async def end_look(conn: WriteConn, brain_id: UUID, look_id: UUID, now: datetime) -> bool:
    """End a look now, unless it is over; False when there is no such look into this brain."""
    return bool((await conn.execute(select(func.mem.end_look(brain_id, look_id, now)))).scalar_one())


async def list_looks(conn: ReadConn, org_id: UUID, brain_id: UUID, *, before: UUID | None, limit: int) -> list[LookRow]:
    """Looks into a brain, newest first, open and past ones; at most `limit` of those before `before`."""
    k = t.looks.c
    query = select(k.id, k.brain_id, k.key_id, k.subject_id, k.reason, k.begins_at, k.ends_at, k.ended_at)
    query = query.where(k.org_id == org_id, k.brain_id == brain_id)
    if before is not None:
        query = query.where(k.id < before)
    return [LookRow(*row) for row in await conn.execute(query.order_by(k.id.desc()).limit(limit))]
