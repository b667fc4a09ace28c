"""What an erasure is of, found out before anything goes: everybody who is one with the subject, their own brains, what they were called."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from governance.audit import Actor, DetailValue
from governance.errors import InvalidInput, NotFound
from governance.redaction.names.ordinary_words import ORDINARY
from memdb.ids import make_id
from memdb.lifecycle.erasure.holding import legal_holds, require_free
from memdb.lifecycle.erasure.labels import Finder, Labels, iterate_labels, tell_apart
from memdb.lifecycle.erasure.scanning import scan_brain
from memdb.lifecycle.erasure.work import Work
from memdb.runtime import Runtime
from memdb.storage import erasing, erasures, subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Identity, ReadConn, WriteConn
from memdb.storage.erasures import Erasure, State, Target
from memdb.storage.ledger import CUT, IDENTITY, KEEP, bury
from memdb.storage.subjects import ACTORS, SubjectKind

_FIRST_NAME_MIN: Final = 3
"""Letters of the first word of a name under which somebody may be meant as well."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whom an erasure is of. `homes`: their own brains, which go whole; `identities`: keyed hashes of their platform ids."""

    ids: tuple[UUID, ...]
    homes: tuple[UUID, ...]
    labels: Labels
    identities: tuple[bytes, ...]


async def find_scope(conn: ReadConn | WriteConn, org_id: UUID, subject_id: UUID) -> Scope:
    """Whom the erasure of a subject is of: all that are one with it by merging.

    Raises:
        NotFound: the org has no such subject.
        InvalidInput: it is the org itself.
    """
    row = await subjects.find_subject(conn, org_id, subject_id)
    if row is None:
        raise NotFound("no such subject in this org", field="subject_id")
    if row.kind is SubjectKind.ORG:
        raise InvalidInput("this subject is the org itself; `memdb forget org` erases an org", field="subject_id")
    ids = tuple(sorted((await subjects.expand(conn, org_id, [subject_id])).group(subject_id)))
    rows = await subjects.list_by_id(conn, org_id, ids)
    homes = tuple(sorted(one.home_brain_id for one in rows if one.kind in ACTORS and one.home_brain_id is not None))
    identities = await subjects.list_identities(conn, org_id, ids)
    names: dict[UUID, set[str]] = {}
    for table, owner, _, text in await erasing.list_other_names(conn):
        # What redaction or masking left of a platform id names nobody.
        if table in {"subjects", "subject_aliases"} or (table == "subject_identities" and not set("*[") & set(text)):
            names.setdefault(owner, set()).update(iterate_labels([text]))
    people = {one.id for one in rows if one.kind is SubjectKind.PERSON}
    own = {label for one in ids for label in names.get(one, ())}
    own |= {first for one in people for label in names.get(one, ()) if (first := _first_name(label)) is not None}
    hashes = tuple(sorted(one.external_hash for rows_of in identities.values() for one in rows_of))
    return Scope(ids, homes, tell_apart(own, names, ids), hashes)


def _first_name(label: str) -> str | None:
    """The word by which a person is called for short; None for one that may be no name."""
    first, _, rest = label.partition(" ")
    return first if rest and len(first) >= _FIRST_NAME_MIN and first.isalpha() and first not in ORDINARY else None


async def begin_subject(runtime: Runtime, org_id: UUID, subject_id: UUID, actor: Actor, request_id: str | None) -> Erasure:
    """Take a subject out of the directory and into the ledger, in one transaction; what is known of it goes with `run`.

    From then on nobody writes as the subject or about it, so that what the erasure looks through does not grow again.

    Raises:
        NotFound, InvalidInput: as `find_scope`.
        UnderLegalHold: it may not be erased.
    """
    await _require_free(runtime, org_id, subject_id, actor)
    now = runtime.clock.now()
    async with runtime.database.write(Identity(org_id)) as conn:
        await subjects.lock_merging(conn, org_id)
        scope = await find_scope(conn, org_id, subject_id)
        erasure = _erasure(Target.SUBJECT, subject_id, actor, runtime, scope)
        await erasures.add(conn, org_id, erasure)
        tombstones = bury(runtime.keyring, org_id, Target.SUBJECT.value, [one.bytes for one in scope.ids], now)
        await erasures.bury(conn, [*tombstones, *bury(runtime.keyring, org_id, IDENTITY, scope.identities, now)])
        counts = await erasing.erase_people(conn, org_id, scope.ids, scope.homes)
        auditor = Auditor(runtime.keyring, org_id, actor, at=now, request_id=request_id)
        detail: dict[str, DetailValue] = {"erasure": erasure.id, "merged": len(scope.ids) - 1}
        await record(conn, auditor.event("subject.erase", ("subject", subject_id), detail=detail))
        kept = replace(erasure, counts={name: number for name, number in counts.items() if number})
        await erasures.advance(conn, org_id, kept, now, None)
    runtime.directory.invalidate(org_id)
    return kept


async def begin_object(runtime: Runtime, org_id: UUID, target: tuple[Target, UUID, UUID], actor: Actor, request_id: str | None) -> Erasure:
    """Begin the erasure of a memory, a session or a source, which is (what, its id, its brain); it is in the ledger from then on.

    Raises:
        UnderLegalHold: it may not be erased.
    """
    kind, object_id, brain_id = target
    await require_free(runtime, org_id, (), [brain_id])
    now = runtime.clock.now()
    erasure = _erasure(kind, object_id, actor, runtime, Scope((), (), Labels(), ()), brain_id=brain_id)
    async with runtime.database.write(Identity(org_id)) as conn:
        await erasures.add(conn, org_id, erasure)
        await erasures.bury(conn, bury(runtime.keyring, org_id, kind.value, [object_id.bytes], now))
        auditor = Auditor(runtime.keyring, org_id, actor, at=now, request_id=request_id)
        event = auditor.event(f"{kind.value}.forget", (kind.value, object_id), brain_id=brain_id, detail={"erasure": erasure.id})
        await record(conn, event)
    return erasure


async def work_on(runtime: Runtime, org_id: UUID, erasure: Erasure, *, budget_s: float | None) -> Work:
    """A turn at an erasure that has begun."""
    async with runtime.database.read(Identity(org_id)) as conn:
        decided = await erasures.list_decisions(conn, org_id, erasure.id)
        remembered = await erasures.list_tombstones(conn, org_id, [CUT, KEEP])
    loop = asyncio.get_running_loop()
    return Work(
        runtime=runtime,
        org_id=org_id,
        ids=erasure.subject_ids,
        homes=frozenset(erasure.brain_ids) if erasure.kind is Target.SUBJECT else frozenset(),
        finder=Finder(Labels.from_json(erasure.labels)),
        since=erasure.created_at,
        actor=Actor(erasure.requested_by, erasure.requested_key),
        apply=True,
        decided={(one.object_kind, one.object_id): one.decision for one in decided if one.decision is not None},
        remembered={name: frozenset(one.digest for one in remembered if one.kind == name) for name in (CUT, KEEP)},
        deadline=None if budget_s is None else loop.time() + budget_s,
    )


def looking(runtime: Runtime, org_id: UUID, scope: Scope, actor: Actor) -> Work:
    """A look at what the erasure of a subject would do."""
    return Work(runtime, org_id, scope.ids, frozenset(scope.homes), Finder(scope.labels), runtime.clock.now(), actor, apply=False)


async def _require_free(runtime: Runtime, org_id: UUID, subject_id: UUID, actor: Actor) -> None:
    _, held = await legal_holds(runtime, org_id)
    async with runtime.database.read(Identity(org_id)) as conn:
        scope = await find_scope(conn, org_id, subject_id)
    touched: Collection[UUID] = scope.homes
    if held:
        touched = {*touched, *[brain_id for brain_id in held if await _is_touched(looking(runtime, org_id, scope, actor), brain_id)]}
    await require_free(runtime, org_id, scope.ids, touched)


async def _is_touched(work: Work, brain_id: UUID) -> bool:
    await scan_brain(work, brain_id)
    return bool(work.counts) or bool(work.left)


def _erasure(kind: Target, target_id: UUID, actor: Actor, runtime: Runtime, scope: Scope, *, brain_id: UUID | None = None) -> Erasure:
    now = runtime.clock.now()
    return Erasure(
        id=make_id(),
        kind=kind,
        target_id=target_id,
        state=State.RUNNING,
        subject_ids=scope.ids,
        brain_ids=scope.homes if brain_id is None else (brain_id,),
        labels=scope.labels.to_json() if scope.ids else None,
        position={},
        counts={},
        requested_by=actor.acting_for or actor.subject_id,
        requested_key=actor.key_id,
        created_at=now,
        changed_at=now,
        completed_at=None,
        receipt=None,
    )
