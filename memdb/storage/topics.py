"""Rows of topics and units: which topics a brain has, and which memory stands for one."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import any_, delete, exists, literal, select, update
from sqlalchemy.dialects.postgresql import insert

from governance.scopes import ScopeFilter
from memdb.errors import AlreadyExists
from memdb.models.memory import Memory
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.text.normalise import fold
from memdb.text.topics import topic_words

_T = t.topics.c
_U = t.units.c


def topic_row(memory: Memory) -> dict[str, object] | None:
    """The row of a memory's topic; None when it has none."""
    if memory.topic is None:
        return None
    folded = fold(memory.topic)
    return {
        "org_id": memory.org_id,
        "brain_id": memory.brain_id,
        "folded": folded,
        "label": memory.topic,
        "words": topic_words(folded),
        "created_at": memory.updated_at,
    }


async def keep_topic(conn: WriteConn, memory: Memory) -> None:
    """Make the topic that a changed memory has now; before its index row refers to it."""
    row = topic_row(memory)
    if row is not None:
        await conn.execute(insert(t.topics).values(row).on_conflict_do_nothing())


async def forget_topic(conn: WriteConn, org_id: UUID, brain_id: UUID, folded: str) -> None:
    """Take a topic out that no memory of the brain has any more.

    INVARIANT: a concurrent writer who gives it to a memory makes this transaction fail by the foreign key of memory_index, and it is tried
    again; the memory keeps its topic.
    """
    i = t.memory_index.c
    used = exists().where(i.org_id == org_id, i.brain_id == brain_id, i.topic == folded)
    await conn.execute(delete(t.topics).where(_T.org_id == org_id, _T.brain_id == brain_id, _T.folded == folded, ~used))


async def list_labels(conn: ReadConn, scope: ScopeFilter, folded: Collection[str]) -> dict[str, str]:
    """Topics as they were first written, by their folded form; under row-level security, so of brains that may be read alone."""
    if not folded:
        return {}
    wanted = (_T.org_id == scope.org_id, _T.brain_id == any_(literal(list(scope.brain_ids), t.UUIDS)), _T.folded.in_(folded))
    rows = await conn.execute(select(_T.folded, _T.label).where(*wanted).order_by(_T.folded))
    return {row.folded: row.label for row in rows}


# ------------------------------------------------------------------------------------------------------------------ units
async def find_unit(conn: ReadConn | WriteConn, org_id: UUID, brain_id: UUID, folded: str) -> UUID | None:
    """The memory that stands for a topic."""
    query = select(_U.memory_id).where(_U.org_id == org_id, _U.brain_id == brain_id, _U.topic == folded)
    found: UUID | None = (await conn.execute(query)).scalar_one_or_none()
    return found


async def is_unit(conn: ReadConn | WriteConn, org_id: UUID, memory_id: UUID) -> bool:
    """True when the memory stands for its topic."""
    query = select(_U.memory_id).where(_U.org_id == org_id, _U.memory_id == memory_id)
    return (await conn.execute(query)).first() is not None


async def add_unit(conn: WriteConn, memory: Memory, now: datetime) -> None:
    """Let a memory stand for its topic.

    Raises:
        AlreadyExists: another one does, since a moment; the transaction is to be tried again.
    """
    assert memory.topic is not None, "a unit has a topic"
    values = {"org_id": memory.org_id, "brain_id": memory.brain_id, "topic": fold(memory.topic), "memory_id": memory.id, "created_at": now}
    await conn.execute(insert(t.units).values(values))


async def move_unit(conn: WriteConn, memory: Memory) -> None:
    """Let a unit follow its memory to the topic that it has now, or be none without a topic.

    Raises:
        AlreadyExists: that topic has a unit.
    """
    if memory.topic is not None and await find_unit(conn, memory.org_id, memory.brain_id, fold(memory.topic)) not in {None, memory.id}:
        raise AlreadyExists("that topic has a unit already; write to it, or give this one another topic", field="topic")
    where = (_U.org_id == memory.org_id, _U.memory_id == memory.id)
    if memory.topic is None:
        await conn.execute(delete(t.units).where(*where))
    else:
        await conn.execute(update(t.units).where(*where).values(topic=fold(memory.topic)))


async def forget_unit(conn: WriteConn, org_id: UUID, memory_id: UUID) -> None:
    """The memory stands for no topic any more."""
    await conn.execute(delete(t.units).where(_U.org_id == org_id, _U.memory_id == memory_id))
