"""Rows of requests for a review: memories that are served, and that a reviewer has to look at all the same."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from memdb.storage import quarantine_tables as q
from memdb.storage.database import ReadConn, WriteConn, search
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")
_Q = q.review_requests.c


class Cause(StrEnum):
    """Why somebody has to look at a memory."""

    HARMFUL = "harmful"  # somebody said so of a recall
    FLAGGED = "flagged"  # policy let a doubtful write pass


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """That a memory is to be looked at: why, codes of policy, how often it was asked for, and when first and last."""

    memory_id: UUID
    brain_id: UUID
    cause: Cause
    reasons: tuple[str, ...]
    times: int
    opened_at: datetime
    changed_at: datetime


async def request_reviews(conn: WriteConn, org_id: UUID, cause: Cause, rows: Sequence[tuple[UUID, UUID, list[str]]], now: datetime) -> None:
    """Ask for a review of memories: (memory, brain, reason codes). Asked for again it is counted up, with the latest codes.

    Index: review_requests_pk.
    """
    if not rows:
        return
    shared = {"org_id": org_id, "cause": cause.value, "times": 1, "opened_at": now, "changed_at": now}
    # In the order of their ids, as everybody who locks memories; of a memory that was written twice in a batch the last time.
    each = {memory: {**shared, "memory_id": memory, "brain_id": brain, "reasons": reasons} for memory, brain, reasons in rows}
    values = [each[memory] for memory in sorted(each)]
    stored = insert(q.review_requests).values(values)
    again = {"times": _Q.times + 1, "reasons": stored.excluded.reasons, "changed_at": stored.excluded.changed_at}
    await conn.execute(stored.on_conflict_do_update(index_elements=[_Q.org_id, _Q.memory_id, _Q.cause], set_=again))


async def list_requested(conn: ReadConn, org_id: UUID, *, brain_id: UUID | None, after: UUID | None, limit: int) -> list[tuple[UUID, UUID]]:
    """(memory, brain) of what is to be looked at in an org, oldest first, of one brain or all; at most `limit` of those behind an id."""
    asked = {"org_id": org_id, "brain": brain_id, "after": after, "limit": limit}
    return [(row.memory_id, row.brain_id) for row in await search(conn, _STATEMENTS["list_requested"].sql, asked)]


async def find_requests(conn: ReadConn, org_id: UUID, memory_ids: Collection[UUID]) -> dict[UUID, tuple[ReviewRequest, ...]]:
    """What is asked for of memories, by memory; those without are absent."""
    if not memory_ids:
        return {}
    rows = await search(conn, _STATEMENTS["find_requests"].sql, {"org_id": org_id, "ids": sorted(memory_ids)})
    found: dict[UUID, tuple[ReviewRequest, ...]] = {}
    for row in rows:
        one = ReviewRequest(row.memory_id, row.brain_id, Cause(row.cause), tuple(row.reasons), row.times, row.opened_at, row.changed_at)
        found[row.memory_id] = (*found.get(row.memory_id, ()), one)
    return found


async def close_requests(conn: WriteConn, org_id: UUID, memory_id: UUID) -> int:
    """Somebody has looked at it, or it is gone; how many requests there were."""
    return (await conn.execute(delete(q.review_requests).where(_Q.org_id == org_id, _Q.memory_id == memory_id))).rowcount
