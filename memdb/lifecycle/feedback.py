"""Feedback: what became of a recalled memory. It moves later answers to similar questions a little; it never changes the memory itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import structlog

from governance.audit import actor_of
from governance.errors import NotFound
from governance.principals import Principal, Role
from governance.redaction.policy import RedactionPolicy
from governance.scopes import readable_by, require_member
from memdb.errors import ProviderError
from memdb.formation.note import check_note, redact_note
from memdb.models.memory import Memory
from memdb.models.outcome import Outcome
from memdb.providers.embedding.base import Vector
from memdb.runtime import Runtime
from memdb.storage import feedback, memories
from memdb.storage.audit import Auditor, record
from memdb.storage.database import ReadConn, WriteConn, identity_of, tried_again
from memdb.storage.feedback import OutcomeRow, Recalled
from memdb.storage.reviews import Cause, request_reviews

_NOTHING = "no memory of this id that a recall of this id returned to you and that this key may read"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Voter:
    """Who says it, what they reach, and what their org does with findings."""

    principal: Principal
    access: Mapping[UUID, Role]
    redaction: RedactionPolicy
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the caller sent. SECURITY: `note` is raw text; it ends at the redactor."""

    recall_id: UUID
    memory_id: UUID
    outcome: Outcome
    note: str | None = field(default=None, repr=False)


async def give(runtime: Runtime, voter: Voter, said: Feedback) -> bool:
    """Store an outcome; True when it took the place of what this key had said about the same memory of the same recall.

    A recall is the caller's when it was made for the same subject: a person may judge through one key what an agent of theirs asked through
    another. Reading the memory is enough.

    Raises:
        AccessDenied: the caller only looks into the brain.
        InvalidInput: the note is blank, too long or not storable.
        NotFound: no such recall of the caller, or it did not return this memory, or no door would show the memory now.
        RedactionUnavailable: the redactor failed; nothing was stored.
    """
    check_note(said.note)
    now = runtime.clock.now()
    async with runtime.database.read(identity_of(voter.principal)) as conn:
        recalled = await feedback.find_recall(conn, voter.principal, said.recall_id, runtime.embedder.space)
        if recalled is None or said.memory_id not in recalled.memory_ids:
            raise NotFound(_NOTHING)
        memory = await _get_served(runtime, conn, voter, said.memory_id, now)
    require_member(voter.principal, voter.access, memory.brain_id)
    note = await redact_note(runtime, voter.principal, voter.redaction, said.note, memory.brain_id)
    vector = None if recalled.searched else await _embed(runtime, recalled)
    row = OutcomeRow(recalled.id, memory.id, memory.brain_id, said.outcome, note, now)
    return await tried_again(lambda: _store(runtime, voter, recalled, vector, row))


async def _get_served(runtime: Runtime, conn: ReadConn | WriteConn, voter: Voter, memory_id: UUID, now: datetime) -> Memory:
    scope = readable_by(voter.principal, voter.access)
    found = (await memories.list_by_id(conn, scope, [memory_id], runtime.keyring)).get(memory_id)
    expired = found is not None and found.memory.expires_at is not None and found.memory.expires_at <= now
    if found is None or found.held or expired or not found.intact:
        raise NotFound(_NOTHING)
    return found.memory


async def _embed(runtime: Runtime, recalled: Recalled) -> Vector | None:
    try:
        return (await runtime.embedder.embed_queries([recalled.query]))[0].vector
    except ProviderError as error:
        log.warning("feedback_query_not_embedded", code=error.code)
        return None


async def _store(runtime: Runtime, voter: Voter, recalled: Recalled, vector: Vector | None, row: OutcomeRow) -> bool:
    principal = voter.principal
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=row.created_at, request_id=voter.request_id)
    target, detail = ("memory", row.memory_id), {"recall": row.recall_id}
    async with runtime.database.write(identity_of(principal)) as conn:
        before = await feedback.keep_outcome(conn, principal, row)
        await feedback.keep_query(conn, principal, recalled, runtime.embedder.space, vector, row.created_at)
        # Looked at again behind the row: a reader may not lock the memory, but who deletes it now waits for the row, or was here before.
        await _get_served(runtime, conn, voter, row.memory_id, row.created_at)
        action = "feedback.give" if before is None else "feedback.replace"
        told = {**detail, "outcome": row.outcome.value, "noted": row.note is not None}
        await record(conn, auditor.event(action, target, brain_id=row.brain_id, detail=told))
        if row.outcome is Outcome.HARMFUL and before is not Outcome.HARMFUL:
            await request_reviews(conn, principal.org_id, Cause.HARMFUL, [(row.memory_id, row.brain_id, [])], row.created_at)
            await record(conn, auditor.event("memory.review_requested", target, brain_id=row.brain_id, detail=detail))
    return before is not None
