"""Rows of feedback: outcomes of recalled memories, and copies of the questions that they answer to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import case, cast, delete, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.dialects.postgresql import UUID as PG_UUID

from governance.principals import Principal
from governance.redaction.findings import RedactedText
from memdb.models.outcome import Outcome
from memdb.providers.embedding.base import EmbeddingSpace, Vector
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn


@dataclass(frozen=True, slots=True)
class Recalled:
    """What feedback needs of a recall: the question as it was redacted then, and which memories answered it.

    `searched`: the question has a vector of this space among those that the feedback branch searches.
    """

    id: UUID
    key_id: str
    query: str = field(repr=False)
    memory_ids: Collection[UUID]
    searched: bool


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """What a key says about one memory of one recall; `brain_id` is the memory's."""

    recall_id: UUID
    memory_id: UUID
    brain_id: UUID
    outcome: Outcome
    note: RedactedText | None = field(repr=False)
    created_at: datetime


async def find_recall(conn: ReadConn, principal: Principal, recall_id: UUID, space: EmbeddingSpace) -> Recalled | None:
    """A recall of this subject, through whichever key; None when there is none."""
    r, q = t.recalls.c, t.feedback_queries.c
    mine = (r.org_id == principal.org_id, r.id == recall_id, r.subject_id == principal.subject_id)
    row = (await conn.execute(select(r.key_id, r.query, r.memory_ids).where(*mine))).first()
    if row is None:
        return None
    searched = select(q.id).where(q.org_id == principal.org_id, q.id == recall_id, q.space == space.name, q.embedding.is_not(None))
    return Recalled(recall_id, row.key_id, row.query, tuple(row.memory_ids), (await conn.execute(searched)).first() is not None)


async def keep_query(
    conn: WriteConn, principal: Principal, recalled: Recalled, space: EmbeddingSpace, vector: Vector | None, now: datetime
) -> None:
    """Copy the question of a recall to where it outlives the recall; a new vector takes the place of none, or of one of another space.

    Called behind `keep_outcome`. It locks the question also when there is nothing to change, so that it stays as long as there is an
    outcome: who deletes the last one has the question locked while looking for others.

    Args:
        vector: of the question; None when the provider did not answer, or when there is one already.
    """
    new = insert(t.feedback_queries).values(
        org_id=principal.org_id, id=recalled.id, subject_id=principal.subject_id, key_id=recalled.key_id, query=recalled.query,
        space=space.name, embedding=vector, created_at=now,
    )  # fmt: skip
    moved = {"space": new.excluded.space, "embedding": new.excluded.embedding}
    if vector is None:
        moved = {"key_id": t.feedback_queries.c.key_id}  # as it is
    await conn.execute(new.on_conflict_do_update(index_elements=["org_id", "id"], set_=moved))


async def keep_outcome(conn: WriteConn, principal: Principal, row: OutcomeRow) -> Outcome | None:
    """Store what a key says, in the place of what it said before about the same memory of the same recall; what that was, None for nothing.

    Said again unchanged it keeps the time of the first: a vote does not stay fresh by being repeated. Outcome and counters meet in upkeep.
    """
    o = t.outcomes.c
    values = {"outcome": row.outcome.value, "note": None if row.note is None else row.note.text}
    new = insert(t.outcomes).values(
        org_id=principal.org_id, recall_id=row.recall_id, memory_id=row.memory_id, key_id=principal.key_id,
        subject_id=principal.subject_id, brain_id=row.brain_id, created_at=row.created_at, counted_as=None, **values,
    )  # fmt: skip
    if (await conn.execute(new.on_conflict_do_nothing().returning(o.recall_id))).first() is not None:
        return None
    mine = (o.org_id == principal.org_id, o.recall_id == row.recall_id, o.memory_id == row.memory_id, o.key_id == principal.key_id)
    before = (await conn.execute(select(o.outcome).where(*mine).with_for_update())).scalar_one_or_none()
    at = case((o.outcome == row.outcome.value, o.created_at), else_=row.created_at)
    await conn.execute(update(t.outcomes).where(*mine).values(**values, created_at=at))
    # Gone between the two statements: the memory is being deleted, which the caller finds out.
    return None if before is None else Outcome(before)


async def forget_outcomes(conn: WriteConn, org_id: UUID, memory_id: UUID) -> None:
    """Delete what was said about a memory, and the questions that nothing else was said about."""
    o = t.outcomes.c
    gone = delete(t.outcomes).where(o.org_id == org_id, o.memory_id == memory_id).returning(o.recall_id)
    recalls = sorted(set((await conn.execute(gone)).scalars()))
    if recalls:
        await conn.execute(select(func.mem.forget_questions(org_id, cast(recalls, ARRAY(PG_UUID)))))
