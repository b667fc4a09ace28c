"""Memories by what they tell of their subjects: an attribute that extraction wrote into `data.attribute`, a procedure, a term."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Select, func, literal, select

from memdb.models.memory import Kind, Status
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn, search
from memdb.storage.rows import facets_of
from memdb.storage.statements import load
from memdb.text.normalise import fold

HOLDERS_MAX: Final = 20
_VALUE: Final = "value="
_STATEMENTS = load("memdb.storage.sql")

Where = tuple[UUID, UUID, Kind]
"""(org, brain, kind)."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A memory that tells something at a moment. `value`: folded, None where none was written."""

    memory_id: UUID
    said_by: UUID | None
    valid_from: datetime | None
    value: str | None


async def lock_names(conn: WriteConn, names: Sequence[str]) -> None:
    """Take advisory locks by name, in the order given, until the transaction ends."""
    for name in names:
        await conn.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


async def list_holders(conn: ReadConn | WriteConn, where: Where, about: Sequence[UUID], facet: str, since: datetime) -> list[Holder]:
    """The memories of exactly these subjects that tell this and hold at `since`, the newest first, at most HOLDERS_MAX.

    Args:
        conn: in a transaction.
        where: (org, brain, kind).
        about: sorted.
        facet: as the index has it.
        since: one that began later is another period, and stays.
    """
    org_id, brain_id, kind = where
    bound = {
        "org_id": org_id, "brain_ids": [brain_id], "kind": kind.value, "about": list(about), "facets": [facet], "since": since,
        "limit": HOLDERS_MAX,
    }  # fmt: skip
    rows = await search(ReadConn(conn), _STATEMENTS["list_holders"].sql, bound)
    return [Holder(row.memory_id, row.said_by, row.valid_from, _value_of(row.facets)) for row in rows]


def _value_of(facets: Sequence[str]) -> str | None:
    found = next((facet for facet in facets if facet.startswith(_VALUE)), None)
    value = None if found is None else json.loads(found.removeprefix(_VALUE))
    return fold(value) if isinstance(value, str) else None


async def find_next(
    conn: ReadConn | WriteConn, where: Where, about: Sequence[UUID], facet: str, since: datetime
) -> tuple[UUID, datetime] | None:
    """The memory that tells this from the first moment after `since` on, and that moment. Arguments as of `list_holders`."""
    i = t.memory_index.c
    query = _telling(where, about, facet).add_columns(i.valid_from).where(i.valid_from > since)
    row = (await conn.execute(query.order_by(i.valid_from, i.memory_id).limit(1))).first()
    return None if row is None else (row[0], row[1])


async def list_all(conn: ReadConn, where: Where, about: Sequence[UUID], attribute: str, limit: int) -> list[UUID]:
    """All that tell an attribute, whenever they hold, the newest first."""
    query = _telling(where, about, attribute_facet(attribute)).order_by(t.memory_index.c.memory_id.desc()).limit(limit)
    return list((await conn.execute(query)).scalars())


def attribute_facet(attribute: str) -> str:
    """An attribute of subjects as the index has it."""
    return facets_of({"attribute": attribute})[0]


def _telling(where: Where, about: Sequence[UUID], facet: str) -> Select[UUID]:
    org_id, brain_id, kind = where
    i = t.memory_index.c
    subjects, facets = literal(list(about), t.UUIDS), literal([facet], t.TEXTS)
    return (
        select(i.memory_id)
        .where(i.org_id == org_id, i.brain_id == brain_id, i.kind == kind.value, i.about == subjects)
        .where(i.facets.op("@>")(facets), i.status == Status.ACTIVE.value, i.held.is_(False))
    )
