"""Many turns by several writers at once, while the worker is killed and Postgres is ended at once; then everything is counted.

A writer sends a batch until it is answered, always with the same client ids: after an error, after a wait that was cut short, and now and
then although it was answered. Nobody waits for the worker.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from uuid import UUID

import psycopg

from benchmarks.harness import Bench, open_bench, writer_of
from benchmarks.turns_machines import Worker, restart_postgres
from benchmarks.turns_talk import NAMES, Batch, Room, make_batches
from governance.errors import ServiceError
from memdb.directory.subjects import SubjectRequest, create_subject
from memdb.sessions.cutting import flush
from memdb.sessions.opening import SessionRequest, open_session
from memdb.sessions.record import Recorded, record_turns
from memdb.storage.invariants import count_turn_faults
from memdb.storage.owner import connect
from memdb.storage.statements import load
from memdb.storage.subjects import SubjectKind

ROOMS: Final = 4
SESSIONS: Final = 4
"""Of each room."""
BATCH: Final = 10
ANSWER_WITHIN_S: Final = 5.0
CUT_SHORT_EVERY: Final = 97
"""Every so many batches a writer waits for a few milliseconds only, and asks again: it cannot know whether the turns were stored."""
CUT_SHORT_S: Final = 0.02
TWICE_EVERY: Final = 53
"""Every so many batches are sent a second time although they were answered."""
PAUSE_S: Final = 0.2
KILLS: Final = 8
"""Of the worker, each when it has done LEARNED extractions since its start and there are more to do."""
LEARNED: Final = 40
RESTARTS_AT: Final = (0.33, 0.7)
"""Of all turns, Postgres is ended."""
EXTRACTED_WITHIN_S: Final = 3_600.0

_STATEMENTS = load("benchmarks.sql")


@dataclass
class Course:
    """What happened so far."""

    answered: dict[tuple[UUID, str], Recorded] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    sent_twice: int = 0
    contradictions: int = 0
    """A turn that was answered for a second time with another id or position."""
    statements: set[tuple[UUID, str, str]] = field(default_factory=set)

    def note(self, batch: Batch, answer: list[Recorded]) -> None:
        """Keep an answer, and compare it with an earlier one."""
        for turn, told in zip(batch.turns, answer, strict=True):
            before = self.answered.setdefault((batch.session_id, turn.client_turn_id or ""), told)
            self.contradictions += (before.id, before.position) != (told.id, told.position)
        self.statements |= batch.statements


async def endure(turns: int, writers: int, log: Path) -> dict[str, object]:
    """Run it and count; `met` says that nothing was lost, repeated or left."""
    async with open_bench(embedding_provider="hashing", statement_timeout_ms=30_000) as bench:
        rooms = [await _make_room(bench, n) for n in range(ROOMS)]
        worker, course = Worker(bench.postgres.data_dir, log), Course()
        worker.start()
        try:
            began = time.perf_counter()
            batches = make_batches(rooms, turns, BATCH)
            killing = asyncio.create_task(_kill_workers(bench, worker))
            ending = asyncio.create_task(_end_postgres(bench, course, turns))
            await asyncio.gather(*(_write(bench, batches, course) for _ in range(writers)))
            written_s = time.perf_counter() - began
            restarts = await ending
            await _flush(bench, rooms, course)
            extracted_s = await _wait_for_extractions(bench, worker)
            killing.cancel()
            done = _count(bench, course, turns)
        finally:
            code = worker.stop()
    figures: dict[str, object] = {
        "turns": turns,
        "writers": writers,
        "batch": BATCH,
        "turns_per_s": round(turns / written_s, 1),
        "written_s": round(written_s, 1),
        "tried_again": dict(course.failures),
        "sent_twice": course.sent_twice,
        "worker_kills": worker.kills,
        "worker_deaths": worker.deaths,
        "worker_exit_code": code,
        "postgres_restarts": restarts,
        "extracted_after_s": round(extracted_s, 1),
        "jobs_taken_over": worker.logged("job_taken_over"),
    }
    return figures | done


async def _make_room(bench: Bench, n: int) -> Room:
    brain_id = await bench.make_brain(f"room {n}")
    people = {}
    for name in NAMES:
        request = SubjectRequest(SubjectKind.PERSON, f"{name} Room{n}")
        people[name] = (await create_subject(bench.runtime, await bench.enter(), request)).row.id
    writer = writer_of(await bench.enter())
    opened = [await open_session(bench.runtime, writer, SessionRequest(brain_id=brain_id)) for _ in range(SESSIONS)]
    return Room(brain_id, people, tuple(session.id for session, _ in opened))


async def _write(bench: Bench, batches: Iterator[Batch], course: Course) -> None:
    """One writer: the next batch that nobody has, until it is answered."""
    writer = writer_of(await bench.enter())
    for number, batch in enumerate(batches):
        await asyncio.sleep(0)
        cut_short = number % CUT_SHORT_EVERY == 0
        times = 2 if number % TWICE_EVERY == 0 else 1
        course.sent_twice += times - 1
        while times:
            try:
                async with asyncio.timeout(CUT_SHORT_S if cut_short else ANSWER_WITHIN_S):
                    course.note(batch, await record_turns(bench.runtime, writer, batch.session_id, batch.turns))
                times -= 1
            except TimeoutError:
                course.failures["cut short" if cut_short else "no answer"] += 1
                cut_short = False
            except ServiceError as error:
                course.failures[error.code] += 1
                await asyncio.sleep(PAUSE_S)


async def _end_postgres(bench: Bench, course: Course, turns: int) -> int:
    """End Postgres when so many turns were answered; how often it was."""
    for share in RESTARTS_AT:
        while len(course.answered) < share * turns:  # noqa: ASYNC110 - a look now and then is all that is asked
            await asyncio.sleep(0.05)
        await restart_postgres(bench.postgres)
    return len(RESTARTS_AT)


async def _kill_workers(bench: Bench, worker: Worker) -> None:
    """Kill the worker again and again in the middle of its work."""
    done = 0
    while worker.kills < KILLS:
        await asyncio.sleep(0.5)
        worker.start()
        try:
            states = await asyncio.to_thread(_states_now, bench)
        except (ServiceError, psycopg.Error):
            continue  # Postgres is being ended
        if states.get("done", 0) - done >= LEARNED and states.get("waiting"):
            worker.kill()
            done = states["done"]


async def _flush(bench: Bench, rooms: list[Room], course: Course) -> None:
    writer = writer_of(await bench.enter())
    for session_id in [session for room in rooms for session in room.sessions]:
        while True:
            try:
                await flush(bench.runtime, writer, session_id)
                break
            except ServiceError as error:
                course.failures[error.code] += 1
                await asyncio.sleep(PAUSE_S)


async def _wait_for_extractions(bench: Bench, worker: Worker) -> float:
    """Seconds until no extraction waits, or EXTRACTED_WITHIN_S."""
    began = time.perf_counter()
    while time.perf_counter() - began < EXTRACTED_WITHIN_S:
        worker.start()
        if not (await asyncio.to_thread(_states_now, bench)).get("waiting"):
            break
        await asyncio.sleep(1)
    return time.perf_counter() - began


def _states_now(bench: Bench) -> dict[str, int]:
    with connect(bench.postgres.owner_url) as conn:
        return _states(conn)


def _states(conn: psycopg.Connection) -> dict[str, int]:
    return dict(conn.execute(_STATEMENTS["count_extractions"].sql.encode()).fetchall())


def _count(bench: Bench, course: Course, turns: int) -> dict[str, object]:
    with connect(bench.postgres.owner_url) as conn:
        stored = {row[0]: (row[1], row[2]) for row in conn.execute(_STATEMENTS["list_stored_turns"].sql.encode())}
        planted = {(row[0], row[1]): row[2] for row in conn.execute(_STATEMENTS["count_statements"].sql.encode())}
        began = time.perf_counter()
        faults = count_turn_faults(conn, datetime.now(UTC))
        looked_s = time.perf_counter() - began
        states = _states(conn)
        open_turns = conn.execute(_STATEMENTS["count_open_turns"].sql.encode()).fetchone()
    told = {one.id: (session, one.position) for (session, _), one in course.answered.items()}
    expected = Counter(brain for brain, _, _ in course.statements)
    kept = {brain: sum(1 for b, _ in planted if b == brain) for brain in expected}
    counts: dict[str, object] = {
        "stored": len(stored),
        "lost": len(told.keys() - stored.keys()),
        "repeated": len(stored.keys() - told.keys()),
        "elsewhere": sum(1 for one, place in told.items() if stored.get(one, place) != place),
        "contradictory_answers": course.contradictions,
        "faults": faults.found,
        "invariant_query_s": round(looked_s, 2),
        "open_after_flush": 0 if open_turns is None else open_turns[0],
        "extractions": states,
        "statements": sum(expected.values()),
        "statements_without_memory": sum(expected.values()) - sum(kept.values()),
        "statements_stored_twice": sum(count - 1 for count in planted.values()),
    }
    none = (
        "lost",
        "repeated",
        "elsewhere",
        "contradictory_answers",
        "open_after_flush",
        "statements_without_memory",
        "statements_stored_twice",
    )
    met = len(stored) == len(told) == turns and not faults.found and not states.get("waiting") and all(counts[name] == 0 for name in none)
    return {"met": met} | counts
