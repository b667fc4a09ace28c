"""What a conversation says is over: the memory that told it gets an end, and stays what was true until then.

Each end is an edit of its own, and what it came of is stored in its transaction: whatever happens to the worker, no end is without the
turns that say so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.errors import NotFound, ServiceError
from governance.scopes import of_job
from governance.trust import Trust
from memdb.extraction.switching import require_on
from memdb.formation.filing import flag_against, settle_speakers
from memdb.formation.stages import Receipt
from memdb.ids import make_id
from memdb.lifecycle.edit import Change, edit_beside, find_served
from memdb.models.memory import Kind, Memory, Status
from memdb.models.reconciling import END, Reason, Reconciliation, Refused
from memdb.storage import claims, extractions, origins, reconciliations
from memdb.storage.database import ReadConn, identity_of
from memdb.storage.extractions import Derivation
from memdb.text.meaning import meaning_of
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.extraction.candidates import Ended
    from memdb.formation.pipeline import Writer
    from memdb.formation.work import Work
    from memdb.runtime import Runtime

ENDED_MAX: Final = 20
"""Memories that one statement may end: it speaks of one attribute of its subjects, not of everything that is known."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What one statement says is over: attributes of exactly these subjects, from a moment on.

    about: sorted; nobody: nothing ends.
    ends: attributes, each with the value that is over, or with None for whatever value.
    said_by: who says so; None when unknown. What a subject said of themselves nobody else ends.
    text: the words of the turn that says so.
    trust: the lowest of the turns that say so.
    """

    about: tuple[UUID, ...]
    ends: tuple[Ended, ...]
    said_by: UUID | None
    text: str = field(repr=False)
    at: datetime
    turn_ids: tuple[UUID, ...]
    trust: Trust


@dataclass(frozen=True, slots=True)
class Told:
    """Which handler, in which run, read it in which snapshot of which brain."""

    brain_id: UUID
    snapshot_id: UUID
    handler: Kind
    run: int

    def of(self, ending: Ending, receipt: Receipt, now: datetime) -> Derivation:
        """That a memory has an end now, at this version, because of those turns."""
        return Derivation(
            id=make_id(),
            memory_id=receipt.id,
            version=receipt.version,
            snapshot_id=self.snapshot_id,
            handler=self.handler,
            run=self.run,
            action=END,
            reason=Reason.NO_LONGER.value,
            turn_ids=ending.turn_ids,
            created_at=now,
        )

    def decided(self, version: tuple[UUID, int], now: datetime, refused: Refused | None = None) -> Reconciliation:
        """The same for the history of a memory, (id, version), which stays when the snapshot is read again."""
        return Reconciliation(
            id=make_id(),
            brain_id=self.brain_id,
            memory_id=version[0],
            version=version[1],
            action=END,
            reason=Reason.NO_LONGER.value,
            neighbour_ids=(),
            model=None,
            refused=None if refused is None else refused.value,
            created_at=now,
        )


@dataclass(frozen=True, slots=True)
class Covered:
    """What it speaks of, each memory in one of these, by id.

    ending: end now.
    past: had ended by then already, or began anew later.
    own: what its subjects said of themselves and somebody else denies; they stay.
    """

    ending: tuple[Memory, ...] = ()
    past: tuple[Memory, ...] = ()
    own: tuple[Memory, ...] = ()


async def find_covered(runtime: Runtime, writer: Writer, where: tuple[UUID, Kind], ending: Ending) -> Covered:
    """The memories that it speaks of.

    What came of the same words is not among them: who says a thing again does not take it back, whatever a model makes of it.

    Args:
        runtime: what the process holds.
        writer: a job bound to the brain.
        where: (brain, kind).
        ending: what is over.
    """
    found: dict[UUID, Memory] = {}
    if not ending.about:
        return Covered()
    brain_id, kind = where
    now, org_id = runtime.clock.now(), writer.principal.org_id
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        for ended in ending.ends:
            for memory_id in await claims.list_all(conn, (org_id, brain_id, kind), ending.about, ended.attribute, ENDED_MAX):
                try:
                    memory = (await find_served(conn, of_job(org_id, brain_id), memory_id, runtime.keyring, now)).memory
                except NotFound:
                    continue  # deleted or held meanwhile
                if ended.value is None or _says(memory, ended.value):
                    found[memory_id] = memory
        again = await _said_again(conn, org_id, brain_id, found.values(), ending.text)
    covered = [memory for memory_id, memory in sorted(found.items()) if memory_id not in again]
    past = {memory.id for memory in covered if _is_past(memory, ending.at)}
    own = {memory.id for memory in covered if memory.said_by in memory.about and ending.said_by not in memory.about} - past
    return Covered(
        ending=tuple(memory for memory in covered if memory.id not in past | own),
        past=tuple(memory for memory in covered if memory.id in past),
        own=tuple(memory for memory in covered if memory.id in own),
    )


async def end_values(runtime: Runtime, writer: Writer, told: Told, ending: Ending) -> Covered:
    """Let what held until now end, and keep which turns said so; what it speaks of.

    Raises:
        SwitchedOff: the handler was switched off meanwhile.
    """
    covered = await find_covered(runtime, writer, (told.brain_id, told.handler), ending)
    teller = replace(writer, principal=replace(writer.principal, trust=ending.trust))

    async def keep(w: Work, outcomes: Sequence[Receipt | ServiceError]) -> None:
        org_id = w.principal.org_id
        await require_on(runtime, w.conn, org_id, told.handler)
        done = [one for one in outcomes if isinstance(one, Receipt) and one.status == Status.ACTIVE]
        await extractions.derive(w.conn, org_id, told.brain_id, [told.of(ending, receipt, w.now) for receipt in done])
        for receipt in done:
            w.decided.append(told.decided((receipt.id, receipt.version), w.now))
            await settle_speakers(w.conn, w.scope_of(told.brain_id), w.principal, receipt.id, w.now)

    for memory in covered.ending:
        await edit_beside(runtime, teller, memory.id, Change(valid_to=ending.at), memory.version, keep)
    return covered


async def contradict(w: Work, told: Told, own: Collection[Memory], denial: UUID | None) -> None:
    """Let it be seen that somebody denies what others said of themselves: as a conflict with the memory of the denial, or, where there is
    none because it only says that something is over, in the history of what stays. Said again it is told once.
    """
    if not own:
        return
    if denial is not None:
        await flag_against(w, told.brain_id, denial, {memory.id for memory in own})
        return
    for memory in own:
        version = (memory.id, memory.version)
        known = await reconciliations.list_of_memory(w.conn, w.scope_of(told.brain_id), memory.id)
        if not any((row.version, row.action, row.refused) == (memory.version, END, Refused.SAID_BY_ANOTHER) for row in known):
            w.decided.append(told.decided(version, w.now, Refused.SAID_BY_ANOTHER))


async def _said_again(conn: ReadConn, org_id: UUID, brain_id: UUID, found: Collection[Memory], text: str) -> set[UUID]:
    """Those whose present version came of the same words."""
    sources = await origins.list_sources(conn, org_id, [brain_id], [(memory.id, memory.version) for memory in found])
    return {source.memory_id for source in sources if meaning_of(source.fragment) == meaning_of(text)}


def _is_past(memory: Memory, at: datetime) -> bool:
    ended, began_later = memory.valid_to is not None and memory.valid_to <= at, memory.valid_from is not None and memory.valid_from >= at
    return ended or began_later


def _says(memory: Memory, value: str) -> bool:
    stored = memory.data.get("value") if isinstance(memory.data, dict) else None
    return isinstance(stored, str) and fold(stored) == fold(value)
