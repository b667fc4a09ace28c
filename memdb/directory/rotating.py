"""Rotation: a key gets a successor with the same rights and goes on for a while, so that whoever uses it can change over without a gap."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from governance.audit import OWNER, DetailValue
from governance.errors import AccessDenied, InvalidInput, NotFound
from governance.principals import Capability
from memdb.directory.authentication import Authenticated
from memdb.directory.keys import CreatedKey, Issue, begin, issue_key, require_within
from memdb.directory.orgs import get_org
from memdb.directory.reasons import redact_reason
from memdb.errors import AlreadyExists
from memdb.keyring import Keyring
from memdb.runtime import Runtime
from memdb.storage import keys
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Database, Identity, WriteConn
from memdb.storage.keys import KeyRow

GRACE_DEFAULT_S = 86_400
GRACE_MAX_S = 2_592_000  # 30 days


@dataclass(frozen=True, slots=True)
class Rotation:
    """How a key is replaced.

    `grace_s` is how long the former goes on, 0 to GRACE_MAX_S seconds, never beyond its own end. `expires_at` None is the end of the
    former. `reason` is raw, and needed as for a new key.
    """

    grace_s: int = GRACE_DEFAULT_S
    expires_at: datetime | None = None
    reason: str | None = field(default=None, repr=False)


async def rotate_key(runtime: Runtime, who: Authenticated, key_id: str, rotation: Rotation) -> CreatedKey:
    """Make the successor of a key: same subject, label, roles, capabilities, lists, trust and number of requests.

    An administrator may, and the key itself where MEMDB_KEYS_ROTATE_THEMSELVES says so.

    Raises:
        AccessDenied: the caller is neither, or the successor would be allowed more than the caller's key, or outlive it.
        NotFound: no such key.
        AlreadyExists: the key has a successor; its id is in the facts.
        InvalidInput: the key has ended, a number is out of range, or a reason is missing.
        RedactionUnavailable: the redactor failed.
    """
    principal = who.principal
    itself = runtime.settings.keys_rotate_themselves and key_id == principal.key_id and not principal.acting
    if not itself and Capability.ADMIN not in principal.capabilities:
        raise AccessDenied("this needs a key with the capability admin, or the key itself where the server allows it")
    why = None if rotation.reason is None else await redact_reason(runtime, who, rotation.reason, who.redaction.rules, "keys")
    issue, auditor = await begin(runtime, who, why)
    issue = replace(issue, itself=itself)
    async with runtime.database.write(who.identity) as conn:
        return await _replace(conn, auditor, issue, key_id, rotation)


async def rotate_key_as_owner(
    database: Database, keyring: Keyring, org_name: str, key_id: str, now: datetime, rotation: Rotation
) -> CreatedKey:
    """The same for the owner of the database.

    Raises:
        NotFound: no such org or key.
        AlreadyExists, InvalidInput: as `rotate_key`.
    """
    org = await get_org(database, org_name)
    auditor = Auditor(keyring, org.id, OWNER, at=now, request_id=None)
    async with database.write(Identity(org.id)) as conn:
        return await _replace(conn, auditor, Issue(org.id, org.name, None, now), key_id, rotation)


async def _replace(conn: WriteConn, auditor: Auditor, issue: Issue, key_id: str, rotation: Rotation) -> CreatedKey:
    former = _check(await keys.lock_key(conn, issue.org_id, key_id), issue.now, rotation.grace_s)
    grant = former.grant if rotation.expires_at is None else replace(former.grant, expires_at=rotation.expires_at)
    if issue.who is not None:
        require_within(issue.who, grant)
    made = await issue_key(conn, auditor, replace(issue, replaces=key_id), grant)
    ends_at = issue.now + timedelta(seconds=rotation.grace_s)
    if former.grant.expires_at is not None:
        ends_at = min(ends_at, former.grant.expires_at)
    await keys.replace_key(conn, issue.org_id, key_id, made.row.id, ends_at)
    if issue.why is None:
        await keys.keep_reason(conn, issue.org_id, key_id, made.row.id)
        made = replace(made, row=replace(made.row, reason=former.reason))
    detail: dict[str, DetailValue] = {"successor": made.row.id, "grace_s": rotation.grace_s}
    await record(conn, auditor.event("key.rotate", ("key", key_id), detail=detail))
    return made


def _check(former: KeyRow | None, now: datetime, grace_s: int) -> KeyRow:
    if former is None:
        raise NotFound("no such key in this org", field="key_id")
    if former.replaced_by is not None:
        message = f"this key was rotated before, into {former.replaced_by}; rotate that one, or revoke both if you do not know who did it"
        raise AlreadyExists(message, field="key_id", facts={"successor": former.replaced_by})
    if not former.is_live(now):
        raise InvalidInput("this key has ended; make another one", field="key_id")
    if not 0 <= grace_s <= GRACE_MAX_S:
        raise InvalidInput(f"grace_seconds must be 0 to {GRACE_MAX_S}", field="grace_seconds")
    return former
