"""`/v1/brains/{id}/topics` and `/units`: the routing index of a brain, and what it says about a topic."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, Request

from api.auth import Who
from api.callers import HTTP, only, reader_of, writer_of
from api.cursors import decode, encode
from api.idempotency import IdempotencyKey, ticket_of
from api.routing import PAGE_DEFAULT, Cursor, InMetrics, InRuntime, Limit, make_router
from api.schemas.memories import ReceiptOut, ServedOut
from api.schemas.units import TopicAnswerOut, TopicOut, TopicQueryBody, TopicsOut, UnitBody
from memdb.lifecycle.units import read_unit, write_unit
from retrieval.topics import list_topics, query_topic

router = make_router("topics")
Prefix = Annotated[str | None, Query(max_length=200, description="this topic and those below it")]


@router.get("/v1/brains/{brain_id}/topics", summary="Browse the topics of a brain")
async def browse(
    runtime: InRuntime, who: Who, brain_id: UUID, prefix: Prefix = None, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> TopicsOut:
    """With how many memories each has. A prefix that no topic has is answered with topics that may have been meant."""
    question = {"list": "topics", "org": who.principal.org_id, "brain": brain_id, "prefix": prefix}
    after = "" if cursor is None else decode(cursor, question)
    found, near = await list_topics(runtime, reader_of(who), brain_id, prefix, after=after, limit=limit + 1)
    more = encode(found[limit - 1].topic, question) if len(found) > limit else None
    return TopicsOut(items=[TopicOut.of(count) for count in found[:limit]], next_cursor=more, suggestions=near)


@router.post("/v1/brains/{brain_id}/topics:query", summary="Look a topic up")
async def query(runtime: InRuntime, who: Who, brain_id: UUID, body: TopicQueryBody) -> TopicAnswerOut:
    """Pointers at what the brain knows, best first; read what you need by id."""
    return TopicAnswerOut.of(await query_topic(runtime, reader_of(who), body.to_query(brain_id)))


@router.post("/v1/brains/{brain_id}/units", status_code=201, summary="Write a unit")
async def write(
    runtime: InRuntime,
    who: Who,
    metrics: InMetrics,
    request: Request,
    brain_id: UUID,
    body: UnitBody,
    idempotency_key: IdempotencyKey = None,
) -> ReceiptOut:
    """Say what a topic holds. The last write wins; one that had not seen the other is flagged, or refused with `on_conflict: reject`."""
    ticket = await ticket_of(runtime, who, request, idempotency_key)
    formed = await write_unit(runtime, writer_of(who, HTTP), body.to_write(brain_id), ticket)
    receipt = only(formed.outcomes)
    metrics.writes.labels(receipt.action.value, receipt.status).inc()
    return ReceiptOut.of(receipt, formed.timings_ms)


@router.get("/v1/brains/{brain_id}/units/{unit_id}", summary="Read a unit")
async def read(runtime: InRuntime, who: Who, brain_id: UUID, unit_id: UUID) -> ServedOut:
    """With both sides while it is conflicted."""
    return ServedOut.shown(await read_unit(runtime, writer_of(who, HTTP), brain_id, unit_id))
