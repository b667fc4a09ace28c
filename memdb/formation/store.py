"""Step 9: one transaction for rows, audit event and idempotency key. ADD what is new, REINFORCE what is the same, UPDATE what differs.

INVARIANT: writers, edits and deletions take rows in one order, so that they queue and never wait in a circle: fronts and claims (advisory
locks, by their numbers and names), episode, fragment, memories that exist, new memories, units, topics, entities; several of a kind in
sorted order. A memory that is only linked to is never waited for. Should Postgres still report a deadlock, the whole transaction is tried
again, because nothing of it was kept.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from governance.audit import AuditEvent, actor_of
from governance.errors import ServiceError
from governance.policy.decision import Effect
from governance.principals import Principal
from governance.scopes import readable_by
from memdb.errors import AlreadyExists, IntegrityFailed, StorageUnavailable, VersionConflict
from memdb.formation.batch import Batch
from memdb.formation.claims import key_of, lock_claims, refuse_forgotten, settle
from memdb.formation.filing import flag, leave_topic
from memdb.formation.fronts import Fronts
from memdb.formation.mentioned import mentions_of, speaker_of
from memdb.formation.rebuild import rebuild_contexts
from memdb.formation.receipts import receipt_of, replayed, result_json
from memdb.formation.stages import Decided, Receipt
from memdb.formation.versions import conflict_of, first_version, next_version, same_statement, says_the_same, taken_over_at
from memdb.ids import make_id
from memdb.models.memory import Memory, WriteAction
from memdb.runtime import Runtime
from memdb.storage import audit, idempotency, links, memories, origins, topics
from memdb.storage.database import TRIES, Identity, WriteConn, identity_of, tried_again
from memdb.storage.holds import add_holds
from memdb.storage.idempotency import Ticket
from memdb.storage.memories import Indexed, Stored
from memdb.storage.rows import redaction_json
from memdb.storage.seals import make_seals
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.formation.pipeline import Writer


class _ReplayedElsewhere(Exception):
    """A concurrent request with the same idempotency key was first; this transaction is rolled back and answers as that one did."""


Beside = Callable[[WriteConn, Sequence["Receipt | ServiceError"]], Awaitable[None]]
"""What is done in the transaction of a write, with its outcomes in the order of the request; an error undoes both."""


async def store(
    runtime: Runtime, writer: Writer, batch: Batch[Decided], *, ticket: Ticket | None, now: datetime, beside: Beside | None = None
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
            work = _Store(runtime, principal, conn, now, auditor, await Fronts.open(conn, batch.values, writer.memory, now))
            results = await _store_all(work, batch.values)
            await audit.record_all(conn, work.events)
            done = batch.replaced(results)
            if beside is not None:
                await beside(conn, done.outcomes())
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


@dataclass(frozen=True, slots=True)
class _Store:
    """What the functions below share."""

    runtime: Runtime
    principal: Principal
    conn: WriteConn
    now: datetime
    auditor: audit.Auditor
    fronts: Fronts
    events: list[AuditEvent] = field(default_factory=list)
    fragments: dict[UUID, UUID] = field(default_factory=dict)
    held: list[UUID] = field(default_factory=list)


async def _store_all(s: _Store, items: Sequence[Decided]) -> list[Receipt | ServiceError]:
    results: dict[int, Receipt | ServiceError] = dict(await refuse_forgotten(s.conn, items))
    await lock_claims(s.conn, items)
    await _keep_fragments(s, items)
    waiting = [(place, item) for place, item in enumerate(items) if place not in results]
    while waiting:
        # One statement per duplicate key and round: its repetition in the same batch meets a stored memory in the next round.
        now_round: list[tuple[int, Decided]] = []
        later: list[tuple[int, Decided]] = []
        seen: set[tuple[UUID, str, bytes]] = set()
        for place, item in waiting:
            key = key_of(item)
            (later if key is not None and key in seen else now_round).append((place, item))
            if key is not None:
                seen.add(key)
        lost = await _store_round(s, now_round, results)
        waiting = sorted([*lost, *later], key=lambda pair: pair[0])
    if s.held:
        brains = {item.brain_id for item in items}
        withheld = await origins.list_withheld(s.conn, s.principal.org_id, s.held)
        await rebuild_contexts(s.conn, (s.principal.org_id, brains), s.now, gone=withheld)
    return [results[place] for place in range(len(items))]


async def _store_round(
    s: _Store, items: Sequence[tuple[int, Decided]], results: dict[int, Receipt | ServiceError]
) -> list[tuple[int, Decided]]:
    """Store items with distinct keys; those whose key a concurrent writer took first come back."""
    for place, item in items:
        if item.replaces is not None:
            results[place] = await _change(s, item, item.memory_id)
        elif item.unit is not None:
            results[place] = await _store_unit(s, item)
    fresh = sorted((pair for pair in items if pair[0] not in results), key=lambda pair: pair[1].duplicate_key or b"")
    # One memory alone holds nothing yet that others want, so what is there already need not be locked before it is added.
    twins = await _twins(s, fresh) if len(fresh) > 1 or any(item.claim for _, item in fresh) else {}
    settled = {place: await settle(s.conn, item, s.now) for place, item in fresh if place not in twins}
    for place, one in settled.items():
        if one.former is not None:
            results[place] = await _change(s, one.item, one.former)
        elif one.kept is not None:
            results[place] = await _keep(s, one.item, one.kept)
    stored = await _add(s, [one.item for place, one in settled.items() if place not in results])
    results.update((place, stored[item.memory_id]) for place, item in fresh if item.memory_id in stored)
    taken = [(place, item) for place, item in fresh if item.memory_id not in stored and place not in results]
    twins = twins or await _twins(s, taken)
    for place, item in taken:
        if place in twins:
            results[place] = await _repeat(s, item, twins[place])
    # Taken by a concurrent writer in the meantime, or gone again.
    return [(place, item) for place, item in taken if place not in twins]


async def _store_unit(s: _Store, item: Decided) -> Receipt | ServiceError:
    """Write what a topic says: the memory that stands for it changes, or a new one stands for it from now on.

    What is held changes nothing that is served, so it becomes a memory beside the unit.
    """
    assert item.topic is not None, "a unit is written by topic"
    assert item.unit is not None, "and has its terms"
    held = item.decision.effect is Effect.HOLD
    known = None if held else await topics.find_unit(s.conn, s.principal.org_id, item.brain_id, fold(item.topic))
    if known is not None:
        return await _change(s, item, known)
    if item.unit.reject and item.unit.base_version is not None:
        return VersionConflict("the topic has no unit, so there is no version that this write had seen; read the topic again")
    receipt = (await _add(s, [item]))[item.memory_id]
    if not held:
        # Of two that make the unit at once the second is tried again, and then finds it.
        await topics.add_unit(s.conn, first_version(item), s.now)
    return receipt


async def _twins(s: _Store, items: Sequence[tuple[int, Decided]]) -> dict[int, UUID]:
    """The memories, locked, that say already what the items at these places say."""
    keys = {place: key for place, item in items if (key := key_of(item)) is not None}
    found = await memories.find_duplicates(s.conn, s.principal.org_id, list(keys.values()))
    return {place: found[key] for place, key in keys.items() if key in found}


# -------------------------------------------------------------------------------------------------------------------- ADD
async def _add(s: _Store, items: Sequence[Decided]) -> dict[UUID, Receipt]:
    if not items:
        return {}
    items = s.fronts.admit(items)
    space = s.runtime.embedder.space
    actions = {item.memory_id: make_id() for item in items if item.decision.effect is Effect.HOLD}
    new = {item.memory_id: first_version(item) for item in items}
    held_by = {m: (actions[m],) if m in actions else () for m in new}
    drafts = [
        memories.NewMemory(
            memory=new[i.memory_id],
            duplicate_key=i.duplicate_key,
            holds=held_by[i.memory_id],
            indexed=_indexed(s, i),
            mentions=mentions_of(i, i.memory_id),
            event=_event(s, "memory.add", new[i.memory_id], held_by[i.memory_id], i),
        )
        for i in items
    ]
    inserted = await memories.add(s.conn, s.runtime.keyring, space, drafts)
    kept = [item for item in items if item.memory_id in inserted]
    for item in items:
        if item.memory_id not in inserted:
            s.fronts.give_back(item)
    holds = [(actions[i.memory_id], i.memory_id, _reasons(i), i.brain_id, s.principal.subject_id) for i in kept if i.memory_id in actions]
    await add_holds(s.conn, s.principal.org_id, holds, s.now)
    s.held.extend(i.memory_id for i in kept if i.memory_id in actions)
    await _link_fragments(s, [(item, item.memory_id) for item in kept])
    await _keep_mentions(s, [(item, item.memory_id) for item in kept])
    return {i.memory_id: receipt_of(i, new[i.memory_id], WriteAction.ADD, held=i.memory_id in actions) for i in kept}


def _indexed(s: _Store, item: Decided) -> Indexed:
    before = tuple(sorted(s.fragments.get(f, f) for f in item.context_fragments))
    return Indexed(words=item.words, context=item.context, context_fragments=before, vector=item.vector, context_vector=item.context_vector)


# ------------------------------------------------------------------------------------------------------ UPDATE, REINFORCE
async def _change(s: _Store, item: Decided, memory_id: UUID) -> Receipt | ServiceError:
    """Write onto an existing memory: an edit of it, or a statement that its brain already holds."""
    scope = readable_by(s.principal, {item.brain_id: s.principal.max_role})
    current = await memories.lock(s.conn, scope, memory_id, s.runtime.keyring)
    if current is None:
        return VersionConflict("the memory was deleted while this write ran; read it again and retry")
    refused = await _refuse(s, item, current)
    if refused is not None:
        return refused
    moved = s.fronts.move(item, current.memory)
    if isinstance(moved, ServiceError):
        return moved
    item = moved
    same = item.replaces is None and (item.unit is None or same_statement(item, current.memory))
    if same and says_the_same(item, current.memory):
        return await _reinforce(s, item, current)
    return await _update(s, item, current)


async def _repeat(s: _Store, item: Decided, twin: UUID) -> Receipt | ServiceError:
    if item.claim is not None and twin in item.claim.known:
        return await _keep(s, item, twin)
    # Since when it holds, and of what attribute, is known as well.
    return await _change(s, replace(item, claim=None), twin)


async def _keep(s: _Store, item: Decided, memory_id: UUID) -> Receipt | ServiceError:
    """The receipt of what its own source said before: nothing changes, and nothing is counted."""
    current = await memories.lock(s.conn, readable_by(s.principal, {item.brain_id: s.principal.max_role}), memory_id, s.runtime.keyring)
    if current is None:
        return VersionConflict("the memory was deleted while this write ran; read it again and retry")
    return receipt_of(item, current.memory, WriteAction.REINFORCE, held=current.held)


async def _refuse(s: _Store, item: Decided, current: Stored) -> ServiceError | None:
    memory = current.memory
    if not current.intact:
        return IntegrityFailed(f"memory {memory.id} does not match its seal and is not written to")
    stale = _stale(s, item, memory)
    if stale is not None or item.replaces is None:
        return stale
    key = key_of(item)
    twin = (await memories.find_duplicates(s.conn, s.principal.org_id, [key])).get(key) if key is not None else None
    if twin not in {None, memory.id}:
        return AlreadyExists("another memory of this brain says the same; delete one of them instead")
    return None


def _stale(s: _Store, item: Decided, memory: Memory) -> VersionConflict | None:
    """The refusal of a write that was made from another version than it would replace."""
    now_at = f"the memory is at {memory.version}; read it again"
    if item.expected_version is not None and item.expected_version != memory.version:
        return VersionConflict(f"expected_version is {item.expected_version}, {now_at}", current=memory.version)
    if item.unit is not None and item.unit.reject and conflict_of(item, memory, max(s.now, memory.updated_at)):
        return VersionConflict(f"another writer changed this unit, {now_at}", current=memory.version)
    if item.replaces is not None and _taken_over(item.replaces) != _taken_over(memory):
        return VersionConflict("the memory was changed while this edit ran; read it again and retry", current=memory.version)
    return None


def _taken_over(memory: Memory) -> tuple[object, ...]:
    # What an edit takes over from the version that it was made from; a repetition may add tags without a new version.
    return memory.version, memory.tags


async def _reinforce(s: _Store, item: Decided, current: Stored) -> Receipt:
    before = current.memory
    after = replace(before, tags=tuple(sorted({*before.tags, *item.tags})), confirmed_at=s.now)
    await memories.replace(s.conn, s.runtime.keyring, after, item.duplicate_key, current.holds)
    await memories.count_reinforced(s.conn, before.org_id, [before.id])
    if item.tags and after.tags != before.tags:
        await memories.set_tags(s.conn, after)
    await _link_fragments(s, [(item, before.id)])
    await links.keep_mentions(s.conn, before.org_id, speaker_of(item, before.id), s.now)
    s.events.append(_event(s, "memory.reinforce", after, current.holds, item))
    return receipt_of(item, after, WriteAction.REINFORCE, held=current.held)


async def _update(s: _Store, item: Decided, current: Stored) -> Receipt:
    before, space = current.memory, s.runtime.embedder.space
    # A write that began earlier may come second.
    now = max(s.now, before.updated_at)
    after = replace(next_version(item, before), updated_at=now)
    holds = current.holds
    if item.decision.effect is Effect.HOLD:
        action = make_id()
        holds = (*holds, action)
        s.held.append(before.id)
        await add_holds(s.conn, before.org_id, [(action, before.id, _reasons(item), before.brain_id, s.principal.subject_id)], s.now)
    await memories.archive(s.conn, space, before, (now, taken_over_at(before, after)), WriteAction.UPDATE.value)
    await memories.remove_terms(s.conn, before.org_id, before.id)
    await memories.replace(s.conn, s.runtime.keyring, after, item.duplicate_key, holds)
    await topics.keep_topic(s.conn, after)
    await memories.replace_index(s.conn, after, _indexed(s, item), held=bool(holds))
    await leave_topic(s.conn, before, after, unit=item.unit is not None)
    if not holds:
        await memories.add_terms(s.conn, after, item.words)
    if after.content != before.content:
        await memories.set_vector(s.conn, space, after, item.vector, s.now)
        await links.replace_mentions(s.conn, before.org_id, before.id, mentions_of(item, before.id), s.now)
    else:
        await links.keep_mentions(s.conn, before.org_id, speaker_of(item, before.id), s.now)
    await _link_fragments(s, [(item, before.id)])
    s.events.append(_event(s, "memory.update", after, holds, item))
    conflict = conflict_of(item, before, now)
    if conflict is not None:
        s.events.append(await flag(s.conn, s.principal, s.auditor, (after, before), conflict, now))
    return receipt_of(item, after, WriteAction.UPDATE, held=bool(holds), conflicted=conflict is not None)


# ----------------------------------------------------------------------------------------------------------------- shared
async def _keep_fragments(s: _Store, items: Sequence[Decided]) -> None:
    """Store episodes and fragments before the memories: a concurrent writer may have stored the same ones, and then their ids are used."""
    episodes: dict[UUID, UUID] = {}
    for item in items:
        fragment, place = item.fragment, item.place
        if fragment is None or place is None:
            continue
        if place.episode_id not in episodes:
            moments = (fragment.started_at, s.now)
            episodes[place.episode_id] = await origins.keep_episode(
                s.conn, s.principal.org_id, item.brain_id, place.episode_id, fragment.episode, moments
            )
        new = origins.NewFragment(
            id=place.fragment_id,
            brain_id=item.brain_id,
            episode_id=episodes[place.episode_id],
            position=place.position,
            speaker=fragment.speaker,
            said_by=item.said_by,
            said_at=fragment.said_at,
            text=fragment.text,
            redactions=[redaction_json(r) for r in item.redactions if r.field.startswith("source.")],
            text_hash=place.text_hash,
            turn_id=fragment.turn_id,
        )
        s.fragments[place.fragment_id] = await origins.keep_fragment(s.conn, s.principal.org_id, new, s.now)


async def _link_fragments(s: _Store, items: Sequence[tuple[Decided, UUID]]) -> None:
    pairs = [(memory_id, s.fragments[item.place.fragment_id], item.brain_id) for item, memory_id in items if item.place is not None]
    await origins.link_fragments(s.conn, s.principal.org_id, pairs, s.now)


async def _keep_mentions(s: _Store, items: Sequence[tuple[Decided, UUID]]) -> None:
    mentions = [mention for item, memory_id in items for mention in mentions_of(item, memory_id)]
    await links.keep_mentions(s.conn, s.principal.org_id, mentions, s.now)


def _event(s: _Store, action: str, memory: Memory, holds: tuple[UUID, ...], item: Decided) -> AuditEvent:
    detail = {"version": memory.version, "kind": memory.kind.value, "effect": item.decision.effect.label, "reasons": _reasons(item)}
    commitment = make_seals(s.runtime.keyring, memory, holds)[2]
    return s.auditor.event(action, ("memory", memory.id), brain_id=memory.brain_id, detail=detail, commitment=commitment)


def _reasons(item: Decided) -> list[str]:
    return [verdict.reason_code for verdict in item.decision.reasons]
