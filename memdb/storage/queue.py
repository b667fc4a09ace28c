"""Defer a job in a transaction: it is done if the transaction is, and not otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from sqlalchemy import text

from memdb.storage.database import WriteConn
from memdb.storage.queue_schema import SCHEMA

QUEUE: Final = "memdb"


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
    await conn.execute(_DEFER, {"queue": QUEUE, "jobs": json.dumps(rows)})


_DEFER = text(
    f"""
    SELECT {SCHEMA}.procrastinate_defer_jobs_v1(array_agg(
             ROW(CAST(:queue AS text), j.task, 0, NULL, j.once, j.args, NULL)::{SCHEMA}.procrastinate_job_to_defer_v1 ORDER BY j.place))
      FROM ROWS FROM (jsonb_to_recordset(CAST(:jobs AS jsonb)) AS (task text, args jsonb, once text))
           WITH ORDINALITY AS j (task, args, once, place)
     WHERE NOT EXISTS (SELECT 1 FROM {SCHEMA}.procrastinate_jobs q WHERE q.queueing_lock = j.once AND q.status = 'todo')
    HAVING count(*) > 0
    """  # noqa: S608 - the schema is a constant of this product
)
