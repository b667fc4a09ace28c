"""What a handler found in a snapshot, on its way into the write path: what rests on its turns, as statements and as what is over. No row
is changed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.principals import Role, of_job
from governance.trust import Trust, lowest
from memdb.extraction.candidates import Candidate
from memdb.extraction.ending import Ending
from memdb.extraction.reading import Material
from memdb.formation.authorise import authorise
from memdb.formation.batch import Batch
from memdb.formation.claims import ends_at
from memdb.formation.pipeline import Writer
from memdb.formation.stages import Authorised
from memdb.models.memory import RECONCILED, Kind
from memdb.models.reconciling import END
from memdb.models.submission import Claim, Source, SourceKind, Submission, TurnRef
from memdb.providers.chat.base import Spent
from memdb.storage.policies import DEFAULT_POLICY, find_policy

if TYPE_CHECKING:
    from memdb.extraction.extract import Task
    from memdb.extraction.extractor import Extractor, Found, SpendingJudge
    from memdb.runtime import Runtime
    from memdb.storage.extractions import Derivation

CHANNEL: Final = "extraction"
CANDIDATES_MAX: Final = 200
"""Of one handler in one snapshot; more is a model that rambles."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a handler found in a snapshot, on its way into the write path.

    turn_ids: of each statement those that it rests on. endings: what is over, in the order in which it is said, each with the place of the
    statement that says so among the statements; None: it states nothing else.
    """

    found: Found
    kept: list[Candidate]
    statements: list[Candidate]
    turn_ids: list[tuple[UUID, ...]]
    endings: list[tuple[int | None, Ending]]
    submitted: Batch[Authorised]
    writer: Writer
    now: datetime
    judge: SpendingJudge | None

    @property
    def spent(self) -> Spent:
        """By reading, and by judging so far."""
        read = Spent(self.found.tokens_in, self.found.tokens_out, self.found.cost_micros)
        return read if self.judge is None else read + self.judge.spent


async def read_snapshot(runtime: Runtime, extractor: Extractor, task: Task, material: Material, made: Sequence[Derivation]) -> Read:
    """Let a handler read a snapshot. `made`: what the snapshot had to do with memories before. Raises as `Extractor.read`."""
    found = await extractor.read(task.handler, material.transcript)
    kept = [one for one in found.candidates[:CANDIDATES_MAX] if _is_grounded(one, material)]
    now = runtime.clock.now()
    endings = [(place, ending) for place, one in enumerate(kept) if (ending := _ending(one, material, now)) is not None]
    kept = [_until_over(one, [ending for at, ending in endings if at > place], material) for place, one in enumerate(kept)]
    statements = [one for one in kept if one.content is not None]
    places = {id(one): place for place, one in enumerate(statements)}
    judge = extractor.judge()
    writer = replace(await _writer(runtime, task, material), judge=judge)
    known = frozenset((row.memory_id, row.version) for row in made if row.action != END)
    submitted = Batch.of(statements).each(lambda one: _authorise(one, writer, material, known, now))
    return Read(
        found=found,
        kept=kept,
        statements=statements,
        turn_ids=[_turn_ids(one, material) for one in statements],
        endings=[(places.get(id(kept[at])), ending) for at, ending in endings],
        submitted=submitted,
        writer=writer,
        now=now,
        judge=judge,
    )


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


def _authorise(one: Candidate, writer: Writer, material: Material, known: frozenset[tuple[UUID, int]], now: datetime) -> Authorised:
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
            one.excludes,
        ),
    )
    return authorise(submission, principal=principal, access=writer.access, home_brain_id=None, now=now)


def _since(one: Candidate, material: Material) -> datetime | None:
    turn = material.turn(one.evidence[0])
    if one.valid_from is not None or turn is None:
        return one.valid_from
    # A clock that is ahead would keep what was said from holding now.
    return turn.created_at if turn.said_at is None else min(turn.said_at, turn.created_at)


def _ending(one: Candidate, material: Material, now: datetime) -> Ending | None:
    """What it says is over.

    SECURITY: what tools and web pages report ends nothing that somebody said.
    """
    turn, trust = material.turn(one.evidence[0]), _trust(one, material)
    if not one.ends or turn is None or trust < Trust.AGENT:
        return None
    return Ending(one.about, one.ends, one.said_by, turn.text, _since(one, material) or now, _turn_ids(one, material), trust)


def _until_over(one: Candidate, later: Sequence[Ending], material: Material) -> Candidate:
    """A statement as it is stored where somebody says later in the same snapshot that it is over: until then it was so.

    Who says it once more behind that says it anew.
    """
    since, turns = _since(one, material), _turn_ids(one, material)
    for ending in later:
        over = ends_at(since, ending.at)
        if (
            ending.about == one.about
            and ending.speaks_of(one.attribute, one.value)
            and ending.counts_for(one.said_by)
            and (since is None or since <= ending.at)
            and (one.valid_to is None or one.valid_to > over)
            and max(turns) < ending.turn_ids[0]
        ):
            return replace(one, valid_to=over)
    return one


def _trust(one: Candidate, material: Material) -> Trust:
    """The lowest of the turns that it rests on."""
    return lowest(Trust.parse(turn.trust) for number in one.evidence if (turn := material.turn(number)) is not None)


def _turn_ids(one: Candidate, material: Material) -> tuple[UUID, ...]:
    return tuple(turn.id for number in one.evidence if (turn := material.turn(number)) is not None)
