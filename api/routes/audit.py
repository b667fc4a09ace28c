"""`/v1/admin/audit`: what happened in an org, and who was shown what."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Final
from uuid import UUID

from fastapi import Query

from api.auth import Who
from api.cursors import decode_id, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.audit import AuditEventOut, ReadOut
from api.schemas.base import Moment, Page
from memdb.directory import audit
from memdb.storage.audit import EventFilter

router = make_router("audit")
Action = Annotated[
    str | None, Query(max_length=80, pattern=r"^[a-z_]+(\.[a-z_]+)*\.?$", description="such as memory.add, or memory. for all")
]
ObjectId = Annotated[str | None, Query(max_length=80, description="of a memory, a brain, a key and so on")]
READS_SPAN: Final = timedelta(days=30)
KeyId = Annotated[str | None, Query(max_length=80)]


@router.get("/v1/admin/audit", summary="List what happened")
async def list_events(
    runtime: InRuntime,
    who: Who,
    action: Action = None,
    object_id: ObjectId = None,
    subject_id: UUID | None = None,
    key_id: KeyId = None,
    brain_id: UUID | None = None,
    since: Moment | None = None,
    until: Moment | None = None,
    cursor: Cursor = None,
    limit: Limit = PAGE_DEFAULT,
) -> Page[AuditEventOut]:
    """Events of the org, newest first: who did what to which object and when, never what a memory says."""
    wanted = EventFilter(action, object_id, subject_id, key_id, brain_id, since, until)
    question = {"list": "audit", "org": who.principal.org_id, "wanted": str(wanted)}
    before = None if cursor is None else decode_id(cursor, question)
    found = await audit.list_events(runtime, who, wanted, before=before, limit=limit + 1)
    more = encode(found[limit - 1].event.id, question) if len(found) > limit else None
    return Page(items=[AuditEventOut.of(one) for one in found[:limit]], next_cursor=more)


@router.get("/v1/admin/audit/reads/{memory_id}", summary="List who was shown a memory")
async def list_reads(
    runtime: InRuntime,
    who: Who,
    memory_id: UUID,
    since: Moment | None = None,
    until: Moment | None = None,
    cursor: Cursor = None,
    limit: Limit = PAGE_DEFAULT,
) -> Page[ReadOut]:
    """Newest first: reads, reviews and recalls whose reply held its content, for as long as they are kept. Without `since` of the last 30
    days.
    """
    end = until or runtime.clock.now()
    question = {"list": "reads", "org": who.principal.org_id, "memory": memory_id, "since": since, "until": until}
    before = None if cursor is None else decode_id(cursor, question)
    span = (since or end - READS_SPAN, end)
    found = await audit.list_reads(runtime, who, memory_id, span, before=before, limit=limit + 1)
    more = encode(found[limit - 1].id, question) if len(found) > limit else None
    return Page(items=[ReadOut.of(row) for row in found[:limit]], next_cursor=more)
