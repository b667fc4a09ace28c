"""Erasures as they are asked for: looked at first, begun, decided, read.

A subject is erased by an administrator of the org; a memory also by whoever may write in its brain, a conversation or a source by whoever
administers its brain. Nobody reads anything by erasing it: replies hold ids, counts and labels of the directory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from governance.audit import DetailValue, actor_of
from governance.errors import InvalidInput, NotFound
from governance.principals import Capability, Role, require
from governance.scopes import effective_role, require_role
from memdb.directory.authentication import Authenticated
from memdb.lifecycle.erasure.begin import begin_object, begin_subject, find_scope, looking
from memdb.lifecycle.erasure.holding import require_free
from memdb.lifecycle.erasure.labels import Finder, Labels
from memdb.lifecycle.erasure.run import run
from memdb.lifecycle.erasure.scanning import scan_brain, scan_object, scan_org
from memdb.lifecycle.erasure.work import Work
from memdb.runtime import Runtime
from memdb.storage import erasing, erasures
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Identity
from memdb.storage.erasures import Choice, Erasure, State, Target

BUDGET_S: Final = 2.0
"""How long a request works at an erasure itself; what is left then is a job's."""
LEFT_MAX: Final = 1_000
"""Objects in a look that somebody would have to decide on; more are only counted."""


@dataclass(frozen=True, slots=True)
class Look:
    """What an erasure would do: rows by table (`…_rewritten` stay without the name), and what somebody would have to decide."""

    kind: Target
    target_id: UUID
    counts: Mapping[str, int]
    labels: Labels = field(repr=False)
    left: Sequence[Choice]
    left_total: int


async def look_at_subject(runtime: Runtime, who: Authenticated, subject_id: UUID) -> Look:
    """Look through everything, and change nothing.

    Raises:
        AccessDenied: the key has not the capability admin.
        NotFound: the org has no such subject.
        InvalidInput: it is the org itself.
        UnderLegalHold: it may not be erased.
    """
    require(who.principal, Capability.ADMIN)
    org_id = who.principal.org_id
    async with runtime.database.read(Identity(org_id)) as conn:
        scope = await find_scope(conn, org_id, subject_id)
        brains = await erasing.list_brain_ids(conn, org_id)
    await require_free(runtime, org_id, scope.ids, scope.homes)
    work = looking(runtime, org_id, scope, actor_of(who.principal))
    work.count(subjects=len(scope.ids), subject_identities=len(scope.identities))
    for brain_id in brains:
        await scan_brain(work, brain_id)
    await scan_org(work)
    return _look(Target.SUBJECT, subject_id, work)


async def look_at_object(runtime: Runtime, who: Authenticated, kind: Target, object_id: UUID) -> Look:
    """The same of a memory, a session or a source. Raises as `forget_object`."""
    brain_id = await _authorise(runtime, who, kind, object_id)
    org_id = who.principal.org_id
    await require_free(runtime, org_id, (), [brain_id])
    actor, now = actor_of(who.principal), runtime.clock.now()
    work = Work(runtime, org_id, (), frozenset(), Finder(Labels()), now, actor, apply=False)
    await scan_object(work, kind, object_id, brain_id)
    return _look(kind, object_id, work)


def _look(kind: Target, target_id: UUID, work: Work) -> Look:
    left = sorted(work.left.values(), key=lambda one: (one.object_kind, one.object_id))
    counts = Counter({name: number for name, number in work.counts.items() if number})
    return Look(kind, target_id, dict(sorted(counts.items())), work.finder.labels, left[:LEFT_MAX], len(left))


async def forget_subject(runtime: Runtime, who: Authenticated, subject_id: UUID) -> Erasure:
    """Erase a subject and all that are one with it. A small one is complete when this returns. Raises as `look_at_subject`."""
    require(who.principal, Capability.ADMIN)
    org_id = who.principal.org_id
    begun = await begin_subject(runtime, org_id, subject_id, actor_of(who.principal), who.request_id)
    return await run(runtime, org_id, begun.id, budget_s=BUDGET_S)


async def forget_object(runtime: Runtime, who: Authenticated, kind: Target, object_id: UUID) -> Erasure:
    """Erase a memory, a session or a source for good.

    Raises:
        NotFound: there is none of this id that the caller may erase.
        AccessDenied: the caller may read it, and not erase it.
        UnderLegalHold: it may not be erased.
    """
    brain_id = await _authorise(runtime, who, kind, object_id)
    org_id = who.principal.org_id
    begun = await begin_object(runtime, org_id, (kind, object_id, brain_id), actor_of(who.principal), who.request_id)
    return await run(runtime, org_id, begun.id, budget_s=BUDGET_S)


async def _authorise(runtime: Runtime, who: Authenticated, kind: Target, object_id: UUID) -> UUID:
    """The brain of what may be erased."""
    async with runtime.database.read(Identity(who.principal.org_id)) as conn:
        brain_id = await erasing.find_brain_of(conn, who.principal.org_id, kind.value, object_id)
    administers = Capability.ADMIN in who.principal.capabilities
    reads = brain_id is not None and effective_role(who.principal, who.access, brain_id) is not None
    if brain_id is None or not (administers or reads):
        raise NotFound(f"no such {kind.value} among those that this key may erase", field=f"{kind.value}_id")
    if not administers:
        require_role(who.principal, who.access, brain_id, Role.WRITER if kind is Target.MEMORY else Role.ADMIN)
    return brain_id


async def get_erasure(runtime: Runtime, who: Authenticated, erasure_id: UUID) -> tuple[Erasure, Mapping[str, int]]:
    """An erasure, and how many of the objects that it left were decided and how. Raises AccessDenied and NotFound."""
    require(who.principal, Capability.ADMIN, Capability.AUDITOR)
    async with runtime.database.read(who.identity) as conn:
        found = await erasures.find(conn, who.principal.org_id, erasure_id)
        if found is None:
            raise NotFound("no such erasure in this org", field="erasure_id")
        return found, await erasures.count_decisions(conn, who.principal.org_id, erasure_id)


async def list_erasures(runtime: Runtime, who: Authenticated, *, before: UUID | None, limit: int) -> list[Erasure]:
    """Erasures of the org, newest first. Raises AccessDenied."""
    require(who.principal, Capability.ADMIN, Capability.AUDITOR)
    async with runtime.database.read(who.identity) as conn:
        return await erasures.list_all(conn, who.principal.org_id, before=before, limit=limit)


async def list_decisions(
    runtime: Runtime, who: Authenticated, erasure_id: UUID, *, after: tuple[str, UUID] | None, limit: int
) -> list[Choice]:
    """What an erasure left to a person, by kind and id. Raises as `get_erasure`."""
    await get_erasure(runtime, who, erasure_id)
    async with runtime.database.read(who.identity) as conn:
        return await erasures.list_decisions(conn, who.principal.org_id, erasure_id, after=after, limit=limit)


async def decide(runtime: Runtime, who: Authenticated, erasure_id: UUID, decision: str, objects: Collection[UUID] | None) -> Erasure:
    """Say of objects that an erasure left, all that are open or some, whether the name in them means the subject; it goes on with that.

    Raises:
        AccessDenied, NotFound: as `get_erasure`; the capability admin is needed.
        InvalidInput: none of the objects is open.
    """
    require(who.principal, Capability.ADMIN)
    org_id, now = who.principal.org_id, runtime.clock.now()
    await get_erasure(runtime, who, erasure_id)
    async with runtime.database.write(who.identity) as conn:
        decided = await erasures.decide(conn, org_id, erasure_id, decision, objects, (who.principal.subject_id, now))
        if not decided:
            raise InvalidInput("none of these objects is open in this erasure; read its decisions again", field="objects")
        erasure = await erasures.find(conn, org_id, erasure_id)
        assert erasure is not None, "it was there a moment ago"
        if erasure.state is State.DECIDING:
            await erasures.advance(conn, org_id, replace(erasure, state=State.RUNNING, position={}), now, None)
        auditor = Auditor(runtime.keyring, org_id, actor_of(who.principal), at=now, request_id=who.request_id)
        detail: dict[str, DetailValue] = {"decision": decision, "objects": len(decided)}
        await record(conn, auditor.event("erasure.decide", ("erasure", erasure_id), detail=detail))
    return await run(runtime, org_id, erasure_id, budget_s=BUDGET_S)
