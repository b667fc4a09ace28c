"""Which brains a subject reaches, teams and the whole org expanded. Derived rows: `mem.rebuild_brain_access` keeps them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

from sqlalchemy import any_, func, literal, select, true

from governance.principals import Role
from governance.scopes import ScopeFilter
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.subjects import expand


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

    Somebody who was merged hears what any of their identities may: it is one person who sits there. Row-level security leaves out brains
    that the transaction's identity may not read, so intersect with its own scope.
    """
    wanted = frozenset(subject_ids)
    same = await expand(conn, org_id, wanted)
    a = t.brain_access.c
    rows = await conn.execute(select(a.subject_id, a.brain_id).where(a.org_id == org_id, a.subject_id.in_(same.members | {org_id})))
    reached: dict[UUID, set[UUID]] = {}
    for subject_id, brain_id in rows:
        reached.setdefault(subject_id, set()).add(brain_id)
    everybody = reached.get(org_id, set())
    return {person: frozenset(everybody.union(*(reached.get(member, ()) for member in same.group(person)))) for person in wanted}


async def list_reaching(conn: ReadConn, org_id: UUID, brain_id: UUID, subject_ids: Collection[UUID]) -> frozenset[UUID]:
    """Those of the subjects that reach a brain, themselves or through a team; all of them where the whole org does."""
    a = t.brain_access.c
    query = select(a.subject_id).where(a.org_id == org_id, a.brain_id == brain_id, a.subject_id.in_({*subject_ids, org_id}))
    found = frozenset((await conn.execute(query)).scalars())
    return frozenset(subject_ids) if org_id in found else found


async def list_listeners(conn: ReadConn, org_id: UUID, brain_id: UUID) -> frozenset[UUID]:
    """Persons who reach a brain, themselves or through a team; where the whole org does, the org's own subject is among them."""
    a, s = t.brain_access.c, t.subjects.c
    query = (
        select(a.subject_id)
        .join_from(t.brain_access, t.subjects, (s.org_id == a.org_id) & (s.id == a.subject_id))
        .where(a.org_id == org_id, a.brain_id == brain_id, s.kind.in_(("person", "org")))
    )
    return frozenset((await conn.execute(query)).scalars())


async def list_shared(
    conn: ReadConn, scope: ScopeFilter, subject_ids: Collection[UUID], *, limit: int
) -> Mapping[UUID, list[tuple[UUID, str]]]:
    """Id and name of brains of the scope that each subject reaches too, oldest first, at most `limit` of each subject.

    Brains that the whole org reads are left out: they tell nobody from anybody.
    """
    a, b = t.brain_access.c, t.brains.c
    asked = func.unnest(literal(sorted(subject_ids), t.UUIDS)).table_valued("id", name="asked").render_derived()
    of_everybody = select(a.brain_id).where(a.org_id == scope.org_id, a.subject_id == scope.org_id)
    reached = (
        select(a.brain_id)
        .where(a.org_id == scope.org_id, a.subject_id == asked.c.id, a.brain_id == any_(literal(list(scope.brain_ids), t.UUIDS)))
        .where(a.brain_id.not_in(of_everybody))
        .order_by(a.brain_id)
        .limit(limit)
        .lateral("reached")
    )
    joined = asked.join(reached, true()).join(t.brains, (b.org_id == scope.org_id) & (b.id == reached.c.brain_id))
    query = select(asked.c.id, b.id, b.name).select_from(joined)
    shared: dict[UUID, list[tuple[UUID, str]]] = {}
    for subject_id, brain_id, name in await conn.execute(query.order_by(b.id)):
        shared.setdefault(subject_id, []).append((brain_id, name))
    return shared


async def rebuild_brain(conn: WriteConn, org_id: UUID, brain_id: UUID) -> None:
    """Derive the access to a brain from its members; in the transaction that changes them."""
    await conn.execute(select(func.mem.rebuild_brain_access(org_id, brain_id)))


async def rebuild_team(conn: WriteConn, org_id: UUID, team_id: UUID) -> None:
    """Derive the access to every brain that a team is a member of; in the transaction that changes the team."""
    await conn.execute(select(func.mem.rebuild_team_access(org_id, team_id)))
