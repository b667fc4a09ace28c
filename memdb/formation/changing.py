"""Step 9, of memories that exist: UPDATE, REINFORCE, and the end of what gives way to another statement."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from governance.errors import ServiceError
from governance.policy.decision import Effect
from memdb.errors import AlreadyExists, IntegrityFailed, VersionConflict
from memdb.formation.claims import gives_way, key_of, list_over, since_of
from memdb.formation.filing import flag, leave_topic, settle_speakers
from memdb.formation.mentioned import mentions_of, speaker_of
from memdb.formation.receipts import receipt_of
from memdb.formation.versions import conflict_of, merged_data, next_version, same_statement, says_the_same, taken_over_at, tells_the_same
from memdb.formation.work import Work, indexed, link_fragments, link_similar, reasons_of, without_claim
from memdb.ids import make_id
from memdb.models.memory import Kind, Memory, WriteAction
from memdb.models.reconciling import END, Reason, Refused, Verdict
from memdb.storage import links, memories, origins, topics
from memdb.storage.claims import Holder
from memdb.storage.holds import add_holds
from memdb.storage.memories import Stored

if TYPE_CHECKING:
    from memdb.formation.stages import Compared, Receipt


async def change(w: Work, item: Compared, memory_id: UUID, why: Reason = Reason.OTHER_DATA) -> Receipt | ServiceError:
    """Write onto an existing memory: an edit of it, or a statement that its brain already holds.

    Args:
        w: the transaction.
        item: the write.
        memory_id: of the memory.
        why: the reason, should it become a new version.
    """
    current = await memories.lock(w.conn, w.scope_of(item.brain_id), memory_id, w.runtime.keyring)
    if current is None:
        return VersionConflict("the memory was deleted while this write ran; read it again and retry")
    refused = await _refuse(w, item, current)
    if refused is not None:
        return refused
    moved = w.fronts.move(item, current.memory)
    if isinstance(moved, ServiceError):
        return moved
    item = moved
    same = item.replaces is None and (item.unit is None or same_statement(item, current.memory))
    if same and says_the_same(item, current.memory):
        return await reinforce(w, item, current, Reason.SAME_EVENT if item.kind is Kind.EPISODIC else Reason.SAME_STATEMENT)
    return await update(w, item, current, why)


async def repeat(w: Work, item: Compared, twin: UUID) -> Receipt | ServiceError:
    """Write what a memory says already. Said again of what has ended meanwhile it begins anew; what gives way to it ends."""
    claim = item.claim
    if claim is None or twin in claim.known:
        return await change(w, item, twin) if claim is None else await keep(w, item, twin)
    current = await memories.lock(w.conn, w.scope_of(item.brain_id), twin, w.runtime.keyring)
    since = since_of(item, w.now)
    over = current is not None and current.memory.valid_to is not None and current.memory.valid_to <= since
    anew = over and item.kind is not Kind.EPISODIC and claim.since is not None
    receipt = await change(w, item if anew else without_claim(item), twin)
    if not isinstance(receipt, ServiceError):
        for memory_id in sorted(await list_over(w.conn, item, twin, w.now)):
            await end(w, item, memory_id, since)
    return receipt


async def keep(w: Work, item: Compared, memory_id: UUID) -> Receipt | ServiceError:
    """The receipt of what its own source said before: nothing changes, and nothing is counted."""
    current = await memories.lock(w.conn, w.scope_of(item.brain_id), memory_id, w.runtime.keyring)
    if current is None:
        return VersionConflict("the memory was deleted while this write ran; read it again and retry")
    return receipt_of(item, current.memory, (WriteAction.REINFORCE, Reason.SAME_STATEMENT), held=current.held)


async def _refuse(w: Work, item: Compared, current: Stored) -> ServiceError | None:
    memory = current.memory
    if not current.intact:
        return IntegrityFailed(f"memory {memory.id} does not match its seal and is not written to")
    stale = _stale(w, item, memory)
    if stale is not None or item.replaces is None:
        return stale
    key = key_of(item)
    twin = (await memories.find_duplicates(w.conn, w.principal.org_id, [key])).get(key) if key is not None else None
    if twin not in {None, memory.id}:
        return AlreadyExists("another memory of this brain says the same; delete one of them instead")
    return None


def _stale(w: Work, item: Compared, memory: Memory) -> VersionConflict | None:
    """The refusal of a write that was made from another version than it would replace."""
    now_at = f"the memory is at {memory.version}; read it again"
    if item.expected_version is not None and item.expected_version != memory.version:
        return VersionConflict(f"expected_version is {item.expected_version}, {now_at}", current=memory.version)
    if item.unit is not None and item.unit.reject and conflict_of(item, memory, max(w.now, memory.updated_at)):
        return VersionConflict(f"another writer changed this unit, {now_at}", current=memory.version)
    if item.replaces is not None and _taken_over(item.replaces) != _taken_over(memory):
        return VersionConflict("the memory was changed while this edit ran; read it again and retry", current=memory.version)
    return None


def _taken_over(memory: Memory) -> tuple[object, ...]:
    # What an edit takes over from the version that it was made from; a repetition may add tags and aliases without a new version.
    return memory.version, memory.tags, memory.data


async def reinforce(w: Work, item: Compared, current: Stored, why: Reason) -> Receipt:
    """Count one more statement of a locked memory: tags, aliases, sources and who said it are united, the text stays."""
    before = current.memory
    after = replace(before, tags=tuple(sorted({*before.tags, *item.tags})), data=merged_data(item, before), confirmed_at=w.now)
    await memories.restate(w.conn, w.runtime.keyring, after, current.holds)
    await memories.count_reinforced(w.conn, before.org_id, [before.id])
    if (after.tags, after.data) != (before.tags, before.data):
        await memories.follow(w.conn, after)
    await link_fragments(w, [(item, before.id, before.version)])
    await links.keep_mentions(w.conn, before.org_id, speaker_of(item, before.id), w.now)
    w.tell("memory.reinforce", after, current.holds, item)
    w.note(item, after, WriteAction.REINFORCE, why)
    return receipt_of(item, after, (WriteAction.REINFORCE, why), held=current.held)


async def update(w: Work, item: Compared, current: Stored, why: Reason) -> Receipt:
    """Make a new version of a locked memory. Another text has other sources, mentions and neighbours."""
    before, space = current.memory, w.runtime.embedder.space
    # A write that began earlier may come second.
    now = max(w.now, before.updated_at)
    after = replace(next_version(item, before), updated_at=now)
    holds = current.holds
    if item.decision.effect is Effect.HOLD:
        action = make_id()
        holds = (*holds, action)
        w.held.append(before.id)
        await add_holds(w.conn, before.org_id, [(action, before.id, reasons_of(item), before.brain_id, w.principal.subject_id)], w.now)
    if item.decision.effect is Effect.FLAG:
        w.flagged.append((before.id, before.brain_id, reasons_of(item)))
    await memories.archive(w.conn, space, before, (now, taken_over_at(item, before, after)), WriteAction.UPDATE.value)
    await memories.remove_terms(w.conn, before.org_id, before.id)
    await memories.replace(w.conn, w.runtime.keyring, after, item.duplicate_key, holds)
    await topics.keep_topic(w.conn, after)
    await memories.replace_index(w.conn, w.runtime.keyring, after, indexed(w, item), held=bool(holds))
    await leave_topic(w.conn, before, after, unit=item.unit is not None)
    if not holds:
        await memories.add_terms(w.conn, after, item.words)
    if after.content != before.content:
        await memories.set_vector(w.conn, w.runtime.keyring, space, after, item.vector, w.now)
        if not tells_the_same(item, before):
            await origins.end_sources(w.conn, before.org_id, before.id, before.version)
        await links.replace_mentions(w.conn, before.org_id, before.id, mentions_of(item, before.id), w.now)
        await link_similar(w, [(item, before.id)])
    else:
        await links.keep_mentions(w.conn, before.org_id, speaker_of(item, before.id), w.now)
    await link_fragments(w, [(item, before.id, after.version)])
    w.tell("memory.update", after, holds, item)
    w.note(item, after, WriteAction.UPDATE, why)
    conflict = conflict_of(item, before, now)
    if conflict is not None:
        w.events.append(await flag(w.conn, w.principal, w.auditor, (after, before), conflict, now))
    return receipt_of(item, after, (WriteAction.UPDATE, why), held=bool(holds), conflicted=conflict is not None)


async def end(w: Work, item: Compared, memory_id: UUID, at: datetime) -> None:
    """Let a memory end where a statement that counts for more begins; a new version that says until when it held."""
    current = await memories.lock(w.conn, w.scope_of(item.brain_id), memory_id, w.runtime.keyring)
    before = None if current is None else current.memory
    if (
        current is None
        or before is None
        or current.held
        or not current.intact
        or (before.valid_from is not None and before.valid_from >= at)
    ):
        return
    now = max(w.now, before.updated_at)
    by = item.principal
    after = replace(
        before, version=before.version + 1, valid_to=at, updated_at=now,
        written_by=by.subject_id, written_key=by.key_id, writer_label=by.writer_label,
    )  # fmt: skip
    await memories.archive(w.conn, w.runtime.embedder.space, before, (now, before.valid_to), WriteAction.UPDATE.value)
    await memories.restate(w.conn, w.runtime.keyring, after, current.holds)
    await memories.follow(w.conn, after)
    w.tell("memory.update", after, current.holds, item)
    w.note(replace(item, neighbours=()), after, END, Reason.OUTRANKED)
    await settle_speakers(w.conn, w.scope_of(item.brain_id), w.principal, memory_id, now)


async def obey(w: Work, item: Compared) -> Receipt | Compared:
    """Do what a language model decided of an item; where that cannot be done any more, the item with the reason, to be added.

    INVARIANT: checked under the lock of the neighbour: it is as the model was shown it, and still counts for no more than the statement.
    """
    verdict = item.verdict
    assert verdict is not None, "a model was asked"
    assert verdict.neighbour_id is not None, "and named a memory"
    current = await memories.lock(w.conn, w.scope_of(item.brain_id), verdict.neighbour_id, w.runtime.keyring)
    refused = Refused.NEIGHBOUR_CHANGED if current is None else _not_obeyed(w, item, verdict, current)
    moved = None if current is None or refused is not None else w.fronts.move(item, current.memory)
    if current is None or moved is None or isinstance(moved, ServiceError):
        return replace(item, verdict=replace(verdict, action=WriteAction.ADD, refused=refused or Refused.NEIGHBOUR_CHANGED))
    if verdict.action is WriteAction.REINFORCE:
        return await reinforce(w, moved, current, Reason.SAME_BY_MODEL)
    return await update(w, moved, current, Reason.CHANGED_BY_MODEL)


def _not_obeyed(w: Work, item: Compared, verdict: Verdict, current: Stored) -> Refused | None:
    memory, since = current.memory, since_of(item, w.now)
    over = memory.valid_to is not None and memory.valid_to <= since
    if current.held or not current.intact or memory.version != verdict.version or memory.about != item.about or over:
        return Refused.NEIGHBOUR_CHANGED
    if verdict.action is WriteAction.REINFORCE:
        return None
    if memory.valid_from is not None and memory.valid_from > since:
        return Refused.BEGAN_LATER
    return None if gives_way(item, Holder(memory.id, memory.said_by, memory.valid_from, None)) else Refused.SAID_BY_ANOTHER
