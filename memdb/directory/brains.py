"""Brains and their members. A brain that is unknown and one that may not be read are the same: not found, in every verb."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from governance.audit import actor_of
from governance.errors import AccessDenied, InvalidInput, NotFound
from governance.principals import Capability, Role, require
from governance.scopes import effective_role, require_role
from memdb.directory.authentication import Authenticated
from memdb.directory.labels import make_name
from memdb.errors import AlreadyExists
from memdb.ids import make_id
from memdb.runtime import Runtime
from memdb.storage import access, brains, subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.brains import BrainKind, BrainRow, MemberRow, Sharing
from memdb.storage.database import WriteConn

MEMBERS_MAX = 200  # in one request
_MADE_ALONE = frozenset({BrainKind.TEAM, BrainKind.ROOM, BrainKind.ORG})


@dataclass(frozen=True, slots=True)
class Brain:
    """A brain, what the caller may do in it, and whether it is where the caller writes by default."""

    row: BrainRow
    role: Role
    home: bool


async def create_brain(
    runtime: Runtime,
    who: Authenticated,
    kind: BrainKind,
    name: str,
    members: Mapping[UUID, Role],
    sharing: Sharing = Sharing.SUBJECTS,
) -> Brain:
    """Make a brain; whoever makes it administers it. One of kind org is read by the whole org.

    Raises:
        InvalidInput: personal and agent brains are made with their subject; too many members; the name is refused.
        AccessDenied: the key is limited to brains, only reads, or makes an org brain without the capability admin.
        NotFound: a member does not exist.
        RedactionUnavailable: the redactor failed.
    """
    _require_creator(who, kind)
    if len(members) > MEMBERS_MAX:
        raise InvalidInput(f"members may hold {MEMBERS_MAX} items; add more one by one", field="members")
    org_id, creator = who.principal.org_id, who.principal.subject_id
    label = make_name(runtime, who, name, "name")
    now = runtime.clock.now()
    row = BrainRow(make_id(), kind, label.text, now, sharing)
    chosen = {**members, creator: Role.ADMIN}
    if kind is BrainKind.ORG:
        chosen.setdefault(org_id, Role.READER)
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        known = await subjects.list_known(conn, org_id, chosen.keys())
        if chosen.keys() - known.keys():
            raise NotFound("no such subject in this org", field="members")
        await brains.insert_brain(conn, org_id, row, label, creator)
        await brains.insert_members(conn, org_id, row.id, chosen, now, creator)
        await access.rebuild_brain(conn, org_id, row.id)
        detail = {"kind": kind.value, "members": len(chosen), "sharing": sharing.value}
        await record(conn, auditor.event("brain.create", ("brain", row.id), brain_id=row.id, detail=detail))
    return Brain(row, min(Role.ADMIN, who.principal.max_role, key=lambda role: role.strength), home=False)


async def list_brains(runtime: Runtime, who: Authenticated, *, kind: BrainKind | None, after: UUID | None, limit: int) -> list[Brain]:
    """Brains that the caller may read, oldest first; at most `limit` of those behind `after`."""
    async with runtime.database.read(who.identity) as conn:
        rows = await brains.list_brains(conn, who.scope, kind=kind, after=after, limit=limit)
    return [Brain(row, _role(who, row.id), row.id == who.home_brain_id) for row in rows]


async def get_brain(runtime: Runtime, who: Authenticated, brain_id: UUID) -> Brain:
    """The brain with this id.

    Raises:
        NotFound: unknown or not readable.
    """
    require_role(who.principal, who.access, brain_id, Role.READER)
    async with runtime.database.read(who.identity) as conn:
        row = await brains.find_brain(conn, who.scope, brain_id)
    if row is None:
        raise NotFound("no such brain among those that this key may read", field="brain_id")
    return Brain(row, _role(who, brain_id), brain_id == who.home_brain_id)


async def update_brain(runtime: Runtime, who: Authenticated, brain_id: UUID, *, name: str | None, sharing: Sharing | None) -> Brain:
    """Give a brain another name, or say who may share out of it; what is None stays. Audited.

    Raises:
        NotFound: the brain is unknown or not readable.
        AccessDenied: the caller does not administer the brain.
        InvalidInput: nothing is given, or the name is refused.
        RedactionUnavailable: the redactor failed.
    """
    require_role(who.principal, who.access, brain_id, Role.ADMIN)
    if name is None and sharing is None:
        raise InvalidInput("give a name, a sharing, or both", field="name")
    org_id = who.principal.org_id
    label = None if name is None else make_name(runtime, who, name, "name")
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        await _lock(conn, org_id, brain_id)
        before = await brains.find_brain(conn, who.scope, brain_id)
        assert before is not None, "locked above"
        await brains.update_brain(conn, org_id, brain_id, name=label, sharing=sharing)
        after = replace(before, name=before.name if label is None else label.text, sharing=sharing or before.sharing)
        detail = {"name": label is not None, "sharing": after.sharing.value, "sharing_before": before.sharing.value}
        await record(conn, auditor.event("brain.update", ("brain", brain_id), brain_id=brain_id, detail=detail))
    return Brain(after, _role(who, brain_id), brain_id == who.home_brain_id)


async def list_members(runtime: Runtime, who: Authenticated, brain_id: UUID, *, after: UUID | None, limit: int) -> list[MemberRow]:
    """Direct members of a brain by subject id: teams and the org stand for all of theirs.

    Raises:
        NotFound: the brain is unknown or not readable.
    """
    require_role(who.principal, who.access, brain_id, Role.READER)
    async with runtime.database.read(who.identity) as conn:
        return await brains.list_members(conn, who.scope, brain_id, after=after, limit=limit)


async def add_member(runtime: Runtime, who: Authenticated, brain_id: UUID, subject_id: UUID, role: Role) -> MemberRow:
    """Let a subject, a team or the whole org into a brain.

    Raises:
        NotFound: the brain is unknown or not readable, or there is no such subject.
        AccessDenied: the caller does not administer the brain.
        AlreadyExists: it is a member.
    """
    require_role(who.principal, who.access, brain_id, Role.ADMIN)
    org_id, now = who.principal.org_id, runtime.clock.now()
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        await _lock(conn, org_id, brain_id)
        if not await subjects.list_known(conn, org_id, {subject_id}):
            raise NotFound("no such subject in this org", field="subject_id")
        if await brains.find_role(conn, org_id, brain_id, subject_id) is not None:
            raise AlreadyExists("the subject is a member of this brain already", field="subject_id")
        await brains.insert_members(conn, org_id, brain_id, {subject_id: role}, now, who.principal.subject_id)
        await access.rebuild_brain(conn, org_id, brain_id)
        detail = {"member": subject_id, "role": role.value}
        await record(conn, auditor.event("brain.add_member", ("brain", brain_id), brain_id=brain_id, detail=detail))
    return MemberRow(subject_id, role, now)


async def change_role(runtime: Runtime, who: Authenticated, brain_id: UUID, subject_id: UUID, role: Role) -> None:
    """Give a member another role.

    Raises:
        NotFound: the brain is unknown or not readable, or the subject is no member.
        AccessDenied: the caller does not administer the brain.
        InvalidInput: the brain would be left without an administrator, or a subject lose its home.
    """
    require_role(who.principal, who.access, brain_id, Role.ADMIN)
    org_id = who.principal.org_id
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        await _lock(conn, org_id, brain_id)
        if await brains.find_role(conn, org_id, brain_id, subject_id) is None:
            raise NotFound("the subject is no member of this brain", field="subject_id")
        if role is not Role.ADMIN:
            await _require_dispensable(conn, org_id, brain_id, subject_id)
        await brains.update_role(conn, org_id, brain_id, subject_id, role)
        await access.rebuild_brain(conn, org_id, brain_id)
        detail = {"member": subject_id, "role": role.value}
        await record(conn, auditor.event("brain.change_role", ("brain", brain_id), brain_id=brain_id, detail=detail))


async def remove_member(runtime: Runtime, who: Authenticated, brain_id: UUID, subject_id: UUID) -> None:
    """Take a member out of a brain.

    Raises:
        NotFound: the brain is unknown or not readable, or the subject is no member.
        AccessDenied: the caller does not administer the brain.
        InvalidInput: the brain would be left without an administrator, or a subject lose its home.
    """
    require_role(who.principal, who.access, brain_id, Role.ADMIN)
    org_id = who.principal.org_id
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        await _lock(conn, org_id, brain_id)
        if await brains.find_role(conn, org_id, brain_id, subject_id) is None:
            raise NotFound("the subject is no member of this brain", field="subject_id")
        await _require_dispensable(conn, org_id, brain_id, subject_id)
        # INVARIANT: the event is written while the caller still reaches the brain, and the access is derived last.
        detail = {"member": subject_id}
        await record(conn, auditor.event("brain.remove_member", ("brain", brain_id), brain_id=brain_id, detail=detail))
        await brains.delete_member(conn, org_id, brain_id, subject_id)
        await access.rebuild_brain(conn, org_id, brain_id)


def _require_creator(who: Authenticated, kind: BrainKind) -> None:
    if kind not in _MADE_ALONE:
        raise InvalidInput("personal and agent brains are made with their subject; kinds to make are team, room and org", field="kind")
    if who.principal.brains is not None or who.principal.only_brains is not None:
        raise AccessDenied("a key that is limited to brains cannot make another one")
    if not who.principal.max_role.covers(Role.WRITER):
        raise AccessDenied("a key that only reads cannot make a brain")
    if kind is BrainKind.ORG:
        require(who.principal, Capability.ADMIN)


async def _lock(conn: WriteConn, org_id: UUID, brain_id: UUID) -> None:
    if not await brains.lock_brain(conn, org_id, brain_id):
        raise NotFound("no such brain among those that this key may read", field="brain_id")


async def _require_dispensable(conn: WriteConn, org_id: UUID, brain_id: UUID, subject_id: UUID) -> None:
    if not await brains.has_other_admin(conn, org_id, brain_id, subject_id):
        raise InvalidInput("a brain needs an administrator; make another member one first", field="subject_id")
    subject = await subjects.find_subject(conn, org_id, subject_id)
    if subject is not None and subject.home_brain_id == brain_id and subject_id != org_id:
        raise InvalidInput("this is the subject's home brain, which it administers", field="subject_id")


def _role(who: Authenticated, brain_id: UUID) -> Role:
    role = effective_role(who.principal, who.access, brain_id)
    assert role is not None, "a brain in scope has a role"
    return role


def _auditor(runtime: Runtime, who: Authenticated) -> Auditor:
    principal = who.principal
    return Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=runtime.clock.now(), request_id=who.request_id)
