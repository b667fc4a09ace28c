"""Memories of a brain: those that go, and those that stay without the name. Held, expired and superseded ones too."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from governance.scopes import of_job
from memdb.errors import ProviderError
from memdb.formation.context import NO_WORDS
from memdb.formation.embed import document_text
from memdb.formation.filing import leave_topic
from memdb.formation.rebuild import rebuild_contexts
from memdb.lifecycle.duplicate_keys import key_of
from memdb.lifecycle.erasure.labels import ERASED, Finder, shift
from memdb.lifecycle.erasure.work import AMBIGUOUS, UNSEALED, Work
from memdb.models.memory import Memory
from memdb.providers.embedding.base import Vector
from memdb.storage import dependents, erasing, forgotten, links, memories, origins, texts, topics
from memdb.storage.audit import record
from memdb.storage.database import WriteConn, tried_again
from memdb.storage.erasing import NIL, Sought
from memdb.storage.evidence import VERSION_GONE
from memdb.storage.memories import Indexed, Stored
from memdb.text.lexemes import analyse
from memdb.text.normalise import fold

PAGE: Final = 5_000
ERASED_AT_ONCE: Final = 20
MARKED_AT_ONCE: Final = 100


async def scan_memories(work: Work, brain_id: UUID) -> None:
    """Erase or mark every memory of a brain that has to do with the subject."""
    sought, after = work.sought(brain_id), NIL
    while True:
        async with work.runtime.database.read(work.identity(brain_id)) as conn:
            until = await erasing.end_of_page(conn, "end_of_memories", sought, after, PAGE)
            found = [] if until is None else await erasing.find_memories(conn, sought, after, until)
            tombstones = [] if until is None else await erasing.find_tombstones(conn, sought, after, until)
        if until is None:
            return
        await _relabel(work, sought, tombstones)
        await erase_memories(work, sought, [memory_id for memory_id, whole in found if whole])
        rest = [memory_id for memory_id, whole in found if not whole]
        for start in range(0, len(rest), MARKED_AT_ONCE):
            await _mark_page(work, sought, rest[start : start + MARKED_AT_ONCE])
        after = until


# ------------------------------------------------------------------------------------------------------------------ erased
async def erase_memories(work: Work, sought: Sought, ids: Sequence[UUID]) -> None:
    """Erase memories of a brain, some in each transaction."""
    for start in range(0, len(ids), ERASED_AT_ONCE):
        work.pause()
        some = ids[start : start + ERASED_AT_ONCE]
        if not work.apply:
            async with work.runtime.database.read(work.identity(sought.brain_id)) as conn:
                work.count(memories=len(some), **await dependents.count(conn, sought.org_id, some))
            continue
        counted = await tried_again(lambda some=some: _erase(work, sought, some))  # type: ignore[misc]  # mypy sees no type in a default
        work.count(**counted)


async def _erase(work: Work, sought: Sought, ids: Sequence[UUID]) -> dict[str, int]:
    runtime, (org_id, brain_id), now = work.runtime, (sought.org_id, sought.brain_id), work.runtime.clock.now()
    erased = 0
    async with runtime.database.write(work.identity(brain_id)) as conn:
        for memory_id in ids:
            await origins.lock_sources(conn, org_id, [brain_id], memory_id)
        counted = await dependents.count(conn, org_id, ids)
        for memory_id in ids:
            found = await memories.lock(conn, of_job(org_id, brain_id), memory_id, runtime.keyring, to_delete=True)
            if found is None:
                continue
            await forgotten.keep(conn, org_id, memory_id, now)
            await memories.remove_terms(conn, org_id, memory_id)
            gone = await origins.delete_orphans(conn, org_id, memory_id)
            state = await memories.erase(conn, runtime.keyring, found.memory, now)
            writer = work.finder.mark(found.memory.writer_label, all_of_them=found.memory.written_by in work.ids).text
            if writer != found.memory.writer_label:
                state = await erasing.relabel_tombstone(conn, runtime.keyring, org_id, memory_id, writer)
            await erasing.forget_lineage(conn, sought, memory_id)
            await rebuild_contexts(conn, runtime.keyring, (org_id, [brain_id]), now, gone=gone)
            detail = {"version": found.memory.version, "kind": found.memory.kind.value}
            await record(conn, work.event("memory.erase", ("memory", memory_id), brain_id, commitment=state, **detail))
            counted["fragments"] = counted.get("fragments", 0) + len(gone)
            erased += 1
        await erasing.forget_neighbours(conn, sought, ids)
    return counted | {"memories": erased}


async def _relabel(work: Work, sought: Sought, ids: Sequence[UUID]) -> None:
    """Of memories that were deleted before only who wrote them is left; the label of a key may be a name."""
    if not work.apply or not ids:
        work.count(memories_rewritten=len(ids))
        return

    async def once() -> None:
        async with work.runtime.database.write(work.identity(sought.brain_id)) as conn:
            for memory_id in ids:
                state = await erasing.relabel_tombstone(conn, work.runtime.keyring, sought.org_id, memory_id, ERASED)
                await record(conn, work.event("memory.redact", ("memory", memory_id), sought.brain_id, commitment=state))

    await tried_again(once)
    work.count(memories_rewritten=len(ids))


# ------------------------------------------------------------------------------------------------------------------ marked
@dataclass(frozen=True, slots=True)
class _Mark:
    """A version as it was read and as it has to be; `after` None: an older one that goes, because it was about nobody else."""

    before: Memory
    after: Memory | None
    past: bool
    vector: Vector | None = field(default=None, repr=False)
    mentions: Sequence[links.NewMention] = ()

    @property
    def says_otherwise(self) -> bool:
        return self.after is not None and self.after.content != self.before.content


async def _mark_page(work: Work, sought: Sought, ids: Sequence[UUID]) -> None:
    runtime, brain_id = work.runtime, sought.brain_id
    work.pause()
    async with runtime.database.read(work.identity(brain_id)) as conn:
        current = await memories.list_by_id(conn, of_job(sought.org_id, brain_id), ids, runtime.keyring)
        past = await texts.list_past_versions(conn, sought.org_id, ids, runtime.keyring)
    broken = {one for one, found in current.items() if not found.intact} | {version.memory.id for version in past if not version.intact}
    # Nobody can say what a row holds that was changed behind the product's back, and sealing it anew would hide that.
    gone = [one for one in sorted(broken) if work.decision_on("memory", one) == "erase"]
    for one in broken - set(gone):
        if work.decision_on("memory", one) is None:
            work.leave("memory", one, brain_id, UNSEALED)
    await erase_memories(work, sought, gone)
    versions = [(found.memory, False) for one, found in current.items() if one not in broken]
    versions += [(version.memory, True) for version in past if version.memory.id not in broken]
    marks = await asyncio.to_thread(lambda: [mark for memory, old in versions if (mark := _mark(work, memory, past=old)) is not None])
    if not work.apply:
        work.count(memories_rewritten=sum(not m.past for m in marks), memory_versions_rewritten=sum(m.past for m in marks))
        return
    # Older versions first: of a memory whose current text is rewritten before, nothing would lead to them again.
    for mark in await _derive(work, sorted(marks, key=lambda m: not m.past)):
        await _rewrite(work, sought, mark, current)


def _mark(work: Work, memory: Memory, *, past: bool) -> _Mark | None:
    """What has to be rewritten; None when nothing has."""
    decision = work.decision_on("memory", memory.id)
    after, still_open = mark_memory(work.finder, memory, work.ids, all_of_them=decision == "erase")
    if still_open and decision is None:
        work.leave("memory", memory.id, memory.brain_id, AMBIGUOUS)
    if past and memory.about and set(memory.about) <= set(work.ids):
        return _Mark(memory, None, past=True)
    return None if after == memory else _Mark(memory, after, past)


def mark_memory(finder: Finder, memory: Memory, ids: Sequence[UUID], *, all_of_them: bool) -> tuple[Memory, bool]:
    """A version without the subject, and whether a label that others share is still in it.

    Args:
        finder: of the subject's labels.
        memory: the version.
        ids: all that are one with the subject.
        all_of_them: labels that others share as well.
    """
    content = finder.mark(memory.content, all_of_them=all_of_them)
    data, places, data_open = finder.mark_json(memory.data, all_of_them=all_of_them)
    topic = None if memory.topic is None else finder.mark(memory.topic, all_of_them=all_of_them)
    tags = [finder.mark(tag, all_of_them=all_of_them) for tag in memory.tags]
    writer = finder.mark(memory.writer_label, all_of_them=all_of_them)
    redactions = shift(memory.redactions, {"content": content.places, **places})
    after = replace(
        memory,
        content=content.text,
        data=data if places or data != memory.data else memory.data,
        topic=None if topic is None else topic.text,
        tags=tuple(dict.fromkeys(tag.text for tag in tags)),
        about=tuple(one for one in memory.about if one not in ids),
        said_by=None if memory.said_by in ids else memory.said_by,
        redactions=redactions,
        writer_label=writer.text,
    )
    return after, any((content.open, data_open, topic is not None and topic.open, *(tag.open for tag in tags)))


async def _derive(work: Work, marks: Sequence[_Mark]) -> list[_Mark]:
    """With vectors and mentions of new texts, while no transaction is open; without vectors where the provider does not answer."""
    runtime = work.runtime
    told = [mark for mark in marks if mark.says_otherwise]
    if not told:
        return list(marks)
    dictionary = await runtime.directory.get(runtime.database, work.identity(told[0].before.brain_id))
    derived = {id(mark): mark for mark in marks}
    for mark in told:
        if not mark.past and mark.after is not None:
            found = await asyncio.to_thread(runtime.extractor.extract, mark.after.content, mark.after.language, dictionary)
            mentions = [links.NewMention(mark.after.id, mark.after.brain_id, m.kind.value, m.surface, m.name_folded) for m in found]
            derived[id(mark)] = replace(mark, mentions=mentions)
    try:
        vectors = await runtime.embedder.embed_documents([document_text(mark.after.content) for mark in told if mark.after is not None])
    except ProviderError:
        return list(derived.values())
    for mark, made in zip(told, vectors, strict=True):
        known = derived[id(mark)]
        assert known.after is not None, "it says something else"
        derived[id(mark)] = replace(known, after=replace(known.after, text_cut=made.truncated), vector=made.vector)
    return list(derived.values())


async def _rewrite(work: Work, sought: Sought, mark: _Mark, current: dict[UUID, Stored]) -> None:
    async def once() -> dict[str, int]:
        async with work.runtime.database.write(work.identity(sought.brain_id)) as conn:
            if mark.after is None:
                await erasing.delete_version(conn, mark.before)
                target = ("memory", mark.before.id)
                await record(conn, work.event(VERSION_GONE, target, mark.before.brain_id, version=mark.before.version))
                return {"memory_versions": 1}
            if mark.past:
                return await _rewrite_past(work, conn, mark, mark.after)
            return await _rewrite_current(work, conn, mark, mark.after, current[mark.before.id])

    work.count(**await tried_again(once))


async def _rewrite_past(work: Work, conn: WriteConn, mark: _Mark, after: Memory) -> dict[str, int]:
    await erasing.rewrite_names_of_version(conn, after)
    if not await texts.rewrite_version(conn, work.runtime.keyring, after, analyse(after.content, after.language)):
        return {}
    if mark.says_otherwise:
        await texts.set_version_vector(conn, work.runtime.keyring, work.runtime.embedder.space, after, mark.vector)
    await record(conn, work.event("memory.redact", ("memory", after.id), after.brain_id, version=after.version))
    return {"memory_versions_rewritten": 1}


async def _rewrite_current(work: Work, conn: WriteConn, mark: _Mark, after: Memory, read: Stored) -> dict[str, int]:
    before, keyring, org_id = mark.before, work.runtime.keyring, work.org_id
    found = await memories.lock(conn, of_job(org_id, before.brain_id), before.id, keyring)
    if found is None or not found.intact or found.memory != read.memory:
        return {"written_meanwhile": 1}  # the next pass reads it as it is then
    held, now = bool(found.holds), work.runtime.clock.now()
    unit = before.topic is not None and await topics.is_unit(conn, org_id, before.id)
    key = await key_of(conn, keyring, org_id, after, held=held)
    words = analyse(after.content, after.language)
    await memories.remove_terms(conn, org_id, after.id)
    state = await memories.replace(conn, keyring, after, key, found.holds)
    await topics.keep_topic(conn, after)
    await memories.replace_index(conn, keyring, after, Indexed(words, NO_WORDS, (), None), held=held)
    if unit and after.topic is not None and await topics.find_unit(conn, org_id, after.brain_id, fold(after.topic)) not in {None, after.id}:
        await topics.forget_unit(conn, org_id, after.id)  # another one stands for what the topic is called now
        unit = False
    await leave_topic(conn, before, after, unit=unit)
    if not held:
        await memories.add_terms(conn, after, words)
    if mark.says_otherwise:
        await memories.set_vector(conn, keyring, work.runtime.embedder.space, after, mark.vector, now)
        await links.replace_mentions(conn, org_id, after.id, mark.mentions, now)
    labels = work.finder.labels
    theirs = before.said_by in work.ids or work.decision_on("memory", after.id) == "erase"
    await erasing.forget_speakers(conn, org_id, after.id, (*labels.sure, *(labels.unsure if theirs else ())))
    await record(conn, work.event("memory.redact", ("memory", after.id), after.brain_id, commitment=state, version=after.version))
    return {"memories_rewritten": 1}
