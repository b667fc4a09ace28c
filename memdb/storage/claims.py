"""Memories by what they tell of their subjects: an attribute that extraction wrote into `data.attribute`, a procedure, a term.

Found as memdb_search, within the brain of the caller's transaction; what is found is read and written as memdb_app.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import func, select, tuple_, update

from memdb.models.memory import Kind
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn, search
from memdb.storage.rows import facets_of
from memdb.storage.statements import load
from memdb.text.normalise import fold

HOLDERS_MAX: Final = 20
_VALUE: Final = "value="
_STATEMENTS = load("memdb.storage.sql")
Where = tuple[UUID, UUID, Kind]
"""Org, brain and kind."""


async def lock_names(conn: WriteConn, names: Sequence[str]) -> None:
    """Take advisory locks by name, in the order given, until the transaction ends."""
    for name in names:
        await conn.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


@dataclass(frozen=True, slots=True)
class Holder:
    """A memory that tells something at a moment. `value`: folded, None where none was written."""

    memory_id: UUID
    said_by: UUID | None
    valid_from: datetime | None
    value: str | None


async def list_holders(conn: ReadConn | WriteConn, where: Where, about: Sequence[UUID], facet: str, since: datetime) -> list[Holder]:
    """The memories of exactly these subjects that tell this and hold at `since`, the newest first, at most HOLDERS_MAX.

    Args:
        conn: in a transaction.
        where: (org, brain, kind).
        about: sorted.
        facet: as the index has it.
        since: one that began later is another period, and stays.
    """
    rows = await search(conn, _STATEMENTS["list_holders"].sql, _telling(where, about, facet) | {"since": since, "limit": HOLDERS_MAX})
    return [Holder(row.memory_id, row.said_by, row.valid_from, _value_of(row.facets)) for row in rows]


def _value_of(facets: Sequence[str]) -> str | None:
    found = next((facet for facet in facets if facet.startswith(_VALUE)), None)
    value = None if found is None else json.loads(found.removeprefix(_VALUE))
    return fold(value) if isinstance(value, str) else None


async def find_next(
    conn: ReadConn | WriteConn, where: Where, about: Sequence[UUID], facet: str, since: datetime
) -> tuple[UUID, datetime] | None:
    """The memory that tells, or told, this from the first moment after `since` on, and that moment. Arguments as of `list_holders`."""
    rows = await search(conn, _STATEMENTS["find_next_claim"].sql, _telling(where, about, facet) | {"since": since})
    return (rows[0].memory_id, rows[0].valid_from) if rows else None


async def end_past(conn: WriteConn, where: Where, about: Sequence[UUID], facet: str, since: datetime) -> None:
    """Let what held at `since`, and has been taken over later, end then: another value is known now to have begun.

    Arguments as of `list_holders`. What was known when stays as it is; only the index tells when an older version stopped being true.
    """
    rows = await search(conn, _STATEMENTS["list_past_claims"].sql, _telling(where, about, facet) | {"since": since})
    v = t.memory_version_index.c
    past = [(row.memory_id, row.version) for row in rows]
    if past:
        ended = update(t.memory_version_index).where(v.org_id == where[0], tuple_(v.memory_id, v.version).in_(past))
        await conn.execute(ended.values(valid_to=since))


async def list_all(conn: ReadConn, where: Where, about: Sequence[UUID], attribute: str, limit: int) -> list[UUID]:
    """All of them, whenever they hold, the newest first."""
    rows = await search(conn, _STATEMENTS["list_claims"].sql, _telling(where, about, attribute_facet(attribute)) | {"limit": limit})
    return [row.memory_id for row in rows]


def attribute_facet(attribute: str) -> str:
    """An attribute of subjects as the index has it."""
    return facets_of({"attribute": attribute})[0]


def _telling(where: Where, about: Sequence[UUID], facet: str) -> dict[str, object]:
    org_id, brain_id, kind = where
    return {"org_id": org_id, "brain_id": brain_id, "kind": kind.value, "about": list(about), "facets": [facet]}
