"""API keys: made, listed and revoked, by an administrator of the org or by the owner of the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from governance.api_keys import PresentedKey
from governance.audit import OWNER, actor_of
from governance.errors import AccessDenied, InvalidInput, NotFound
from governance.principals import Capability, Principal, require
from memdb.directory.authentication import Authenticated
from memdb.directory.orgs import get_org, make_key
from memdb.keyring import Keyring
from memdb.runtime import Runtime
from memdb.storage import keys, orgs, subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Database, Identity, WriteConn
from memdb.storage.keys import KeyGrant, KeyRow
from memdb.storage.subjects import ACTORS

LISTED_MAX = 500  # ids in one list of a key


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """A new key; `key` is shown this once."""

    row: KeyRow
    key: PresentedKey


async def create_key(runtime: Runtime, who: Authenticated, grant: KeyGrant) -> CreatedKey:
    """Make a key for a person, agent or service of the org.

    Raises:
        AccessDenied: the caller lacks the capability admin, or the key would be allowed more than the caller's own key.
        NotFound: one of the subjects does not exist.
        InvalidInput: the subject is a group, the label holds personal data, or the key would have expired already.
    """
    require(who.principal, Capability.ADMIN)
    require_within(who.principal, grant)
    runtime.redactor.check_identifier(grant.writer_label, "writer_label", who.redaction.directory)
    now = runtime.clock.now()
    async with runtime.database.read(who.identity) as conn:
        org_name = await orgs.get_name(conn, who.principal.org_id)
    auditor = Auditor(runtime.keyring, who.principal.org_id, actor_of(who.principal), at=now, request_id=who.request_id)
    async with runtime.database.write(who.identity) as conn:
        return await _issue(conn, auditor, _Issue(who.principal.org_id, org_name, who.principal.key_id, now), grant)


async def create_key_as_owner(database: Database, keyring: Keyring, org_name: str, grant: KeyGrant, now: datetime) -> CreatedKey:
    """The same for the owner of the database, who may grant anything.

    Raises:
        NotFound: no such org or subject.
        InvalidInput: as `create_key`.
    """
    org = await get_org(database, org_name)
    auditor = Auditor(keyring, org.id, OWNER, at=now, request_id=None)
    async with database.write(Identity(org.id)) as conn:
        return await _issue(conn, auditor, _Issue(org.id, org.name, None, now), grant)


async def list_keys(runtime: Runtime, who: Authenticated, *, subject_id: UUID | None, after: str | None, limit: int) -> list[KeyRow]:
    """Keys of the org by id, revoked ones too; needs the capability admin."""
    require(who.principal, Capability.ADMIN)
    async with runtime.database.read(who.identity) as conn:
        return await keys.list_keys(conn, who.principal.org_id, subject_id=subject_id, after=after, limit=limit)


async def list_keys_as_owner(database: Database, org_name: str, *, after: str | None, limit: int) -> list[KeyRow]:
    """Keys of an org by id, for the owner of the database.

    Raises:
        NotFound: no such org.
    """
    org = await get_org(database, org_name)
    async with database.read(Identity(org.id)) as conn:
        return await keys.list_keys(conn, org.id, subject_id=None, after=after, limit=limit)


async def revoke_key(runtime: Runtime, who: Authenticated, key_id: str) -> None:
    """Revoke a key of the org, at once and for good; a revoked one stays as it is.

    Raises:
        AccessDenied: the caller lacks the capability admin.
        NotFound: no such key.
    """
    require(who.principal, Capability.ADMIN)
    now = runtime.clock.now()
    auditor = Auditor(runtime.keyring, who.principal.org_id, actor_of(who.principal), at=now, request_id=who.request_id)
    async with runtime.database.write(who.identity) as conn:
        await _revoke(conn, auditor, who.principal.org_id, key_id, now)


async def revoke_key_as_owner(database: Database, keyring: Keyring, org_name: str, key_id: str, now: datetime) -> None:
    """The same for the owner of the database.

    Raises:
        NotFound: no such org or key.
    """
    org = await get_org(database, org_name)
    auditor = Auditor(keyring, org.id, OWNER, at=now, request_id=None)
    async with database.write(Identity(org.id)) as conn:
        await _revoke(conn, auditor, org.id, key_id, now)


def require_within(principal: Principal, grant: KeyGrant) -> None:
    """Raise AccessDenied if a key would be allowed anything that the key which makes it is not."""
    missing = sorted(c.value for c in grant.capabilities - principal.capabilities)
    if missing:
        raise AccessDenied(f"a key cannot grant a capability that it lacks: {', '.join(missing)}", field="capabilities")
    if grant.trust > principal.trust:
        raise AccessDenied(f"a key cannot grant more trust than it has, {principal.trust.label}", field="trust")
    if not principal.max_role.covers(grant.max_role):
        raise AccessDenied(f"a key cannot grant a role above its own, {principal.max_role.value}", field="max_role")
    if principal.brains is not None and (grant.brains is None or not grant.brains <= principal.brains):
        raise AccessDenied("a key that is limited to brains can grant only those", field="brains")


@dataclass(frozen=True, slots=True)
class _Issue:
    org_id: UUID
    org_name: str
    created_by: str | None
    now: datetime


async def _issue(conn: WriteConn, auditor: Auditor, issue: _Issue, grant: KeyGrant) -> CreatedKey:
    _check_lists(grant, issue.now)
    named = {grant.subject_id, *grant.act_as_subjects}
    known = await subjects.list_known(conn, issue.org_id, named)
    if named - known.keys():
        field = "subject_id" if grant.subject_id not in known else "act_as_subjects"
        raise NotFound("no such subject in this org", field=field)
    if not {known[subject_id] for subject_id in named} <= ACTORS:
        raise InvalidInput("keys belong to and act for persons, agents and services, not for groups", field="subject_id")
    key = make_key(issue.org_name)
    row = KeyRow(issue.org_id, key.key_id, grant, issue.now, issue.created_by, None, key.sha256)
    await keys.insert_key(conn, row)
    detail = {
        "subject": grant.subject_id,
        "max_role": grant.max_role.value,
        "capabilities": sorted(c.value for c in grant.capabilities),
        "trust": grant.trust.label,
        "brains": None if grant.brains is None else sorted(grant.brains),
        "act_as_subjects": sorted(grant.act_as_subjects),
        "act_as_brains": sorted(grant.act_as_brains),
    }
    await record(conn, auditor.event("key.create", ("key", key.key_id), detail=detail))
    return CreatedKey(row, key)


def _check_lists(grant: KeyGrant, now: datetime) -> None:
    for name, ids in (("brains", grant.brains or ()), ("act_as_subjects", grant.act_as_subjects), ("act_as_brains", grant.act_as_brains)):
        if len(ids) > LISTED_MAX:
            raise InvalidInput(f"{name} may hold {LISTED_MAX} ids; make the subjects members of a team instead", field=name)
    if (grant.act_as_subjects or grant.act_as_brains) and Capability.ACT_AS not in grant.capabilities:
        raise InvalidInput("a key that acts for others needs the capability act_as", field="capabilities")
    if grant.expires_at is not None and grant.expires_at <= now:
        raise InvalidInput("expires_at must be in the future", field="expires_at")


async def _revoke(conn: WriteConn, auditor: Auditor, org_id: UUID, key_id: str, now: datetime) -> None:
    if await keys.revoke_key(conn, org_id, key_id, now):
        await record(conn, auditor.event("key.revoke", ("key", key_id)))
    elif await keys.find_key(conn, org_id, key_id) is None:
        raise NotFound("no such key in this org", field="key_id")
