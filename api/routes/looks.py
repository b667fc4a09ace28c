"""Looks of administrators into brains (break_glass)."""

from __future__ import annotations

from uuid import UUID

from api.auth import Who
from api.cursors import decode_id, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.looks import LookReply, LookRequest
from memdb.directory import looks

router = make_router("looks")


@router.post("/v1/admin/brains/{brain_id}:break-glass", status_code=201, summary="Look into a brain")
async def break_glass(runtime: InRuntime, who: Who, brain_id: UUID, body: LookRequest) -> LookReply:
    """This key may read the brain until the look ends. It only reads; what it asks for meanwhile is audited; the brain's members see it."""
    return LookReply.of(await looks.break_glass(runtime, who, brain_id, body.reason, body.seconds))


@router.delete("/v1/admin/brains/{brain_id}/looks/{look_id}", status_code=204, summary="End a look")
async def end_look(runtime: InRuntime, who: Who, brain_id: UUID, look_id: UUID) -> None:
    """Before its time; any administrator may."""
    await looks.end(runtime, who, brain_id, look_id)


@router.get("/v1/brains/{brain_id}/looks", summary="List the looks into a brain")
async def list_looks(runtime: InRuntime, who: Who, brain_id: UUID, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[LookReply]:
    """Newest first, open and past ones; for everybody who reads the brain."""
    question = {"list": "looks", "org": who.principal.org_id, "subject": who.principal.subject_id, "brain_id": brain_id}
    before = None if cursor is None else decode_id(cursor, question)
    found = await looks.list_looks(runtime, who, brain_id, before=before, limit=limit + 1)
    more = encode(found[limit - 1].id, question) if len(found) > limit else None
    return Page(items=[LookReply.of(row) for row in found[:limit]], next_cursor=more)
