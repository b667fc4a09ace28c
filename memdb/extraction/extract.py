"""One handler reads one snapshot, and what it proposes goes the whole write path: at least once, with the effect of exactly once.

The memories, what they came of and the state of the extraction are stored in one transaction. A worker that is killed before it leaves
nothing, after it nothing to do. No transaction is open while the handler reads. A snapshot that is read anew replaces what it alone had
made (`again.py`): what it says once more is not counted twice, and what it no longer says goes, before the extraction is done.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

import structlog

from governance.errors import NotFound, PolicyRejected, ServiceError
from memdb.extraction.again import list_replaced, remove_replaced
from memdb.extraction.ending import Covered, Told, contradict, end_values
from memdb.extraction.reading import read_material
from memdb.extraction.spending import is_exhausted, put_off
from memdb.extraction.submitting import Read, read_snapshot
from memdb.extraction.switching import SwitchedOff, let_go, require_on
from memdb.formation.pipeline import Writer, form_authorised
from memdb.formation.stages import Receipt
from memdb.formation.store import Beside
from memdb.ids import make_id
from memdb.lifecycle.switches import find_enabled
from memdb.models.memory import Kind, WriteAction
from memdb.models.reconciling import END, Reason
from memdb.models.turn import ExtractionState
from memdb.providers.chat.base import Spent
from memdb.storage import extractions, quarantine
from memdb.storage.database import Identity
from memdb.storage.extractions import Derivation, Extraction

if TYPE_CHECKING:
    from memdb.extraction.extractor import Extractor
    from memdb.formation.work import Work
    from memdb.runtime import Runtime

log = structlog.get_logger()


class _Undone(Exception):
    """Rolls back what was only looked at."""


class Held(Exception):
    """The session was quarantined while this one read; what it made is rolled back, and is made again once the session is released."""


class AlreadyDone(Exception):
    """Another worker finished this extraction while this one was at it; what this one made is rolled back."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What reading a snapshot anew would change: statements that would be added, memories that would get a new version, be confirmed, get
    an end, stay as they are, or go.
    """

    handler: Kind
    added: tuple[str, ...]
    updated: tuple[UUID, ...]
    reinforced: tuple[UUID, ...]
    ended: tuple[UUID, ...]
    kept: tuple[UUID, ...]
    removed: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """Which snapshot of which brain is read by which handler."""

    org_id: UUID
    brain_id: UUID
    snapshot_id: UUID
    handler: Kind

    @property
    def identity(self) -> Identity:
        """A job bound to the brain."""
        return Identity(self.org_id, job_brain_id=self.brain_id)


async def extract(runtime: Runtime, extractor: Extractor, task: Task) -> Extraction | None:
    """Let a handler read a snapshot; the extraction as it is then, None when there is nothing to do or the org has spent enough today.

    Raises:
        ProviderUnavailable, ProviderError: a model failed; nothing was stored. What was spent is among the facts, as of any error here.
        StorageUnavailable: nothing was stored.
    """
    async with runtime.database.read(task.identity) as conn:
        before = await extractions.find(conn, task.org_id, task.snapshot_id, task.handler)
        made = await extractions.list_of_snapshot(conn, task.org_id, task.snapshot_id, task.handler)
        enabled = await find_enabled(runtime, conn, task.org_id)
        held = before is not None and await quarantine.is_session_held(conn, task.org_id, before.session_id)
    if before is None or before.state is not ExtractionState.WAITING or held:
        return None  # what is held waits until it is released, which defers it again
    if task.handler not in enabled:
        return await let_go(runtime, task.identity, before, Spent())
    if await is_exhausted(runtime, task.org_id):
        await put_off(runtime, task.identity, before)
        return None
    material = await read_material(runtime, task.org_id, task.brain_id, task.snapshot_id)
    if material is None:
        return None
    read = await read_snapshot(runtime, extractor, task, material, made)
    try:
        return await _store(runtime, task, before, (read, made))
    except SwitchedOff:
        return await let_go(runtime, task.identity, before, read.spent)
    except ServiceError as error:
        error.facts = {**error.facts, **read.spent.facts}
        raise


async def _store(runtime: Runtime, task: Task, before: Extraction, found: tuple[Read, Sequence[Derivation]]) -> Extraction | None:
    """Store what was read, beside what the snapshot had made before; None when another worker was faster. Raises SwitchedOff."""
    read, made = found
    result: list[Extraction] = []
    ends = _Ends(read, Told(task.brain_id, task.snapshot_id, task.handler, before.run))

    async def finish(w: Work, outcomes: Sequence[Receipt | ServiceError]) -> None:
        conn = w.conn
        current = await extractions.find(conn, task.org_id, task.snapshot_id, task.handler, lock=True)
        if current is None or current.state is not ExtractionState.WAITING or current.run != before.run:
            raise AlreadyDone
        if await quarantine.is_session_held(conn, task.org_id, current.session_id):
            raise Held
        await require_on(runtime, conn, task.org_id, task.handler)
        derived = _derivations(task, current.run, read, outcomes)
        kept = _kept(derived, made)
        await extractions.derive(conn, task.org_id, task.brain_id, [row for row in derived if row.memory_id not in kept])
        await ends.finish(w, outcomes)
        stored = await extractions.list_of_snapshot(conn, task.org_id, task.snapshot_id, task.handler)
        ended = [row for row in stored if row.action == END and ends.still(row, derived)]
        again = {row.id for row in made if row.action != END and row.memory_id in kept} | {row.id for row in ended}
        await extractions.keep_derivations(conn, task.org_id, again, current.run)
        done = _finished(current, read, outcomes)
        done = replace(done, ended=len({row.memory_id for row in ended}), refused=done.refused + ends.refused)
        # What an earlier run had made goes first, and a worker that is killed meanwhile comes here again.
        await extractions.finish(conn, task.org_id, replace(done, state=ExtractionState.WAITING) if made else done)
        result[:] = [done]

    try:
        await form_authorised(runtime, read.writer, read.submitted, None, read.now, beside=Beside(finish, ends.begin))
        if made:
            await _replace_former(runtime, read.writer, task, result[0])
    except (AlreadyDone, Held):
        return None
    return result[0]


async def preview(runtime: Runtime, extractor: Extractor, task: Task) -> Difference:
    """What reading a snapshot anew would change, without changing it. Raises as `extract`, and NotFound for a snapshot that is gone."""
    async with runtime.database.read(task.identity) as conn:
        made = await extractions.list_of_snapshot(conn, task.org_id, task.snapshot_id, task.handler)
    material = await read_material(runtime, task.org_id, task.brain_id, task.snapshot_id)
    if material is None:
        raise NotFound("no such snapshot", field="snapshot_id")
    read = await read_snapshot(runtime, extractor, task, material, made)
    seen: list[Receipt | ServiceError] = []
    ended: set[UUID] = set()
    ends = _Ends(read, Told(task.brain_id, task.snapshot_id, task.handler, 0))

    async def look(w: Work, outcomes: Sequence[Receipt | ServiceError]) -> None:
        seen[:] = outcomes
        ended.update(ends.ended, (over.memory_id for over in w.ended))
        raise _Undone

    with contextlib.suppress(_Undone):
        await form_authorised(runtime, read.writer, read.submitted, None, read.now, beside=Beside(look, ends.begin))
    receipts = [outcome for outcome in seen if isinstance(outcome, Receipt)]
    known = {row.memory_id for row in made if row.action != END}
    gone = await list_replaced(runtime, task.org_id, task.brain_id, made, {receipt.id for receipt in receipts})
    return Difference(
        handler=task.handler,
        added=tuple(one.content or "" for one, o in zip(read.statements, seen, strict=True) if _did(o, WriteAction.ADD)),
        updated=tuple(receipt.id for receipt in receipts if receipt.action is WriteAction.UPDATE),
        reinforced=tuple(r.id for r in receipts if r.action is WriteAction.REINFORCE and r.id not in known),
        ended=tuple(sorted(ended)),
        kept=tuple(sorted({receipt.id for receipt in receipts} & known)),
        removed=gone,
    )


def _did(outcome: Receipt | ServiceError, action: WriteAction) -> bool:
    return isinstance(outcome, Receipt) and outcome.action is action


class _Ends:
    """What a snapshot says is over, done in the transaction of its statements: before them, so that what is said anew begins anew, and
    behind them what of it shows. Done again, should the transaction be.
    """

    def __init__(self, read: Read, told: Told) -> None:
        self._read, self._told = read, told
        self._covered: list[tuple[int | None, Covered]] = []

    async def begin(self, w: Work) -> None:
        """Let it end."""
        self._covered = [(place, await end_values(w, self._told, ending)) for place, ending in self._read.endings]

    async def finish(self, w: Work, outcomes: Sequence[Receipt | ServiceError]) -> None:
        """Keep what ended by a statement, and show what does not end because its subject said it."""
        turns = {ids[0]: ids for ids in self._read.turn_ids}
        rows = [
            self._told.ended((one.memory_id, one.version), Reason.OUTRANKED, turns[one.turn_id], w.now)
            for one in w.ended
            if one.turn_id in turns
        ]
        await extractions.derive(w.conn, w.principal.org_id, self._told.brain_id, rows)
        for place, one in self._covered:
            instead = None if place is None else outcomes[place]
            await contradict(w, self._told, one.own, instead.id if isinstance(instead, Receipt) else None)

    @property
    def ended(self) -> set[UUID]:
        """Memories that it let end."""
        return {memory.id for _, one in self._covered for memory in one.ended}

    @property
    def refused(self) -> int:
        """How often somebody only says that something is over which its subjects alone may end."""
        return sum(place is None and bool(one.own) for place, one in self._covered)

    def still(self, row: Derivation, derived: Sequence[Derivation]) -> bool:
        """True of an end that the snapshot tells as it is read now: of what it calls over, and of what a statement of it ended."""
        if row.reason == Reason.OUTRANKED.value:
            return row.turn_ids in {one.turn_ids for one in derived}
        return any(row.memory_id in {memory.id for memory in (*one.ended, *one.past)} for _, one in self._covered)


def _kept(derived: Sequence[Derivation], made: Sequence[Derivation]) -> set[UUID]:
    """Memories that a snapshot says once more as it has said them before: nothing new came of it."""
    known = {row.memory_id for row in made if row.action != END}
    return {row.memory_id for row in derived if row.memory_id in known and row.action == WriteAction.REINFORCE.value} - {
        row.memory_id for row in derived if row.action != WriteAction.REINFORCE.value
    }


async def _replace_former(runtime: Runtime, writer: Writer, task: Task, done: Extraction) -> None:
    """Take out what earlier runs made and this one did not, then let the extraction be done."""
    await remove_replaced(runtime, writer, task.brain_id, (task.snapshot_id, task.handler), done.run)
    async with runtime.database.write(task.identity) as conn:
        current = await extractions.find(conn, task.org_id, task.snapshot_id, task.handler, lock=True)
        if current is None or current.state is not ExtractionState.WAITING or current.run != done.run:
            raise AlreadyDone
        await extractions.finish(conn, task.org_id, done)


def _finished(current: Extraction, read: Read, outcomes: Sequence[Receipt | ServiceError]) -> Extraction:
    actions = Counter(o.action.value for o in outcomes if isinstance(o, Receipt))
    rejected = [o for o in outcomes if isinstance(o, ServiceError)]
    for error in rejected:
        if not isinstance(error, PolicyRejected):
            log.info("candidate_refused", code=error.code)
    found = read.found
    return replace(
        current,
        state=ExtractionState.DONE,
        failure=None,
        extractor=found.extractor,
        found=len(found.candidates) + found.refused,
        added=actions["ADD"],
        updated=actions["UPDATE"],
        reinforced=actions["REINFORCE"],
        refused=found.refused + len(found.candidates) - len(read.kept) + len(rejected),
        tokens_in=current.tokens_in + read.spent.tokens_in,
        tokens_out=current.tokens_out + read.spent.tokens_out,
        cost_micros=current.cost_micros + read.spent.cost_micros,
        changed_at=read.now,
    )


def _derivations(task: Task, run: int, read: Read, outcomes: Sequence[Receipt | ServiceError]) -> list[Derivation]:
    return [
        Derivation(
            id=make_id(),
            memory_id=outcome.id,
            version=outcome.version,
            snapshot_id=task.snapshot_id,
            handler=task.handler,
            run=run,
            action=outcome.action.value,
            reason=outcome.reason,
            turn_ids=turn_ids,
            created_at=read.now,
        )
        for turn_ids, outcome in zip(read.turn_ids, outcomes, strict=True)
        if isinstance(outcome, Receipt)
    ]
