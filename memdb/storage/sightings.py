"""Labels of subjects: which hold a name, and where and when each was seen. Row-level security shows a brain's to its readers alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import any_, func, literal, or_, select
from sqlalchemy.dialects.postgresql import insert

from governance.scopes import ScopeFilter
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn

_WORD = re.compile(r"[a-z0-9]")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a label was seen: a platform, by its name, or a brain."""

    platform: str | None = None
    brain_id: UUID | None = None

    @property
    def text(self) -> str:
        """`platform:<name>` or `brain:<id>`."""
        return f"platform:{self.platform}" if self.brain_id is None else f"brain:{self.brain_id}"


@dataclass(frozen=True, slots=True)
class Sighting:
    """When a label was seen in a place first and last. `folded` is the label."""

    folded: str
    place: str
    brain_id: UUID | None
    first_seen_at: datetime
    last_seen_at: datetime


async def list_labelled(conn: ReadConn, org_id: UUID, folded: str, *, limit: int) -> list[tuple[str, UUID]]:
    """Folded labels that hold a folded name, with their subjects; the whole labels first, then the shortest; at most `limit`.

    More may come than hold it as whole words: letters beyond a to z are no border to this statement.
    """
    a = t.subject_aliases.c
    query = (
        select(a.folded, a.subject_id)
        .where(a.org_id == org_id, a.folded.regexp_match(_pattern(folded)))
        .order_by((a.folded == folded).desc(), func.length(a.folded), a.folded, a.subject_id)
        .limit(limit)
    )
    return [(label, subject_id) for label, subject_id in await conn.execute(query)]


async def list_sightings(conn: ReadConn, scope: ScopeFilter, subject_ids: Collection[UUID]) -> Mapping[UUID, list[Sighting]]:
    """Sightings by subject that the scope may know of, the latest first."""
    s = t.alias_sightings.c
    query = (
        select(s.subject_id, s.folded, s.place, s.brain_id, s.first_seen_at, s.last_seen_at)
        .where(s.org_id == scope.org_id, s.subject_id.in_(subject_ids))
        .where(or_(s.brain_id.is_(None), s.brain_id == any_(literal(list(scope.brain_ids), t.UUIDS))))
        .order_by(s.subject_id, s.last_seen_at.desc(), s.place, s.folded)
    )
    found: dict[UUID, list[Sighting]] = {}
    for subject_id, *rest in await conn.execute(query):
        found.setdefault(subject_id, []).append(Sighting(*rest))
    return found


async def list_seen(conn: ReadConn, org_id: UUID, place: Place, subject_ids: Collection[UUID]) -> frozenset[UUID]:
    """Those of the subjects that were seen in a place, under whatever label."""
    s = t.alias_sightings.c
    query = select(s.subject_id).where(s.org_id == org_id, s.place == place.text, s.subject_id.in_(subject_ids)).distinct()
    return frozenset((await conn.execute(query)).scalars())


async def list_on_platform(conn: ReadConn, org_id: UUID, platform: str, subject_ids: Collection[UUID]) -> frozenset[UUID]:
    """Those of the subjects that have an id on a platform."""
    i = t.subject_identities.c
    query = select(i.subject_id).where(i.org_id == org_id, i.platform == platform, i.subject_id.in_(subject_ids)).distinct()
    return frozenset((await conn.execute(query)).scalars())


async def widen_sightings(conn: WriteConn, org_id: UUID, label: tuple[str, UUID], places: Sequence[Place], seen_at: datetime) -> int:
    """Note that a label, its folded form and subject, was seen in these places; how many of them it changed anything of."""
    s = t.alias_sightings.c
    changed = 0
    for place in sorted(places, key=lambda p: p.text):
        row = insert(t.alias_sightings).values(
            org_id=org_id,
            folded=label[0],
            subject_id=label[1],
            place=place.text,
            brain_id=place.brain_id,
            first_seen_at=seen_at,
            last_seen_at=seen_at,
        )
        new = row.excluded
        widened = row.on_conflict_do_update(
            index_elements=[s.org_id, s.folded, s.subject_id, s.place],
            set_={
                "first_seen_at": func.least(s.first_seen_at, new.first_seen_at),
                "last_seen_at": func.greatest(s.last_seen_at, new.last_seen_at),
            },
            where=or_(new.first_seen_at < s.first_seen_at, new.last_seen_at > s.last_seen_at),
        )
        changed += (await conn.execute(widened.returning(s.place))).first() is not None
    return changed


def _pattern(folded: str) -> str:
    r"""An expression of Postgres for the name between borders of words; `re.escape` leaves nothing in it that means something else.

    >>> _pattern("ana.b")
    '(^|[^a-z0-9])ana\\.b($|[^a-z0-9])'
    """
    before = "(^|[^a-z0-9])" if _WORD.match(folded[:1]) else ""
    after = "($|[^a-z0-9])" if _WORD.match(folded[-1:]) else ""
    return before + re.escape(folded) + after
