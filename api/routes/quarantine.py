"""`/v1/admin/quarantine`: memories kept from every door, by what they have in common; previewed, run, released."""

from __future__ import annotations

from uuid import UUID

from api.auth import Who
from api.cursors import decode_id, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.quarantine import ActionOut, PreviewBody, PreviewOut, QuarantineBody
from api.selecting import selection_of
from memdb.lifecycle.quarantine import acting

router = make_router("quarantine")


@router.post("/v1/admin/quarantine:preview", summary="Count what a quarantine would hold")
async def preview(runtime: InRuntime, who: Who, body: PreviewBody) -> PreviewOut:
    """Nothing is held. A reviewer is shown the content of the first ones, which is audited."""
    wanted = await selection_of(runtime, who, body.selection)
    return PreviewOut.of(await acting.preview(runtime, who, wanted, shown=body.shown))


@router.post("/v1/admin/quarantine", status_code=201, summary="Quarantine memories")
async def run(runtime: InRuntime, who: Who, body: QuarantineBody) -> ActionOut:
    """They are held in chunks: what is not done in some seconds is `running`, and a worker does it."""
    wanted = await selection_of(runtime, who, body.selection)
    return ActionOut.of(await acting.run(runtime, who, wanted, expected=body.expected, reason=body.reason))


@router.get("/v1/admin/quarantine", summary="List quarantines")
async def list_all(runtime: InRuntime, who: Who, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[ActionOut]:
    """Of the org, newest first, released ones too."""
    question = {"list": "quarantines", "org": who.principal.org_id}
    before = None if cursor is None else decode_id(cursor, question)
    found = await acting.list_all(runtime, who, before=before, limit=limit + 1)
    more = encode(found[limit - 1].id, question) if len(found) > limit else None
    return Page(items=[ActionOut.of(one) for one in found[:limit]], next_cursor=more)


@router.get("/v1/admin/quarantine/{action_id}", summary="Read a quarantine")
async def read(runtime: InRuntime, who: Who, action_id: UUID) -> ActionOut:
    """How far it has come."""
    return ActionOut.of(await acting.get(runtime, who, action_id))


@router.post("/v1/admin/quarantine/{action_id}:release", summary="Release a quarantine")
async def release(runtime: InRuntime, who: Who, action_id: UUID) -> ActionOut:
    """Its holds go, and no others: what another action holds as well stays held. A session goes on, and what was said is learned."""
    return ActionOut.of(await acting.release(runtime, who, action_id))
