"""Snapshots: open turns cut into contiguous, bounded runs, and each handed to the handlers that the org has switched on.

INVARIANT: every turn before `open_from` of its session is in exactly one snapshot, no turn behind it is in any. Whoever cuts or appends
holds the row of the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from governance.audit import Actor, actor_of
from governance.principals import Role
from governance.scopes import of_job, readable_by, require_role
from memdb.ids import make_id
from memdb.lifecycle.switches import find_enabled
from memdb.models.turn import SNAPSHOT_BYTES_MAX, Session, Snapshot, SnapshotCause
from memdb.sessions.opening import require_session
from memdb.storage import extractions, quarantine, sessions, turns
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Identity, WriteConn, identity_of
from memdb.storage.queue import defer, extract_job

if TYPE_CHECKING:
    from memdb.formation.pipeline import Writer
    from memdb.runtime import Runtime


async def flush(runtime: Runtime, writer: Writer, session_id: UUID, *, close: bool = False) -> tuple[Session, list[Snapshot]]:
    """Cut all open turns now, and close the session if asked to; the session as it then is, and the new snapshots. Of a held session
    nothing is cut until it is released.

    Raises:
        NotFound: the session is in no brain that the caller may read.
        AccessDenied: the caller may read it but not write.
    """
    principal, now = writer.principal, runtime.clock.now()
    scope = readable_by(principal, writer.access)
    async with runtime.database.write(identity_of(principal)) as conn:
        session = await require_session(conn, scope, session_id)
        require_role(principal, writer.access, session.brain_id, Role.WRITER)
        session = await require_session(conn, scope, session_id, lock=True)
        held = await quarantine.is_session_held(conn, principal.org_id, session_id)
        cause = SnapshotCause.CLOSE if close else SnapshotCause.FLUSH
        made = [] if held else await _cut(conn, principal.org_id, session, cause, now)
        await _hand_out(runtime, conn, principal.org_id, made)
        if close and session.closed_at is None:
            await sessions.close_session(conn, principal.org_id, session_id, now)
        auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=writer.request_id)
        action = "session.close" if close else "session.flush"
        await record(conn, auditor.event(action, ("session", session_id), brain_id=session.brain_id, detail={"snapshots": len(made)}))
        return await require_session(conn, scope, session_id), made


async def cut_due(runtime: Runtime, org_id: UUID, due: tuple[UUID, UUID]) -> list[Snapshot]:
    """Cut what is due of a session, for nobody: full runs when there are enough turns, all of them when none came for long.

    Args:
        runtime: what the process holds.
        org_id: whose.
        due: (session, brain) as `sessions.list_due` gives them.
    """
    session_id, brain_id = due
    now = runtime.clock.now()
    scope = of_job(org_id, brain_id)
    async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
        session = await sessions.find_session(conn, scope, session_id, lock=True)
        if session is None or session.due_at is None or session.due_at > now:
            return []  # somebody was faster, or a turn came in between
        if await quarantine.is_session_held(conn, org_id, session_id):
            return []
        full = session.open_turns >= session.max_messages
        made = await _cut(conn, org_id, session, SnapshotCause.SIZE if full else SnapshotCause.IDLE, now)
        await _hand_out(runtime, conn, org_id, made)
        if made:
            auditor = Auditor(runtime.keyring, org_id, Actor(), at=now, request_id=None)
            await record(conn, auditor.event("session.cut", ("session", session_id), brain_id=brain_id, detail={"snapshots": len(made)}))
        return made


async def _cut(conn: WriteConn, org_id: UUID, session: Session, cause: SnapshotCause, now: datetime) -> list[Snapshot]:
    sizes = await turns.list_sizes(conn, org_id, session.id, (session.open_from, session.next_position))
    runs = list(pieces(sizes, session.max_messages))
    if cause is SnapshotCause.SIZE:
        runs = [run for run in runs if run[1] - run[0] + 1 == session.max_messages or run is not runs[-1]]
    made = [
        Snapshot(
            id=make_id(),
            session_id=session.id,
            brain_id=session.brain_id,
            first_position=first,
            last_position=last,
            overlap_from=max(0, first - session.overlap),
            cause=cause,
            created_at=now,
        )
        for first, last in runs
    ]
    if made:
        await sessions.add_snapshots(conn, org_id, made)
    open_from = made[-1].last_position + 1 if made else session.open_from
    # What is left of a full run waits for more turns or for silence, whose time has been set by the last turn.
    left = open_from < session.next_position
    due_at = max(now, _idle_at(session)) if left else None
    await sessions.move_open(conn, org_id, session.id, open_from, due_at)
    return made


def pieces(sizes: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """Contiguous runs (first, last position) of at most `most` turns and SNAPSHOT_BYTES_MAX bytes, in order; together they are everything.

    >>> list(pieces([(0, 10), (1, 10), (2, 10)], 2))
    [(0, 1), (2, 2)]
    """
    run: list[int] = []
    total = 0
    for position, size in sizes:
        if run and (len(run) == most or total + size > SNAPSHOT_BYTES_MAX):
            yield run[0], run[-1]
            run, total = [], 0
        run.append(position)
        total += size
    if run:
        yield run[0], run[-1]


def _idle_at(session: Session) -> datetime:
    assert session.last_turn_at is not None, "a session with open turns has a last one"
    return session.last_turn_at + timedelta(seconds=session.idle_seconds)


async def _hand_out(runtime: Runtime, conn: WriteConn, org_id: UUID, made: Sequence[Snapshot]) -> None:
    """To the handlers that are on by the policy that this transaction sees: one that was stored before it began is in force."""
    if not made:
        return
    handlers = await find_enabled(runtime, conn, org_id)
    await extractions.add(conn, org_id, made, handlers, made[0].created_at)
    await defer(conn, [extract_job(org_id, one.brain_id, one.id, handler.value) for one in made for handler in handlers])
