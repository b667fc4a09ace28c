"""Two subjects that turn out to be one: one row says so, reads expand it from the next request on, and deleting it undoes it.

No memory is rewritten. What is asked about either is answered with what is known of both; an audience of either hears what both may. Rights
do not merge: a key keeps reaching what its own subject reaches, and the members of a merged team stay members of that team alone.
"""

from __future__ import annotations

from uuid import UUID

from governance.audit import DetailValue, actor_of
from governance.errors import InvalidInput, NotFound
from governance.principals import Capability, require
from memdb.directory.authentication import Authenticated
from memdb.directory.subjects import Subject, get_subject, require_subject
from memdb.errors import AlreadyMerged
from memdb.runtime import Runtime
from memdb.storage import subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.database import WriteConn
from memdb.storage.subjects import SubjectKind


async def merge(runtime: Runtime, who: Authenticated, subject_id: UUID, into_id: UUID) -> Subject:
    """Let `into_id` stand for both, and for whomever `subject_id` stood for; the first of the two as it is then. Audited.

    Raises:
        AccessDenied: the key has not the capability admin.
        NotFound: one of the two does not exist.
        InvalidInput: they are one id, of two kinds, or the org itself.
        AlreadyMerged: somebody else stands for one of them.
    """
    require(who.principal, Capability.ADMIN)
    org_id, now = who.principal.org_id, runtime.clock.now()
    async with runtime.database.write(who.identity) as conn:
        await subjects.lock_merging(conn, org_id)
        kind = await _require_mergeable(conn, org_id, subject_id, into_id)
        await subjects.insert_redirect(conn, org_id, (subject_id, into_id), now, who.principal.subject_id)
        await _record(conn, runtime, who, "subject.merge", subject_id, {"into": into_id, "kind": kind.value})
    runtime.directory.invalidate(org_id)
    return await get_subject(runtime, who, subject_id)


async def split(runtime: Runtime, who: Authenticated, subject_id: UUID) -> Subject:
    """Undo the merge of this subject, and of no other: it stands for itself again, and for whomever was merged into it. Audited.

    Raises:
        AccessDenied: the key has not the capability admin.
        NotFound: no such subject, or it was merged into nobody.
    """
    require(who.principal, Capability.ADMIN)
    org_id = who.principal.org_id
    async with runtime.database.write(who.identity) as conn:
        await subjects.lock_merging(conn, org_id)
        await require_subject(conn, org_id, subject_id)
        into_id = await subjects.find_redirect(conn, org_id, subject_id)
        if into_id is None or not await subjects.delete_redirect(conn, org_id, subject_id):
            raise NotFound("this subject was merged into nobody; it stands for itself", field="subject_id")
        await _record(conn, runtime, who, "subject.split", subject_id, {"from": into_id})
    runtime.directory.invalidate(org_id)
    return await get_subject(runtime, who, subject_id)


async def _require_mergeable(conn: WriteConn, org_id: UUID, subject_id: UUID, into_id: UUID) -> SubjectKind:
    """The kind of both. INVARIANT: both stand for themselves, and only one merge at a time looks, so that redirects never make a circle."""
    if subject_id == into_id:
        raise InvalidInput("a subject cannot be merged into itself", field="into_id")
    row = await require_subject(conn, org_id, subject_id)
    into = await subjects.find_subject(conn, org_id, into_id)
    if into is None:
        raise NotFound("no such subject in this org", field="into_id")
    if SubjectKind.ORG in (row.kind, into.kind):
        raise InvalidInput("the org itself cannot be merged", field="into_id")
    if row.kind is not into.kind:
        raise InvalidInput(f"only two subjects of one kind can be one: these are {row.kind.value} and {into.kind.value}", field="into_id")
    same = await subjects.expand(conn, org_id, (subject_id, into_id))
    root, into_root = same.root(subject_id), same.root(into_id)
    if root != subject_id:
        undo = f"undo that with POST /v1/subjects/{subject_id}:split"
        raise AlreadyMerged(f"the subject {subject_id} was merged already and {root} stands for it; {undo}", field="subject_id")
    if into_root != into_id:
        advice = "merge into that one" if into_root != subject_id else f"undo that with POST /v1/subjects/{into_id}:split"
        raise AlreadyMerged(f"the subject {into_id} was merged and {into_root} stands for it; {advice}", field="into_id")
    return row.kind


async def _record(
    conn: WriteConn, runtime: Runtime, who: Authenticated, action: str, subject_id: UUID, detail: dict[str, DetailValue]
) -> None:
    principal = who.principal
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=runtime.clock.now(), request_id=who.request_id)
    await record(conn, auditor.event(action, ("subject", subject_id), detail=detail))
