"""Memories of a brain and their older versions, and everything that is derived from a text."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from governance.errors import PersonalDataInIdentifier
from governance.redaction.findings import RedactedJson, RedactedText
from governance.scopes import of_job
from memdb.errors import ProviderError
from memdb.formation.context import NO_WORDS
from memdb.formation.embed import document_text
from memdb.formation.redact import strings
from memdb.lifecycle.duplicate_keys import key_of
from memdb.lifecycle.rescan.carry import carry_over, carry_over_json
from memdb.lifecycle.rescan.work import PAGE, Numbered, Position, Scan, audit, check_names, report_name
from memdb.models.memory import Memory, StoredRedaction
from memdb.providers.embedding.base import Vector
from memdb.storage import links, memories, texts
from memdb.storage.database import Identity, WriteConn, tried_again
from memdb.storage.memories import Indexed, Stored
from memdb.text.lexemes import analyse

ROUNDS_MAX: Final = 5  # for memories that are written to while they are scanned


@dataclass(frozen=True, slots=True)
class _Rewrite:
    """A version as it was read and as it has to be; `past` tells the current one from an older one."""

    before: Memory
    after: Memory
    past: bool
    vector: Vector | None = field(default=None, repr=False)
    mentions: Sequence[links.NewMention] = ()

    @property
    def changed(self) -> bool:
        return self.says_otherwise or self.before.data != self.after.data

    @property
    def says_otherwise(self) -> bool:
        """True when the content is another one, so that vector and mentions are."""
        return self.before.content != self.after.content


async def scan_memories(work: Scan, brain_id: UUID, after: UUID | None) -> None:
    """Read the memories of a brain behind `after`; what is written to meanwhile is read again."""
    identity = Identity(work.org_id, job_brain_id=brain_id)
    while True:
        async with work.runtime.database.read(identity) as conn:
            ids = await texts.list_memory_ids(conn, work.org_id, brain_id, after, PAGE)
        if not ids:
            return
        again: Sequence[UUID] = ids
        for _ in range(ROUNDS_MAX):
            again = await _scan_page(work, identity, again)
            if not again:
                break
        after = ids[-1]
        work.report.read["memories"] += len(ids)
        work.advance(Position(brain_id, "memories", after), len(ids))


async def _scan_page(work: Scan, identity: Identity, ids: Sequence[UUID]) -> list[UUID]:
    """Those that another write changed after they were read: their former text has become an older version by now."""
    assert identity.job_brain_id is not None, "a memory lies in a brain"
    keyring = work.runtime.keyring
    async with work.runtime.database.read(identity) as conn:
        current = await memories.list_by_id(conn, of_job(work.org_id, identity.job_brain_id), ids, keyring)
        past = await texts.list_past_versions(conn, work.org_id, ids, keyring)
    broken = {m for m, found in current.items() if not found.intact} | {v.memory.id for v in past if not v.intact}
    work.report.unsealed.update(broken)
    work.report.read["versions"] += len(past)
    readable = [(found.memory, False) for found in current.values() if found.intact]
    readable += [(version.memory, True) for version in past if version.intact]
    return await _rewrite_all(work, identity, await asyncio.to_thread(_redact_memories, work, readable), current)


def _redact_memories(work: Scan, versions: Sequence[tuple[Memory, bool]]) -> list[_Rewrite]:
    return [_Rewrite(memory, _redact_memory(work, memory, past=past), past) for memory, past in versions]


def _redact_memory(work: Scan, memory: Memory, *, past: bool) -> Memory:
    where, rules = "version" if past else "memory", work.org.policy.rules_for(memory.brain_id)
    names = ((f"topic of {where}", [memory.topic] if memory.topic else []), (f"tags of {where}", memory.tags))
    for place, values in names:
        check_names(work, rules, (place, memory.id), values)
    numbered = Numbered(work, rules, str(memory.brain_id), [memory.content, *strings(memory.data)])
    content = numbered.redact(memory.content, where)
    try:
        data = numbered.redact_json(memory.data, f"data of {where}")
    except PersonalDataInIdentifier:
        report_name(work, f"data keys of {where}", memory.id)
        return replace(memory, content=content.text, redactions=_redactions(memory, content, None))
    return replace(memory, content=content.text, data=data.value, redactions=_redactions(memory, content, data))


def _redactions(memory: Memory, content: RedactedText, data: RedactedJson | None) -> tuple[StoredRedaction, ...]:
    before = memory.redactions
    in_data = tuple(r for r in before if r.root == "data") if data is None else carry_over_json(before, memory.data, data)
    others = tuple(r for r in before if r.root not in {"content", "data"})
    return (*carry_over(before, memory.content, content, "content"), *in_data, *others)


async def _rewrite_all(work: Scan, identity: Identity, rewrites: Sequence[_Rewrite], current: Mapping[UUID, Stored]) -> list[UUID]:
    changed = [r for r in rewrites if r.changed]
    if not work.apply or not changed:
        return []
    missed = []
    for rewrite in await _derive(work, changed):
        if await _rewrite(work, identity, rewrite, current):
            work.report.rewritten["versions" if rewrite.past else "memories"] += 1
        else:
            missed.append(rewrite.before.id)
    return missed


async def _rewrite(work: Scan, identity: Identity, rewrite: _Rewrite, current: Mapping[UUID, Stored]) -> bool:
    async def once() -> bool:
        async with work.runtime.database.write(identity) as conn:
            return await (_rewrite_past(work, conn, rewrite) if rewrite.past else _rewrite_current(work, conn, rewrite, current))

    return await tried_again(once)


async def _derive(work: Scan, changed: Sequence[_Rewrite]) -> list[_Rewrite]:
    """With vectors and mentions of new contents, before a transaction is open.

    Without vectors where the provider does not answer: current versions are embedded later.
    """
    told = [r for r in changed if r.says_otherwise]
    derived = {id(r): r for r in changed}
    dictionary = await work.runtime.directory.get(work.runtime.database, Identity(work.org_id))
    for rewrite in (r for r in told if not r.past):
        memory = rewrite.after
        found = await asyncio.to_thread(work.runtime.extractor.extract, memory.content, memory.language, dictionary)
        mentions = [links.NewMention(memory.id, memory.brain_id, m.kind.value, m.surface, m.name_folded) for m in found]
        derived[id(rewrite)] = replace(rewrite, mentions=mentions)
    try:
        vectors = await work.runtime.embedder.embed_documents([document_text(r.after.content) for r in told]) if told else []
    except ProviderError:
        work.report.without_vector += len(told)
        return list(derived.values())
    for rewrite, made in zip(told, vectors, strict=True):
        after = replace(rewrite.after, text_cut=made.truncated)
        derived[id(rewrite)] = replace(derived[id(rewrite)], after=after, vector=made.vector)
    return list(derived.values())


async def _rewrite_past(work: Scan, conn: WriteConn, rewrite: _Rewrite) -> bool:
    after = rewrite.after
    if not await texts.rewrite_version(conn, work.runtime.keyring, after, analyse(after.content, after.language)):
        return False
    if rewrite.says_otherwise:
        await texts.set_version_vector(conn, work.runtime.keyring, work.runtime.embedder.space, after, rewrite.vector)
    await audit(work, conn, ("memory", after.id), after.brain_id, version=after.version)
    return True


async def _rewrite_current(work: Scan, conn: WriteConn, rewrite: _Rewrite, current: Mapping[UUID, Stored]) -> bool:
    before, after, keyring = rewrite.before, rewrite.after, work.runtime.keyring
    found = await memories.lock(conn, of_job(work.org_id, before.brain_id), before.id, keyring)
    if found is None or not found.intact or found.memory != current[before.id].memory:
        return False
    held, now = bool(found.holds), work.runtime.clock.now()
    key = await key_of(conn, keyring, work.org_id, after, held=held)
    words = analyse(after.content, after.language)
    await memories.remove_terms(conn, work.org_id, after.id)
    state = await memories.replace(conn, keyring, after, key, found.holds)
    await memories.replace_index(conn, keyring, after, Indexed(words, NO_WORDS, (), None), held=held)
    if not held:
        await memories.add_terms(conn, after, words)
    if rewrite.says_otherwise:
        await memories.set_vector(conn, keyring, work.runtime.embedder.space, after, rewrite.vector, now)
        await links.replace_mentions(conn, work.org_id, after.id, rewrite.mentions, now)
    await audit(work, conn, ("memory", after.id), after.brain_id, version=after.version, commitment=state)
    return True
