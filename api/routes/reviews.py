"""`/v1/admin/reviews`: what policy held, for whoever decides on it."""

from __future__ import annotations

from uuid import UUID

from api.auth import Who
from api.cursors import decode_id, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.memories import MemoryOut
from api.schemas.reviews import HeldOut
from memdb.lifecycle import reviewing

router = make_router("reviews")


@router.get("/v1/admin/reviews", summary="List what waits for a reviewer")
async def list_reviews(runtime: InRuntime, who: Who, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[HeldOut]:
    """Held memories of every brain of the org, oldest first, each with its reasons and sources. Needs the capability reviewer; audited."""
    question = {"list": "reviews", "org": who.principal.org_id}
    after = None if cursor is None else decode_id(cursor, question)
    found, more = await reviewing.list_held(runtime, who, after=after, limit=limit)
    return Page(items=[HeldOut.of(one) for one in found], next_cursor=None if more is None else encode(more, question))


@router.post("/v1/admin/reviews/{memory_id}:release", summary="Let a held memory be served")
async def release(runtime: InRuntime, who: Who, memory_id: UUID) -> MemoryOut:
    """Every hold is taken off, and from then on it is found and served like any other. Needs the capability reviewer; audited."""
    return MemoryOut.of(await reviewing.release(runtime, who, memory_id))


@router.post("/v1/admin/reviews/{memory_id}:purge", status_code=204, summary="Delete a held memory")
async def purge(runtime: InRuntime, who: Who, memory_id: UUID) -> None:
    """For good: what was said until now does not bring it back. Needs the capability reviewer; audited."""
    await reviewing.purge(runtime, who, memory_id)
