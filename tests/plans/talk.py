"""Sessions with turns, snapshots, extractions and derivations, by COPY, for the plans of statements on them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import UUID

from memdb.ids import make_id
from tests.support.rows import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SESSIONS = 500
TURNS = 40
RUN = 10
"""Turns of a snapshot; the last run of a session is still open."""
HANDLERS = ("semantic", "episodic", "procedural", "taxonomic")


@dataclass(frozen=True, slots=True)
class Talk:
    """Ids of what was made; one session of fifty is due, and one extraction of fifty waits."""

    sessions: list[UUID]
    snapshots: list[UUID]


def client_hash(session: int, position: int) -> bytes:
    """Of the turn at a position."""
    return sha256(f"{session} {position}".encode()).digest()


def copy_talk(copy: Callable[[str, Any], None], org: UUID, brain: UUID, memories: Sequence[UUID]) -> Talk:
    """Make them in one brain; `copy` writes rows into a table."""
    whose = {"org_id": org, "brain_id": brain}
    sessions = [make_id() for _ in range(SESSIONS)]
    copy("sessions", (
        whose | {"id": session, "max_messages": RUN, "idle_seconds": 300, "overlap": 4, "next_position": TURNS, "open_from": TURNS - RUN,
                 "last_turn_at": NOW, "due_at": NOW + timedelta(minutes=-1 if n % 50 == 0 else n), "created_at": NOW, "created_by": org, "created_key": "tests"}
        for n, session in enumerate(sessions)
    ))  # fmt: skip
    copy("turns", (
        whose | {"id": make_id(), "session_id": session, "position": position, "role": "user", "text": "we spoke", "redactions": "[]", "attachments": "[]",
                 "client_hash": client_hash(n, position), "body_hash": bytes(32), "trust": "member", "written_by": org, "written_key": "tests",
                 "writer_label": "tests", "created_at": NOW}
        for position in range(TURNS) for n, session in enumerate(sessions)  # they lie mixed on disk
    ))  # fmt: skip
    cut = [(make_id(), session, first) for session in sessions for first in range(0, TURNS - RUN, RUN)]
    copy("snapshots", (
        whose | {"id": snapshot, "session_id": session, "first_position": first, "last_position": first + RUN - 1, "overlap_from": first,
                 "cause": "size", "created_at": NOW}
        for snapshot, session, first in cut
    ))  # fmt: skip
    none = dict.fromkeys(
        ("run", "attempts", "found", "added", "updated", "reinforced", "refused", "tokens_in", "tokens_out", "cost_micros"), 0
    )
    copy("extractions", (
        whose | none | {"snapshot_id": snapshot, "session_id": session, "handler": handler, "state": "done" if n % 50 else "waiting",
                        "created_at": NOW, "changed_at": NOW - timedelta(minutes=n)}
        for n, (snapshot, session, _) in enumerate(cut) for handler in HANDLERS
    ))  # fmt: skip
    copy("derivations", (
        whose | {"id": make_id(), "memory_id": memory, "version": 1, "snapshot_id": cut[n % len(cut)][0], "handler": HANDLERS[n % 4], "run": 0,
                 "action": "ADD", "reason": "new", "turn_ids": [memory], "created_at": NOW}
        for n, memory in enumerate(memories)
    ))  # fmt: skip
    copy("reconciliations", (
        whose | {"id": make_id(), "memory_id": memory, "version": 1, "action": "ADD", "reason": "similar", "neighbour_ids": [memory], "created_at": NOW}
        for memory in memories
    ))  # fmt: skip
    return Talk(sessions, [snapshot for snapshot, _, _ in cut])
