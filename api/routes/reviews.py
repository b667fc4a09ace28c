"""`/v1/admin/reviews`: memories under review, for whoever decides on them."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Body, Query, Response

from api.auth import Who
from api.callers import HTTP, only, writer_of
from api.cursors import decode_id, encode
from api.errors import STATUS
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.memories import ItemError, ReceiptOut
from api.schemas.reviews import DecideBody, DecidedOut, DecisionsOut, ReleaseBody, ReleasedOut, ReviewOut, Ruling
from governance.errors import InvalidInput, ServiceError
from memdb.lifecycle.quarantine import reviewing

router = make_router("reviews")
InBrain = Annotated[UUID | None, Query(description="only of this brain")]
NO_BODY = ReleaseBody(action_id=None, edit=None)
NO_BODY = ReleaseBody(action_id=None, edit=None)
ByAction = Annotated[UUID | None, Query(description="only what this action holds")]


@router.get("/v1/admin/reviews", summary="List memories under review")
async def list_all(
    runtime: InRuntime, who: Who, brain_id: InBrain = None, action_id: ByAction = None, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[ReviewOut]:
    """Of the org, oldest first: what is held, and what is served but was called harmful or flagged by policy. With reasons, sources,
    similar memories, and what became of the former version.
    """
    question = {"list": "reviews", "org": who.principal.org_id, "brain": brain_id, "action": action_id}
    after = None if cursor is None else decode_id(cursor, question)
    found, last = await reviewing.list_reviews(runtime, who, brain_id=brain_id, action_id=action_id, after=after, limit=limit)
    return Page(items=[ReviewOut.of(one) for one in found], next_cursor=None if last is None else encode(last, question))


@router.get("/v1/admin/reviews/{memory_id}", summary="Read a memory under review")
async def read(runtime: InRuntime, who: Who, memory_id: UUID) -> ReviewOut:
    """What a decision on it needs."""
    return ReviewOut.of(await reviewing.get_review(runtime, who, memory_id))


@router.post("/v1/admin/reviews/{memory_id}:release", summary="Let a memory under review be served")
async def release(runtime: InRuntime, who: Who, memory_id: UUID, body: Annotated[ReleaseBody, Body()] = NO_BODY) -> ReleasedOut:
    """All holds and requests go, or the hold of one action; with `edit` it is corrected first."""
    if body.edit is None:
        return ReleasedOut(memory_id=memory_id, served=await reviewing.release(runtime, who, memory_id, action_id=body.action_id))
    if body.action_id is not None:
        raise InvalidInput("an edit releases all holds; leave out action_id", field="action_id")
    change, version = body.edit.to_change(), body.edit.expected_version
    formed = await reviewing.edit_and_release(runtime, who, writer_of(who, HTTP), memory_id, change, version)
    return ReleasedOut(memory_id=memory_id, served=True, receipt=ReceiptOut.of(only(formed.outcomes), formed.timings_ms))


@router.post("/v1/admin/reviews/{memory_id}:purge", status_code=204, summary="Delete a memory under review for good")
async def purge(runtime: InRuntime, who: Who, memory_id: UUID) -> Response:
    """With all its versions; what was said until now does not bring it back."""
    await reviewing.purge(runtime, who, memory_id)
    return Response(status_code=204)


@router.post("/v1/admin/reviews:decide", summary="Release or purge many memories under review")
async def decide(runtime: InRuntime, who: Who, body: DecideBody) -> DecisionsOut:
    """Each for itself, in order: one that fails does not keep the others."""
    results = []
    for memory_id in body.memory_ids:
        try:
            if body.decision is Ruling.PURGE:
                await reviewing.purge(runtime, who, memory_id)
            else:
                await reviewing.release(runtime, who, memory_id)
        except ServiceError as error:
            problem = ItemError(status=STATUS[error.code], code=error.code, detail=error.message, field=error.field)
            results.append(DecidedOut(memory_id=memory_id, done=False, error=problem))
        else:
            results.append(DecidedOut(memory_id=memory_id, done=True))
    return DecisionsOut(results=results)
