"""Step 9: one transaction for rows, audit event and idempotency key. ADD what is new, REINFORCE what is the same, UPDATE what differs.

INVARIANT: writers, edits and deletions take rows in one order, so that they queue and never wait in a circle: fronts and claims (advisory
locks, by their numbers and names), episode, fragment, memories that exist, new memories, units, topics, entities; several of a kind in
sorted order. A memory that is only linked to is never waited for. Should Postgres still report a deadlock, the whole transaction is tried
again, because nothing of it was kept.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from governance.audit import actor_of
from governance.errors import InvalidInput, ServiceError
from governance.policy.decision import Effect
from memdb.errors import StorageUnavailable, VersionConflict
from memdb.formation.batch import Batch
from memdb.formation.changing import change, end, keep, obey, repeat
from memdb.formation.claims import (
    REASONS,
    Settled,
    claim_of,
    contradicted,
    is_obeyed,
    key_of,
    lock_claims,
    refuse_forgotten,
    settle,
    since_of,
)
from memdb.formation.filing import flag_against
from memdb.formation.fronts import Fronts
from memdb.formation.mentioned import mentions_of
from memdb.formation.rebuild import rebuild_contexts
from memdb.formation.receipts import receipt_of, replayed, result_json
from memdb.formation.stages import Compared, Receipt
from memdb.formation.versions import first_version
from memdb.formation.work import Work, event_of, indexed, keep_fragments, keep_mentions, link_fragments, link_similar, reasons_of
from memdb.ids import make_id
from memdb.models.memory import Kind, Memory, WriteAction
from memdb.models.reconciling import Reason
from memdb.runtime import Runtime
from memdb.storage import audit, idempotency, memories, origins, reconciliations, subjects, topics
from memdb.storage.database import TRIES, Identity, WriteConn, identity_of, tried_again
from memdb.storage.holds import add_holds
from memdb.storage.idempotency import Ticket
from memdb.storage.reviews import Cause, request_reviews
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.formation.pipeline import Writer


class _ReplayedElsewhere(Exception):
    """A concurrent request with the same idempotency key was first; this transaction is rolled back and answers as that one did."""


Beside = Callable[[Work, Sequence["Receipt | ServiceError"]], Awaitable[None]]
"""What is done in the transaction of a write, with its outcomes in the order of the request; an error undoes both."""


async def store(
    runtime: Runtime, writer: Writer, batch: Batch[Compared], *, ticket: Ticket | None, now: datetime, beside: Beside | None = None
) -> Batch[Receipt]:
    """Store a batch in one transaction, and do `beside` in it.

    Raises:
        IdempotencyConflict: the key was used with another body.
        StorageUnavailable: nothing was written.
    """
    principal, identity = writer.principal, identity_of(writer.principal)
    if ticket is not None and (earlier := await _earlier(runtime, identity, ticket, now)) is not None:
        return earlier
    if not batch.items and beside is None:
        return Batch((), batch.errors)

    async def once() -> Batch[Receipt]:
        async with runtime.database.write(identity) as conn:
            auditor = audit.Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=writer.request_id)
            work = Work(runtime, principal, conn, now, auditor, await Fronts.open(conn, batch.values, writer.memory, now))
            done = batch.replaced(await _store_all(work, batch.values))
            if beside is not None:
                await beside(work, done.outcomes())
            await reconciliations.keep(conn, principal.org_id, work.decided)
            await audit.record_all(conn, work.events)
            if ticket is not None and done.items and not await _claim(conn, ticket, done, now):
                raise _ReplayedElsewhere
        return done

    for _ in range(TRIES):
        try:
            return await tried_again(once)
        except _ReplayedElsewhere:
            assert ticket is not None, "only a request with a key is replayed"
            earlier = await _earlier(runtime, identity, ticket, now)
            if earlier is not None:
                return earlier
    raise StorageUnavailable("requests with this idempotency key follow each other too fast; nothing was written, try again")


async def _earlier(runtime: Runtime, identity: Identity, ticket: Ticket, now: datetime) -> Batch[Receipt] | None:
    async with runtime.database.read(identity) as conn:
        found = await idempotency.find_result(conn, ticket, now)
    return None if found is None else replayed(found)


async def _claim(conn: WriteConn, ticket: Ticket, done: Batch[Receipt], now: datetime) -> bool:
    return await idempotency.claim(conn, ticket, result_json(done), now)


async def _store_all(w: Work, items: Sequence[Compared]) -> list[Receipt | ServiceError]:
    results: dict[int, Receipt | ServiceError] = {**await refuse_forgotten(w.conn, items), **await _refuse_gone(w, items)}
    await lock_claims(w.conn, items)
    await keep_fragments(w, items)
    waiting = [(place, item) for place, item in enumerate(items) if place not in results]
    while waiting:
        # One statement per duplicate key, and per thing that only one tells, and round: the next in the same batch meets a stored memory.
        now_round: list[tuple[int, Compared]] = []
        later: list[tuple[int, Compared]] = []
        seen: set[tuple[object, ...]] = set()
        for place, item in waiting:
            keys = {key for key in (key_of(item), claim_of(item)) if key is not None}
            (later if keys & seen else now_round).append((place, item))
            seen |= keys
        lost = await _store_round(w, now_round, results)
        waiting = sorted([*lost, *later], key=lambda pair: pair[0])
    if w.held:
        brains = {item.brain_id for item in items}
        withheld = await origins.list_withheld(w.conn, w.principal.org_id, w.held)
        await rebuild_contexts(w.conn, w.runtime.keyring, (w.principal.org_id, brains), w.now, gone=withheld)
    await request_reviews(w.conn, w.principal.org_id, Cause.FLAGGED, w.flagged, w.now)
    return [results[place] for place in range(len(items))]


async def _refuse_gone(w: Work, items: Sequence[Compared]) -> dict[int, ServiceError]:
    """Refuse what is about somebody who was erased since it was placed; the others cannot be before this is stored."""
    named = {one for item in items for one in (*item.about, item.said_by) if one is not None}
    known = await subjects.lock_known(w.conn, w.principal.org_id, named) if named else frozenset()
    gone = InvalidInput("about or said_by names a subject that this org does not have", field="about")
    return {place: gone for place, item in enumerate(items) if not {*item.about, *filter(None, [item.said_by])} <= known}


async def _store_round(
    w: Work, items: Sequence[tuple[int, Compared]], results: dict[int, Receipt | ServiceError]
) -> list[tuple[int, Compared]]:
    """Store items with distinct keys; those whose key a concurrent writer took first come back."""
    for place, item in items:
        if item.replaces is not None:
            results[place] = await change(w, item, item.memory_id)
        elif item.unit is not None:
            results[place] = await _store_unit(w, item)
    fresh = sorted((pair for pair in items if pair[0] not in results), key=lambda pair: pair[1].duplicate_key or b"")
    # One memory alone holds nothing yet that others want, so what is there already need not be locked before it is added.
    twins = await _twins(w, fresh) if len(fresh) > 1 or any(item.claim for _, item in fresh) else {}
    alone: dict[int, Settled] = {}
    for place, item in fresh:
        if place not in twins:
            receipt = await _settle(w, item)
            if isinstance(receipt, Settled):
                alone[place] = receipt
            else:
                results[place] = receipt
    stored = await _add(w, list(alone.values()))
    results.update((place, stored[item.memory_id]) for place, item in fresh if item.memory_id in stored)
    taken = [(place, item) for place, item in fresh if item.memory_id not in stored and place not in results]
    twins = twins or await _twins(w, taken)
    for place, item in taken:
        if place in twins:
            results[place] = await repeat(w, item, twins[place])
    # Taken by a concurrent writer in the meantime, or gone again.
    return [(place, item) for place, item in taken if place not in twins]


async def _settle(w: Work, item: Compared) -> Receipt | ServiceError | Settled:
    """Write a statement onto the memory that it belongs to, if there is one; else what is to be added of it."""
    one = await settle(w.conn, item, w.now)
    if one.kept is not None:
        return await keep(w, one.item, one.kept)
    if one.former is None:
        obeyed = await obey(w, one.item) if is_obeyed(one) else one.item
        return obeyed if isinstance(obeyed, Receipt) else replace(one, item=obeyed, against=one.against or contradicted(obeyed))
    receipt = await change(w, one.item, one.former, REASONS[item.kind])
    if isinstance(receipt, ServiceError):
        return receipt
    for memory_id in sorted(one.over):
        await end(w, item, memory_id, since_of(item, w.now))
    contested = bool(one.against) and await flag_against(w, item.brain_id, receipt.id, one.against)
    return replace(receipt, conflicted=receipt.conflicted or contested)


async def _store_unit(w: Work, item: Compared) -> Receipt | ServiceError:
    """Write what a topic says: the memory that stands for it changes, or a new one stands for it from now on.

    What is held changes nothing that is served, so it becomes a memory beside the unit.
    """
    assert item.topic is not None, "a unit is written by topic"
    assert item.unit is not None, "and has its terms"
    held = item.decision.effect is Effect.HOLD
    known = None if held else await topics.find_unit(w.conn, w.principal.org_id, item.brain_id, fold(item.topic))
    if known is not None:
        return await change(w, item, known)
    if item.unit.reject and item.unit.base_version is not None:
        return VersionConflict("the topic has no unit, so there is no version that this write had seen; read the topic again")
    receipt = (await _add(w, [Settled(item)]))[item.memory_id]
    if not held:
        # Of two that make the unit at once the second is tried again, and then finds it.
        await topics.add_unit(w.conn, first_version(item), w.now)
    return receipt


async def _twins(w: Work, items: Sequence[tuple[int, Compared]]) -> dict[int, UUID]:
    """The memories that say already what the items at these places say; locked, but for those without a duplicate key."""
    keys = {place: key for place, item in items if (key := key_of(item)) is not None}
    found = await memories.find_duplicates(w.conn, w.principal.org_id, list(keys.values()))
    repeated = await _said_before(w, [(place, item) for place, item in items if place not in keys])
    return repeated | {place: found[key] for place, key in keys.items() if key in found}


async def _said_before(w: Work, items: Sequence[tuple[int, Compared]]) -> dict[int, UUID]:
    """Of what may repeat and so has no key, such as an event of no known time: the memories that the same source made of it before, each
    for one item.
    """
    free: dict[tuple[UUID, Kind], dict[UUID, Memory]] = {}
    twins: dict[int, UUID] = {}
    for place, item in items:
        if item.claim is None or not item.claim.known:
            continue
        where = (item.brain_id, item.kind)
        if where not in free:
            rows = await memories.list_by_id(w.conn, w.scope_of(item.brain_id), item.claim.known, w.runtime.keyring)
            free[where] = {one: row.memory for one, row in sorted(rows.items()) if row.intact and row.memory.kind is item.kind}
        told = (item.content.text, item.about, item.said_by)
        twin = next((one for one, memory in free[where].items() if (memory.content, memory.about, memory.said_by) == told), None)
        if twin is not None:
            twins[place] = twin
            del free[where][twin]
    return twins


# -------------------------------------------------------------------------------------------------------------------- ADD
async def _add(w: Work, settled: Sequence[Settled]) -> dict[UUID, Receipt]:
    if not settled:
        return {}
    against = {one.item.memory_id: one.against for one in settled if one.against}
    items = w.fronts.admit([one.item for one in settled])
    space = w.runtime.embedder.space
    actions = {item.memory_id: make_id() for item in items if item.decision.effect is Effect.HOLD}
    new = {item.memory_id: first_version(item) for item in items}
    held_by = {m: (actions[m],) if m in actions else () for m in new}
    drafts = [
        memories.NewMemory(
            memory=new[i.memory_id],
            duplicate_key=i.duplicate_key,
            holds=held_by[i.memory_id],
            indexed=indexed(w, i),
            mentions=mentions_of(i, i.memory_id),
            event=event_of(w, "memory.add", new[i.memory_id], held_by[i.memory_id], i),
        )
        for i in items
    ]
    inserted = await memories.add(w.conn, w.runtime.keyring, space, drafts)
    kept = [item for item in items if item.memory_id in inserted]
    for item in items:
        if item.memory_id not in inserted:
            w.fronts.give_back(item)
    holds = [(actions[i.memory_id], i.memory_id, reasons_of(i), i.brain_id, w.principal.subject_id) for i in kept if i.memory_id in actions]
    await add_holds(w.conn, w.principal.org_id, holds, w.now)
    w.held.extend(i.memory_id for i in kept if i.memory_id in actions)
    w.flagged.extend((i.memory_id, i.brain_id, reasons_of(i)) for i in kept if i.decision.effect is Effect.FLAG)
    await link_fragments(w, [(item, item.memory_id, 1) for item in kept])
    await keep_mentions(w, [(item, item.memory_id) for item in kept])
    await link_similar(w, [(item, item.memory_id) for item in kept])
    receipts = {}
    for item in kept:
        memory = new[item.memory_id]
        others = against.get(memory.id, ())
        contested = bool(others) and await flag_against(w, memory.brain_id, memory.id, others)
        why = Reason.CONTRADICTS if contested else Reason.SIMILAR if item.neighbours else Reason.NEW
        if why is not Reason.NEW or item.verdict is not None:
            w.note(item, memory, WriteAction.ADD, why)
        receipts[memory.id] = receipt_of(item, memory, (WriteAction.ADD, why), held=memory.id in actions, conflicted=contested)
    return receipts
