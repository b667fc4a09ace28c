"""Defer a job in a transaction: it is done if the transaction is, and not otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from memdb.storage.database import WriteConn
from memdb.storage.statements import load

QUEUE: Final = "memdb"
_STATEMENTS = load("memdb.storage.sql")


class Task(StrEnum):
    """What a job does; the value is the name of its task."""

    SWEEP = "memdb.sweep"
    RESCUE = "memdb.rescue"
    EXTRACT = "memdb.extract"


@dataclass(frozen=True, slots=True)
class Job:
    """A job to defer. `arguments`: ids and words of the product. `once`: while a job with this name waits, no other one is deferred."""

    task: Task
    arguments: Mapping[str, str | int]
    once: str


def extract_job(org_id: UUID, brain_id: UUID, snapshot_id: UUID, handler: str) -> Job:
    """Let a handler read a snapshot."""
    arguments = {"org_id": str(org_id), "brain_id": str(brain_id), "snapshot_id": str(snapshot_id), "handler": handler}
    return Job(Task.EXTRACT, arguments, f"{Task.EXTRACT}:{snapshot_id}:{handler}")


async def defer(conn: WriteConn, jobs: Sequence[Job]) -> None:
    """Defer jobs in the caller's transaction, in order; what waits already is left as it is."""
    if not jobs:
        return
    rows = [{"task": job.task.value, "args": dict(job.arguments), "once": job.once} for job in jobs]
    await conn.execute(_STATEMENTS["defer_jobs"].clause, {"queue": QUEUE, "jobs": json.dumps(rows)})
