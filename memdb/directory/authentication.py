"""From a presented key to a principal and what it reaches: the door of every request.

The key's row and the access rows are read in one transaction for each request, so that a revoked key or a removed member is refused at
once. What never changes (which org and subject a key belongs to) is remembered, so that this transaction can begin with its identity. It is
remembered of whole keys, by their digest: a wrong secret for a known key id takes the way of an unknown key id, and as long.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias
from uuid import UUID

from governance.api_keys import PresentedKey, is_secret_of, parse
from governance.audit import actor_of
from governance.errors import AccessDenied, InvalidInput, Unauthenticated
from governance.policy.document import OrgPolicy
from governance.principals import Look, Principal, Role, act_as
from governance.redaction.policy import RedactionPolicy
from governance.scopes import ScopeFilter, readable_by
from memdb.clock import Clock
from memdb.directory.labels import ExternalId, hash_external, parse_external
from memdb.errors import StorageError
from memdb.keyring import Keyring
from memdb.storage import keys, orgs, subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Database, Identity, identity_of
from memdb.storage.keys import KeyGrant, KeyRow
from memdb.storage.policies import Policies
from memdb.storage.subjects import ACTORS

HINTS_MAX = 10_000
USE_NOTED_EVERY = timedelta(minutes=5)  # how old the last use that is stored of a key may be; a write for each request would cost more
_NO_ORG = UUID(int=0)
_REFUSED = "this key may not act for that subject; list the subject or one of its brains on the key"


@dataclass(frozen=True, slots=True)
class Authenticated:
    """A request whose key was checked.

    `access` is brain -> role of the principal's subject; the key's own limits are applied by `governance.scopes`. `home_brain_id` is where
    this subject writes by default. `policy` is the org's as it was when the key was checked, `grant` what the key itself was given.
    """

    principal: Principal
    access: Mapping[UUID, Role]
    home_brain_id: UUID | None
    request_id: str | None
    policy: OrgPolicy
    grant: KeyGrant

    @property
    def identity(self) -> Identity:
        """The identity of this request's transactions."""
        return identity_of(self.principal)

    @property
    def redaction(self) -> RedactionPolicy:
        """What the org does with personal data."""
        return self.policy.redaction

    @property
    def scope(self) -> ScopeFilter:
        """The brains that this request may read."""
        return readable_by(self.principal, self.access)


@dataclass(frozen=True, slots=True)
class _Owner:
    """Whose a key id is; never changes while the key exists."""

    org_id: UUID
    subject_id: UUID


_Known: TypeAlias = tuple[str, str, bytes]
"""Org name, key id and digest of a key that was right once."""


class _Vanished(Exception):
    """The remembered owner is not the owner any more."""


class Authenticator:
    """Checks keys. One object for a process; holds no secret and no right, only who owns the keys with which digests."""

    def __init__(self, database: Database, clock: Clock, keyring: Keyring) -> None:
        self._database = database
        self._clock = clock
        self._keyring = keyring
        self._owners: OrderedDict[_Known, _Owner] = OrderedDict()
        self._noted: OrderedDict[tuple[UUID, str], datetime] = OrderedDict()
        self._policies = Policies()

    async def authenticate(self, presented_key: str, act_as_subject: str | None, request_id: str | None) -> Authenticated:
        """Check a key and, if the request acts for somebody, that it may.

        Args:
            presented_key: `memdb_<org>_<key id>_<secret>`.
            act_as_subject: the header `Memdb-Act-As`: a subject id, or platform:external id.
            request_id: for the audit.

        Raises:
            Unauthenticated: malformed, unknown, expired or revoked; always the same message.
            AccessDenied: the key may not act for that subject, or there is none; the same message, and an audit event.
            StorageUnavailable: the database did not answer.
        """
        key = parse(presented_key)
        owner = self._owners.get(_known(key)) or await self._look_up(key)
        try:
            return await self._enter(key, owner, act_as_subject, request_id)
        except _Vanished:
            # An org of the same name may have been made anew, with a preset key of the same id.
            self._owners.pop(_known(key), None)
        try:
            return await self._enter(key, await self._look_up(key), act_as_subject, request_id)
        except _Vanished:
            raise Unauthenticated from None

    async def _look_up(self, key: PresentedKey) -> _Owner:
        """The owner that the database knows now; an unknown org, key id or secret costs the same two reads and a comparison."""
        async with self._database.bare() as conn:
            org = await orgs.find_org(conn, key.org_name)
        org_id = _NO_ORG if org is None else org.id
        async with self._database.read(Identity(org_id)) as conn:
            row = await keys.find_key(conn, org_id, key.key_id)
        if not is_secret_of(key, None if row is None else row.secret_sha256) or row is None:
            raise Unauthenticated
        return _Owner(org_id, row.grant.subject_id)

    async def _enter(self, key: PresentedKey, owner: _Owner, act_as_subject: str | None, request_id: str | None) -> Authenticated:
        subject_id = owner.subject_id if act_as_subject is None else await self._resolve(key, owner, act_as_subject)
        found = await keys.load_credential(self._database, Identity(owner.org_id, subject_id, key.key_id))
        principal = self._check(key, owner, None if found is None else found.key)
        assert found is not None, "checked above"
        self._remember(key, owner)
        await self._note_use(found.key)
        access = found.access
        if act_as_subject is not None:
            acting = subject_id if found.subject_kind in ACTORS else None
            principal = await self._act(principal, acting, access, request_id)
        if not principal.acting:
            looks = self._open_looks(found.looks, access)
            principal = replace(principal, looks=looks)
            access = access | {look.brain_id: Role.READER for look in looks}
        policy = await self._policies.get(self._database, owner.org_id, found.policy_version)
        return Authenticated(principal, access, found.home_brain_id, request_id, policy, found.key.grant)

    def _open_looks(self, looks: tuple[tuple[Look, datetime], ...], access: Mapping[UUID, Role]) -> tuple[Look, ...]:
        """Looks into brains that the subject does not reach otherwise: whoever was made a member meanwhile reads as one."""
        now = self._clock.now()
        return tuple(look for look, ends_at in looks if now < ends_at and look.brain_id not in access)

    async def _note_use(self, row: KeyRow) -> None:
        """Store that a key was used, if what is stored is old. A request does not fail because that could not be stored."""
        now, place = self._clock.now(), (row.org_id, row.id)
        # What this process has noted counts as well: requests that came together have all read the row as it was before.
        noted = [at for at in (row.last_used_at, self._noted.get(place)) if at is not None]
        if noted and now - max(noted) < USE_NOTED_EVERY:
            return
        self._noted[place] = now
        self._noted.move_to_end(place)
        if len(self._noted) > HINTS_MAX:
            self._noted.popitem(last=False)
        with contextlib.suppress(StorageError):
            async with self._database.write(Identity(row.org_id)) as conn:
                await keys.note_use(conn, row.org_id, row.id, now, now - USE_NOTED_EVERY)

    def _check(self, key: PresentedKey, owner: _Owner, row: KeyRow | None) -> Principal:
        if row is None or row.grant.subject_id != owner.subject_id:
            raise _Vanished
        if not is_secret_of(key, row.secret_sha256) or not row.is_live(self._clock.now()):
            raise Unauthenticated
        return row.principal()

    async def _resolve(self, key: PresentedKey, owner: _Owner, named: str) -> UUID:
        """The id that the header names; one that nobody has if there is no such subject. The key is checked first."""
        subject_id, external = _parse_named(named)
        if subject_id is not None:
            return subject_id
        async with self._database.read(Identity(owner.org_id)) as conn:
            self._check(key, owner, await keys.find_key(conn, owner.org_id, key.key_id))
            if external is None:
                return _NO_ORG
            hashes = hash_external(self._keyring, owner.org_id, external)
            found = await subjects.find_by_identity(conn, owner.org_id, external.platform, hashes)
        return _NO_ORG if found is None else found.id

    async def _act(self, principal: Principal, subject_id: UUID | None, access: Mapping[UUID, Role], request_id: str | None) -> Principal:
        """The principal that acts for a subject; None is one that does not exist or cannot act."""
        try:
            if subject_id is None:
                raise AccessDenied(_REFUSED)
            return act_as(principal, subject_id, frozenset(access))
        except AccessDenied:
            auditor = Auditor(self._keyring, principal.org_id, actor_of(principal), at=self._clock.now(), request_id=request_id)
            async with self._database.write(identity_of(principal)) as conn:
                await record(conn, auditor.event("act_as.refused", ("subject", subject_id or "unknown")))
            raise AccessDenied(_REFUSED) from None

    def _remember(self, key: PresentedKey, owner: _Owner) -> None:
        self._owners[_known(key)] = owner
        self._owners.move_to_end(_known(key))
        if len(self._owners) > HINTS_MAX:
            self._owners.popitem(last=False)


def _known(key: PresentedKey) -> _Known:
    return key.org_name, key.key_id, key.sha256


def _parse_named(named: str) -> tuple[UUID | None, ExternalId | None]:
    """A subject id, or a platform id, or neither when it is malformed: what cannot be read is refused like what is not there."""
    try:
        return UUID(named), None
    except ValueError:
        pass
    try:
        return None, parse_external(named)
    except InvalidInput:
        return None, None
