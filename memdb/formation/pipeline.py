"""The write path on one page: redact, inspect, enrich, scope, embed, episode, policy, compare, store.

Order is the law: nothing that has not passed the redactor reaches a model, an index, a log line or a row. One memory and a batch of
thousands go through the same code; what fails is set aside with its error and the rest goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from governance.errors import ServiceError
from governance.policy.keeping import LegalHold
from governance.policy.memory_rules import MemoryRules
from governance.policy.screening import Screening
from governance.principals import Principal, Role
from governance.redaction.names.known import NOBODY
from governance.redaction.policy import OrgRedaction, RedactionPolicy
from memdb.formation.authorise import authorise
from memdb.formation.batch import Batch
from memdb.formation.embed import embed
from memdb.formation.enrich import enrich
from memdb.formation.episode import draft
from memdb.formation.inspect import inspect
from memdb.formation.judging import Judge, judged
from memdb.formation.neighbours import compare
from memdb.formation.policy import decide
from memdb.formation.redact import redact
from memdb.formation.scope import scope
from memdb.formation.stages import Authorised, Enriched, Receipt
from memdb.formation.store import Beside, store
from memdb.models.submission import Submission
from memdb.runtime import Runtime
from memdb.storage.database import identity_of
from memdb.storage.directory import Dictionary
from memdb.storage.idempotency import Ticket
from memdb.timing import Stopwatch


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes, through which door, what they reach, and what their org does with findings.

    judge: who is asked about statements near others, if anybody is. Only what is learned has one: who writes directly waits for no model.
    """

    principal: Principal
    access: Mapping[UUID, Role]
    home_brain_id: UUID | None
    channel: str
    redaction: RedactionPolicy
    request_id: str | None = None
    memory: MemoryRules = field(default_factory=MemoryRules)
    judge: Judge | None = None
    screening: Screening = field(default_factory=Screening)
    legal_hold: LegalHold = field(default_factory=LegalHold)


@dataclass(frozen=True, slots=True)
class Formed:
    """One receipt or error for each submission, in order, and how long each step took in milliseconds."""

    outcomes: list[Receipt | ServiceError]
    timings_ms: dict[str, float]


async def form(runtime: Runtime, writer: Writer, submissions: Sequence[Submission], ticket: Ticket | None = None) -> Formed:
    """Write memories.

    Args:
        runtime: what the process holds.
        writer: the authorised caller.
        submissions: raw; at most what the door allows in one request.
        ticket: idempotency key and body digest of this request, if it carries one.

    Raises:
        IdempotencyConflict: the key was used with another body.
        StorageUnavailable: nothing was written.
    """
    now = runtime.clock.now()
    batch = Batch.of(submissions).each(
        lambda s: authorise(s, principal=writer.principal, access=writer.access, home_brain_id=writer.home_brain_id, now=now)
    )
    return await form_authorised(runtime, writer, batch, ticket, now)


async def form_authorised(
    runtime: Runtime, writer: Writer, authorised: Batch[Authorised], ticket: Ticket | None, now: datetime, *, beside: Beside | None = None
) -> Formed:
    """The rest of the path, for new memories and for edits alike; `beside` is done in the transaction of step 9. Raises as `form`."""
    watch = Stopwatch()
    dictionary = await runtime.directory.get(runtime.database, identity_of(writer.principal))
    identity = identity_of(writer.principal)
    known = await runtime.directory.names(runtime.database, identity) if writer.redaction.finds_names else NOBODY
    watch.lap("authorise")
    enriched = await asyncio.to_thread(_understand, runtime, OrgRedaction(writer.redaction, known), authorised, dictionary, watch)
    scoped = await scope(enriched, database=runtime.database, keyring=runtime.keyring)
    watch.lap("scope")
    embedded = await embed(scoped, embedder=runtime.embedder)
    watch.lap("embed")
    drafted = embedded.each(lambda e: draft(e, keyring=runtime.keyring))
    watch.lap("episode")
    decided = await decide(drafted, writer, database=runtime.database)
    watch.lap("policy")
    compared = await compare(decided, database=runtime.database, space=runtime.embedder.space)
    watch.lap("compare")
    if writer.judge is not None:
        compared = await judged(compared, judge=writer.judge, runtime=runtime)
        watch.lap("judge")
    stored = await store(runtime, writer, compared, ticket=ticket, now=now, beside=beside)
    watch.lap("store")
    return Formed(stored.outcomes(), watch.laps)


def _understand(
    runtime: Runtime, org: OrgRedaction, authorised: Batch[Authorised], dictionary: Dictionary, watch: Stopwatch
) -> Batch[Enriched]:
    """The steps that only compute, on one thread beside the event loop."""
    redacted = authorised.each(lambda a: redact(a, redactor=runtime.redactor, org=org, keyring=runtime.keyring))
    watch.lap("redact")
    inspected = redacted.each(inspect)
    watch.lap("inspect")
    enriched = inspected.each(lambda i: enrich(i, extractor=runtime.extractor, dictionary=dictionary))
    watch.lap("enrich")
    return enriched
