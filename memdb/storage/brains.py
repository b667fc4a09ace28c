"""Rows of brains and their members. Row-level security shows a brain to its readers alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CollectionAggregate, any_, delete, insert, literal, select, update

from governance.principals import Role
from governance.redaction.findings import RedactedText
from governance.scopes import ScopeFilter
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn


class BrainKind(StrEnum):
    """What a brain is for. Personal and agent brains are homes, made with their subject."""

    PERSONAL = "personal"
    AGENT = "agent"
    TEAM = "team"
    ROOM = "room"
    ORG = "org"


class Sharing(StrEnum):
    """Who may copy a memory from a brain into one that others read."""

    SUBJECTS = "subjects"  # whoever said it or whom it is about
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class BrainRow:
    """A brain. `name` passed the redactor before it was stored."""

    id: UUID
    kind: BrainKind
    name: str
    created_at: datetime
    sharing: Sharing = Sharing.SUBJECTS


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member of a brain: a subject, a team or the org itself."""

    subject_id: UUID
    role: Role
    created_at: datetime


_B = t.brains.c
_M = t.brain_members.c
_COLUMNS = (_B.id, _B.kind, _B.name, _B.created_at, _B.sharing)


async def find_brain(conn: ReadConn | WriteConn, scope: ScopeFilter, brain_id: UUID) -> BrainRow | None:
    """The brain with this id, if the scope holds it."""
    query = select(*_COLUMNS).where(_B.org_id == scope.org_id, _B.id == brain_id, _B.id == _any(scope.brain_ids))
    row = (await conn.execute(query)).first()
    return None if row is None else _from_row(*row)


async def list_brains(conn: ReadConn, scope: ScopeFilter, *, kind: BrainKind | None, after: UUID | None, limit: int) -> list[BrainRow]:
    """Brains of the scope, oldest first; at most `limit` of those behind `after`."""
    behind = tuple(b for b in scope.brain_ids if after is None or b > after)
    query = select(*_COLUMNS).where(_B.org_id == scope.org_id, _B.id == _any(behind))
    if kind is not None:
        query = query.where(_B.kind == kind.value)
    return [_from_row(*row) for row in await conn.execute(query.order_by(_B.id).limit(limit))]


async def insert_brain(conn: WriteConn, org_id: UUID, row: BrainRow, name: RedactedText | None, created_by: UUID | None) -> None:
    """Store a brain; `row.name` is not looked at, only the redacted name; without one it is called by its kind."""
    await conn.execute(
        insert(t.brains).values(
            org_id=org_id,
            id=row.id,
            kind=row.kind.value,
            name=row.kind.value if name is None else name.text,
            created_at=row.created_at,
            created_by=created_by,
            sharing=row.sharing.value,
        )
    )


async def update_brain(conn: WriteConn, org_id: UUID, brain_id: UUID, *, name: RedactedText | None, sharing: Sharing | None) -> None:
    """Change what is given."""
    values = {} if name is None else {"name": name.text}
    values |= {} if sharing is None else {"sharing": sharing.value}
    if values:
        await conn.execute(update(t.brains).where(_B.org_id == org_id, _B.id == brain_id).values(values))


async def lock_brain(conn: WriteConn, org_id: UUID, brain_id: UUID) -> bool:
    """Let one transaction at a time change the members of a brain; False when it is out of reach for its administrators' rights."""
    query = select(_B.id).where(_B.org_id == org_id, _B.id == brain_id).with_for_update()
    return (await conn.execute(query)).first() is not None


async def list_members(conn: ReadConn, scope: ScopeFilter, brain_id: UUID, *, after: UUID | None, limit: int) -> list[MemberRow]:
    """Members of a brain of the scope, by subject id; at most `limit` of those behind `after`."""
    query = select(_M.member_id, _M.role, _M.created_at).where(
        _M.org_id == scope.org_id, _M.brain_id == brain_id, _M.brain_id == _any(scope.brain_ids)
    )
    if after is not None:
        query = query.where(_M.member_id > after)
    rows = await conn.execute(query.order_by(_M.member_id).limit(limit))
    return [MemberRow(subject_id, Role(role), created_at) for subject_id, role, created_at in rows]


async def find_role(conn: WriteConn, org_id: UUID, brain_id: UUID, subject_id: UUID) -> Role | None:
    """The role of a direct member; None when it is none."""
    query = select(_M.role).where(_M.org_id == org_id, _M.brain_id == brain_id, _M.member_id == subject_id)
    role = (await conn.execute(query)).scalar_one_or_none()
    return None if role is None else Role(role)


async def has_other_admin(conn: WriteConn, org_id: UUID, brain_id: UUID, subject_id: UUID) -> bool:
    """True when a member other than this one administers the brain."""
    query = select(_M.member_id).where(
        _M.org_id == org_id, _M.brain_id == brain_id, _M.member_id != subject_id, _M.role == Role.ADMIN.value
    )
    return (await conn.execute(query.limit(1))).first() is not None


async def insert_members(
    conn: WriteConn, org_id: UUID, brain_id: UUID, members: Mapping[UUID, Role], created_at: datetime, created_by: UUID | None
) -> None:
    """Store members that the brain does not have yet."""
    await conn.execute(
        insert(t.brain_members),
        [
            {
                "org_id": org_id,
                "brain_id": brain_id,
                "member_id": member_id,
                "role": role.value,
                "created_at": created_at,
                "created_by": created_by,
            }
            for member_id, role in sorted(members.items())
        ],
    )


async def update_role(conn: WriteConn, org_id: UUID, brain_id: UUID, subject_id: UUID, role: Role) -> None:
    """Give a member another role."""
    where = (_M.org_id == org_id, _M.brain_id == brain_id, _M.member_id == subject_id)
    await conn.execute(update(t.brain_members).where(*where).values(role=role.value))


async def delete_member(conn: WriteConn, org_id: UUID, brain_id: UUID, subject_id: UUID) -> None:
    """Take a member out."""
    await conn.execute(delete(t.brain_members).where(_M.org_id == org_id, _M.brain_id == brain_id, _M.member_id == subject_id))


def _any(ids: tuple[UUID, ...]) -> CollectionAggregate[bool]:
    # One array instead of a parameter for each id: a subject may read thousands of brains.
    return any_(literal(list(ids), t.UUIDS))


def _from_row(brain_id: UUID, kind: str, name: str, created_at: datetime, sharing: str) -> BrainRow:
    return BrainRow(brain_id, BrainKind(kind), name, created_at, Sharing(sharing))


async def list_kinds(conn: ReadConn, org_id: UUID, brain_ids: Collection[UUID]) -> dict[UUID, BrainKind]:
    """The kinds of those of these brains that the transaction may read."""
    query = select(_B.id, _B.kind).where(_B.org_id == org_id, _B.id.in_(brain_ids))
    return {brain_id: BrainKind(kind) for brain_id, kind in await conn.execute(query)}
