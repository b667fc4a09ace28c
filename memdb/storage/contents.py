"""Texts of many memories at once, to be looked through. They are not shown: a reply is made of rows whose seals were checked."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import any_, literal, select

from governance.scopes import ScopeFilter
from memdb.models.memory import Status
from memdb.storage import tables as t
from memdb.storage.database import ReadConn


async def list_contents(conn: ReadConn, scope: ScopeFilter, ids: Collection[UUID]) -> dict[UUID, str]:
    """Current texts within the scope by id; what is no longer active is absent."""
    m = t.memories.c
    query = select(m.id, m.content).where(
        m.org_id == scope.org_id,
        m.id == any_(literal(list(ids), t.UUIDS)),
        m.brain_id == any_(literal(list(scope.brain_ids), t.UUIDS)),
        m.status == Status.ACTIVE.value,
    )
    return {row.id: row.content for row in await conn.execute(query)}
