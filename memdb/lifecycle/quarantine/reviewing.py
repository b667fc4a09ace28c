"""The queue of held memories: shown to reviewers with what there is to judge them by; released, corrected, or deleted for good.

SECURITY: a reviewer reads held memories of every brain of the org, and what they came from, and no others. Every look is audited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import SequenceMatcher
from functools import partial
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.audit import DetailValue, actor_of
from governance.errors import NotFound, ServiceError
from governance.policy.rules import UNATTRIBUTED
from governance.principals import Capability, Role, of_job, require
from governance.scopes import of_job as scope_of
from memdb.errors import IntegrityFailed, VersionConflict
from memdb.formation.batch import Batch
from memdb.formation.check import check
from memdb.formation.pipeline import Formed, Writer, form_authorised
from memdb.formation.rebuild import rebuild_contexts
from memdb.formation.stages import Authorised
from memdb.lifecycle.edit import Change, edited
from memdb.lifecycle.quarantine.holding import Chunk, release_some
from memdb.storage import forgotten, holding, memories, neighbours, origins, quarantine
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Identity, WriteConn, tried_again
from memdb.storage.holding import HeldRow
from memdb.storage.quarantine import ActionState

if TYPE_CHECKING:
    from memdb.directory.authentication import Authenticated
    from memdb.models.memory import Memory
    from memdb.runtime import Runtime
    from memdb.storage.origins import SourceRow
    from memdb.storage.quarantine import ActionRow

SIMILAR_MAX: Final = 5
AT_WRITE: Final = "write"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text beside its former version: `same`, `added` or `removed`."""

    what: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Review:
    """A held memory and what there is to judge it by. `intact`: its row is as it was written. `similar`: served memories that it is near.

    `former`: its version before this one, and `difference` between the two, in order; None and nothing for a first version.
    """

    memory: Memory
    intact: bool
    actions: tuple[ActionRow, ...]
    sources: tuple[SourceRow, ...]
    similar: tuple[Memory, ...] = field(repr=False)
    former: Memory | None = field(repr=False)
    difference: tuple[Piece, ...] = field(repr=False)


async def list_reviews(
    runtime: Runtime, who: Authenticated, *, brain_id: UUID | None, action_id: UUID | None, after: UUID | None, limit: int
) -> tuple[list[Review], UUID | None]:
    """Held memories of the caller's org, oldest first, of one brain or action, at most `limit` of those behind an id; the id that the next
    page begins behind. What waits to be attributed and for nothing else is left out: it has a queue of its own.

    Raises:
        AccessDenied: the caller lacks the capability reviewer.
    """
    require(who.principal, Capability.REVIEWER)
    org_id = who.principal.org_id
    async with runtime.database.read(Identity(org_id)) as conn:
        rows = await holding.list_reviews(conn, org_id, brain_id=brain_id, action_id=action_id, after=after, limit=limit + 1)
        actions = await quarantine.find_actions(conn, org_id, {one for row in rows for one in row.action_ids})
    shown = [row for row in rows[:limit] if any(actions[one].kind != UNATTRIBUTED for one in row.action_ids)]
    reviews = [one for row in shown if (one := await _read(runtime, org_id, row, actions)) is not None]
    await _note_look(runtime, who, reviews)
    return reviews, rows[limit - 1].memory_id if len(rows) > limit else None


async def get_review(runtime: Runtime, who: Authenticated, memory_id: UUID) -> Review:
    """One held memory of the caller's org. Raises AccessDenied as `list_reviews`, NotFound for what is not held."""
    require(who.principal, Capability.REVIEWER)
    row, actions = await _find(runtime, who.principal.org_id, memory_id)
    review = await _read(runtime, who.principal.org_id, row, actions)
    if review is None:
        raise _not_held()
    await _note_look(runtime, who, [review])
    return review


async def _find(runtime: Runtime, org_id: UUID, memory_id: UUID) -> tuple[HeldRow, dict[UUID, ActionRow]]:
    before = UUID(int=memory_id.int - 1) if memory_id.int else None
    async with runtime.database.read(Identity(org_id)) as conn:
        rows = await holding.list_reviews(conn, org_id, brain_id=None, action_id=None, after=before, limit=1)
        if not rows or rows[0].memory_id != memory_id:
            raise _not_held()
        actions = await quarantine.find_actions(conn, org_id, rows[0].action_ids)
    if all(one.kind == UNATTRIBUTED for one in actions.values()):
        raise _not_held()
    return rows[0], actions


async def _read(runtime: Runtime, org_id: UUID, row: HeldRow, actions: dict[UUID, ActionRow]) -> Review | None:
    scope, ring = scope_of(org_id, row.brain_id), runtime.keyring
    async with runtime.database.read(Identity(org_id, job_brain_id=row.brain_id)) as conn:
        found = (await memories.list_by_id(conn, scope, [row.memory_id], ring)).get(row.memory_id)
        if found is None or not found.held:
            return None
        memory = found.memory
        history = await memories.list_history(conn, scope, memory.id, ring)
        sources = await origins.list_sources(conn, org_id, [row.brain_id], [(memory.id, memory.version)])
        near = await neighbours.list_similar(conn, org_id, memory.id, SIMILAR_MAX)
        similar = await memories.list_by_id(conn, scope, near, ring)
    former = history[-1][0] if history else None
    return Review(
        memory=memory,
        intact=found.intact,
        actions=tuple(actions[one] for one in row.action_ids if one in actions),
        sources=tuple(sources),
        similar=tuple(similar[one].memory for one in near if one in similar and similar[one].intact and not similar[one].held),
        former=former,
        difference=() if former is None else pieces(former.content, memory.content),
    )


def pieces(former: str, current: str) -> tuple[Piece, ...]:
    """What became of a text, word by word.

    >>> [(one.what, one.text) for one in pieces("send it to Ana", "send it to Eve now")]
    [('same', 'send it to'), ('removed', 'Ana'), ('added', 'Eve now')]
    """
    before, after = former.split(), current.split()
    found: list[Piece] = []
    for what, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            found.append(Piece("same", " ".join(before[i:j])))
            continue
        found += [Piece(name, " ".join(words)) for name, words in (("removed", before[i:j]), ("added", after[k:m])) if words]
    return tuple(found)


async def _note_look(runtime: Runtime, who: Authenticated, reviews: Sequence[Review]) -> None:
    if not reviews:
        return
    auditor = _auditor(runtime, who, runtime.clock.now())
    detail: dict[str, DetailValue] = {"memories": [one.memory.id for one in reviews]}
    async with runtime.database.write(Identity(who.principal.org_id)) as conn:
        await record(conn, auditor.event("review.read", ("org", who.principal.org_id), detail=detail))


# -------------------------------------------------------------------------------------------------------------- decisions
async def release(runtime: Runtime, who: Authenticated, memory_id: UUID, *, action_id: UUID | None = None) -> bool:
    """Let a memory be served: delete all its holds, or that of one action. True when nothing holds it any more.

    What waits to be attributed goes on waiting for that.

    Raises:
        AccessDenied: the caller lacks the capability reviewer.
        NotFound: the memory is not held, or not by that action.
        IntegrityFailed: its row was changed behind the product's back: it would not be served.
    """
    require(who.principal, Capability.REVIEWER)
    org_id = who.principal.org_id
    row, actions = await _find(runtime, org_id, memory_id)
    chosen = [one for one in row.action_ids if actions[one].kind != UNATTRIBUTED and action_id in {None, one}]
    if not chosen:
        raise _not_held()

    async def once() -> bool:
        async with runtime.database.write(Identity(org_id, job_brain_id=row.brain_id)) as conn:
            now = runtime.clock.now()
            found = await memories.lock(conn, scope_of(org_id, row.brain_id), memory_id, runtime.keyring)
            if found is None or not set(chosen) & set(found.holds):
                raise _not_held()
            if not found.intact:
                raise IntegrityFailed(f"memory {memory_id} does not match its seal and is not served; purge it, or see memdb audit verify")
            at_write = any(actions[one].kind == AT_WRITE for one in chosen)
            at = Chunk(runtime, conn, _auditor(runtime, who, now), org_id, row.brain_id, now)
            await release_some(at, chosen, [memory_id], at_write=at_write)
            await _end_writes(conn, who, [actions[one] for one in chosen], now)
            return not set(found.holds) - set(chosen)

    return await tried_again(once)


async def _end_writes(conn: WriteConn, who: Authenticated, chosen: Sequence[ActionRow], now: datetime) -> None:
    """The action of a write holds that one memory, so it is over with it."""
    for action in chosen:
        if action.kind == AT_WRITE:
            principal = who.principal
            await quarantine.set_action(
                conn, principal.org_id, action.id, state=ActionState.RELEASED.value, changed_at=now, released_at=now,
                released_by=principal.subject_id, released_key=principal.key_id,
            )  # fmt: skip


async def edit_and_release(
    runtime: Runtime, who: Authenticated, writer: Writer, memory_id: UUID, change: Change, expected_version: int | None
) -> Formed:
    """Correct a memory as an edit does, through the whole write path, then let it be served; the receipt of the edit, or its error.

    Raises:
        AccessDenied, NotFound, IntegrityFailed: as `release`.
        VersionConflict: it is at another version.
    """
    require(who.principal, Capability.REVIEWER)
    org_id, now = who.principal.org_id, runtime.clock.now()
    row, _ = await _find(runtime, org_id, memory_id)
    scope = scope_of(org_id, row.brain_id)
    async with runtime.database.read(Identity(org_id, job_brain_id=row.brain_id)) as conn:
        found = (await memories.list_by_id(conn, scope, [memory_id], runtime.keyring)).get(memory_id)
    if found is None or not found.held:
        raise _not_held()
    if not found.intact:
        raise IntegrityFailed(f"memory {memory_id} does not match its seal and is not served; purge it, or see memdb audit verify")
    current = found.memory
    if expected_version is not None and expected_version != current.version:
        message = f"expected_version is {expected_version}, the memory is at {current.version}; read it again"
        raise VersionConflict(message, current=current.version)
    caller = who.principal
    principal = of_job(org_id, row.brain_id, caller.subject_id, caller.key_id, caller.trust)
    reviewer = replace(
        writer, principal=replace(principal, writer_label=caller.writer_label), access={row.brain_id: Role.WRITER}, home_brain_id=None
    )
    batch = Batch.of([edited(current, change)]).each(
        lambda submission: Authorised(
            principal=reviewer.principal,
            submission=check(submission, edit=True),
            brain_id=row.brain_id,
            now=now,
            replaces=current,
            expected_version=current.version,
        )
    )
    formed = await form_authorised(runtime, reviewer, batch, None, now)
    if not isinstance(formed.outcomes[0], ServiceError):
        await release(runtime, who, memory_id)
    return formed


async def purge(runtime: Runtime, who: Authenticated, memory_id: UUID) -> None:
    """Delete a held memory with all its versions, so that what was said until now does not bring it back.

    Raises:
        AccessDenied, NotFound: as `release`.
    """
    require(who.principal, Capability.REVIEWER)
    row, actions = await _find(runtime, who.principal.org_id, memory_id)
    await tried_again(partial(_purge, runtime, who, row, actions))


async def _purge(runtime: Runtime, who: Authenticated, row: HeldRow, actions: dict[UUID, ActionRow]) -> None:
    org_id, now = who.principal.org_id, runtime.clock.now()
    scope = scope_of(org_id, row.brain_id)
    async with runtime.database.write(Identity(org_id, job_brain_id=row.brain_id)) as conn:
        await origins.lock_sources(conn, org_id, scope.brain_ids, row.memory_id)
        found = await memories.lock(conn, scope, row.memory_id, runtime.keyring, to_delete=True)
        if found is None or not found.held:
            raise _not_held()
        memory = found.memory
        await forgotten.keep(conn, org_id, memory.id, now)
        gone = await origins.delete_orphans(conn, org_id, memory.id)
        state = await memories.erase(conn, runtime.keyring, memory, now)
        await rebuild_contexts(conn, runtime.keyring, (org_id, [row.brain_id]), now, gone=gone)
        await _end_writes(conn, who, [actions[one] for one in found.holds if one in actions], now)
        detail: dict[str, DetailValue] = {"version": memory.version, "kind": memory.kind.value, "actions": list(found.holds)}
        event = _auditor(runtime, who, now).event(
            "memory.purge", ("memory", memory.id), brain_id=row.brain_id, detail=detail, commitment=state
        )
        await record(conn, event)


def _auditor(runtime: Runtime, who: Authenticated, now: datetime) -> Auditor:
    return Auditor(runtime.keyring, who.principal.org_id, actor_of(who.principal), at=now, request_id=who.request_id)


def _not_held() -> NotFound:
    return NotFound("no such memory is held in this org", field="memory_id")
