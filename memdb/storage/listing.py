"""Pages of memories, newest first. Order is by id, which is time and id in one, so that pages never repeat or skip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import or_, select

from governance.scopes import ScopeFilter
from memdb.keyring import Keyring
from memdb.models.memory import Memory
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, set_local
from memdb.storage.memories import Stored, list_by_id
from memdb.storage.subjects import expand


@dataclass(frozen=True, slots=True)
class ListFilter:
    """What narrows a listing, in the forms of the index; None is no filter. The same meaning as in a search: who was
    merged is found under each identity.
    """

    now: datetime
    kinds: tuple[str, ...] | None = None
    about: tuple[UUID, ...] | None = None
    said_by: UUID | None = None
    topic: str | None = field(default=None, repr=False)
    tags: tuple[str, ...] | None = field(default=None, repr=False)
    facets: tuple[str, ...] | None = field(default=None, repr=False)
    created_from: datetime | None = None
    created_to: datetime | None = None


async def list_memories(
    conn: ReadConn, scope: ScopeFilter, wanted: ListFilter, keyring: Keyring, *, before: UUID | None, limit: int
) -> tuple[list[Memory], UUID | None]:
    """One page and the id that the next one begins before; None when it was the last.

    Held, expired, deleted and broken memories are left out; memories whose validity ended are listed, the search is what judges them.
    """
    m, i = t.memories.c, t.memory_index.c
    query = (
        select(m.id)
        .select_from(t.memories.join(t.memory_index, (i.org_id == m.org_id) & (i.memory_id == m.id)))
        .where(m.org_id == scope.org_id, i.org_id == scope.org_id, m.brain_id.in_(scope.brain_ids), i.brain_id.in_(scope.brain_ids))
        .where(i.status == "active", ~i.held, or_(i.expires_at.is_(None), i.expires_at > wanted.now))
        .order_by(m.id.desc())
        .limit(limit + 1)
    )
    if before is not None:
        query = query.where(m.id < before)
    if wanted.kinds is not None:
        query = query.where(i.kind.in_(wanted.kinds))
    if wanted.about is not None:
        query = query.where(i.about.overlap(sorted((await expand(conn, scope.org_id, wanted.about)).members)))
    if wanted.said_by is not None:
        query = query.where(i.said_by.in_(sorted((await expand(conn, scope.org_id, [wanted.said_by])).members)))
    if wanted.topic is not None:
        query = query.where(or_(i.topic == wanted.topic, i.topic.startswith(wanted.topic + "/", autoescape=True)))
    if wanted.tags is not None:
        query = query.where(i.tags.contains(list(wanted.tags)))
    if wanted.facets is not None:
        query = query.where(i.facets.contains(list(wanted.facets)))
    if wanted.created_from is not None:
        query = query.where(i.created_at >= wanted.created_from)
    if wanted.created_to is not None:
        query = query.where(i.created_at < wanted.created_to)
    # A plan for whatever the brains are would walk through the whole org in order to find a few rows of a small one.
    await set_local(conn, plan_cache_mode="force_custom_plan")
    ids = [row.id for row in await conn.execute(query)]
    page = ids[:limit]
    found = await list_by_id(conn, scope, page, keyring)
    return _in_order(page, found), page[-1] if len(ids) > limit else None


def _in_order(ids: Sequence[UUID], found: Mapping[UUID, Stored]) -> list[Memory]:
    rows = [found[memory_id] for memory_id in ids if memory_id in found]
    return [row.memory for row in rows if row.intact]
