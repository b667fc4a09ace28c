"""`/v1/admin/jobs`: extractions that wait or were given up, and another try for them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from fastapi import Query

from api.auth import Who
from api.cursors import decode, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.jobs import JobOut, RetryBody, Unfinished
from memdb.sessions import extracting

router = make_router("jobs")
InState = Annotated[Unfinished, Query(description="waiting, or dead: given up after several tries")]


@router.get("/v1/admin/jobs", summary="List extractions that are not done")
async def list_all(
    runtime: InRuntime, who: Who, state: InState = Unfinished.DEAD, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[JobOut]:
    """Of the org, the longest unchanged first: ids, counts and codes, never what was said."""
    question = {"list": "jobs", "org": who.principal.org_id, "state": state.value}
    after = None if cursor is None else _parse(decode(cursor, question))
    found = await extracting.list_jobs(runtime, who, state.state, after=after, limit=limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    more = None if last is None else encode(f"{last.changed_at.timestamp():.6f}/{last.snapshot_id}", question)
    return Page(items=[JobOut.of(one) for one in found[:limit]], next_cursor=more)


@router.post("/v1/admin/jobs:retry", summary="Try an extraction again that was given up")
async def retry(runtime: InRuntime, who: Who, body: RetryBody) -> JobOut:
    """It waits again, with all its tries."""
    return JobOut.of(await extracting.retry_job(runtime, who, body.brain_id, body.snapshot_id, body.handler.kind))


def _parse(kept: str) -> extracting.After:
    moment, _, snapshot = kept.partition("/")
    return datetime.fromtimestamp(float(moment), UTC), UUID(snapshot)
