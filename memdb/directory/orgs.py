"""Orgs: made, listed and deleted by the owner of the database, for the command line. A serving process cannot do this."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from governance.api_keys import SECRET_BYTES, PresentedKey, is_secret_of, parse
from governance.audit import OWNER
from governance.errors import InvalidInput, NotFound, Unauthenticated, UnderLegalHold
from governance.principals import Capability, Role
from governance.trust import Trust
from memdb.errors import AlreadyExists, ConfigurationError
from memdb.ids import make_id, make_key_id
from memdb.keyring import Keyring
from memdb.storage import access, brains, keys, orgs, subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.brains import BrainKind, BrainRow
from memdb.storage.database import Database, Identity, WriteConn
from memdb.storage.keys import KeyGrant, KeyRow
from memdb.storage.orgs import OrgRow
from memdb.storage.policies import find_policy
from memdb.storage.subjects import SubjectKind, SubjectRow

FIRST_ORG = "main"
ROWS_PER_TRANSACTION = 5_000  # bounds locks and the loss of work when a deletion is interrupted
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_ADMIN_CAPABILITIES = frozenset(Capability) - {Capability.OPERATOR}


@dataclass(frozen=True, slots=True)
class CreatedOrg:
    """A new org. `brain_id` is the brain that the whole org reads, `subject_id` the administrator; `key` is shown this once."""

    org_id: UUID
    subject_id: UUID
    brain_id: UUID
    key: PresentedKey


async def create_org(
    database: Database, keyring: Keyring, name: str, now: datetime, *, preset: PresentedKey | None = None, operator: bool = False
) -> CreatedOrg:
    """Make an org with what it cannot be without, in one transaction.

    That is: its own subject (for membership of everybody), one brain that everybody reads and the administrator writes, a first person
    (the administrator) with a home brain, and that person's key with every capability. `act_as` among them lists nobody: it is there to be
    granted.

    Args:
        database: connected as the owner.
        keyring: the root secret of this installation.
        name: 1 to 40 of a-z, 0-9 and hyphen; part of every key, so it cannot be changed.
        now: the present moment.
        preset: the first key; None makes a random one.
        operator: the key may also manage orgs; only for the first org of an installation.

    Raises:
        InvalidInput: the name is malformed, or the preset key names another org.
        AlreadyExists: there is an org of this name.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInput("an org name is 1 to 40 of a-z, 0-9 and hyphen, with no hyphen at either end", field="name")
    if preset is not None and preset.org_name != name:
        raise InvalidInput("the preset key names another org", field="admin_key")
    org_id = make_id()
    created = CreatedOrg(org_id, make_id(), make_id(), preset or make_key(name))
    auditor = Auditor(keyring, org_id, OWNER, at=now, request_id=None)
    async with database.write(Identity(org_id)) as conn:
        await orgs.record_root_key(conn, keyring.current_id, now)
        if not await orgs.insert_org(conn, org_id, name, now):
            raise AlreadyExists(f"an org named {name} exists already", field="name")
        await _insert_people(conn, created, now)
        await keys.insert_key(conn, _admin_row(created.org_id, created.subject_id, created.key, now, operator=operator))
        await record(conn, auditor.event("org.create", ("org", org_id), detail={"key": created.key.key_id}))
    return created


async def list_orgs(database: Database) -> list[OrgRow]:
    """Every org, by name."""
    async with database.bare() as conn:
        return await orgs.list_orgs(conn)


async def get_org(database: Database, name: str) -> OrgRow:
    """The org of this name.

    Raises:
        NotFound: there is none.
    """
    async with database.bare() as conn:
        found = await orgs.find_org(conn, name)
    if found is None:
        raise NotFound("no org of this name; `memdb org list` shows them", field="org")
    return found


async def delete_org(database: Database, keyring: Keyring, name: str, now: datetime, *, confirm: str) -> int:
    """Delete every row of an org but its audit events; returns how many. An interrupted deletion is finished by another call.

    Args:
        database: connected as the owner.
        keyring: the root secret of this installation.
        name: of the org.
        now: the present moment.
        confirm: the name again.

    Raises:
        InvalidInput: `confirm` is not the name.
        NotFound: there is no such org.
        UnderLegalHold: its policy holds something; end the hold first.
    """
    if confirm != name:
        raise InvalidInput("confirm with the name of the org to delete it", field="confirm")
    org = await get_org(database, name)
    identity = Identity(org.id)
    auditor = Auditor(keyring, org.id, OWNER, at=now, request_id=None)
    async with database.read(identity) as conn:
        policy = await find_policy(conn, org.id)
    if policy is not None and policy.document.compile(policy.version).legal_hold:
        raise UnderLegalHold("the policy of this org has a legal hold; end it before the org is deleted")
    async with database.write(identity) as conn:
        await record(conn, auditor.event("org.delete_begin", ("org", org.id)))
    async with database.read(identity) as conn:
        tenant_tables = await orgs.list_tenant_tables(conn)
    deleted = 0
    for tenant_table in tenant_tables:
        while True:
            async with database.write(identity) as conn:
                count = await orgs.delete_rows(conn, tenant_table, org.id, ROWS_PER_TRANSACTION)
            deleted += count
            if count < ROWS_PER_TRANSACTION:
                break
    async with database.write(identity) as conn:
        await orgs.delete_org(conn, org.id)
        await record(conn, auditor.event("org.delete", ("org", org.id), detail={"rows": deleted}))
    return deleted


async def ensure_first_org(database: Database, keyring: Keyring, now: datetime, preset_key: str | None) -> PresentedKey | None:
    """Make sure that an installation has an org and, if a key is preset, that this key opens it.

    Returns:
        The key to tell the user: the preset one, or a new one if the org was made now; None when the org was there and no key is preset.

    Raises:
        ConfigurationError: the preset key has not the form of a key, or its id belongs to another secret.
    """
    preset = None if preset_key is None else _parse_preset(preset_key)
    name = FIRST_ORG if preset is None else preset.org_name
    existing = await list_orgs(database)
    org = next((o for o in existing if o.name == name), None)
    if org is None and (preset is not None or not existing):
        return (await create_org(database, keyring, name, now, preset=preset, operator=not existing)).key
    if preset is None or org is None:
        return None
    await _ensure_key(database, keyring, org, preset, now)
    return preset


def make_key(org_name: str) -> PresentedKey:
    """A new random key."""
    return PresentedKey(org_name, make_key_id(), secrets.token_bytes(SECRET_BYTES))


async def _insert_people(conn: WriteConn, created: CreatedOrg, now: datetime) -> None:
    org_id, admin, shared = created.org_id, created.subject_id, created.brain_id
    home = make_id()
    await brains.insert_brain(conn, org_id, BrainRow(shared, BrainKind.ORG, "org", now), None, None)
    await brains.insert_brain(conn, org_id, BrainRow(home, BrainKind.PERSONAL, "personal", now), None, None)
    await subjects.insert_subject(conn, org_id, SubjectRow(org_id, SubjectKind.ORG, None, shared, now), None, None)
    await subjects.insert_subject(conn, org_id, SubjectRow(admin, SubjectKind.PERSON, None, home, now), "admin", None)
    await brains.insert_members(conn, org_id, shared, {org_id: Role.READER, admin: Role.ADMIN}, now, None)
    await brains.insert_members(conn, org_id, home, {admin: Role.ADMIN}, now, None)
    await access.rebuild_brain(conn, org_id, shared)
    await access.rebuild_brain(conn, org_id, home)


def _admin_row(org_id: UUID, subject_id: UUID, key: PresentedKey, now: datetime, *, operator: bool) -> KeyRow:
    grant = KeyGrant(
        subject_id=subject_id,
        writer_label="admin",
        max_role=Role.ADMIN,
        capabilities=frozenset(Capability) if operator else _ADMIN_CAPABILITIES,
        trust=Trust.ADMIN,
    )
    return KeyRow(org_id, key.key_id, grant, now, None, None, key.sha256)


def _parse_preset(preset_key: str) -> PresentedKey:
    try:
        return parse(preset_key)
    except Unauthenticated:
        raise ConfigurationError("MEMDB_ADMIN_KEY must be memdb_<org>_<key id>_<43 characters of base64url>") from None


async def _ensure_key(database: Database, keyring: Keyring, org: OrgRow, preset: PresentedKey, now: datetime) -> None:
    """Give the org's oldest person the preset key, unless it is there. A revoked one stays revoked."""
    auditor = Auditor(keyring, org.id, OWNER, at=now, request_id=None)
    async with database.write(Identity(org.id)) as conn:
        row = await keys.find_key(conn, org.id, preset.key_id)
        if row is not None:
            if not is_secret_of(preset, row.secret_sha256) or row.revoked_at is not None:
                raise ConfigurationError(f"the key {preset.key_id} exists with another secret or is revoked; set another MEMDB_ADMIN_KEY")
            return
        admin = await subjects.find_first(conn, org.id, SubjectKind.PERSON)
        if admin is None:
            raise ConfigurationError(f"the org {org.name} has no person to give the key to; run memdb key create")
        await keys.insert_key(conn, _admin_row(org.id, admin.id, preset, now, operator=False))
        await record(conn, auditor.event("key.create", ("key", preset.key_id), detail={"subject": admin.id}))
