"""What must hold of sessions, turns and snapshots: each kind of fault is counted, and said by the doctor; what is in order is not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psycopg
import pytest

from memdb.clock import SystemClock
from memdb.ids import make_id
from memdb.storage.checks import diagnose, judge_turns
from memdb.storage.invariants import STUCK_AFTER, count_turn_faults, sees_all
from memdb.storage.statements import catalogue
from tests.plans.explaining import nodes
from tests.support.database import SMALL_SPACE
from tests.support.rows import NOW, insert, make_brain, make_org, make_subject

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.support.database import FreshDatabase


@dataclass(frozen=True, slots=True)
class Talk:
    """A session whose rows are written past the product."""

    conn: psycopg.Connection
    org: UUID
    brain: UUID
    session: UUID

    def say(self, *positions: int) -> None:
        for position in positions:
            insert(
                self.conn, "turns", org_id=self.org, id=make_id(), brain_id=self.brain, session_id=self.session, position=position, role="user",
                text="hello", redactions="[]", attachments="[]", trust="member", written_by=self.org, written_key="tests", writer_label="tests",
                created_at=NOW,
            )  # fmt: skip

    def cut(self, first: int, last: int) -> UUID:
        snapshot = make_id()
        insert(
            self.conn, "snapshots", org_id=self.org, id=snapshot, brain_id=self.brain, session_id=self.session, first_position=first,
            last_position=last, overlap_from=first, cause="size", created_at=NOW,
        )  # fmt: skip
        return snapshot

    def extract(self, snapshot: UUID, handler: str, state: str, changed_at: Any) -> None:
        none = dict.fromkeys(
            ("run", "attempts", "found", "added", "updated", "reinforced", "refused", "tokens_in", "tokens_out", "cost_micros"), 0
        )
        insert(
            self.conn, "extractions", org_id=self.org, snapshot_id=snapshot, handler=handler, brain_id=self.brain, session_id=self.session,
            state=state, created_at=NOW, changed_at=changed_at, **none,
        )  # fmt: skip

    def found(self) -> dict[str, int]:
        return count_turn_faults(self.conn, NOW).found


def begin(conn: psycopg.Connection, counted: int, open_from: int) -> Talk:
    """A session of an org of its own that counts so many turns, those before `open_from` in snapshots."""
    org = make_org(conn)
    brain, session = make_brain(conn, org, {make_subject(conn, org): "admin"}), make_id()
    insert(
        conn, "sessions", org_id=org, id=session, brain_id=brain, max_messages=4, idle_seconds=300, overlap=0, next_position=counted,
        open_from=open_from, created_at=NOW, created_by=org, created_key="tests",
    )  # fmt: skip
    return Talk(conn, org, brain, session)


@pytest.fixture
def owner(database: FreshDatabase) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        yield conn


def test_what_is_in_order_is_no_fault(owner: psycopg.Connection) -> None:
    begin(owner, 0, 0)
    begin(owner, 2, 0).say(0, 1)
    talk = begin(owner, 7, 6)
    talk.say(*range(7))
    first, _ = talk.cut(0, 3), talk.cut(4, 5)
    talk.extract(first, "semantic", "done", NOW - 2 * STUCK_AFTER)
    talk.extract(first, "episodic", "dead", NOW - 2 * STUCK_AFTER)
    talk.extract(first, "procedural", "waiting", NOW)
    counted = count_turn_faults(owner, NOW)
    assert (counted.found, counted.sessions, counted.turns) == ({}, 3, 9)
    assert judge_turns(counted).ok


FAULTS: tuple[tuple[Sequence[int], int, int, Sequence[tuple[int, int]], dict[str, int]], ...] = (
    ([0, 1, 3], 4, 0, [], {"gaps": 1}),
    ([1, 2], 3, 0, [], {"gaps": 1}),
    ([], 2, 0, [], {"gaps": 2}),
    ([0, 1, 1], 2, 0, [], {"doubles": 1}),
    ([0, 1, 2], 2, 0, [], {"ahead": 1}),
    ([0, 1, 2], 3, 3, [], {"in_none": 3}),
    ([0, 1, 2, 3], 4, 4, [(0, 0), (3, 3)], {"in_none": 2}),
    ([0, 1, 2, 3], 4, 4, [(1, 3)], {"in_none": 1}),
    ([0, 1, 2, 3], 4, 4, [(0, 2)], {"in_none": 1}),
    ([0, 1, 2, 3], 4, 4, [(0, 2), (1, 3)], {"in_several": 2}),
    ([0, 1, 2, 3], 4, 4, [(0, 3), (1, 1), (3, 3)], {"in_several": 2}),
    ([0, 1, 2, 3], 4, 2, [(0, 2)], {"beyond": 1}),
    ([0, 1, 2, 3], 4, 1, [(0, 0), (2, 3)], {"beyond": 1}),
)
"""Positions, what the session counts, `open_from`, snapshots, and what is found."""


@pytest.mark.parametrize(("positions", "counted", "open_from", "snapshots", "expected"), FAULTS)
def test_each_fault_is_counted(
    owner: psycopg.Connection,
    positions: Sequence[int],
    counted: int,
    open_from: int,
    snapshots: Sequence[tuple[int, int]],
    expected: dict[str, int],
) -> None:
    fine = begin(owner, 2, 2)
    fine.say(0, 1)
    fine.cut(0, 1)
    talk = begin(owner, counted, open_from)
    talk.say(*positions)
    for first, last in snapshots:
        talk.cut(first, last)
    assert talk.found() == expected


def test_what_waits_for_a_day_is_stuck(owner: psycopg.Connection) -> None:
    talk = begin(owner, 1, 1)
    talk.say(0)
    snapshot = talk.cut(0, 0)
    talk.extract(snapshot, "semantic", "waiting", NOW - STUCK_AFTER - timedelta(minutes=1))
    talk.extract(snapshot, "episodic", "waiting", NOW - STUCK_AFTER + timedelta(minutes=1))
    assert talk.found() == {"stuck": 1}
    finding = judge_turns(count_turn_faults(owner, NOW))
    assert finding.fix == "start memdb up or memdb worker, and look at its log"


def test_the_doctor_says_so_as_the_owner_alone(owner: psycopg.Connection, database: FreshDatabase) -> None:
    talk = begin(owner, 3, 2)
    talk.say(0, 2)
    found = {f.name: f for f in diagnose(database.owner_url, space=SMALL_SPACE, known_key_ids=[], clock=SystemClock())}
    assert not found["turns"].ok
    assert found["turns"].detail == "2 turns of 1 sessions: 1 positions without a turn, 2 turns in no snapshot that should be in one"
    assert found["turns"].fix == "rows were changed past memdb or lost: restore a backup, or report it with these counts"
    served = diagnose(database.app_url, space=SMALL_SPACE, known_key_ids=[], clock=SystemClock())
    assert "turns" not in {finding.name for finding in served}, "it would count nothing and call that good"
    with psycopg.connect(database.app_url) as conn:
        assert not sees_all(conn)


def test_many_turns_are_counted_in_their_order_without_a_sort(owner: psycopg.Connection, database: FreshDatabase) -> None:
    """By turns_session_idx of the partition alone: as much time as turns, not as their texts."""
    talks = [begin(owner, 400, 400) for _ in range(50)]
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("SET session_replication_role = replica")
        columns = "org_id, id, brain_id, session_id, position, role, text, redactions, attachments, trust, written_by, written_key, writer_label, created_at"
        with conn.cursor() as cursor, cursor.copy(f"COPY mem.turns ({columns}) FROM STDIN".encode()) as out:
            for position in range(400):
                for talk in talks:
                    row = (
                        talk.org,
                        make_id(),
                        talk.brain,
                        talk.session,
                        position,
                        "user",
                        "hello " * 40,
                        "[]",
                        "[]",
                        "member",
                        talk.org,
                        "k",
                        "w",
                        NOW,
                    )
                    out.write_row(row)
        conn.execute("VACUUM ANALYZE mem.turns")
    for talk in talks:
        for first in range(0, 400, 40):
            talk.cut(first, first + 39)
    owner.execute("ANALYZE mem.snapshots")
    explained = owner.execute(b"EXPLAIN (FORMAT JSON) " + catalogue("count_turn_faults"), {"before": NOW - STUCK_AFTER}).fetchone()
    assert explained is not None
    plan = explained[0][0]["Plan"]
    scanned = [node for node in nodes(plan) if node.get("Relation Name", "").startswith("turns_")]
    full = [node for node in scanned if node["Plan Rows"] > 1_000]
    assert {node["Node Type"] for node in full} == {"Index Only Scan"}, full
    counted = count_turn_faults(owner, NOW)
    assert (counted.found, counted.turns) == ({}, 20_000)
