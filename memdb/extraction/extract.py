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
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

import structlog

from governance.errors import NotFound, PolicyRejected, ServiceError
from governance.principals import Role, of_job
from governance.trust import Trust, lowest
from memdb.extraction.again import list_replaced, remove_replaced
from memdb.extraction.candidates import Candidate
from memdb.extraction.ending import Ending, Told, contradict, end_values, find_covered
from memdb.extraction.reading import Material, read_material
from memdb.extraction.spending import is_exhausted, put_off
from memdb.extraction.switching import SwitchedOff, let_go, require_on
from memdb.formation.authorise import authorise
from memdb.formation.batch import Batch
from memdb.formation.pipeline import Writer, form_authorised
from memdb.formation.stages import Authorised, Receipt
from memdb.ids import make_id
from memdb.lifecycle.switches import find_enabled
from memdb.models.memory import RECONCILED, Kind, WriteAction
from memdb.models.reconciling import END
from memdb.models.submission import Claim, Source, SourceKind, Submission, TurnRef
from memdb.models.turn import ExtractionState
from memdb.providers.chat.base import Spent
from memdb.storage import extractions, quarantine
from memdb.storage.database import Identity
from memdb.storage.extractions import Derivation, Extraction
from memdb.storage.policies import DEFAULT_POLICY, find_policy

if TYPE_CHECKING:
    from memdb.extraction.extractor import Extractor, Found, SpendingJudge
    from memdb.formation.work import Work
    from memdb.runtime import Runtime

CHANNEL: Final = "extraction"
CANDIDATES_MAX: Final = 200
"""Of one handler in one snapshot; more is a model that rambles."""

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
    read = await _read(runtime, extractor, task, material, made)
    try:
        return await _store(runtime, task, before, material, (read, made))
    except SwitchedOff:
        return await let_go(runtime, task.identity, before, read.spent)
    except ServiceError as error:
        error.facts = {**error.facts, **read.spent.facts}
        raise


async def _store(
    runtime: Runtime, task: Task, before: Extraction, material: Material, found: tuple[_Read, Sequence[Derivation]]
) -> Extraction | None:
    """Store what was read, beside what the snapshot had made before; None when another worker was faster. Raises SwitchedOff."""
    read, made = found
    result: list[Extraction] = []
    # What is over ends first: a statement that is stored and then ended by the same snapshot would be a step too late after a crash.
    told = Told(task.brain_id, task.snapshot_id, task.handler, before.run)
    covered = [(place, await end_values(runtime, read.writer, told, ending)) for place, ending in _endings(read, material)]
    over = {memory.id for _, one in covered for memory in (*one.ending, *one.past)}

    async def finish(w: Work, outcomes: Sequence[Receipt | ServiceError]) -> None:
        conn = w.conn
        current = await extractions.find(conn, task.org_id, task.snapshot_id, task.handler, lock=True)
        if current is None or current.state is not ExtractionState.WAITING or current.run != before.run:
            raise AlreadyDone
        if await quarantine.is_session_held(conn, task.org_id, current.session_id):
            raise Held
        await require_on(runtime, conn, task.org_id, task.handler)
        derived = _derivations(task, current.run, read, outcomes, material)
        known = {(row.memory_id, row.version): row.id for row in made if row.action != END}
        await extractions.derive(conn, task.org_id, task.brain_id, [row for row in derived if (row.memory_id, row.version) not in known])
        again = {known[row.memory_id, row.version] for row in derived if (row.memory_id, row.version) in known}
        stored = await extractions.list_of_snapshot(conn, task.org_id, task.snapshot_id, task.handler)
        ended = [row for row in stored if row.action == END and row.memory_id in over]
        await extractions.keep_derivations(conn, task.org_id, again | {row.id for row in ended}, current.run)
        for place, one in covered:
            denial = None if place is None else outcomes[place]
            await contradict(w, told, one.own, denial.id if isinstance(denial, Receipt) else None)
        done = replace(_finished(current, read, outcomes), ended=len(ended))
        # What an earlier run had made goes first, and a worker that is killed meanwhile comes here again.
        await extractions.finish(conn, task.org_id, replace(done, state=ExtractionState.WAITING) if made else done)
        result[:] = [done]

    try:
        await form_authorised(runtime, read.writer, read.submitted, None, read.now, beside=finish)
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
    read = await _read(runtime, extractor, task, material, made)
    seen: list[Receipt | ServiceError] = []

    async def look(_: Work, outcomes: Sequence[Receipt | ServiceError]) -> None:
        seen[:] = outcomes
        raise _Undone

    with contextlib.suppress(_Undone):
        await form_authorised(runtime, read.writer, read.submitted, None, read.now, beside=look)
    receipts = [outcome for outcome in seen if isinstance(outcome, Receipt)]
    known = {row.memory_id for row in made if row.action != END}
    where = (task.brain_id, task.handler)
    covered = [await find_covered(runtime, read.writer, where, ending) for _, ending in _endings(read, material)]
    gone = await list_replaced(runtime, task.org_id, task.brain_id, made, {receipt.id for receipt in receipts})
    return Difference(
        handler=task.handler,
        added=tuple(one.content or "" for one, o in zip(read.statements, seen, strict=True) if _did(o, WriteAction.ADD)),
        updated=tuple(receipt.id for receipt in receipts if receipt.action is WriteAction.UPDATE),
        reinforced=tuple(r.id for r in receipts if r.action is WriteAction.REINFORCE and r.id not in known),
        ended=tuple(sorted({memory.id for one in covered for memory in one.ending})),
        kept=tuple(sorted({receipt.id for receipt in receipts} & known)),
        removed=gone,
    )


def _did(outcome: Receipt | ServiceError, action: WriteAction) -> bool:
    return isinstance(outcome, Receipt) and outcome.action is action


@dataclass(frozen=True, slots=True)
class _Read:
    """What a handler found in a snapshot, on its way into the write path."""

    found: Found
    kept: list[Candidate]
    statements: list[Candidate]
    submitted: Batch[Authorised]
    writer: Writer
    now: datetime
    judge: SpendingJudge | None

    @property
    def spent(self) -> Spent:
        """By reading, and by judging so far."""
        read = Spent(self.found.tokens_in, self.found.tokens_out, self.found.cost_micros)
        return read if self.judge is None else read + self.judge.spent


async def _read(runtime: Runtime, extractor: Extractor, task: Task, material: Material, made: Sequence[Derivation]) -> _Read:
    found = await extractor.read(task.handler, material.transcript)
    kept = [one for one in found.candidates[:CANDIDATES_MAX] if _is_grounded(one, material)]
    statements = [one for one in kept if one.content is not None]
    judge, now = extractor.judge(), runtime.clock.now()
    writer = replace(await _writer(runtime, task, material), judge=judge)
    known = frozenset(row.memory_id for row in made if row.action != END)
    submitted = Batch.of(statements).each(lambda one: _authorise(one, writer, material, known, now))
    return _Read(found, kept, statements, submitted, writer, now, judge)


async def _replace_former(runtime: Runtime, writer: Writer, task: Task, done: Extraction) -> None:
    """Take out what earlier runs made and this one did not, then let the extraction be done."""
    await remove_replaced(runtime, writer, task.brain_id, (task.snapshot_id, task.handler), done.run)
    async with runtime.database.write(task.identity) as conn:
        current = await extractions.find(conn, task.org_id, task.snapshot_id, task.handler, lock=True)
        if current is None or current.state is not ExtractionState.WAITING or current.run != done.run:
            raise AlreadyDone
        await extractions.finish(conn, task.org_id, done)


def _is_grounded(one: Candidate, material: Material) -> bool:
    """True when it rests on turns of the snapshot and its quote is there word for word."""
    turns = [material.turn(number) for number in one.evidence]
    return bool(turns) and None not in turns and turns[0] is not None and bool(one.quote.strip()) and one.quote in turns[0].text


async def _writer(runtime: Runtime, task: Task, material: Material) -> Writer:
    session = material.session
    principal = of_job(task.org_id, task.brain_id, session.created_by, session.created_key, Trust.WEB)
    async with runtime.database.read(task.identity) as conn:
        row = await find_policy(conn, task.org_id) or DEFAULT_POLICY
    policy = row.document.compile(row.version)
    return Writer(
        principal,
        {task.brain_id: Role.WRITER},
        task.brain_id,
        CHANNEL,
        policy.redaction,
        None,
        policy.memory,
        screening=policy.screening,
        legal_hold=policy.legal_hold,
    )


def _authorise(one: Candidate, writer: Writer, material: Material, known: frozenset[UUID], now: datetime) -> Authorised:
    """SECURITY: it is believed as little as the least believed turn that it rests on."""
    turns = [turn for number in one.evidence if (turn := material.turn(number)) is not None]
    first = turns[0]
    trust = _trust(one, material)
    principal = replace(
        writer.principal, trust=trust, subject_id=first.written_by, key_subject_id=first.written_by, key_id=first.written_key
    )
    data = dict(one.data)
    if one.attribute is not None:
        data |= {"attribute": one.attribute} | ({} if one.value is None else {"value": one.value})
    assert one.content is not None, "what only ends something is no statement"
    submission = Submission(
        content=one.content,
        kind=one.kind,
        brain_id=material.session.brain_id,
        topic=one.attribute,
        data=data,
        about=one.about,
        said_by=one.said_by,
        source=Source(
            kind=None if first.source_kind is None else SourceKind(first.source_kind),
            started_at=material.session.created_at,
            position=first.position,
            speaker=first.speaker,
            said_at=first.said_at,
            text=first.text,
            turn=TurnRef(material.session.id, first.id),
        ),
        valid_from=one.valid_from,
        valid_to=one.valid_to,
        claim=Claim(
            one.attribute if one.single and one.kind is Kind.SEMANTIC else None,
            _since(one, material) if one.kind in RECONCILED else None,
            known,
            first.created_at,
        ),
    )
    return authorise(submission, principal=principal, access=writer.access, home_brain_id=None, now=now)


def _since(one: Candidate, material: Material) -> datetime | None:
    turn = material.turn(one.evidence[0])
    if one.valid_from is not None or turn is None:
        return one.valid_from
    # A clock that is ahead would keep what was said from holding now.
    return turn.created_at if turn.said_at is None else min(turn.said_at, turn.created_at)


def _endings(read: _Read, material: Material) -> list[tuple[int | None, Ending]]:
    """What is over, in the order in which it is said, each with the place of the statement that says so among those that are stored; None:
    it states nothing else.
    """
    places = {id(one): place for place, one in enumerate(read.statements)}
    said = [(one, turn) for one in read.kept if one.ends and (turn := material.turn(one.evidence[0])) is not None]
    return [
        (
            places.get(id(one)),
            Ending(one.about, one.ends, one.said_by, turn.text, _since(one, material) or read.now, _turn_ids(one, material), trust),
        )
        for one, turn in said
        # SECURITY: what tools and web pages report ends nothing that somebody said.
        if (trust := _trust(one, material)) >= Trust.AGENT
    ]


def _trust(one: Candidate, material: Material) -> Trust:
    """The lowest of the turns that it rests on."""
    return lowest(Trust.parse(turn.trust) for number in one.evidence if (turn := material.turn(number)) is not None)


def _turn_ids(one: Candidate, material: Material) -> tuple[UUID, ...]:
    return tuple(turn.id for number in one.evidence if (turn := material.turn(number)) is not None)


def _finished(current: Extraction, read: _Read, outcomes: Sequence[Receipt | ServiceError]) -> Extraction:
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


def _derivations(task: Task, run: int, read: _Read, outcomes: Sequence[Receipt | ServiceError], material: Material) -> list[Derivation]:
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
            turn_ids=_turn_ids(one, material),
            created_at=read.now,
        )
        for one, outcome in zip(read.statements, outcomes, strict=True)
        if isinstance(outcome, Receipt)
    ]
