"""What a conversation says is over: the memory that told it gets an end, and stays what was true until then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.errors import NotFound
from governance.scopes import of_job
from memdb.formation.stages import Receipt
from memdb.lifecycle.edit import Change, edit, find_served
from memdb.models.memory import Kind, Memory
from memdb.storage import claims, origins
from memdb.storage.database import identity_of
from memdb.text.meaning import meaning_of
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.extraction.candidates import Ended
    from memdb.formation.pipeline import Writer
    from memdb.runtime import Runtime

ENDED_MAX: Final = 20
"""Memories that one statement may end: it speaks of one attribute of its subjects, not of everything that is known."""


@dataclass(frozen=True, slots=True)
class Saying:
    """The words of the turn that says that something is over, and from when on."""

    text: str = field(repr=False)
    at: datetime


async def end_values(
    runtime: Runtime, writer: Writer, where: tuple[UUID, Kind], about: Sequence[UUID], ends: Sequence[Ended], saying: Saying
) -> list[Receipt]:
    """Let what held of exactly these subjects until now end; what began later, or has ended already, stays as it is.

    So does what came of the same words: who says a thing again does not take it back, whatever a model makes of it.

    Args:
        runtime: what the process holds.
        writer: a job bound to the brain.
        where: (brain, kind).
        about: sorted; nobody: nothing ends.
        ends: attributes, each with the value that is over, or with None for whatever value.
        saying: who says so, how.
    """
    receipts: list[Receipt] = []
    if not about:
        return receipts
    brain_id, kind = where
    now, org_id = runtime.clock.now(), writer.principal.org_id
    for ended in ends:
        async with runtime.database.read(identity_of(writer.principal)) as conn:
            ids = await claims.list_all(conn, (org_id, brain_id, kind), about, ended.attribute, ENDED_MAX)
            sources = await origins.list_sources(conn, org_id, [brain_id], ids)
            again = {source.memory_id for source in sources if meaning_of(source.fragment) == meaning_of(saying.text)}
            served: list[Memory] = []
            for memory_id in (one for one in ids if one not in again):
                try:
                    served.append((await find_served(conn, of_job(org_id, brain_id), memory_id, runtime.keyring, now)).memory)
                except NotFound:
                    continue  # deleted or held meanwhile
        for memory in served:
            if _ends(memory, ended, saying.at):
                formed = await edit(runtime, writer, memory.id, Change(valid_to=saying.at), memory.version)
                receipts += [outcome for outcome in formed.outcomes if isinstance(outcome, Receipt)]
    return receipts


def _ends(memory: Memory, ended: Ended, at: datetime) -> bool:
    began_later = memory.valid_from is not None and memory.valid_from >= at
    over = memory.valid_to is not None and memory.valid_to <= at
    return not began_later and not over and (ended.value is None or _says(memory, ended.value))


def _says(memory: Memory, value: str) -> bool:
    stored = memory.data.get("value") if isinstance(memory.data, dict) else None
    return isinstance(stored, str) and fold(stored) == fold(value)
