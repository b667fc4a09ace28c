"""Memories by what they tell of their subjects: the attribute that extraction wrote into `data.attribute`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, func, literal, select

from memdb.models.memory import Kind, Status
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.rows import facets_of


async def lock_names(conn: WriteConn, names: Sequence[str]) -> None:
    """Take advisory locks by name, in the order given, until the transaction ends."""
    for name in names:
        await conn.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


async def find(
    conn: ReadConn | WriteConn, where: tuple[UUID, UUID, Kind], about: Sequence[UUID], attribute: str, since: datetime
) -> UUID | None:
    """The memory of exactly these subjects that tells this attribute and holds at `since`; the newest of several.

    Args:
        conn: in a transaction.
        where: (org, brain, kind).
        about: sorted.
        attribute: as `data.attribute` of what extraction wrote.
        since: one that began later is another period, and stays.
    """
    i = t.memory_index.c
    query = _telling(where, about, attribute).where(
        (i.valid_from.is_(None)) | (i.valid_from <= since), (i.valid_to.is_(None)) | (i.valid_to > since)
    )
    found: UUID | None = (await conn.execute(query.order_by(i.memory_id.desc()).limit(1))).scalar_one_or_none()
    return found


async def find_next(
    conn: ReadConn | WriteConn, where: tuple[UUID, UUID, Kind], about: Sequence[UUID], attribute: str, since: datetime
) -> tuple[UUID, datetime] | None:
    """The memory that tells this attribute from the first moment after `since` on, and that moment. Arguments as of `find`."""
    i = t.memory_index.c
    query = _telling(where, about, attribute).add_columns(i.valid_from).where(i.valid_from > since)
    row = (await conn.execute(query.order_by(i.valid_from, i.memory_id).limit(1))).first()
    return None if row is None else (row[0], row[1])


async def list_all(conn: ReadConn, where: tuple[UUID, UUID, Kind], about: Sequence[UUID], attribute: str, limit: int) -> list[UUID]:
    """All of them, whenever they hold, the newest first."""
    query = _telling(where, about, attribute).order_by(t.memory_index.c.memory_id.desc()).limit(limit)
    return list((await conn.execute(query)).scalars())


def _telling(where: tuple[UUID, UUID, Kind], about: Sequence[UUID], attribute: str) -> Select[UUID]:
    org_id, brain_id, kind = where
    i = t.memory_index.c
    subjects, facet = literal(list(about), t.UUIDS), literal(facets_of({"attribute": attribute}), t.TEXTS)
    return (
        select(i.memory_id)
        .where(i.org_id == org_id, i.brain_id == brain_id, i.kind == kind.value, i.about == subjects, i.about.op("@>")(subjects))
        .where(i.facets.op("@>")(facet), i.status == Status.ACTIVE.value, i.held.is_(False))
    )
