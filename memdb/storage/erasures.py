"""Rows of erasures, of what they leave to a person, and of the ledger of tombstones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from memdb.storage import erasure_tables as t
from memdb.storage.database import ReadConn, WriteConn

_E = t.erasures.c
_D = t.erasure_decisions.c
_L = t.erasure_ledger.c


class Target(StrEnum):
    """What is erased."""

    SUBJECT = "subject"
    MEMORY = "memory"
    SESSION = "session"
    SOURCE = "source"


class State(StrEnum):
    """RUNNING: a worker is at it. DECIDING: the rest is somebody's to decide. COMPLETE: it has its receipt."""

    RUNNING = "running"
    DECIDING = "deciding"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """One erasure. `labels` are gone once it is complete; `counts` are rows by table."""

    id: UUID
    kind: Target
    target_id: UUID
    state: State
    subject_ids: tuple[UUID, ...]
    brain_ids: tuple[UUID, ...]
    labels: Mapping[str, Sequence[str]] | None = field(repr=False)
    position: Mapping[str, Any]
    counts: Mapping[str, int]
    requested_by: UUID | None
    requested_key: str | None
    created_at: datetime
    changed_at: datetime
    completed_at: datetime | None
    receipt: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Choice:
    """What is left to a person. `decision`: erase, keep, or None while it is open."""

    object_kind: str
    object_id: UUID
    brain_id: UUID | None
    reason: str
    decision: str | None


@dataclass(frozen=True, slots=True)
class Tombstone:
    """That something was erased; `digest` is keyed, of 32 bytes."""

    org_id: UUID
    kind: str
    digest: bytes = field(repr=False)
    key_id: str
    erased_at: datetime


_COLUMNS = (
    _E.id, _E.kind, _E.target_id, _E.state, _E.subject_ids, _E.brain_ids, _E.labels, _E.position, _E.counts, _E.requested_by,
    _E.requested_key, _E.created_at, _E.changed_at, _E.completed_at, _E.receipt,
)  # fmt: skip


async def add(conn: WriteConn, org_id: UUID, new: Erasure) -> None:
    """Store an erasure that begins."""
    values = {name: getattr(new, name) for name in Erasure.__dataclass_fields__}
    values |= {"kind": new.kind.value, "state": new.state.value, "subject_ids": list(new.subject_ids), "brain_ids": list(new.brain_ids)}
    await conn.execute(insert(t.erasures).values(org_id=org_id, worked_until=None, **values))


async def find(conn: ReadConn | WriteConn, org_id: UUID, erasure_id: UUID) -> Erasure | None:
    """An erasure of the org."""
    row = (await conn.execute(select(*_COLUMNS).where(_E.org_id == org_id, _E.id == erasure_id))).first()
    return None if row is None else _erasure(row)


async def list_all(conn: ReadConn, org_id: UUID, *, before: UUID | None, limit: int) -> list[Erasure]:
    """Erasures of the org, newest first."""
    query = select(*_COLUMNS).where(_E.org_id == org_id)
    if before is not None:
        query = query.where(_E.id < before)
    return [_erasure(row) for row in await conn.execute(query.order_by(_E.id.desc()).limit(limit))]


async def list_unfinished(conn: ReadConn, org_id: UUID, now: datetime, limit: int) -> list[UUID]:
    """Erasures that nobody is at, the longest unchanged first."""
    free = or_(_E.worked_until.is_(None), _E.worked_until < now)
    query = select(_E.id).where(_E.org_id == org_id, _E.state == "running", free).order_by(_E.changed_at).limit(limit)
    return list((await conn.execute(query)).scalars())


async def claim(conn: WriteConn, org_id: UUID, erasure_id: UUID, now: datetime, lease: timedelta) -> bool:
    """Take an erasure that runs and that nobody is at, until the lease is over; False when somebody is, or nothing is left to do."""
    free = or_(_E.worked_until.is_(None), _E.worked_until < now)
    mine = (_E.org_id == org_id, _E.id == erasure_id, _E.state == "running", free)
    done = await conn.execute(update(t.erasures).where(*mine).values(worked_until=now + lease).returning(_E.id))
    return done.first() is not None


async def advance(conn: WriteConn, org_id: UUID, now: Erasure, moment: datetime, lease: timedelta | None) -> None:
    """Keep how far an erasure is: position, counts and state; with a lease it stays taken, without one it is free."""
    values: dict[str, object] = {
        "state": now.state.value, "position": dict(now.position), "counts": dict(now.counts), "changed_at": moment,
        "worked_until": None if lease is None else moment + lease, "labels": now.labels, "completed_at": now.completed_at,
        "receipt": None if now.receipt is None else dict(now.receipt),
    }  # fmt: skip
    await conn.execute(update(t.erasures).where(_E.org_id == org_id, _E.id == now.id).values(values))


def _erasure(row: Any) -> Erasure:  # noqa: ANN401 - a database row
    values = row._asdict()  # named tuples have no public way
    values |= {
        "kind": Target(row.kind),
        "state": State(row.state),
        "subject_ids": tuple(row.subject_ids),
        "brain_ids": tuple(row.brain_ids),
    }
    return Erasure(**values)


# --------------------------------------------------------------------------------------------------------------- decisions
async def leave(conn: WriteConn, org_id: UUID, erasure_id: UUID, found: Sequence[Choice]) -> None:
    """Leave objects to a person; what was left or decided before is as it was."""
    if found:
        rows = [
            {"org_id": org_id, "erasure_id": erasure_id, "object_kind": one.object_kind, "object_id": one.object_id,
             "brain_id": one.brain_id, "reason": one.reason, "decision": one.decision, "decided_by": None, "decided_at": None}
            for one in found
        ]  # fmt: skip
        await conn.execute(insert(t.erasure_decisions).on_conflict_do_nothing(), rows)


async def list_decisions(
    conn: ReadConn | WriteConn, org_id: UUID, erasure_id: UUID, *, after: tuple[str, UUID] | None = None, limit: int | None = None
) -> list[Choice]:
    """What was left to a person, by kind and id."""
    query = select(_D.object_kind, _D.object_id, _D.brain_id, _D.reason, _D.decision).where(
        _D.org_id == org_id, _D.erasure_id == erasure_id
    )
    if after is not None:
        query = query.where(or_(_D.object_kind > after[0], (_D.object_kind == after[0]) & (_D.object_id > after[1])))
    return [Choice(*row) for row in await conn.execute(query.order_by(_D.object_kind, _D.object_id).limit(limit))]


async def count_decisions(conn: ReadConn | WriteConn, org_id: UUID, erasure_id: UUID) -> dict[str, int]:
    """How many were decided and how: `open`, `erase`, `keep`; what there is none of is absent."""
    query = select(_D.decision, func.count()).where(_D.org_id == org_id, _D.erasure_id == erasure_id).group_by(_D.decision)
    return {decision or "open": int(number) for decision, number in await conn.execute(query)}


async def decide(
    conn: WriteConn, org_id: UUID, erasure_id: UUID, decision: str, objects: Collection[UUID] | None, who: tuple[UUID | None, datetime]
) -> list[UUID]:
    """Decide open objects, all of them or some; the ids of those that were open."""
    query = update(t.erasure_decisions).where(_D.org_id == org_id, _D.erasure_id == erasure_id, _D.decision.is_(None))
    if objects is not None:
        query = query.where(_D.object_id.in_(objects))
    done = await conn.execute(query.values(decision=decision, decided_by=who[0], decided_at=who[1]).returning(_D.object_id))
    return list(done.scalars())


# ------------------------------------------------------------------------------------------------------------------ ledger
async def bury(conn: WriteConn, tombstones: Sequence[Tombstone]) -> None:
    """Add tombstones; those that are there stay."""
    if tombstones:
        rows = [
            {"org_id": one.org_id, "kind": one.kind, "digest": one.digest, "key_id": one.key_id, "erased_at": one.erased_at}
            for one in tombstones
        ]
        await conn.execute(insert(t.erasure_ledger).on_conflict_do_nothing(), rows)


async def list_tombstones(conn: ReadConn | WriteConn, org_id: UUID, kinds: Collection[str] | None = None) -> list[Tombstone]:
    """Tombstones of an org, by kind and digest."""
    query = select(_L.org_id, _L.kind, _L.digest, _L.key_id, _L.erased_at).where(_L.org_id == org_id)
    if kinds is not None:
        query = query.where(_L.kind.in_(kinds))
    rows = await conn.execute(query.order_by(_L.kind, _L.digest))
    return [Tombstone(row.org_id, row.kind, bytes(row.digest), row.key_id, row.erased_at) for row in rows]


async def is_buried(conn: ReadConn | WriteConn, org_id: UUID, kind: str, digests: Collection[bytes]) -> bool:
    """True when one of the digests has a tombstone."""
    query = select(_L.digest).where(_L.org_id == org_id, _L.kind == kind, _L.digest.in_(digests)).limit(1)
    return (await conn.execute(query)).first() is not None
