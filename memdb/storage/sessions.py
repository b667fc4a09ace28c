"""Rows of sessions and snapshots."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, case, exists, null, select, update
from sqlalchemy.dialects.postgresql import insert

from governance.redaction.findings import RedactedText
from governance.scopes import ScopeFilter
from memdb.models.turn import Session, Snapshot, SnapshotCause
from memdb.storage import quarantine_tables as q
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn, search
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")
_S = t.sessions.c
_N = t.snapshots.c
_T = t.turns.c
_SNAPSHOT = (_N.id, _N.session_id, _N.brain_id, _N.first_position, _N.last_position, _N.overlap_from, _N.cause, _N.created_at)


def _sessions(org_id: UUID) -> Select[Any]:
    """What is read of sessions. What is held is not shown, and the title is a part of it."""
    held = exists().where(q.session_holds.c.org_id == org_id, q.session_holds.c.session_id == _S.id)
    return select(
        _S.id, _S.brain_id, _S.platform, case((held, null()), else_=_S.title).label("title"), _S.max_messages, _S.idle_seconds, _S.overlap,
        _S.next_position, _S.open_from, _S.last_turn_at, _S.due_at, _S.created_at, _S.created_by, _S.created_key, _S.closed_at,
    )  # fmt: skip


async def add_session(conn: WriteConn, org_id: UUID, session: Session, title: RedactedText | None, external_hash: bytes | None) -> bool:
    """Store a session; False when one of this brain has its external id already."""
    values = {
        "org_id": org_id,
        "external_hash": external_hash,
        "title": None if title is None else title.text,
    } | {name: getattr(session, name) for name in Session.__dataclass_fields__ if name != "title"}
    row = insert(t.sessions).values(values).on_conflict_do_nothing(constraint="sessions_external_uq").returning(_S.id)
    return (await conn.execute(row)).first() is not None


async def find_by_external(conn: ReadConn | WriteConn, org_id: UUID, brain_id: UUID, hashes: Sequence[bytes]) -> Session | None:
    """The session of an external id; `hashes` are of the same one, one for each root key."""
    query = _sessions(org_id).where(_S.org_id == org_id, _S.brain_id == brain_id, _S.external_hash.in_(hashes))
    row = (await conn.execute(query)).first()
    return None if row is None else _session(row)


async def find_session(conn: ReadConn | WriteConn, scope: ScopeFilter, session_id: UUID, *, lock: bool = False) -> Session | None:
    """The session within the scope. `lock`: until the transaction ends nobody appends to it or cuts it."""
    query = _sessions(scope.org_id).where(_S.org_id == scope.org_id, _S.id == session_id)
    row = (await conn.execute(query.with_for_update() if lock else query)).first()
    return None if row is None or not scope.allows(scope.org_id, row.brain_id) else _session(row)


async def list_sessions(conn: ReadConn, scope: ScopeFilter, *, before: UUID | None, limit: int) -> list[Session]:
    """Sessions of the brains in scope, newest first; at most `limit` of those older than `before`."""
    query = _sessions(scope.org_id).where(_S.org_id == scope.org_id, _S.brain_id.in_(scope.brain_ids))
    if before is not None:
        query = query.where(_S.id < before)
    return [_session(row) for row in await conn.execute(query.order_by(_S.id.desc()).limit(limit))]


async def list_due(conn: ReadConn, org_id: UUID, now: datetime, limit: int) -> list[tuple[UUID, UUID]]:
    """(session, brain) of what is due to be cut, the longest due first. As memdb_search: a job without a brain sees none otherwise."""
    rows = await search(conn, _STATEMENTS["list_due_sessions"].sql, {"org_id": org_id, "now": now, "limit": limit})
    return [(row.id, row.brain_id) for row in rows]


async def close_session(conn: WriteConn, org_id: UUID, session_id: UUID, now: datetime) -> None:
    """No further turn; one that is closed stays as it is."""
    where = (_S.org_id == org_id, _S.id == session_id, _S.closed_at.is_(None))
    await conn.execute(update(t.sessions).where(*where).values(closed_at=now))


async def move_open(conn: WriteConn, org_id: UUID, session_id: UUID, open_from: int, due_at: datetime | None) -> None:
    """Everything before `open_from` is in a snapshot. `due_at` None: so is everything."""
    where = (_S.org_id == org_id, _S.id == session_id)
    of_turn = (_T.org_id == org_id, _T.session_id == session_id, _T.position == open_from)
    since = None if due_at is None else select(_T.created_at).where(*of_turn).scalar_subquery()
    await conn.execute(update(t.sessions).where(*where).values(open_from=open_from, due_at=due_at, open_since=since))


async def sum_open_turns(conn: ReadConn) -> tuple[int, datetime | None]:
    """Turns of every org that are in no snapshot yet, and since when the first of them waits; as memdb_search."""
    (row,) = await search(conn, _STATEMENTS["sum_open_turns"].sql, {})
    return int(row.turns), row.since


# -------------------------------------------------------------------------------------------------------------- snapshots
async def add_snapshots(conn: WriteConn, org_id: UUID, snapshots: Sequence[Snapshot]) -> None:
    """Store snapshots of a session that this transaction has locked."""
    rows = [{"org_id": org_id} | {name: getattr(one, name) for name in Snapshot.__dataclass_fields__} for one in snapshots]
    await conn.execute(insert(t.snapshots), rows)


async def find_snapshot(conn: ReadConn | WriteConn, scope: ScopeFilter, snapshot_id: UUID) -> Snapshot | None:
    """The snapshot within the scope."""
    row = (await conn.execute(select(*_SNAPSHOT).where(_N.org_id == scope.org_id, _N.id == snapshot_id))).first()
    return None if row is None or not scope.allows(scope.org_id, row.brain_id) else _snapshot(row)


async def list_snapshots(conn: ReadConn, org_id: UUID, session_id: UUID, *, after: int, limit: int) -> list[Snapshot]:
    """Snapshots of a session in their order; at most `limit` of those that begin behind position `after`."""
    query = select(*_SNAPSHOT).where(_N.org_id == org_id, _N.session_id == session_id, _N.first_position > after)
    return [_snapshot(row) for row in await conn.execute(query.order_by(_N.first_position).limit(limit))]


async def find_snapshots_of(conn: ReadConn, org_id: UUID, session_id: UUID, positions: Collection[int]) -> dict[int, UUID]:
    """Position of a turn -> the snapshot that it is in."""
    if not positions:
        return {}
    where = (_N.org_id == org_id, _N.session_id == session_id, _N.last_position >= min(positions), _N.first_position <= max(positions))
    rows = list(await conn.execute(select(_N.id, _N.first_position, _N.last_position).where(*where)))
    return {place: row.id for place in positions for row in rows if row.first_position <= place <= row.last_position}


def _session(row: Any) -> Session:  # noqa: ANN401 - a database row
    return Session(**row._asdict())


def _snapshot(row: Any) -> Snapshot:  # noqa: ANN401 - a database row
    values = row._asdict()
    return Snapshot(**values | {"cause": SnapshotCause(values["cause"])})
