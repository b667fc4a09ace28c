"""Subjects: made with their home brain, found by id or platform id, known under labels, gathered in teams.

Whoever holds a key may read the directory of its org: it says who there is, not what is known about them. It is changed with the capability
admin; subjects, labels and platform ids also with loader, so that an import can make the people that it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from governance.audit import DetailValue, actor_of
from governance.errors import AccessDenied, InvalidInput, NotFound
from governance.principals import Capability, Principal, Role, require
from governance.redaction.findings import RedactedText
from governance.scopes import require_member
from memdb.directory.authentication import Authenticated
from memdb.directory.labels import (
    ExternalId,
    check_external,
    check_platform,
    hash_external,
    is_plain,
    make_aliases,
    make_identity,
    make_name,
)
from memdb.errors import AlreadyExists
from memdb.ids import make_id
from memdb.runtime import Runtime
from memdb.storage import access, brains, sightings, subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.brains import BrainKind, BrainRow
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.ledger import refuse_erased
from memdb.storage.sightings import Place, Sighting
from memdb.storage.subjects import GROUPS, IdentityRow, SubjectKind, SubjectRow
from memdb.text.normalise import fold

LABELS_MAX = 20  # aliases or platform ids in one request
AHEAD_MAX = timedelta(minutes=5)  # how far the clock of whoever saw a label may be ahead of ours
_EDITORS = frozenset({Capability.ADMIN, Capability.LOADER})
_HOMES = {
    SubjectKind.PERSON: BrainKind.PERSONAL,
    SubjectKind.AGENT: BrainKind.AGENT,
    SubjectKind.SERVICE: BrainKind.AGENT,
    SubjectKind.TEAM: BrainKind.TEAM,
    SubjectKind.PROJECT: BrainKind.TEAM,
}


@dataclass(frozen=True, slots=True)
class SubjectRequest:
    """A subject to make, as it was asked for: nothing of it has passed the redactor."""

    kind: SubjectKind
    name: str | None
    aliases: Sequence[str] = ()
    identities: Sequence[ExternalId] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """That a label was seen, as it was told: on a platform, in a brain, or both; now when no time is given."""

    platform: str | None = None
    brain_id: UUID | None = None
    at: datetime | None = None

    @property
    def places(self) -> tuple[Place, ...]:
        """None, one or two."""
        platform = () if self.platform is None else (Place(platform=self.platform),)
        return platform if self.brain_id is None else (*platform, Place(brain_id=self.brain_id))


@dataclass(frozen=True, slots=True)
class Label:
    """A label, and where and when it was seen, the latest first, as far as the caller may know."""

    alias: str
    seen: tuple[Sighting, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject with its labels and platform ids. `merged_into` stands for it now; `also` are those for whom it stands, by id."""

    row: SubjectRow
    labels: tuple[Label, ...]
    identities: tuple[IdentityRow, ...]
    merged_into: UUID | None = None
    also: tuple[UUID, ...] = ()

    @property
    def aliases(self) -> tuple[str, ...]:
        """The labels alone."""
        return tuple(label.alias for label in self.labels)


async def create_subject(runtime: Runtime, who: Authenticated, request: SubjectRequest) -> Subject:
    """Make a subject and its home brain, which it administers; of a team or project, every member does.

    Raises:
        AccessDenied: the key has neither admin nor loader.
        AlreadyExists: a subject has one of the platform ids.
        Erased: whoever had one of them was erased from this org.
        InvalidInput, PersonalDataInIdentifier, RedactionUnavailable: a label is refused.
    """
    _require_editor(who.principal)
    org_id = who.principal.org_id
    if request.kind not in _HOMES:
        raise InvalidInput("an org has one subject of kind org, made with it", field="kind")
    name, aliases, identities = _prepare(runtime, who, request)
    now = runtime.clock.now()
    row = SubjectRow(make_id(), request.kind, None if name is None else name.text, make_id(), now)
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        for position, external in enumerate(request.identities):
            await refuse_erased(conn, runtime.keyring, org_id, hash_external(runtime.keyring, org_id, external), f"identities[{position}]")
        await _insert(conn, who.principal, row, name)
        await subjects.insert_aliases(conn, org_id, row.id, aliases, now)
        for position, identity in enumerate(identities):
            if not await subjects.insert_identity(conn, org_id, row.id, identity, now):
                raise AlreadyExists("a subject with this platform id exists already", field=f"identities[{position}]")
        detail = {"kind": row.kind.value, "home_brain": row.home_brain_id, "aliases": len(aliases), "identities": len(identities)}
        await record(conn, auditor.event("subject.create", ("subject", row.id), detail=detail))
    runtime.directory.invalidate(org_id)
    labels = tuple(Label(aliases[folded].text) for folded in sorted(aliases))
    return Subject(row, labels, tuple(sorted(identities, key=lambda i: i.platform)))


async def get_subject(runtime: Runtime, who: Authenticated, subject_id: UUID) -> Subject:
    """The subject with this id.

    Raises:
        NotFound: there is none in this org.
    """
    async with runtime.database.read(who.identity) as conn:
        row = await require_subject(conn, who.principal.org_id, subject_id)
        return (await describe(conn, who, [row]))[0]


async def list_subjects(runtime: Runtime, who: Authenticated, *, kind: SubjectKind | None, after: UUID | None, limit: int) -> list[Subject]:
    """Subjects of the org, oldest first; at most `limit` of those behind `after`."""
    async with runtime.database.read(who.identity) as conn:
        rows = await subjects.list_subjects(conn, who.principal.org_id, kind=kind, after=after, limit=limit)
        return await describe(conn, who, rows)


async def look_up_subject(runtime: Runtime, who: Authenticated, external: ExternalId) -> Subject:
    """The subject of a platform id.

    Raises:
        NotFound: no subject of this org has it.
        InvalidInput: malformed.
    """
    check_external(external)
    org_id = who.principal.org_id
    hashes = hash_external(runtime.keyring, org_id, external)
    async with runtime.database.read(who.identity) as conn:
        row = await subjects.find_by_identity(conn, org_id, external.platform, hashes)
        if row is None:
            raise NotFound("no subject of this org has that platform id", field="external_id")
        return (await describe(conn, who, [row]))[0]


async def add_alias(runtime: Runtime, who: Authenticated, subject_id: UUID, alias: str, seen: Seen | None = None) -> Subject:
    """Give a subject another label, and note where and when it was seen; a label that it has is left as it is.

    Raises:
        AccessDenied: the key has neither admin nor loader.
        NotFound: no such subject, or no such brain that the key may read.
        InvalidInput, PersonalDataInIdentifier, RedactionUnavailable: the label, the platform or the time is refused.
    """
    _require_editor(who.principal)
    org_id, now = who.principal.org_id, runtime.clock.now()
    aliases = make_aliases(runtime, who, [alias], "alias")
    seen = seen or Seen()
    _check_seen(runtime, who, seen, now)
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        await require_subject(conn, org_id, subject_id)
        added = await subjects.insert_aliases(conn, org_id, subject_id, aliases, now)
        label = (next(iter(aliases)), subject_id)
        noted = await sightings.widen_sightings(conn, org_id, label, seen.places, seen.at or now)
        if added or noted:
            detail: dict[str, DetailValue] = {"new": bool(added), "places": [place.text for place in seen.places]}
            await record(conn, auditor.event("subject.add_alias", ("subject", subject_id), detail=detail))
    if added:
        runtime.directory.invalidate(org_id)
    return await get_subject(runtime, who, subject_id)


async def rename_subject(runtime: Runtime, who: Authenticated, subject_id: UUID, name: str) -> Subject:
    """Call a subject by another name. It stays known under its former labels, and the new name becomes one.

    Raises:
        AccessDenied: the key has neither admin nor loader.
        NotFound: no such subject.
        InvalidInput, RedactionUnavailable: the name is refused.
    """
    _require_editor(who.principal)
    org_id = who.principal.org_id
    label = make_name(runtime, who, name, "name")
    aliases = {fold(label.text): label} if is_plain(label, name) else {}
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        await require_subject(conn, org_id, subject_id)
        await subjects.update_name(conn, org_id, subject_id, label)
        added = await subjects.insert_aliases(conn, org_id, subject_id, aliases, runtime.clock.now())
        await record(conn, auditor.event("subject.rename", ("subject", subject_id), detail={"new": bool(added)}))
    runtime.directory.invalidate(org_id)
    return await get_subject(runtime, who, subject_id)


async def add_identity(runtime: Runtime, who: Authenticated, subject_id: UUID, external: ExternalId) -> Subject:
    """Give a subject a platform id.

    Raises:
        AccessDenied: the key has neither admin nor loader.
        NotFound: no such subject.
        AlreadyExists: a subject, this one or another, has it.
        Erased: whoever had it was erased from this org.
        InvalidInput, PersonalDataInIdentifier, RedactionUnavailable: it is refused.
    """
    _require_editor(who.principal)
    org_id = who.principal.org_id
    identity = make_identity(runtime, who, external, "identity")
    auditor = _auditor(runtime, who)
    hashes = hash_external(runtime.keyring, org_id, external)
    async with runtime.database.write(who.identity) as conn:
        await require_subject(conn, org_id, subject_id)
        await refuse_erased(conn, runtime.keyring, org_id, hashes, "external_id")
        taken = await subjects.find_by_identity(conn, org_id, identity.platform, hashes) is not None
        if taken or not await subjects.insert_identity(conn, org_id, subject_id, identity, runtime.clock.now()):
            raise AlreadyExists("a subject with this platform id exists already", field="external_id")
        await record(conn, auditor.event("subject.add_identity", ("subject", subject_id), detail={"platform": identity.platform}))
    return await get_subject(runtime, who, subject_id)


async def list_team(runtime: Runtime, who: Authenticated, team_id: UUID, *, after: UUID | None, limit: int) -> list[UUID]:
    """Ids of the members of a team or project, in order; at most `limit` of those behind `after`.

    Raises:
        NotFound: no such subject.
        InvalidInput: it is no group.
    """
    async with runtime.database.read(who.identity) as conn:
        await _require_group(conn, who.principal.org_id, team_id)
        return await subjects.list_members(conn, who.principal.org_id, team_id, after=after, limit=limit)


async def add_team_member(runtime: Runtime, who: Authenticated, team_id: UUID, subject_id: UUID) -> None:
    """Add a person, agent or service to a team or project; it reaches the group's brains from the next request on.

    Raises:
        AccessDenied: the key has not the capability admin.
        NotFound: one of the two does not exist.
        InvalidInput: the first is no group, or the second is one.
        AlreadyExists: it belongs to the group.
    """
    require(who.principal, Capability.ADMIN)
    org_id = who.principal.org_id
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        await _require_group(conn, org_id, team_id)
        member = await require_subject(conn, org_id, subject_id)
        if member.kind in GROUPS or member.kind is SubjectKind.ORG:
            raise InvalidInput("a group cannot belong to a group; add its members", field="subject_id")
        if not await subjects.insert_member(conn, org_id, team_id, subject_id, runtime.clock.now()):
            raise AlreadyExists("the subject belongs to this group already", field="subject_id")
        await access.rebuild_team(conn, org_id, team_id)
        await record(conn, auditor.event("team.add_member", ("subject", team_id), detail={"member": subject_id}))


async def remove_team_member(runtime: Runtime, who: Authenticated, team_id: UUID, subject_id: UUID) -> None:
    """Take a subject out of a team or project.

    Raises:
        AccessDenied: the key has not the capability admin.
        NotFound: no such group, or the subject does not belong to it.
        InvalidInput: it is no group.
    """
    require(who.principal, Capability.ADMIN)
    org_id = who.principal.org_id
    auditor = _auditor(runtime, who)
    async with runtime.database.write(who.identity) as conn:
        await _require_group(conn, org_id, team_id)
        if not await subjects.delete_member(conn, org_id, team_id, subject_id):
            raise NotFound("the subject does not belong to this group", field="subject_id")
        await access.rebuild_team(conn, org_id, team_id)
        await record(conn, auditor.event("team.remove_member", ("subject", team_id), detail={"member": subject_id}))


def _prepare(
    runtime: Runtime, who: Authenticated, request: SubjectRequest
) -> tuple[RedactedText | None, dict[str, RedactedText], list[IdentityRow]]:
    for field, items in (("aliases", request.aliases), ("identities", request.identities)):
        if len(items) > LABELS_MAX:
            raise InvalidInput(f"{field} may hold {LABELS_MAX} items; add more one by one", field=field)
    name = None if request.name is None else make_name(runtime, who, request.name, "name")
    aliases = make_aliases(runtime, who, request.aliases, "aliases")
    if name is not None and request.name is not None and is_plain(name, request.name):
        aliases = {fold(name.text): name, **aliases}
    identities = [make_identity(runtime, who, e, f"identities[{position}]") for position, e in enumerate(request.identities)]
    return name, aliases, identities


async def _insert(conn: WriteConn, creator: Principal, row: SubjectRow, name: RedactedText | None) -> None:
    org_id = creator.org_id
    assert row.home_brain_id is not None, "a subject is made with its home brain"
    home = BrainRow(row.home_brain_id, _HOMES[row.kind], row.name or "", row.created_at)
    await brains.insert_brain(conn, org_id, home, name, creator.subject_id)
    await subjects.insert_subject(conn, org_id, row, name, creator.subject_id)
    await brains.insert_members(conn, org_id, home.id, {row.id: Role.ADMIN}, row.created_at, creator.subject_id)
    await access.rebuild_brain(conn, org_id, home.id)


async def describe(conn: ReadConn, who: Authenticated, rows: Sequence[SubjectRow]) -> list[Subject]:
    """The subjects of these rows in their order, with what the caller may know of them."""
    org_id, ids = who.principal.org_id, [row.id for row in rows]
    if not ids:
        return []
    same = await subjects.expand(conn, org_id, ids)
    labels = await subjects.list_aliases(conn, org_id, ids)
    seen = await sightings.list_sightings(conn, who.scope, ids)
    identities = await subjects.list_identities(conn, org_id, ids)
    return [
        Subject(
            _known_home(who, row),
            tuple(Label(alias, tuple(s for s in seen.get(row.id, ()) if s.folded == folded)) for folded, alias in labels.get(row.id, ())),
            tuple(identities.get(row.id, ())),
            merged_into=None if same.root(row.id) == row.id else same.root(row.id),
            also=tuple(sorted(same.group(row.id) - {row.id})) if same.root(row.id) == row.id else (),
        )
        for row in rows
    ]


async def require_subject(conn: ReadConn | WriteConn, org_id: UUID, subject_id: UUID) -> SubjectRow:
    """The row of a subject.

    Raises:
        NotFound: there is none in this org.
    """
    row = await subjects.find_subject(conn, org_id, subject_id)
    if row is None:
        raise NotFound("no such subject in this org", field="subject_id")
    return row


def _check_seen(runtime: Runtime, who: Authenticated, seen: Seen, now: datetime) -> None:
    if seen.platform is not None:
        check_platform(seen.platform, "platform")
        runtime.redactor.check_identifier(seen.platform, "platform")
    if seen.brain_id is not None:
        require_member(who.principal, who.access, seen.brain_id)
    if seen.at is not None and not seen.places:
        raise InvalidInput("seen_at needs a platform or a brain_id: where the label was seen", field="seen_at")
    if seen.at is not None and seen.at > now + AHEAD_MAX:
        raise InvalidInput("seen_at lies in the future", field="seen_at")


def _known_home(who: Authenticated, row: SubjectRow) -> SubjectRow:
    """Which brain is somebody's home is told to its readers and to those who keep the directory, because keys name brains."""
    readable = row.home_brain_id in who.scope.brain_ids or who.principal.capabilities & _EDITORS
    return row if readable else replace(row, home_brain_id=None)


async def _require_group(conn: ReadConn | WriteConn, org_id: UUID, team_id: UUID) -> SubjectRow:
    row = await require_subject(conn, org_id, team_id)
    if row.kind not in GROUPS:
        raise InvalidInput("only teams and projects have members; brains have their own", field="team_id")
    return row


def _require_editor(principal: Principal) -> None:
    if not principal.capabilities & _EDITORS:
        raise AccessDenied("this needs a key with the capability admin or loader")


def _auditor(runtime: Runtime, who: Authenticated) -> Auditor:
    principal = who.principal
    return Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=runtime.clock.now(), request_id=who.request_id)
