"""Defer a job in a transaction: it is done if the transaction is, and not otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.statements import load

QUEUE: Final = "memdb"
ALIVE_WITHIN_S: Final = 30.0
"""A worker gives a sign of life every ten seconds; after three of them without one its jobs are taken over."""
BELIEVED_S: Final = 3_600.0
"""Longer than a language model takes with its retries. A worker that could not say that it had finished, and lives on, leaves its job as
one that is being done; after this it is done once more, and finds nothing to do if it was done."""
_STATEMENTS = load("memdb.storage.sql")


class Task(StrEnum):
    """What a job does; the value is the name of its task."""

    SWEEP = "memdb.sweep"
    RESCUE = "memdb.rescue"
    EXTRACT = "memdb.extract"
    ERASE = "memdb.erase"


@dataclass(frozen=True, slots=True)
class Job:
    """A job to defer.

    arguments: ids and words of the product.
    once: while a job with this name waits, no other one is deferred.
    wait_s: not to be begun before so many seconds have passed.
    """

    task: Task
    arguments: Mapping[str, str | int]
    once: str
    wait_s: float = 0.0


def extract_job(org_id: UUID, brain_id: UUID, snapshot_id: UUID, handler: str, *, wait_s: float = 0.0) -> Job:
    """Let a handler read a snapshot, no sooner than in `wait_s` seconds."""
    arguments = {"org_id": str(org_id), "brain_id": str(brain_id), "snapshot_id": str(snapshot_id), "handler": handler}
    return Job(Task.EXTRACT, arguments, f"{Task.EXTRACT}:{snapshot_id}:{handler}", wait_s)


def erase_job(org_id: UUID, erasure_id: UUID, *, wait_s: float = 0.0) -> Job:
    """Go on with an erasure, no sooner than in `wait_s` seconds."""
    return Job(Task.ERASE, {"org_id": str(org_id), "erasure_id": str(erasure_id)}, f"{Task.ERASE}:{erasure_id}", wait_s)


async def defer(conn: WriteConn, jobs: Sequence[Job]) -> None:
    """Defer jobs in the caller's transaction, in order; what waits already is left as it is.

    One that is being done may have begun before the cause of this one, so this one is deferred beside it.
    """
    await _defer(conn, jobs, 0.0)


async def remind(conn: WriteConn, jobs: Sequence[Job]) -> int:
    """Defer jobs, in order, that the queue knows nothing of; how many. What waits stays, and what is being done for `BELIEVED_S`."""
    return await _defer(conn, jobs, BELIEVED_S)


async def _defer(conn: WriteConn, jobs: Sequence[Job], believed_s: float) -> int:
    if not jobs:
        return 0
    rows = [{"task": job.task.value, "args": dict(job.arguments), "once": job.once, "wait_s": job.wait_s} for job in jobs]
    made = await conn.execute(_STATEMENTS["defer_jobs"].clause, {"queue": QUEUE, "jobs": json.dumps(rows), "believed_s": believed_s})
    return len(made.scalar_one_or_none() or ())


async def count_jobs(conn: ReadConn) -> dict[str, int]:
    """Jobs of the queue by state: `todo`, `doing`, `failed` and whatever else there is; what was done is not kept."""
    return {row.state: row.jobs for row in await conn.execute(_STATEMENTS["count_jobs"].clause, {"queue": QUEUE})}


async def count_workers(conn: ReadConn) -> int:
    """Workers that are alive: they have given a sign of life within ALIVE_WITHIN_S."""
    return int((await conn.execute(_STATEMENTS["count_workers"].clause, {"within_s": ALIVE_WITHIN_S})).scalar_one())


async def count_under_way(conn: ReadConn, org_id: UUID) -> dict[str, int]:
    """Extractions of an org that living workers have in hand, by handler."""
    asked = {"task": Task.EXTRACT.value, "org_id": str(org_id), "within_s": ALIVE_WITHIN_S}
    return {row.handler: row.jobs for row in await conn.execute(_STATEMENTS["count_under_way"].clause, asked)}
