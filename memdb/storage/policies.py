"""Rows of policies: one for each version that an org set. They never change, so what was read once is kept in the process."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from governance.policy.document import NO_DOCUMENT, OrgPolicy, PolicyDocument
from memdb.storage import tables as t
from memdb.storage.database import Database, Identity, ReadConn, WriteConn

ORGS_MAX = 1_024
_P = t.policies.c
_COLUMNS = (_P.version, _P.document, _P.created_at, _P.created_by)


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """A version of an org's policy. Version 0 is what holds before anybody set one, and has no date and no author."""

    version: int
    document: PolicyDocument
    created_at: datetime | None
    created_by: UUID | None


DEFAULT_POLICY = PolicyRow(0, NO_DOCUMENT, None, None)


async def find_policy(conn: ReadConn | WriteConn, org_id: UUID, version: int | None = None) -> PolicyRow | None:
    """That version, or the newest; None when there is no such one."""
    if version == 0:
        return DEFAULT_POLICY
    query = select(*_COLUMNS).where(_P.org_id == org_id)
    query = query.order_by(_P.version.desc()).limit(1) if version is None else query.where(_P.version == version)
    row = (await conn.execute(query)).first()
    if row is None:
        return DEFAULT_POLICY if version is None else None
    return PolicyRow(row.version, PolicyDocument.from_json(row.document), row.created_at, row.created_by)


async def list_policies(conn: ReadConn, org_id: UUID, *, before: int | None, limit: int) -> list[PolicyRow]:
    """Versions of an org, newest first; at most `limit` of those below `before`."""
    query = select(*_COLUMNS).where(_P.org_id == org_id)
    if before is not None:
        query = query.where(_P.version < before)
    rows = await conn.execute(query.order_by(_P.version.desc()).limit(limit))
    return [PolicyRow(row.version, PolicyDocument.from_json(row.document), row.created_at, row.created_by) for row in rows]


async def insert_policy(conn: WriteConn, org_id: UUID, row: PolicyRow, key_id: str) -> bool:
    """False when a concurrent writer set this version first."""
    values = {
        "org_id": org_id,
        "version": row.version,
        "document": row.document.to_json(),
        "created_at": row.created_at,
        "created_by": row.created_by,
        "created_key": key_id,
    }
    done = await conn.execute(insert(t.policies).values(values).on_conflict_do_nothing().returning(_P.version))
    return done.first() is not None


def document_digest(stored: object) -> bytes:
    """SHA-256 of a policy as it is stored, 32 bytes: what the event of its setting vouches for."""
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).digest()


class Policies:
    """Compiled policies of the orgs that were asked for last, each in the version that its last request saw. One object for a process."""

    def __init__(self) -> None:
        self._kept: OrderedDict[UUID, OrgPolicy] = OrderedDict()

    async def get(self, database: Database, org_id: UUID, version: int) -> OrgPolicy:
        """The policy of an org in a version that exists; reads it the first time."""
        kept = self._kept.get(org_id)
        if kept is not None and kept.version == version:
            self._kept.move_to_end(org_id)
            return kept
        async with database.read(Identity(org_id)) as conn:
            row = await find_policy(conn, org_id, version)
        assert row is not None, "a version that a credential names exists"
        policy = row.document.compile(row.version)
        self._kept[org_id] = policy
        self._kept.move_to_end(org_id)
        while len(self._kept) > ORGS_MAX:
            self._kept.popitem(last=False)
        return policy
