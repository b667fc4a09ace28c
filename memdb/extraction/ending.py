"""What a conversation says is over: the memory that told it gets an end, and stays what was true until then.

Ends are made in the transaction that stores the statements of the same snapshot, before them, with the turns that say so. What another
statement denies is no end of this kind: `memdb.formation.claims` weighs the two.

Who says that something is over ends what they said themselves, and what others said of the subject, whoever those are: it was true until
then, so it contradicts nobody, and a new period has begun, as where another value is told with its time. What a subject said of themselves
ends by their own word alone; that somebody else calls it over stands in its history.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.trust import Trust
from memdb.formation.changing import end
from memdb.formation.claims import counts_for_more, ends_at
from memdb.formation.filing import flag_against
from memdb.ids import make_id
from memdb.models.memory import Kind, Memory
from memdb.models.reconciling import END, Reason, Refused
from memdb.storage import claims, extractions, memories, origins, reconciliations
from memdb.storage.extractions import Derivation
from memdb.text.meaning import meaning_of
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.extraction.candidates import Ended
    from memdb.formation.work import Work

COVERED_MAX: Final = 200
"""Memories of one attribute that are looked through for what is over, the newest."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What one statement says is over: attributes of exactly these subjects, from a moment on.

    about: sorted; nobody: nothing ends.
    ends: attributes, each with the value that is over, or with None for whatever value.
    said_by: who says so; None when unknown.
    text: the words of the turn that says so.
    turn_ids: of the turns that say so, the first of them first.
    trust: the lowest of them.
    """

    about: tuple[UUID, ...]
    ends: tuple[Ended, ...]
    said_by: UUID | None
    text: str = field(repr=False)
    at: datetime
    turn_ids: tuple[UUID, ...]
    trust: Trust

    def speaks_of(self, attribute: object, value: object) -> bool:
        """True of an attribute that it says is over, with that value or with any."""
        return any(
            one.attribute == attribute and (one.value is None or (isinstance(value, str) and fold(one.value) == fold(value)))
            for one in self.ends
        )

    def counts_for(self, said_by: UUID | None) -> bool:
        """True when it ends what this one said."""
        return counts_for_more(self.said_by, self.about, said_by, anew=True)


@dataclass(frozen=True, slots=True)
class Told:
    """Which handler, in which run, read it in which snapshot of which brain."""

    brain_id: UUID
    snapshot_id: UUID
    handler: Kind
    run: int

    def ended(self, version: tuple[UUID, int], reason: Reason, turn_ids: tuple[UUID, ...], now: datetime) -> Derivation:
        """That a memory, (id, version), has an end now because of those turns."""
        return Derivation(
            id=make_id(),
            memory_id=version[0],
            version=version[1],
            snapshot_id=self.snapshot_id,
            handler=self.handler,
            run=self.run,
            action=END,
            reason=reason.value,
            turn_ids=turn_ids,
            created_at=now,
        )


@dataclass(frozen=True, slots=True)
class Covered:
    """What an ending speaks of, each memory in one of these, by id.

    ended: it ended them.
    past: had ended by then already, or began or were told later.
    own: what its subjects said of themselves and somebody else says is over; they stay.
    """

    ended: tuple[Memory, ...] = ()
    past: tuple[Memory, ...] = ()
    own: tuple[Memory, ...] = ()


async def end_values(w: Work, told: Told, ending: Ending) -> Covered:
    """Let what held until now end, and keep which turns said so; what it speaks of.

    Args:
        w: the transaction, of a job bound to the brain.
        told: where it was read.
        ending: what is over.
    """
    found = await _list_covered(w, told, ending)
    past = [memory for memory, is_past in found if is_past]
    own = [memory for memory, is_past in found if not is_past and not ending.counts_for(memory.said_by)]
    by = replace(w.principal, trust=ending.trust)
    done: list[Memory] = []
    for memory, is_past in found:
        if not is_past and memory not in own:
            over = await end(w, by, (told.brain_id, memory.id), ending.at, Reason.NO_LONGER)
            done += [] if over is None else [over]
    rows = [told.ended((memory.id, memory.version), Reason.NO_LONGER, ending.turn_ids, w.now) for memory in done]
    await extractions.derive(w.conn, w.principal.org_id, told.brain_id, rows)
    return Covered(tuple(done), tuple(past), tuple(own))


async def contradict(w: Work, told: Told, own: Collection[Memory], statement: UUID | None) -> None:
    """Let it be seen that somebody calls over what others said of themselves: as a conflict with the memory of what they say instead, or,
    where there is none because it only says that something is over, in the history of what stays. Said again it is told once.
    """
    if not own:
        return
    if statement is not None:
        await flag_against(w, told.brain_id, statement, {memory.id for memory in own})
        return
    for memory in own:
        known = await reconciliations.list_of_memory(w.conn, w.scope_of(told.brain_id), memory.id)
        told_already = (*known, *(row for row in w.decided if row.memory_id == memory.id))
        if not any((row.version, row.action, row.refused) == (memory.version, END, Refused.SAID_BY_ANOTHER) for row in told_already):
            w.note_end(memory, Reason.NO_LONGER, Refused.SAID_BY_ANOTHER)


async def _list_covered(w: Work, told: Told, ending: Ending) -> list[tuple[Memory, bool]]:
    """The memories that it speaks of, by id, each with whether it is past.

    What came of the same words is not among them: who says a thing again does not take it back, whatever a model makes of it.
    """
    if not ending.about:
        return []
    org_id, scope = w.principal.org_id, w.scope_of(told.brain_id)
    ids: set[UUID] = set()
    for attribute in dict.fromkeys(one.attribute for one in ending.ends):
        ids |= {*await claims.list_all(w.conn, (org_id, told.brain_id, told.handler), ending.about, attribute, COVERED_MAX)}
    rows = await memories.list_by_id(w.conn, scope, ids, w.runtime.keyring)
    shown = [row.memory for _, row in sorted(rows.items()) if row.intact and not row.held and not _is_expired(row.memory, w.now)]
    found = [memory for memory in shown if ending.speaks_of(*_told(memory))]
    sources = await origins.list_sources(w.conn, org_id, [told.brain_id], [(memory.id, memory.version) for memory in found])
    again = {source.memory_id for source in sources if meaning_of(source.fragment) == meaning_of(ending.text)}
    came_of = await extractions.list_of_memories(w.conn, org_id, [memory.id for memory in found])
    return [
        (memory, _is_past(memory, ending, [row for row in came_of if row.memory_id == memory.id]))
        for memory in found
        if memory.id not in again
    ]


def _is_past(memory: Memory, ending: Ending, came_of: Sequence[Derivation]) -> bool:
    """True for what had ended by then, began later, or was told later: since it last ended, only turns behind the ending's tell it."""
    if memory.valid_from is not None and memory.valid_from > ending.at:
        return True
    if memory.valid_to is not None and memory.valid_to <= ends_at(memory.valid_from, ending.at):
        return True
    turns = [turn for row in _since_end(came_of) for turn in row.turn_ids]
    return bool(turns) and min(turns) > ending.turn_ids[0]


def _told(memory: Memory) -> tuple[object, object]:
    data = memory.data if isinstance(memory.data, dict) else {}
    return data.get("attribute"), data.get("value")


def _since_end(came_of: Sequence[Derivation]) -> Iterable[Derivation]:
    last = max((place for place, row in enumerate(came_of) if row.action == END), default=-1)
    return came_of[last + 1 :]


def _is_expired(memory: Memory, now: datetime) -> bool:
    return memory.expires_at is not None and memory.expires_at <= now
