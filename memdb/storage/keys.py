"""Rows of API keys. The secret itself is nowhere: only its SHA-256."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Uuid, any_, insert, literal, or_, select, update

from governance.principals import Capability, Look, Principal, Role
from governance.redaction.findings import RedactedText
from governance.trust import Trust
from memdb.storage import tables as t
from memdb.storage.access import merge_roles
from memdb.storage.database import Database, Identity, ReadConn, WriteConn
from memdb.storage.statements import load
from memdb.storage.subjects import SubjectKind


@dataclass(frozen=True, slots=True)
class KeyGrant:
    """What a key may do. `brains` None means every brain of the subject; `requests_per_minute` None, as many as the server is set to."""

    subject_id: UUID
    writer_label: str
    max_role: Role
    capabilities: frozenset[Capability]
    trust: Trust
    brains: frozenset[UUID] | None = None
    act_as_subjects: frozenset[UUID] = frozenset()
    act_as_brains: frozenset[UUID] = frozenset()
    expires_at: datetime | None = None
    requests_per_minute: int | None = None


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key as it is stored. `reason`: why somebody else made it for a person; `last_used_at` is true to some minutes; `replaced_by` is the
    key that a rotation made.
    """

    org_id: UUID
    id: str
    grant: KeyGrant
    created_at: datetime
    created_by: str | None
    revoked_at: datetime | None
    secret_sha256: bytes = field(repr=False)
    reason: str | None = field(default=None, repr=False)
    last_used_at: datetime | None = None
    replaced_by: str | None = None

    def is_live(self, now: datetime) -> bool:
        """True when it is neither revoked nor expired."""
        return self.revoked_at is None and (self.grant.expires_at is None or now < self.grant.expires_at)

    def principal(self) -> Principal:
        """The principal of a request with this key, not acting for anybody."""
        g = self.grant
        return Principal(
            org_id=self.org_id,
            key_id=self.id,
            key_subject_id=g.subject_id,
            subject_id=g.subject_id,
            writer_label=g.writer_label,
            max_role=g.max_role,
            capabilities=g.capabilities,
            trust=g.trust,
            brains=g.brains,
            act_as_subjects=g.act_as_subjects,
            act_as_brains=g.act_as_brains,
        )


LOAD_CREDENTIAL = load("memdb.storage.sql")["load_credential"]
_K = t.api_keys.c
_COLUMNS = (
    _K.org_id,
    _K.id,
    _K.subject_id,
    _K.writer_label,
    _K.secret_sha256,
    _K.max_role,
    _K.capabilities,
    _K.brains,
    _K.act_as_subjects,
    _K.act_as_brains,
    _K.trust,
    _K.created_at,
    _K.created_by,
    _K.expires_at,
    _K.revoked_at,
    _K.reason,
    _K.requests_per_minute,
    _K.last_used_at,
    _K.replaced_by,
)


@dataclass(frozen=True, slots=True)
class Credential:
    """A key, the kind and home of the subject that the request is made for (None: no such subject), the brains that it reaches, the
    version of the org's policy (0: none was set), and the looks of the key that are open, with their ends.
    """

    key: KeyRow
    subject_kind: SubjectKind | None
    home_brain_id: UUID | None
    access: dict[UUID, Role]
    policy_version: int
    looks: tuple[tuple[Look, datetime], ...]


async def load_credential(database: Database, identity: Identity) -> Credential | None:
    """What a request of this identity needs to know, which has a subject and a key; None when the org has no such key.

    The access is complete because row-level security lets a subject see all of its own.
    """
    row = await database.look_up(identity, LOAD_CREDENTIAL.sql, credential_values(identity))
    if row is None:
        return None
    kind = None if row.acting_kind is None else SubjectKind(row.acting_kind)
    access = merge_roles(zip(row.reached or (), row.roles or (), strict=True))
    looks = tuple((Look(UUID(look), UUID(brain)), datetime.fromisoformat(ends)) for look, brain, ends in row.looks or ())
    return Credential(_from_row(row), kind, row.acting_home, access, row.policy_version or 0, looks)


def credential_values(identity: Identity) -> dict[str, object]:
    """Parameters of LOAD_CREDENTIAL."""
    return {"org_id": identity.org_id, "key_id": identity.key_id, "acting_id": identity.subject_id}


async def find_key(conn: ReadConn | WriteConn, org_id: UUID, key_id: str) -> KeyRow | None:
    """The key with this id, revoked and expired ones too."""
    row = (await conn.execute(select(*_COLUMNS).where(_K.org_id == org_id, _K.id == key_id))).first()
    return None if row is None else _from_row(row)


async def list_keys(conn: ReadConn | WriteConn, org_id: UUID, *, subject_id: UUID | None, after: str | None, limit: int) -> list[KeyRow]:
    """Keys of an org, or of one subject of it, by id; at most `limit` of those behind `after`."""
    query = select(*_COLUMNS).where(_K.org_id == org_id)
    if subject_id is not None:
        query = query.where(_K.subject_id == subject_id)
    if after is not None:
        query = query.where(_K.id > after)
    return [_from_row(row) for row in await conn.execute(query.order_by(_K.id).limit(limit))]


async def list_own_keys(
    conn: ReadConn, org_id: UUID, subject_id: UUID, brain_ids: Collection[UUID], *, after: str | None, limit: int
) -> list[KeyRow]:
    """Keys of a subject, those that may act for it, and those that may act for readers of one of these brains; by id."""
    theirs = or_(
        _K.subject_id == subject_id,
        literal(subject_id, Uuid()) == any_(_K.act_as_subjects),
        _K.act_as_brains.overlap(literal(sorted(brain_ids), t.UUIDS)),
    )
    query = select(*_COLUMNS).where(_K.org_id == org_id, theirs)
    if after is not None:
        query = query.where(_K.id > after)
    return [_from_row(row) for row in await conn.execute(query.order_by(_K.id).limit(limit))]


async def insert_key(conn: WriteConn, row: KeyRow, reason: RedactedText | None = None) -> None:
    """Store a key whose id is not taken; `row.reason` is not looked at, only the redacted one."""
    g = row.grant
    await conn.execute(
        insert(t.api_keys).values(
            org_id=row.org_id,
            id=row.id,
            subject_id=g.subject_id,
            writer_label=g.writer_label,
            secret_sha256=row.secret_sha256,
            max_role=g.max_role.value,
            capabilities=sorted(c.value for c in g.capabilities),
            brains=None if g.brains is None else sorted(g.brains),
            act_as_subjects=sorted(g.act_as_subjects),
            act_as_brains=sorted(g.act_as_brains),
            trust=g.trust.label,
            created_at=row.created_at,
            created_by=row.created_by,
            expires_at=g.expires_at,
            revoked_at=row.revoked_at,
            reason=None if reason is None else reason.text,
            requests_per_minute=g.requests_per_minute,
        )
    )


async def lock_key(conn: WriteConn, org_id: UUID, key_id: str) -> KeyRow | None:
    """The key with this id, which nobody else replaces until the transaction ends."""
    row = (await conn.execute(select(*_COLUMNS).where(_K.org_id == org_id, _K.id == key_id).with_for_update())).first()
    return None if row is None else _from_row(row)


async def replace_key(conn: WriteConn, org_id: UUID, key_id: str, successor: str, ends_at: datetime) -> None:
    """Note who follows a key, and when it ends."""
    query = update(t.api_keys).where(_K.org_id == org_id, _K.id == key_id)
    await conn.execute(query.values(replaced_by=successor, expires_at=ends_at))


async def keep_reason(conn: WriteConn, org_id: UUID, key_id: str, successor: str) -> None:
    """Give a successor the reason of the key that it follows."""
    former = select(_K.reason).where(_K.org_id == org_id, _K.id == key_id).scalar_subquery()
    await conn.execute(update(t.api_keys).where(_K.org_id == org_id, _K.id == successor).values(reason=former))


async def note_use(conn: WriteConn, org_id: UUID, key_id: str, now: datetime, unless_since: datetime) -> None:
    """Note that a key was used now, unless somebody has noted a use since then."""
    stale = or_(_K.last_used_at.is_(None), _K.last_used_at < unless_since)
    await conn.execute(update(t.api_keys).where(_K.org_id == org_id, _K.id == key_id, stale).values(last_used_at=now))


async def revoke_key(conn: WriteConn, org_id: UUID, key_id: str, now: datetime) -> bool:
    """False when there is no such key that is not revoked yet."""
    query = update(t.api_keys).where(_K.org_id == org_id, _K.id == key_id, _K.revoked_at.is_(None)).values(revoked_at=now)
    return (await conn.execute(query.returning(_K.id))).first() is not None


def _from_row(row: Any) -> KeyRow:  # noqa: ANN401 - SQLAlchemy and psycopg have each a kind of named tuple
    grant = KeyGrant(
        subject_id=row.subject_id,
        writer_label=row.writer_label,
        max_role=Role(row.max_role),
        capabilities=frozenset(Capability(c) for c in row.capabilities),
        trust=Trust.parse(row.trust),
        brains=None if row.brains is None else frozenset(row.brains),
        act_as_subjects=frozenset(row.act_as_subjects),
        act_as_brains=frozenset(row.act_as_brains),
        expires_at=row.expires_at,
        requests_per_minute=row.requests_per_minute,
    )
    return KeyRow(
        row.org_id,
        row.id,
        grant,
        row.created_at,
        row.created_by,
        row.revoked_at,
        bytes(row.secret_sha256),
        row.reason,
        row.last_used_at,
        row.replaced_by,
    )
