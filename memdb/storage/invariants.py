"""What has to hold of stored rows of every org at any moment, counted as the owner; the counts hold nothing of what was said."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from psycopg.rows import class_row

from memdb.storage.statements import catalogue

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

STUCK_AFTER: Final = timedelta(days=1)
"""An extraction that waits for longer has no worker: its tries take minutes, and what was lost is deferred again after ten of them."""
_LOOKED_AT: Final = ("sessions", "turns")


@dataclass(frozen=True, slots=True)
class TurnFaults:
    """What was looked at, and how often what must not be.

    gaps, doubles: positions of a session that no turn has, or several.
    ahead: positions of turns that their session does not count yet.
    in_none, in_several: positions before a session's `open_from` that no snapshot has, or several.
    beyond: snapshots that hold turns which their session counts as open.
    stuck: extractions that wait since before STUCK_AFTER.
    """

    sessions: int
    turns: int
    gaps: int
    doubles: int
    ahead: int
    in_none: int
    in_several: int
    beyond: int
    stuck: int

    @property
    def found(self) -> dict[str, int]:
        """What there is of faults, by name; empty when all is well."""
        return {name: count for name, count in asdict(self).items() if name not in _LOOKED_AT and count}


def count_turn_faults(conn: Connection, now: datetime) -> TurnFaults:
    """Look at every session of every org, at one moment.

    Args:
        conn: of a role that row-level security does not bind, see `sees_all`; another one counts what it sees.
        now: the time that STUCK_AFTER is before.
    """
    with conn.cursor(row_factory=class_row(TurnFaults)) as cursor:
        row = cursor.execute(catalogue("count_turn_faults"), {"before": now - STUCK_AFTER}).fetchone()
    assert row is not None, "an aggregate without GROUP BY has one row"
    return row


def sees_all(conn: Connection) -> bool:
    """Whether the connected role sees the rows of every org."""
    row = conn.execute("SELECT NOT pg_catalog.row_security_active('mem.turns')").fetchone()
    return row is not None and bool(row[0])
