"""The read path on one page: redact the question, authorise, branches, fuse, filter, evidence, card.

One read-only transaction for all branches, so that they see one snapshot; each runs in a savepoint with its own deadline, so that a late or
failing branch leaves the rest. Redaction and embedding run before, PageRank after it, with no connection out. A second transaction fetches
what is shown, as it is by then, and records the recall: nothing is shown that is not recorded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

import structlog

from governance.policy.memory_rules import MemoryRules
from governance.principals import Principal, Role
from governance.redaction.names.known import NOBODY
from governance.redaction.policy import RedactionPolicy
from governance.scopes import ScopeFilter, readable_by
from memdb.errors import ProviderError, StorageError
from memdb.ids import make_id
from memdb.lifecycle.conflicts import load_conflicts
from memdb.providers.embedding.base import Vector
from memdb.runtime import Runtime
from memdb.storage import memories, origins, recalls, subjects
from memdb.storage.database import ReadConn, identity_of
from memdb.storage.directory import Dictionary
from memdb.text.language import detect
from memdb.text.lexemes import query_terms
from memdb.timing import Stopwatch
from retrieval.authorise import RedactedQuestion, authorise, redact_question
from retrieval.branches.run import ask, finish
from retrieval.card import Card, compose
from retrieval.evidence import Asked, Dropped, Evidence, choose, collect
from retrieval.filters import Candidate, admit, relevant
from retrieval.front import Front, read_front
from retrieval.fusion import Fused, fuse, lift
from retrieval.identities import identify
from retrieval.modifiers import windows_of
from retrieval.names import find_names
from retrieval.query import Question, RecallRequest
from retrieval.routing import find_exact
from retrieval.weights import weights_for

log = structlog.get_logger()

SPARE = 3
"""Hits fetched beyond the limit at once, for near duplicates and for what the second filter takes out."""
UNRECORDED = "audit"
"""In `degraded`: the answer was given and its row could not be stored."""
LANGUAGES = ("en", "pt", "es", "und")
"""Besides the question's own language its words are looked up as these would stem them: short questions are easily mistaken."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks, what they reach, and what their org does with findings. `reads_audited`: a recall that cannot be recorded is refused;
    False: it is answered, and `degraded` names audit.
    """

    principal: Principal
    access: Mapping[UUID, Role]
    redaction: RedactionPolicy
    request_id: str | None = None
    memory: MemoryRules = field(default_factory=MemoryRules)
    reads_audited: bool = True


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer. `degraded` names branches that failed, were late or could not be asked, and `audit` where it is not recorded."""

    id: UUID
    evidence: list[Evidence]
    card: Card | None
    dropped: Dropped
    degraded: list[str]
    timings_ms: dict[str, float]


async def recall(runtime: Runtime, reader: Reader, request: RecallRequest) -> Recall:
    """Answer a question with evidence.

    Raises:
        InvalidInput, NotFound: the request is malformed or names a brain that the caller may not read.
        RedactionUnavailable: the redactor failed; nothing was searched.
        AllBranchesFailed: no branch answered; try again.
        StorageUnavailable: the database did not answer.
    """
    watch, now = Stopwatch(), runtime.clock.now()
    rules = reader.redaction.strictest(request.brains or readable_by(reader.principal, reader.access).brain_ids)
    identity = identity_of(reader.principal)
    known = await runtime.directory.names(runtime.database, identity) if rules.finds_names else NOBODY
    redacted = await asyncio.to_thread(
        redact_question, request, reader.principal, redactor=runtime.redactor, asked=(rules, known), keyring=runtime.keyring, now=now
    )
    watch.lap("redact")
    vector = await _embed(runtime, redacted)
    watch.lap("embed")
    question = _question(redacted, vector, await runtime.directory.get(runtime.database, identity), request, reader.memory)
    async with runtime.database.read(identity) as conn:
        scope = await authorise(conn, reader.principal, reader.access, request)
        question = await identify(conn, scope.org_id, question)
        watch.lap("authorise")
        asked = await ask(runtime, conn, scope, question, watch)
    found = await finish(asked, watch)
    ranked = lift(fuse(found.hits, weights_for(request.weights)), found.exact)

    async def show(conn: ReadConn) -> _Shown:
        evidence, dropped = await _choose(runtime, conn, scope, question, ranked, request.min_score)
        watch.lap("evidence")
        front = Front() if request.token_budget is None else await read_front(conn, scope, question, runtime.keyring)
        names = {} if request.token_budget is None else await _names(conn, scope, evidence, front)
        watch.lap("front")
        return _Shown(Recall(make_id(), evidence, None, dropped, found.degraded, watch.laps), front, names)

    try:
        async with runtime.database.answer(identity) as (conn, recording):
            shown = await show(conn)
            await recalls.record(recording, reader.principal, _row(reader, scope, shown.answer, redacted, request))
    except StorageError as error:
        if reader.reads_audited:
            raise
        log.warning("recall_not_recorded", code=error.code)
        async with runtime.database.read(identity) as conn:
            shown = await show(conn)
        shown = replace(shown, answer=replace(shown.answer, degraded=[*found.degraded, UNRECORDED]))
    watch.lap("record")
    answer = shown.answer
    if request.token_budget is not None:
        answer = replace(answer, card=compose(answer.evidence, request.token_budget, shown.front, shown.names))
    watch.lap("card")
    watch.laps["total"] = watch.total_ms
    return answer


@dataclass(frozen=True, slots=True)
class _Shown:
    """An answer, and what its card shows beside the evidence."""

    answer: Recall
    front: Front
    names: Mapping[UUID, str]


async def _names(conn: ReadConn, scope: ScopeFilter, evidence: list[Evidence], front: Front) -> dict[UUID, str]:
    about = {s for memory in (*(e.memory for e in evidence), *(e.memory for e in front.entries)) for s in memory.about}
    return {} if not about else await subjects.list_names(conn, scope.org_id, about)


async def _embed(runtime: Runtime, redacted: RedactedQuestion) -> Vector | None:
    try:
        return (await runtime.embedder.embed_queries([redacted.text.text]))[0].vector
    except ProviderError as error:
        log.warning("query_not_embedded", code=error.code)
        return None


def _question(
    redacted: RedactedQuestion, vector: Vector | None, dictionary: Dictionary, request: RecallRequest, rules: MemoryRules
) -> Question:
    text = redacted.text.text
    language = detect(text)
    exact = find_exact(text, tuple(dict.fromkeys((language, *LANGUAGES))))
    terms = query_terms(text, (language, *LANGUAGES))
    names = find_names(text, dictionary)
    return Question(redacted.text, language, tuple(terms), names, exact, vector, redacted.filters, request.limit, rules)


async def _choose(
    runtime: Runtime, conn: ReadConn, scope: ScopeFilter, question: Question, ranked: list[Fused], min_score: float | None
) -> tuple[list[Evidence], Dropped]:
    """Fetch and admit from the top until the answer is full; what is below the floor is never fetched."""
    strong = relevant(ranked, min_score)
    step = question.limit + SPARE
    seen: list[Evidence] = []
    for start in range(0, max(1, len(strong)), step):
        seen += await _fetch(runtime, conn, scope, question, strong[start : start + step])
        enough = sorted((e for e in seen if min_score is None or e.score >= min_score), key=lambda e: -e.score)
        chosen, dropped = choose(enough, question.limit)
        if len(chosen) == question.limit:
            break
    unseen = max(0, len(strong) - start - step)
    weak = len(ranked) - len(strong) + len(seen) - len(enough)
    return chosen, replace(dropped, below_floor=weak, over_limit=dropped.over_limit + unseen)


async def _fetch(runtime: Runtime, conn: ReadConn, scope: ScopeFilter, question: Question, ranked: list[Fused]) -> list[Evidence]:
    """What may be shown of some hits, with where it comes from and what became of it."""
    admitted = await _admit(runtime, conn, scope, question, ranked)
    shown = [(c.memory.id, c.memory.version) for c in admitted]
    sources = await origins.list_sources(conn, scope.org_id, scope.brain_ids, shown) if shown else []
    text, now = question.text.text, question.filters.now
    contested = {c.memory.id: c.current.memory for c in admitted if c.current.contested}
    conflicts = await load_conflicts(conn, scope, contested, runtime.keyring, now)
    return collect(admitted, sources, Asked(now, windows_of(text, question.language, now), question.rules, conflicts))


async def _admit(runtime: Runtime, conn: ReadConn, scope: ScopeFilter, question: Question, ranked: list[Fused]) -> list[Candidate]:
    current = await memories.list_by_id(conn, scope, {f.memory_id for f in ranked}, runtime.keyring)
    older = {(f.memory_id, f.version) for f in ranked if f.version}
    versions = await memories.list_versions(conn, scope, older, runtime.keyring)
    for memory_id, row in current.items():
        if not row.intact:
            log.error("integrity_failed", memory_id=str(memory_id))
    return admit(ranked, current, versions, scope, question.filters)


def _row(reader: Reader, scope: ScopeFilter, answer: Recall, redacted: RedactedQuestion, request: RecallRequest) -> recalls.RecallRow:
    filters = redacted.filters
    return recalls.RecallRow(
        id=answer.id,
        query=redacted.text,
        filters={
            "kinds": filters.kinds,
            "brains": None if request.brains is None else [str(b) for b in request.brains],
            "about": [str(a) for a in filters.about or ()],
            "topic": filters.topic,
            "limit": request.limit,
        },
        purpose=redacted.purpose,
        results=[(e.memory.id, e.score) for e in answer.evidence],
        degraded=answer.degraded,
        took_ms=sum(answer.timings_ms.values()),
        created_at=filters.now,
        request_id=reader.request_id,
        looks=[look.id for look in reader.principal.looks if look.brain_id in scope.brain_ids],
    )
