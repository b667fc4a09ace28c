"""Rows of quarantine and review by COPY: what is held, what an action has still to hold, sessions, and what is to be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from memdb.ids import make_id
from tests.support.rows import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Place = tuple[UUID, UUID, UUID]
    Copy = Callable[[str, Iterable[dict[str, Any]]], None]

QUARANTINE = UUID("01980000-0000-7000-8000-0000000000aa")
"""Of the large org; holds a half of what is held there."""
RUNNING = UUID("01980000-0000-7000-8000-0000000000ab")
"""Has still to hold some thousands of memories."""


def copy_holding(copy: Copy, of: tuple[UUID, UUID], places: Sequence[Place], sessions: Sequence[UUID]) -> None:
    """Every 33rd memory is held by an action of its own, every other one of these by a quarantine as well. `of`: the large org, and the brain
    of its sessions.
    """
    org, brain = of
    written = [(make_id(), m, b, o) for m, b, o in places[::33]]
    rows = [
        {"org_id": o, "id": a, "kind": "write" if n % 5 else "unattributed", "reasons": ["tests"], "created_at": NOW, "state": "done"}
        for n, (a, _, _, o) in enumerate(written)
    ]
    ours = [(QUARANTINE, "done"), (RUNNING, "running")]
    rows += [
        {"org_id": org, "id": a, "kind": "quarantine", "reasons": ["quarantine"], "created_at": NOW, "state": state} for a, state in ours
    ]
    copy("hold_actions", rows)
    holds = [{"org_id": o, "memory_id": m, "action_id": a, "brain_id": b, "created_at": NOW} for a, m, b, o in written]
    copy("holds", [*holds, *({**row, "action_id": QUARANTINE} for row in holds[::2] if row["org_id"] == org)])
    mine = [place for place in places if place[2] == org]
    copy("hold_targets", ({"org_id": org, "action_id": RUNNING, "brain_id": b, "memory_id": m} for m, b, _ in mine[::4]))
    asked = {"cause": "harmful", "reasons": [], "times": 1, "opened_at": NOW, "changed_at": NOW}
    copy("review_requests", ({"org_id": o, "memory_id": m, "brain_id": b, **asked} for m, b, o in places[::7]))
    held = {"org_id": org, "brain_id": brain, "action_id": QUARANTINE, "created_at": NOW}
    copy("session_holds", ({**held, "session_id": one} for one in sessions[::3]))
