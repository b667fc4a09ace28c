"""Rows of the chain of audit events, as the sealer extends it: one at a time in an org, positions from 1 without gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import any_, delete, func, insert, literal, select

from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn

FIRST_CHAINED: Final = 16
"""The schema version that brought the chain."""

_C, _E, _P = t.audit_chain.c, t.audit_events.c, t.audit_pending.c


@dataclass(frozen=True, slots=True)
class Linked:
    """An event at its place in the log of its org."""

    position: int
    event_id: UUID
    link: bytes
    mac_key_id: str
    sealed_at: datetime


async def try_lock(conn: WriteConn, org_id: UUID) -> bool:
    """Become the one that extends the log of an org until the transaction ends; False when another is at it."""
    name = f"memdb audit chain {org_id}"
    return bool((await conn.execute(select(func.pg_try_advisory_xact_lock(func.hashtextextended(name, 0))))).scalar_one())


async def find_last(conn: ReadConn | WriteConn, org_id: UUID) -> Linked | None:
    """The end of the log."""
    return await _find(conn, org_id, None)


async def find_link(conn: ReadConn | WriteConn, org_id: UUID, position: int) -> Linked | None:
    """What stands at a position."""
    return await _find(conn, org_id, position)


async def _find(conn: ReadConn | WriteConn, org_id: UUID, position: int | None) -> Linked | None:
    query = select(_C.position, _C.event_id, _C.link, _C.mac_key_id, _C.sealed_at).where(_C.org_id == org_id)
    if position is not None:
        query = query.where(_C.position == position)
    row = (await conn.execute(query.order_by(_C.position.desc()).limit(1))).first()
    return None if row is None else Linked(row.position, row.event_id, bytes(row.link), row.mac_key_id, row.sealed_at)


async def chained_since(conn: ReadConn | WriteConn) -> datetime | None:
    """When an older database got the chain; None for one that has had it from the first."""
    v = t.schema_versions.c
    row = (await conn.execute(select(func.min(v.version), func.max(v.applied_at).filter(v.version == FIRST_CHAINED)))).one()
    return row[1] if row[0] is not None and row[0] < FIRST_CHAINED else None


async def list_pending(conn: WriteConn, org_id: UUID, limit: int) -> list[tuple[UUID, bytes]]:
    """(id, digest) of events that wait, in the order in which they were written. One that is gone waits for ever."""
    query = (
        select(_E.id, _E.digest)
        .join(t.audit_pending, (_P.org_id == _E.org_id) & (_P.event_id == _E.id))
        .where(_P.org_id == org_id, _E.org_id == org_id)
        .order_by(_P.seq)
        .limit(limit)
    )
    return [(row.id, bytes(row.digest or b"")) for row in await conn.execute(query)]


async def extend(conn: WriteConn, org_id: UUID, linked: Sequence[Linked]) -> None:
    """Append events to the log, and let them wait no more."""
    rows = [
        {
            "org_id": org_id,
            "position": one.position,
            "event_id": one.event_id,
            "link": one.link,
            "mac_key_id": one.mac_key_id,
            "sealed_at": one.sealed_at,
        }
        for one in linked
    ]
    await conn.execute(insert(t.audit_chain), rows)
    ids = literal([one.event_id for one in linked], t.UUIDS)
    await conn.execute(delete(t.audit_pending).where(_P.org_id == org_id, _P.event_id == any_(ids)))
