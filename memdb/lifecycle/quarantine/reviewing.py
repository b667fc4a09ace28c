"""The queue of reviewers: held memories, and served ones that somebody asked to look at; released, corrected, or deleted for good.

SECURITY: a reviewer reads these of every brain of the org, and what they came from, and no others. Every look is audited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from memdb.lifecycle.legal_hold import require_deletable
from memdb.lifecycle.quarantine.holding import Chunk, release_some
from memdb.storage import forgotten, holding, memories, neighbours, origins, quarantine, reviews
from memdb.storage.audit import Auditor, record, record_all
from memdb.storage.database import Identity, WriteConn, tried_again
from memdb.storage.holding import HeldRow
from memdb.storage.quarantine import ActionState

if TYPE_CHECKING:
    from memdb.directory.authentication import Authenticated
    from memdb.models.memory import Memory
    from memdb.runtime import Runtime
    from memdb.storage.database import ReadConn
    from memdb.storage.origins import SourceRow
    from memdb.storage.quarantine import ActionRow
    from memdb.storage.reviews import ReviewRequest

SIMILAR_MAX: Final = 5
AT_WRITE: Final = "write"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text beside its former version: `same`, `added` or `removed`."""

    what: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Review:
    """A memory under review and what there is to judge it by. `intact`: its row is as it was written. `similar`: served memories near it.
    `actions` hold it, `requests` ask to look at it; of either there may be none.

    `former`: its version before this one, and `difference` between the two, in order; None and nothing for a first version.
    """

    memory: Memory
    intact: bool
    actions: tuple[ActionRow, ...]
    requests: tuple[ReviewRequest, ...]
    sources: tuple[SourceRow, ...]
    similar: tuple[Memory, ...] = field(repr=False)
    former: Memory | None = field(repr=False)
    difference: tuple[Piece, ...] = field(repr=False)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Codes of everything that holds it or asks to look at it, each once."""
        codes = [code for one in self.actions for code in one.reasons]
        return tuple(dict.fromkeys([*codes, *(code for one in self.requests for code in (one.reasons or (one.cause.value,)))]))


async def list_reviews(
    runtime: Runtime, who: Authenticated, *, brain_id: UUID | None, action_id: UUID | None, after: UUID | None, limit: int
) -> tuple[list[Review], UUID | None]:
    """Memories under review in the caller's org, oldest first, of one brain or action, at most `limit` of those behind an id; the id that
    the next page begins behind. What waits to be attributed and for nothing else is left out: it has a queue of its own.

    Raises:
        AccessDenied: the caller lacks the capability reviewer.
    """
    require(who.principal, Capability.REVIEWER)
    org_id = who.principal.org_id
    async with runtime.database.read(Identity(org_id)) as conn:
        rows = await holding.list_reviews(conn, org_id, brain_id=brain_id, action_id=action_id, after=after, limit=limit + 1)
        if action_id is None:
            served = await reviews.list_requested(conn, org_id, brain_id=brain_id, after=after, limit=limit + 1)
            held = {row.memory_id for row in rows}
            rows += [HeldRow(memory, brain, ()) for memory, brain in served if memory not in held]
        # Of either there are enough that what is cut off here comes again behind the last one.
        rows = sorted(rows, key=lambda row: row.memory_id)[: limit + 1]
        why = await _find_why(conn, org_id, rows)
    shown = [row for row in rows[:limit] if why.is_open(row)]
    found = [one for row in shown if (one := await _read(runtime, org_id, row, why)) is not None]
    await _note_look(runtime, who, found)
    return found, rows[limit - 1].memory_id if len(rows) > limit else None


async def get_review(runtime: Runtime, who: Authenticated, memory_id: UUID) -> Review:
    """One memory under review of the caller's org. Raises AccessDenied as `list_reviews`, NotFound for any other."""
    require(who.principal, Capability.REVIEWER)
    row, why = await _find(runtime, who.principal.org_id, memory_id)
    review = await _read(runtime, who.principal.org_id, row, why)
    if review is None:
        raise _not_found()
    await _note_look(runtime, who, [review])
    return review


@dataclass(frozen=True, slots=True)
class _Why:
    """Why memories are under review: actions by id, and requests by memory."""

    actions: Mapping[UUID, ActionRow]
    requests: Mapping[UUID, tuple[ReviewRequest, ...]]

    def is_open(self, row: HeldRow) -> bool:
        """False for what only waits to be attributed: it has a queue of its own."""
        return row.memory_id in self.requests or any(self.actions[one].kind != UNATTRIBUTED for one in row.action_ids)


async def _find_why(conn: ReadConn, org_id: UUID, rows: Sequence[HeldRow]) -> _Why:
    actions = await quarantine.find_actions(conn, org_id, {one for row in rows for one in row.action_ids})
    return _Why(actions, await reviews.find_requests(conn, org_id, [row.memory_id for row in rows]))


async def _find(runtime: Runtime, org_id: UUID, memory_id: UUID) -> tuple[HeldRow, _Why]:
    before = UUID(int=memory_id.int - 1) if memory_id.int else None
    async with runtime.database.read(Identity(org_id)) as conn:
        rows = await holding.list_reviews(conn, org_id, brain_id=None, action_id=None, after=before, limit=1)
        if not rows or rows[0].memory_id != memory_id:
            requested = await reviews.list_requested(conn, org_id, brain_id=None, after=before, limit=1)
            rows = [HeldRow(memory, brain, ()) for memory, brain in requested if memory == memory_id]
        if not rows:
            raise _not_found()
        why = await _find_why(conn, org_id, rows)
    if not why.is_open(rows[0]):
        raise _not_found()
    return rows[0], why


async def _read(runtime: Runtime, org_id: UUID, row: HeldRow, why: _Why) -> Review | None:
    scope, ring = scope_of(org_id, row.brain_id), runtime.keyring
    async with runtime.database.read(Identity(org_id, job_brain_id=row.brain_id)) as conn:
        found = (await memories.list_by_id(conn, scope, [row.memory_id], ring)).get(row.memory_id)
        if found is None or not (found.held or row.memory_id in why.requests):
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
        actions=tuple(why.actions[one] for one in row.action_ids if one in why.actions),
        requests=why.requests.get(memory.id, ()),
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


async def _note_look(runtime: Runtime, who: Authenticated, shown: Sequence[Review]) -> None:
    if not shown:
        return
    auditor = _auditor(runtime, who, runtime.clock.now())
    events = [
        auditor.event("review.read", ("memory", one.memory.id), brain_id=one.memory.brain_id, detail={"version": one.memory.version})
        for one in shown
    ]
    async with runtime.database.write(Identity(who.principal.org_id)) as conn:
        await record_all(conn, events)


# -------------------------------------------------------------------------------------------------------------- decisions
async def release(runtime: Runtime, who: Authenticated, memory_id: UUID, *, action_id: UUID | None = None) -> bool:
    """Let a memory be served: delete all its holds and requests, or the hold of one action. True when nothing holds it any more.

    What waits to be attributed goes on waiting for that.

    Raises:
        AccessDenied: the caller lacks the capability reviewer.
        NotFound: the memory is not under review, or not held by that action.
        IntegrityFailed: its row was changed behind the product's back: it would not be served.
    """
    require(who.principal, Capability.REVIEWER)
    org_id = who.principal.org_id
    row, why = await _find(runtime, org_id, memory_id)
    chosen = [one for one in row.action_ids if why.actions[one].kind != UNATTRIBUTED and action_id in {None, one}]
    asked = action_id is None and memory_id in why.requests
    if not chosen and not asked:
        raise _not_found()

    async def once() -> bool:
        async with runtime.database.write(Identity(org_id, job_brain_id=row.brain_id)) as conn:
            now = runtime.clock.now()
            found = await memories.lock(conn, scope_of(org_id, row.brain_id), memory_id, runtime.keyring)
            if found is None or not (asked or set(chosen) & set(found.holds)):
                raise _not_found()
            if chosen and not found.intact:
                raise IntegrityFailed(f"memory {memory_id} does not match its seal and is not served; purge it, or see memdb audit verify")
            at_write = any(why.actions[one].kind == AT_WRITE for one in chosen)
            auditor = _auditor(runtime, who, now)
            at = Chunk(runtime, conn, auditor, org_id, row.brain_id, now)
            await release_some(at, chosen, [memory_id], at_write=at_write)
            await _end_writes(conn, who, [why.actions[one] for one in chosen], now)
            if asked and (closed := await reviews.close_requests(conn, org_id, memory_id)):
                told: dict[str, DetailValue] = {"version": found.memory.version, "requests": closed}
                await record(conn, auditor.event("review.close", ("memory", memory_id), brain_id=row.brain_id, detail=told))
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
    row, why = await _find(runtime, org_id, memory_id)
    scope = scope_of(org_id, row.brain_id)
    async with runtime.database.read(Identity(org_id, job_brain_id=row.brain_id)) as conn:
        found = (await memories.list_by_id(conn, scope, [memory_id], runtime.keyring)).get(memory_id)
    if found is None or not (found.held or memory_id in why.requests):
        raise _not_found()
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
    """Delete a memory under review with all its versions, so that what was said until now does not bring it back.

    Raises:
        AccessDenied, NotFound: as `release`.
        UnderLegalHold: the org must keep it; it stays held.
    """
    require(who.principal, Capability.REVIEWER)
    row, why = await _find(runtime, who.principal.org_id, memory_id)
    await tried_again(partial(_purge, runtime, who, row, why))


async def _purge(runtime: Runtime, who: Authenticated, row: HeldRow, why: _Why) -> None:
    org_id, now = who.principal.org_id, runtime.clock.now()
    scope = scope_of(org_id, row.brain_id)
    async with runtime.database.write(Identity(org_id, job_brain_id=row.brain_id)) as conn:
        await origins.lock_sources(conn, org_id, scope.brain_ids, row.memory_id)
        found = await memories.lock(conn, scope, row.memory_id, runtime.keyring, to_delete=True)
        if found is None or not (found.held or row.memory_id in why.requests):
            raise _not_found()
        memory = found.memory
        await require_deletable(conn, who.policy.legal_hold, memory)
        await memories.remove_terms(conn, org_id, memory.id)  # of one that is held they are gone already
        await forgotten.keep(conn, org_id, memory.id, now)
        gone = await origins.delete_orphans(conn, org_id, memory.id)
        state = await memories.erase(conn, runtime.keyring, memory, now)
        await rebuild_contexts(conn, runtime.keyring, (org_id, [row.brain_id]), now, gone=gone)
        await _end_writes(conn, who, [why.actions[one] for one in found.holds if one in why.actions], now)
        detail: dict[str, DetailValue] = {"version": memory.version, "kind": memory.kind.value, "actions": list(found.holds)}
        event = _auditor(runtime, who, now).event(
            "memory.purge", ("memory", memory.id), brain_id=row.brain_id, detail=detail, commitment=state
        )
        await record(conn, event)


def _auditor(runtime: Runtime, who: Authenticated, now: datetime) -> Auditor:
    return Auditor(runtime.keyring, who.principal.org_id, actor_of(who.principal), at=now, request_id=who.request_id)


def _not_found() -> NotFound:
    return NotFound("no such memory is held or to be looked at in this org", field="memory_id")
