"""Rows of subjects: who they are, under which labels and platform ids they are known, who belongs to a team."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from governance.redaction.findings import RedactedText
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.sending import fetch
from memdb.storage.statements import load


class SubjectKind(StrEnum):
    """What a subject is. Keys belong to persons, agents and services; teams and projects have members."""

    PERSON = "person"
    AGENT = "agent"
    SERVICE = "service"
    TEAM = "team"
    PROJECT = "project"
    ORG = "org"


GROUPS = frozenset({SubjectKind.TEAM, SubjectKind.PROJECT})
ACTORS = frozenset({SubjectKind.PERSON, SubjectKind.AGENT, SubjectKind.SERVICE})


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """A subject. `name` passed the redactor before it was stored."""

    id: UUID
    kind: SubjectKind
    name: str | None
    home_brain_id: UUID | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class IdentityRow:
    """A platform id of a subject: the keyed hash of the external id, and a label without personal data."""

    platform: str
    external_hash: bytes = field(repr=False)
    label: str


_STATEMENTS = load("memdb.storage.sql")
_S = t.subjects.c
_COLUMNS = (_S.id, _S.kind, _S.name, _S.home_brain_id, _S.created_at)


async def find_subject(conn: ReadConn | WriteConn, org_id: UUID, subject_id: UUID) -> SubjectRow | None:
    """The subject with this id."""
    row = (await conn.execute(select(*_COLUMNS).where(_S.org_id == org_id, _S.id == subject_id))).first()
    return None if row is None else _from_row(*row)


async def find_by_identity(conn: ReadConn | WriteConn, org_id: UUID, platform: str, hashes: Sequence[bytes]) -> SubjectRow | None:
    """The subject of a platform id; `hashes` are of the same external id, one for each root key, the current one first."""
    i = t.subject_identities.c
    query = (
        select(*_COLUMNS, i.external_hash)
        .join_from(t.subjects, t.subject_identities, (i.org_id == _S.org_id) & (i.subject_id == _S.id))
        .where(_S.org_id == org_id, i.org_id == org_id, i.platform == platform, i.external_hash.in_(hashes))
    )
    rows = {bytes(row.external_hash): _from_row(*row[:-1]) for row in await conn.execute(query)}
    return next((rows[digest] for digest in hashes if digest in rows), None)


async def find_first(conn: ReadConn | WriteConn, org_id: UUID, kind: SubjectKind) -> SubjectRow | None:
    """The oldest subject of a kind."""
    query = select(*_COLUMNS).where(_S.org_id == org_id, _S.kind == kind.value).order_by(_S.id).limit(1)
    row = (await conn.execute(query)).first()
    return None if row is None else _from_row(*row)


async def list_known(conn: ReadConn | WriteConn, org_id: UUID, subject_ids: Collection[UUID]) -> dict[UUID, SubjectKind]:
    """Those of the ids that are subjects, with their kinds."""
    rows = await conn.execute(select(_S.id, _S.kind).where(_S.org_id == org_id, _S.id.in_(subject_ids)))
    return {subject_id: SubjectKind(kind) for subject_id, kind in rows}


async def lock_known(conn: WriteConn, org_id: UUID, subject_ids: Collection[UUID]) -> frozenset[UUID]:
    """Those of the ids that are subjects; none of them goes before the transaction ends."""
    query = select(_S.id).where(_S.org_id == org_id, _S.id.in_(subject_ids)).order_by(_S.id).with_for_update(read=True, key_share=True)
    return frozenset((await conn.execute(query)).scalars())


async def list_subjects(conn: ReadConn, org_id: UUID, *, kind: SubjectKind | None, after: UUID | None, limit: int) -> list[SubjectRow]:
    """Subjects of an org, oldest first; at most `limit` of those behind `after`."""
    query = select(*_COLUMNS).where(_S.org_id == org_id)
    if kind is not None:
        query = query.where(_S.kind == kind.value)
    if after is not None:
        query = query.where(_S.id > after)
    return [_from_row(*row) for row in await conn.execute(query.order_by(_S.id).limit(limit))]


async def list_aliases(conn: ReadConn, org_id: UUID, subject_ids: Collection[UUID]) -> Mapping[UUID, list[tuple[str, str]]]:
    """Labels by subject, folded and as given, each list in the order of the folded ones."""
    a = t.subject_aliases.c
    query = select(a.subject_id, a.folded, a.alias).where(a.org_id == org_id, a.subject_id.in_(subject_ids))
    found: dict[UUID, list[tuple[str, str]]] = {}
    for subject_id, folded, alias in await conn.execute(query.order_by(a.subject_id, a.folded)):
        found.setdefault(subject_id, []).append((folded, alias))
    return found


async def list_identities(conn: ReadConn | WriteConn, org_id: UUID, subject_ids: Collection[UUID]) -> Mapping[UUID, list[IdentityRow]]:
    """Platform ids by subject, by platform and age."""
    i = t.subject_identities.c
    query = (
        select(i.subject_id, i.platform, i.external_hash, i.label)
        .where(i.org_id == org_id, i.subject_id.in_(subject_ids))
        .order_by(i.subject_id, i.platform, i.created_at, i.external_hash)
    )
    found: dict[UUID, list[IdentityRow]] = {}
    for subject_id, platform, external_hash, label in await conn.execute(query):
        found.setdefault(subject_id, []).append(IdentityRow(platform, bytes(external_hash), label))
    return found


async def insert_subject(
    conn: WriteConn, org_id: UUID, row: SubjectRow, name: RedactedText | Literal["admin"] | None, created_by: UUID | None
) -> None:
    """Store a subject; `row.name` is not looked at, only the redacted name (the first subject of an org has the product's own word)."""
    await conn.execute(
        insert(t.subjects).values(
            org_id=org_id,
            id=row.id,
            kind=row.kind.value,
            name=None if name is None else str(name),
            home_brain_id=row.home_brain_id,
            created_at=row.created_at,
            created_by=created_by,
        )
    )


async def update_name(conn: WriteConn, org_id: UUID, subject_id: UUID, name: RedactedText) -> None:
    """Call a subject by another name."""
    await conn.execute(update(t.subjects).where(_S.org_id == org_id, _S.id == subject_id).values(name=name.text))


async def insert_aliases(conn: WriteConn, org_id: UUID, subject_id: UUID, aliases: Mapping[str, RedactedText], now: datetime) -> int:
    """Store labels, folded form -> label; those that the subject has are left as they are. Returns how many were new."""
    rows = [
        {"org_id": org_id, "folded": folded, "subject_id": subject_id, "alias": alias.text, "created_at": now}
        for folded, alias in sorted(aliases.items())
    ]
    if not rows:
        return 0
    a = t.subject_aliases.c
    done = await conn.execute(insert(t.subject_aliases).values(rows).on_conflict_do_nothing().returning(a.folded))
    return len(done.all())


async def insert_identity(conn: WriteConn, org_id: UUID, subject_id: UUID, identity: IdentityRow, now: datetime) -> bool:
    """False when a subject has this platform id."""
    row = insert(t.subject_identities).values(
        org_id=org_id,
        platform=identity.platform,
        external_hash=identity.external_hash,
        subject_id=subject_id,
        label=identity.label,
        created_at=now,
    )
    done = await conn.execute(row.on_conflict_do_nothing().returning(t.subject_identities.c.platform))
    return done.first() is not None


async def list_members(conn: ReadConn, org_id: UUID, team_id: UUID, *, after: UUID | None, limit: int) -> list[UUID]:
    """Members of a team, by id; at most `limit` of those behind `after`."""
    m = t.team_members.c
    query = select(m.subject_id).where(m.org_id == org_id, m.team_id == team_id)
    if after is not None:
        query = query.where(m.subject_id > after)
    return list((await conn.execute(query.order_by(m.subject_id).limit(limit))).scalars())


async def insert_member(conn: WriteConn, org_id: UUID, team_id: UUID, subject_id: UUID, now: datetime) -> bool:
    """False when the subject belongs to the team."""
    row = insert(t.team_members).values(org_id=org_id, team_id=team_id, subject_id=subject_id, created_at=now)
    done = await conn.execute(row.on_conflict_do_nothing().returning(t.team_members.c.subject_id))
    return done.first() is not None


async def delete_member(conn: WriteConn, org_id: UUID, team_id: UUID, subject_id: UUID) -> bool:
    """False when the subject does not belong to the team."""
    m = t.team_members.c
    query = delete(t.team_members).where(m.org_id == org_id, m.team_id == team_id, m.subject_id == subject_id)
    return (await conn.execute(query.returning(m.subject_id))).first() is not None


def _from_row(subject_id: UUID, kind: str, name: str | None, home_brain_id: UUID | None, created_at: datetime) -> SubjectRow:
    return SubjectRow(subject_id, SubjectKind(kind), name, home_brain_id, created_at)


# ----------------------------------------------------------------------------------------------------------------- merged
@dataclass(frozen=True, slots=True)
class Groups:
    """Subjects that are one because they were merged: for each id asked for the one that stands for it, and for whom that one stands."""

    roots: Mapping[UUID, UUID]
    by_root: Mapping[UUID, frozenset[UUID]]

    @property
    def members(self) -> frozenset[UUID]:
        """Everybody who is one of those asked for."""
        return frozenset().union(*self.by_root.values()) if self.by_root else frozenset()

    def root(self, subject_id: UUID) -> UUID:
        """Who stands for a subject; itself when it was not merged."""
        return self.roots.get(subject_id, subject_id)

    def group(self, subject_id: UUID) -> frozenset[UUID]:
        """All that are one with a subject, itself among them."""
        return self.by_root.get(self.root(subject_id), frozenset({subject_id}))


async def expand(conn: ReadConn | WriteConn, org_id: UUID, ids: Collection[UUID]) -> Groups:
    """Who these subjects are one with, as of this transaction; ids that the org does not have stand for themselves."""
    if not ids:
        return Groups({}, {})
    roots: dict[UUID, UUID] = {}
    groups: dict[UUID, set[UUID]] = {}
    for asked, root, member in await fetch(conn, _STATEMENTS["expand_subjects"].sql, {"org_id": org_id, "ids": sorted(ids)}):
        roots[asked] = root
        groups.setdefault(root, set()).add(member)
    return Groups(roots, {root: frozenset(members) for root, members in groups.items()})


async def list_by_id(conn: ReadConn | WriteConn, org_id: UUID, subject_ids: Collection[UUID]) -> list[SubjectRow]:
    """Those of the ids that are subjects, oldest first."""
    query = select(*_COLUMNS).where(_S.org_id == org_id, _S.id.in_(subject_ids))
    return [_from_row(*row) for row in await conn.execute(query.order_by(_S.id))]


async def find_person(conn: ReadConn, org_id: UUID, subject_id: UUID) -> tuple[SubjectRow, frozenset[UUID]] | None:
    """Who stands for a subject, and all that are one with it; None when the org has no such subject."""
    rows = await fetch(conn, _STATEMENTS["person"].sql, {"org_id": org_id, "id": subject_id})
    if not rows:
        return None
    (id_, kind, name, home_brain_id, created_at, members) = rows[0]
    return SubjectRow(id_, SubjectKind(kind), name, home_brain_id, created_at), frozenset(members)


async def list_names(conn: ReadConn, org_id: UUID, ids: Collection[UUID]) -> dict[UUID, str]:
    """Names of these subjects; one without a name is absent."""
    rows = await fetch(conn, _STATEMENTS["subject_names"].sql, {"org_id": org_id, "ids": sorted(ids)})
    return {row.id: row.name for row in rows}


async def find_redirect(conn: ReadConn | WriteConn, org_id: UUID, subject_id: UUID) -> UUID | None:
    """The subject that this one was merged into."""
    r = t.subject_redirects.c
    found: UUID | None = (await conn.execute(select(r.into_id).where(r.org_id == org_id, r.subject_id == subject_id))).scalar_one_or_none()
    return found


async def insert_redirect(conn: WriteConn, org_id: UUID, pair: tuple[UUID, UUID], created_at: datetime, created_by: UUID) -> None:
    """Let the second of the pair stand for both."""
    await conn.execute(
        insert(t.subject_redirects).values(org_id=org_id, subject_id=pair[0], into_id=pair[1], created_at=created_at, created_by=created_by)
    )


async def delete_redirect(conn: WriteConn, org_id: UUID, subject_id: UUID) -> bool:
    """Let a subject stand for itself again; False when it did."""
    r = t.subject_redirects.c
    done = await conn.execute(delete(t.subject_redirects).where(r.org_id == org_id, r.subject_id == subject_id).returning(r.into_id))
    return done.first() is not None


async def lock_merging(conn: WriteConn, org_id: UUID) -> None:
    """One merge or split of an org at a time, so that redirects never make a circle."""
    await conn.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"memdb merge {org_id}", 0))))
