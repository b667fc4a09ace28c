"""Which brains a subject reaches, teams and the whole org expanded. Derived rows: `mem.rebuild_brain_access` keeps them."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import func, select

from governance.principals import Role
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn


async def load_access(conn: ReadConn | WriteConn, org_id: UUID, subject_id: UUID) -> dict[UUID, Role]:
    """Brain -> role of a subject, its own and the whole org's, the stronger one winning.

    SECURITY: under row-level security this is complete only for the subject of the transaction's identity.
    """
    a = t.brain_access.c
    rows = await conn.execute(select(a.brain_id, a.role).where(a.org_id == org_id, a.subject_id.in_({subject_id, org_id})))
    return merge_roles((row.brain_id, row.role) for row in rows)


def merge_roles(rows: Iterable[tuple[UUID, str]]) -> dict[UUID, Role]:
    """Brain -> the strongest of its roles."""
    access: dict[UUID, Role] = {}
    for brain_id, name in rows:
        role = Role(name)
        held = access.get(brain_id)
        if held is None or role.covers(held):
            access[brain_id] = role
    return access


async def load_audience(conn: ReadConn | WriteConn, org_id: UUID, subject_ids: Iterable[UUID]) -> dict[UUID, frozenset[UUID]]:
    """Brains that each of these people reaches; for an id that no subject has, those that the whole org reads.

    Row-level security leaves out brains that the transaction's identity may not read, so intersect with its own scope.
    """
    wanted = frozenset(subject_ids)
    a = t.brain_access.c
    rows = await conn.execute(select(a.subject_id, a.brain_id).where(a.org_id == org_id, a.subject_id.in_({*wanted, org_id})))
    reached: dict[UUID, set[UUID]] = {}
    for subject_id, brain_id in rows:
        reached.setdefault(subject_id, set()).add(brain_id)
    everybody = reached.get(org_id, set())
    return {subject_id: frozenset(reached.get(subject_id, set()) | everybody) for subject_id in wanted}


async def rebuild_brain(conn: WriteConn, org_id: UUID, brain_id: UUID) -> None:
    """Derive the access to a brain from its members; in the transaction that changes them."""
    await conn.execute(select(func.mem.rebuild_brain_access(org_id, brain_id)))


async def rebuild_team(conn: WriteConn, org_id: UUID, team_id: UUID) -> None:
    """Derive the access to every brain that a team is a member of; in the transaction that changes the team."""
    await conn.execute(select(func.mem.rebuild_team_access(org_id, team_id)))
