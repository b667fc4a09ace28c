"""One look through a brain, and through what an org has beside its brains, for whoever is erased."""

from __future__ import annotations

import asyncio
from typing import Final
from uuid import UUID

from memdb.lifecycle.erasure.labels import ERASED
from memdb.lifecycle.erasure.memories import erase_memories, scan_memories
from memdb.lifecycle.erasure.names import scan_names, scan_other_names, scan_questions, scan_reasons
from memdb.lifecycle.erasure.spoken import blank, remove_fragments, scan_fragments, scan_turns
from memdb.lifecycle.erasure.work import Work
from memdb.storage import erasing, upkeep
from memdb.storage.database import Identity
from memdb.storage.erasures import Target

_TURN_TRIES: Final = 100
_TURN_PAUSE_S: Final = 0.1


async def scan_brain(work: Work, brain_id: UUID) -> None:
    """What a brain holds. Memories first: their own fragments go with them, and those of others are found next."""
    await scan_memories(work, brain_id)
    await scan_fragments(work, brain_id)
    await scan_turns(work, brain_id)
    await scan_names(work, brain_id)


async def scan_org(work: Work) -> None:
    """What lies in no brain."""
    await scan_other_names(work)
    await scan_reasons(work)
    await scan_questions(work)


async def scan_object(work: Work, kind: Target, object_id: UUID, brain_id: UUID) -> None:
    """A memory with the turns that it alone rests on; or a conversation or a source with what came of it alone."""
    sought = work.sought(brain_id)
    if kind is Target.MEMORY:
        async with work.runtime.database.read(work.identity(brain_id)) as conn:
            turns = await erasing.find_turns_of(conn, sought, object_id)
        await blank(work, sought, [turn_id for turn_id, shared in turns if not shared])
        work.counts["turns_shared"] = sum(shared for _, shared in turns)
        await erase_memories(work, sought, [object_id])
    else:
        source = (object_id, None) if kind is Target.SOURCE else (None, object_id)
        async with work.runtime.database.read(work.identity(brain_id)) as conn:
            told = await erasing.find_told(conn, sought, source)
            fragments = await erasing.find_fragments_of(conn, sought, source)
            turns_of = [] if kind is Target.SOURCE else await erasing.find_turns_of_session(conn, sought, object_id, ERASED)
        work.counts["memories_of_other_sources"] = max(work.counts["memories_of_other_sources"], sum(not whole for _, whole in told))
        await erase_memories(work, sought, [memory_id for memory_id, whole in told if whole])
        await remove_fragments(work, sought, fragments)
        await blank(work, sought, turns_of)
        if kind is Target.SESSION and work.apply:
            async with work.runtime.database.write(work.identity(brain_id)) as write:
                await erasing.forget_title(write, work.org_id, object_id)
    await scan_questions(work)


async def fold_statistics(work: Work) -> None:
    """Fold word counts, so that words of texts that are gone are gone too: a word that no text has is not kept."""
    async with work.runtime.database.read(Identity(work.org_id)) as conn:
        brains = await upkeep.list_brains_with_deltas(conn, work.org_id)
    for brain_id in brains:
        for _ in range(_TURN_TRIES):
            async with work.runtime.database.write(work.identity(brain_id)) as conn:
                folded = await upkeep.fold_deltas(conn, work.org_id, brain_id) if await upkeep.take_turn(conn, work.org_id) else None
            if folded is None:
                await asyncio.sleep(_TURN_PAUSE_S)  # a server is at it
            elif folded < upkeep.DELTAS_MAX:
                break
    if len(brains) >= upkeep.BRAINS_MAX:
        await fold_statistics(work)
