"""What another policy would have done to the last writes of an org, as they are stored; nothing is written.

Stored texts are redacted already, so that only what stands in them yet counts, and what the policy would keep from now on is not seen.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.audit import actor_of
from governance.errors import PersonalDataInIdentifier
from governance.policy.decide import decide
from governance.policy.decision import Effect, WriteRequest
from governance.principals import Capability, require
from governance.redaction.findings import Action
from governance.redaction.names.known import NOBODY
from governance.scopes import of_job
from governance.trust import Trust
from memdb.directory.policies import check_document
from memdb.formation.inspect import signals_of
from memdb.formation.policy import BROUGHT
from memdb.formation.redact import strings
from memdb.keyring import Purpose
from memdb.storage import brains, memories, subjects, upkeep
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Identity

if TYPE_CHECKING:
    from governance.policy.document import OrgPolicy, PolicyDocument
    from governance.redaction.names.known import KnownNames
    from memdb.directory.authentication import Authenticated
    from memdb.models.memory import Memory
    from memdb.runtime import Runtime
    from memdb.storage.brains import BrainKind

PREVIEW_MAX: Final = 1_000
IDS_MAX: Final = 100
CHANGES: Final = ("flagged", "held", "rejected", "served", "redacted")


@dataclass(frozen=True, slots=True)
class Preview:
    """What would differ from the policy of `version`. `ids`: memories by change, oldest first, each in as many of CHANGES as it belongs to.

    flagged, held, rejected: by the other policy, and looser by the one that holds. served: the reverse of the last two. `mentions`: that
    the other policy would replace and the one that holds does not.
    """

    version: int
    looked_at: int
    ids: Mapping[str, tuple[UUID, ...]]
    mentions: int


async def preview(runtime: Runtime, who: Authenticated, document: PolicyDocument, last: int) -> Preview:
    """Try a policy on the last memories of the org, whichever brain they lie in. The caller learns numbers and ids, no text; it is audited.

    Args:
        runtime: what the process holds.
        who: the caller.
        document: the other policy.
        last: how many memories, the newest first; at most PREVIEW_MAX.

    Raises:
        AccessDenied: the caller lacks the capability admin.
        InvalidInput, PersonalDataInIdentifier: the document says something that is not allowed.
        RedactionUnavailable: the redactor failed.
    """
    require(who.principal, Capability.ADMIN)
    check_document(runtime, document)
    now, org_id = runtime.clock.now(), who.principal.org_id
    other = document.compile(who.policy.version)
    found = await _read(runtime, org_id, last)
    finds_names = other.redaction.finds_names or who.policy.redaction.finds_names
    known = await runtime.directory.names(runtime.database, Identity(org_id)) if finds_names else NOBODY
    compared = await asyncio.to_thread(_compare_all, runtime, (who.policy, other), found, known)
    auditor = Auditor(runtime.keyring, org_id, actor_of(who.principal), at=now, request_id=who.request_id)
    async with runtime.database.write(who.identity) as conn:
        detail = {"looked_at": len(found), **{name: len(ids) for name, ids in compared.ids.items()}}
        await record(conn, auditor.event("policy.preview", ("policy", str(who.policy.version)), detail=detail))
    return compared


@dataclass(frozen=True, slots=True)
class _Found:
    memory: Memory
    brain_kind: BrainKind | None
    vouched: bool


async def _read(runtime: Runtime, org_id: UUID, last: int) -> list[_Found]:
    # As a job, one brain at a time: an administrator need not be a member of any of them.
    async with runtime.database.read(Identity(org_id)) as conn:
        wanted = await upkeep.list_newest(conn, org_id, last)
    found: list[_Found] = []
    for brain_id, ids in wanted.items():
        async with runtime.database.read(Identity(org_id, job_brain_id=brain_id)) as conn:
            kind = (await brains.list_kinds(conn, org_id, [brain_id])).get(brain_id)
            stored = await memories.list_by_id(conn, of_job(org_id, brain_id), ids, runtime.keyring)
            writers = await subjects.list_by_id(conn, org_id, {each.memory.written_by for each in stored.values()})
        owners = {row.id for row in writers if row.home_brain_id == brain_id}
        for each in stored.values():
            if each.intact:
                brought = each.memory.source_kind in {kind.value for kind in BROUGHT}
                found.append(_Found(each.memory, kind, brought and each.memory.written_by in owners))
    return sorted(found, key=lambda one: one.memory.id)


def _compare_all(runtime: Runtime, policies: tuple[OrgPolicy, OrgPolicy], found: Sequence[_Found], known: KnownNames) -> Preview:
    now, other = policies
    ids: dict[str, list[UUID]] = defaultdict(list)
    mentions = 0
    for one in found:
        change = _change(_effect(now, one), _effect(other, one))
        if change is not None:
            ids[change].append(one.memory.id)
        more = _mentions(runtime, other, one.memory, known) - _mentions(runtime, now, one.memory, known)
        if more > 0:
            mentions += more
            ids["redacted"].append(one.memory.id)
    return Preview(now.version, len(found), {name: tuple(ids[name]) for name in CHANGES}, mentions)


def _effect(policy: OrgPolicy, one: _Found) -> Effect:
    memory, trust = one.memory, Trust.parse(one.memory.trust)
    request = WriteRequest(
        kind=memory.kind.value,
        trust=trust,
        channel="stored",
        signals=signals_of(memory),
        redaction_counts={},
        thresholds=policy.screening.thresholds_for(trust, memory.kind.value),
        brain_kind=None if one.brain_kind is None else one.brain_kind.value,
        vouched=one.vouched,
    )
    return decide(request, policy.screening.rules).effect


def _change(now: Effect, other: Effect) -> str | None:
    if now >= Effect.HOLD > other:
        return "served"
    if other <= now:
        return None
    return {Effect.FLAG: "flagged", Effect.HOLD: "held", Effect.REJECT: "rejected"}[other]


def _mentions(runtime: Runtime, policy: OrgPolicy, memory: Memory, known: KnownNames) -> int:
    """How many mentions of the stored texts the policy would replace; a key of `data` that is refused as a whole counts as one."""
    rules = policy.redaction.rules_for(memory.brain_id)
    key = runtime.keyring.derive(Purpose.PSEUDONYM, memory.org_id, context="question")
    numbering = runtime.redactor.numbering()
    for text in (memory.content, *strings(memory.data)):
        numbering.reserve(text)
    redactor = runtime.redactor
    content = redactor.redact(memory.content, rules=rules, key=key, numbering=numbering, field="content", known=known)
    found = [r.action for r in content.redactions]
    try:
        data = redactor.redact_json(memory.data, rules=rules, key=key, numbering=numbering, field="data", known=known)
        found += [r.redaction.action for r in data.redactions]
    except PersonalDataInIdentifier:
        found.append(Action.REPLACE)
    return sum(action is not Action.KEEP for action in found)
