"""API keys: made, listed and revoked, by an administrator of the org or by the owner of the database. `rotating.py` replaces them.

A key is never allowed more than the key that makes it. Nor is it a way past the rule that no capability reads content by itself: who
makes a key by which another person's memories are read gives a reason, and that person sees the key, who made it, and why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from governance.api_keys import PresentedKey
from governance.audit import OWNER, DetailValue, actor_of
from governance.errors import AccessDenied, InvalidInput, NotFound
from governance.principals import Capability, require
from governance.redaction.findings import RedactedText
from memdb.directory.authentication import Authenticated
from memdb.directory.orgs import get_org, make_key
from memdb.directory.reasons import redact_reason
from memdb.keyring import Keyring
from memdb.runtime import Runtime
from memdb.storage import keys, orgs, subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Database, Identity, WriteConn
from memdb.storage.keys import KeyGrant, KeyRow
from memdb.storage.subjects import ACTORS, SubjectKind

LISTED_MAX = 500  # ids in one list of a key
REQUESTS_MAX = 1_000_000  # a minute
_WITHOUT_REASON = "a key by which another person's memories are read needs a reason, which that person sees"


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """A new key; `key` is shown this once."""

    row: KeyRow
    key: PresentedKey


async def create_key(runtime: Runtime, who: Authenticated, grant: KeyGrant, reason: str | None) -> CreatedKey:
    """Make a key for a person, agent or service of the org.

    Args:
        runtime: of this process.
        who: an administrator.
        grant: what the key may do.
        reason: raw; needed where `reads_for_others` says so.

    Raises:
        AccessDenied: the caller lacks the capability admin, or the key would be allowed more than the caller's own key.
        NotFound: one of the subjects does not exist.
        InvalidInput: the subject is a group, the label holds personal data, the key would have expired already, or a reason is missing.
        RedactionUnavailable: the redactor failed.
    """
    require(who.principal, Capability.ADMIN)
    require_within(who, grant)
    runtime.redactor.check_identifier(grant.writer_label, "writer_label", who.redaction.directory)
    why = None if reason is None else await redact_reason(runtime, who, reason, who.redaction.rules, "keys")
    issue, auditor = await begin(runtime, who, why)
    async with runtime.database.write(who.identity) as conn:
        return await issue_key(conn, auditor, issue, grant)


async def begin(runtime: Runtime, who: Authenticated, why: RedactedText | None) -> tuple[Issue, Auditor]:
    """What is said once of a key that the caller makes now."""
    now, principal = runtime.clock.now(), who.principal
    async with runtime.database.read(who.identity) as conn:
        org_name = await orgs.get_name(conn, principal.org_id)
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=who.request_id)
    return Issue(principal.org_id, org_name, who, now, why), auditor


async def create_key_as_owner(database: Database, keyring: Keyring, org_name: str, grant: KeyGrant, now: datetime) -> CreatedKey:
    """The same for the owner of the database, who may grant anything, and reads everything anyhow.

    Raises:
        NotFound: no such org or subject.
        InvalidInput: as `create_key`.
    """
    org = await get_org(database, org_name)
    auditor = Auditor(keyring, org.id, OWNER, at=now, request_id=None)
    async with database.write(Identity(org.id)) as conn:
        return await issue_key(conn, auditor, Issue(org.id, org.name, None, now), grant)


async def list_keys(runtime: Runtime, who: Authenticated, *, subject_id: UUID | None, after: str | None, limit: int) -> list[KeyRow]:
    """Keys of the org by id, revoked ones too; needs the capability admin."""
    require(who.principal, Capability.ADMIN)
    async with runtime.database.read(who.identity) as conn:
        return await keys.list_keys(conn, who.principal.org_id, subject_id=subject_id, after=after, limit=limit)


async def list_own_keys(runtime: Runtime, who: Authenticated, *, after: str | None, limit: int) -> list[KeyRow]:
    """Keys that concern the caller's subject: its own, and those that may act for it or in a brain that it reads; by id.

    Raises:
        AccessDenied: the caller acts for somebody.
    """
    principal = who.principal
    if principal.acting:
        raise AccessDenied("a key that acts for somebody does not see that subject's keys")
    looked_into = {look.brain_id for look in principal.looks}
    brain_ids = [brain_id for brain_id in who.scope.brain_ids if brain_id not in looked_into]
    async with runtime.database.read(who.identity) as conn:
        return await keys.list_own_keys(conn, principal.org_id, principal.subject_id, brain_ids, after=after, limit=limit)


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


def require_within(who: Authenticated, grant: KeyGrant) -> None:
    """Raise AccessDenied if a key would be allowed anything that the key which makes it is not, or for longer."""
    principal, own = who.principal, who.grant
    missing = sorted(c.value for c in grant.capabilities - principal.capabilities)
    if missing:
        raise AccessDenied(f"a key cannot grant a capability that it lacks: {', '.join(missing)}", field="capabilities")
    if grant.trust > principal.trust:
        raise AccessDenied(f"a key cannot grant more trust than it has, {principal.trust.label}", field="trust")
    if not principal.max_role.covers(grant.max_role):
        raise AccessDenied(f"a key cannot grant a role above its own, {principal.max_role.value}", field="max_role")
    if principal.brains is not None and (grant.brains is None or not grant.brains <= principal.brains):
        raise AccessDenied("a key that is limited to brains can grant only those", field="brains")
    if own.expires_at is not None and (grant.expires_at is None or grant.expires_at > own.expires_at):
        raise AccessDenied("a key that ends cannot make one that outlives it; give an expires_at that is not later", field="expires_at")
    if own.requests_per_minute is not None and (grant.requests_per_minute or REQUESTS_MAX + 1) > own.requests_per_minute:
        raise AccessDenied("a key cannot grant more requests per minute than it has", field="requests_per_minute")
    _require_lists_within(own, grant)


def _require_lists_within(own: KeyGrant, grant: KeyGrant) -> None:
    """A key that lists whom it acts for can grant only those; act_as without lists is there to be granted, with a reason."""
    if not own.act_as_subjects and not own.act_as_brains:
        return
    for field in ("act_as_subjects", "act_as_brains"):
        if not getattr(grant, field) <= getattr(own, field):
            raise AccessDenied("a key that lists whom it acts for can grant only those", field=field)


def reads_for_others(who: Authenticated, grant: KeyGrant, kinds: Mapping[UUID, SubjectKind]) -> bool:
    """True when a key would read what another person reads: it is theirs, acts for them, or acts in a brain that the caller does not read.

    Args:
        who: makes the key.
        grant: of the key.
        kinds: of the subjects that the grant names.
    """
    named = {grant.subject_id, *grant.act_as_subjects} - {who.principal.key_subject_id}
    looked_into = {look.brain_id for look in who.principal.looks}
    unread = grant.act_as_brains - (who.access.keys() - looked_into)
    return bool(unread) or any(kinds.get(subject_id) is SubjectKind.PERSON for subject_id in named)


@dataclass(frozen=True, slots=True)
class Issue:
    """What is said once of a new key: `who` makes it, None being the owner of the database, and why. `replaces` is the key that it follows,
    and `itself` says that this key asked for it, so that nobody else gets to see the new one.
    """

    org_id: UUID
    org_name: str
    who: Authenticated | None
    now: datetime
    why: RedactedText | None = None
    replaces: str | None = None
    itself: bool = False


async def issue_key(conn: WriteConn, auditor: Auditor, issue: Issue, grant: KeyGrant) -> CreatedKey:
    """Check what a key lists, make it and store it.

    Raises:
        NotFound: one of the subjects does not exist.
        InvalidInput: the subject is a group, a list or a number is out of range, the key would have expired, or a reason is missing.
    """
    _check_numbers(grant, issue.now)
    named = {grant.subject_id, *grant.act_as_subjects}
    known = await subjects.list_known(conn, issue.org_id, named)
    if named - known.keys():
        field = "subject_id" if grant.subject_id not in known else "act_as_subjects"
        raise NotFound("no such subject in this org", field=field)
    if not {known[subject_id] for subject_id in named} <= ACTORS:
        raise InvalidInput("keys belong to and act for persons, agents and services, not for groups", field="subject_id")
    for_others = issue.who is not None and not issue.itself and reads_for_others(issue.who, grant, known)
    if for_others and issue.why is None:
        raise InvalidInput(_WITHOUT_REASON, field="reason")
    key = make_key(issue.org_name)
    created_by = None if issue.who is None else issue.who.principal.key_id
    shown = None if issue.why is None else issue.why.text
    row = KeyRow(issue.org_id, key.key_id, grant, issue.now, created_by, None, key.sha256, shown)
    await keys.insert_key(conn, row, issue.why)
    detail = _told(grant) | {"for_others": for_others, "reasoned": issue.why is not None, "replaces": issue.replaces}
    await record(conn, auditor.event("key.create", ("key", key.key_id), detail=detail))
    return CreatedKey(row, key)


def _told(grant: KeyGrant) -> dict[str, DetailValue]:
    return {
        "subject": grant.subject_id,
        "max_role": grant.max_role.value,
        "capabilities": sorted(c.value for c in grant.capabilities),
        "trust": grant.trust.label,
        "brains": None if grant.brains is None else sorted(grant.brains),
        "act_as_subjects": sorted(grant.act_as_subjects),
        "act_as_brains": sorted(grant.act_as_brains),
        "requests_per_minute": grant.requests_per_minute,
    }


def _check_numbers(grant: KeyGrant, now: datetime) -> None:
    for name, ids in (("brains", grant.brains or ()), ("act_as_subjects", grant.act_as_subjects), ("act_as_brains", grant.act_as_brains)):
        if len(ids) > LISTED_MAX:
            raise InvalidInput(f"{name} may hold {LISTED_MAX} ids; make the subjects members of a team instead", field=name)
    if (grant.act_as_subjects or grant.act_as_brains) and Capability.ACT_AS not in grant.capabilities:
        raise InvalidInput("a key that acts for others needs the capability act_as", field="capabilities")
    if grant.expires_at is not None and grant.expires_at <= now:
        raise InvalidInput("expires_at must be in the future", field="expires_at")
    if grant.requests_per_minute is not None and not 1 <= grant.requests_per_minute <= REQUESTS_MAX:
        raise InvalidInput(f"requests_per_minute must be 1 to {REQUESTS_MAX}, or left out", field="requests_per_minute")


async def _revoke(conn: WriteConn, auditor: Auditor, org_id: UUID, key_id: str, now: datetime) -> None:
    if await keys.revoke_key(conn, org_id, key_id, now):
        await record(conn, auditor.event("key.revoke", ("key", key_id)))
    elif await keys.find_key(conn, org_id, key_id) is None:
        raise NotFound("no such key in this org", field="key_id")
