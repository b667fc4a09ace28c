"""What a quarantine selects, and what came from it or what it came from. Ids alone: whoever quarantines need not read the brains."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from memdb.storage.database import ReadConn, WriteConn, search
from memdb.storage.sending import fetch
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")
PAGE: Final = 20_000
"""Rows of one statement, and ids that are followed by one."""


@dataclass(frozen=True, slots=True)
class Selected:
    """A memory that was selected."""

    memory_id: UUID
    brain_id: UUID
    kind: str
    written_by: UUID


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a memory has to be; None is no condition. Moments are of when it was first written, from the first to before the second."""

    ids: tuple[UUID, ...] | None = None
    writer: UUID | None = None
    key_id: str | None = None
    brain_id: UUID | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None


async def select_memories(
    conn: ReadConn | WriteConn, org_id: UUID, wanted: Conditions, *, after: UUID | None, limit: int
) -> list[Selected]:
    """Memories of the org that are not deleted and meet every condition, by id; at most `limit` of those behind an id."""
    asked: dict[str, object] = {
        "org_id": org_id,
        "ids": None if wanted.ids is None else list(wanted.ids),
        "writer": wanted.writer,
        "key": wanted.key_id,
        "brain": wanted.brain_id,
        "created_from": wanted.created_from,
        "created_to": wanted.created_to,
        "after": after,
        "limit": limit,
    }
    rows = await search(conn, _STATEMENTS["select_memories"].sql, asked)
    return [Selected(row.memory_id, row.brain_id, row.kind, row.written_by) for row in rows]


async def select_of_sessions(conn: ReadConn | WriteConn, org_id: UUID, session_ids: Collection[UUID]) -> set[UUID]:
    """Memories that were learned from sessions."""
    rows = await search(conn, _STATEMENTS["select_of_sessions"].sql, {"org_id": org_id, "session_ids": list(session_ids)})
    return {row.memory_id for row in rows}


async def select_of_source(conn: ReadConn | WriteConn, org_id: UUID, source: str) -> set[UUID]:
    """Memories with an excerpt of the episodes of one external id."""
    rows = await search(conn, _STATEMENTS["select_of_source"].sql, {"org_id": org_id, "source": source})
    return {row.memory_id for row in rows}


async def list_came_from(conn: ReadConn | WriteConn, org_id: UUID, ids: Collection[UUID]) -> set[UUID]:
    """What came from memories: learned from the same turns, made of them, shared from them."""
    rows = await search(conn, _STATEMENTS["list_came_from"].sql, {"org_id": org_id, "ids": list(ids)})
    copies = await fetch(conn, _STATEMENTS["list_copies"].sql, {"org_id": org_id, "ids": [str(one) for one in ids]})
    return {row.memory_id for row in rows} | {UUID(row.copy) for row in copies if row.copy is not None}


async def list_made_of(conn: ReadConn | WriteConn, org_id: UUID, ids: Collection[UUID]) -> set[UUID]:
    """What memories were made of: other memories of the same excerpts, those that they were derived from, and originals of copies."""
    rows = await search(conn, _STATEMENTS["list_made_of"].sql, {"org_id": org_id, "ids": list(ids)})
    originals = await fetch(conn, _STATEMENTS["list_originals"].sql, {"org_id": org_id, "ids": [str(one) for one in ids]})
    return {row.memory_id for row in rows} | {UUID(row.original) for row in originals}


async def list_sessions_of_memories(conn: ReadConn | WriteConn, org_id: UUID, ids: Collection[UUID]) -> set[UUID]:
    """Sessions that memories were learned from."""
    rows = await search(conn, _STATEMENTS["list_sessions_of_memories"].sql, {"org_id": org_id, "ids": list(ids)})
    return {row.session_id for row in rows}


async def list_brains_of_sessions(conn: ReadConn | WriteConn, org_id: UUID, session_ids: Collection[UUID]) -> list[tuple[UUID, UUID]]:
    """(brain, session) of those that there are, in order."""
    rows = await search(conn, _STATEMENTS["list_brains_of_sessions"].sql, {"org_id": org_id, "session_ids": list(session_ids)})
    return sorted((row.brain_id, row.id) for row in rows)
