"""Memories: write, read, list, edit, delete."""

from __future__ import annotations

import json
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Request, Response
from pydantic import ValidationError

from api.auth import Who
from api.callers import HTTP, only, writer_of
from api.cursors import decode_id, encode
from api.errors import STATUS, Problem
from api.idempotency import IdempotencyKey, ticket_of
from api.routing import PAGE_DEFAULT, Cursor, InMetrics, InRuntime, Limit, make_router
from api.schemas.base import Moment
from api.schemas.history import DecisionOut, DerivationOut, HistoryOut, VersionOut
from api.schemas.memories import (
    BatchItemOut,
    BatchOut,
    EditBody,
    ItemError,
    MemoryOut,
    MemoryPage,
    ReceiptOut,
    ServedOut,
    WriteBody,
)
from governance.errors import InvalidInput, ServiceError
from governance.scopes import readable_by
from memdb.formation.pipeline import form
from memdb.formation.stages import Receipt
from memdb.lifecycle.conflicts import read_served
from memdb.lifecycle.delete import delete
from memdb.lifecycle.edit import edit, get_served
from memdb.models.memory import Kind
from memdb.storage import extractions, listing, memories, reconciliations
from memdb.storage.database import identity_of
from memdb.storage.listing import ListFilter
from memdb.text.normalise import clean, fold

router = make_router("memories")

BATCH_LINES_MAX = 1_000
ExpectedVersion = Annotated[int | None, Query(ge=1, description="refuse with 409 when the memory is at another version")]


@router.post("/v1/memories", status_code=201, summary="Write a memory")
async def write(
    body: WriteBody, who: Who, runtime: InRuntime, metrics: InMetrics, request: Request, idempotency_key: IdempotencyKey = None
) -> ReceiptOut:
    """Redact, inspect, enrich, scope, embed and store one memory. A held write is 201 with status `held`."""
    ticket = await ticket_of(runtime, who, request, idempotency_key)
    formed = await form(runtime, writer_of(who, HTTP), [body.to_submission()], ticket)
    receipt = only(formed.outcomes)
    metrics.writes.labels(receipt.action.value, receipt.status).inc()
    return ReceiptOut.of(receipt, formed.timings_ms)


@router.post(
    "/v1/memories:batch",
    summary="Write many memories",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/x-ndjson": {
                    "schema": {"type": "string", "description": f"one write body a line, at most {BATCH_LINES_MAX} lines"},
                    "example": '{"content": "Ana plays the cello", "kind": "semantic"}\n{"content": "Bruno left", "kind": "episodic"}\n',
                }
            },
        }
    },
)
async def write_batch(
    who: Who, runtime: InRuntime, metrics: InMetrics, request: Request, idempotency_key: IdempotencyKey = None
) -> BatchOut:
    """Write one memory a line through the same path. A line that is refused does not stop the others; nothing of it is repeated."""
    parsed = [_parse_line(line) for line in _lines(await request.body())]
    ticket = await ticket_of(runtime, who, request, idempotency_key)
    formed = await form(runtime, writer_of(who, HTTP), [body.to_submission() for body in parsed if isinstance(body, WriteBody)], ticket)
    outcomes = iter(formed.outcomes)
    results = []
    for index, line in enumerate(parsed):
        outcome = next(outcomes) if isinstance(line, WriteBody) else line
        if isinstance(outcome, Receipt):
            metrics.writes.labels(outcome.action.value, outcome.status).inc()
            results.append(BatchItemOut(index=index, memory=ReceiptOut.of(outcome)))
        else:
            results.append(BatchItemOut(index=index, error=outcome if isinstance(outcome, ItemError) else _item_error(outcome)))
    return BatchOut(results=results, timings_ms=formed.timings_ms)


@router.get("/v1/memories", summary="List memories")
async def list_memories(
    who: Who,
    runtime: InRuntime,
    brain_id: Annotated[UUID | None, Query()] = None,
    kind: Annotated[list[Kind] | None, Query()] = None,
    about: Annotated[list[UUID] | None, Query()] = None,
    said_by: Annotated[UUID | None, Query()] = None,
    topic: Annotated[str | None, Query(max_length=200, description="this topic and those below it")] = None,
    tag: Annotated[list[str] | None, Query(description="memories that have all of these tags")] = None,
    created_from: Annotated[Moment | None, Query()] = None,
    created_to: Annotated[Moment | None, Query()] = None,
    limit: Limit = PAGE_DEFAULT,
    cursor: Cursor = None,
) -> MemoryPage:
    """Memories that the caller may read, newest first."""
    scope = readable_by(who.principal, who.access)
    if brain_id is not None:
        scope = scope.narrow([brain_id])
    if created_from is not None and created_to is not None and created_from >= created_to:
        raise InvalidInput("created_from must lie before created_to", field="created_to")
    wanted = ListFilter(
        now=runtime.clock.now(),
        kinds=None if kind is None else tuple(sorted(k.value for k in kind)),
        about=None if about is None else tuple(sorted(about)),
        said_by=said_by,
        topic=None if topic is None else fold(clean(topic, "topic")).strip("/"),
        tags=None if tag is None else tuple(sorted(fold(clean(one, "tag")) for one in tag)),
        created_from=created_from,
        created_to=created_to,
    )
    question = {"list": "memories", "org": scope.org_id, "subject": who.principal.subject_id, "brain": brain_id, "filter": _bound(wanted)}
    before = None if cursor is None else decode_id(cursor, question)
    async with runtime.database.read(identity_of(who.principal)) as conn:
        items, last = await listing.list_memories(conn, scope, wanted, runtime.keyring, before=before, limit=limit)
    return MemoryPage(items=[MemoryOut.of(m) for m in items], next_cursor=None if last is None else encode(last, question))


@router.get("/v1/memories/{memory_id}", summary="Read a memory")
async def read(memory_id: UUID, who: Who, runtime: InRuntime) -> ServedOut:
    """The current version, how fresh it is, and what stands against it."""
    return ServedOut.shown(await read_served(runtime, writer_of(who, HTTP), memory_id))


@router.get("/v1/memories/{memory_id}/history", summary="Read the versions of a memory")
async def history(memory_id: UUID, who: Who, runtime: InRuntime) -> HistoryOut:
    """The current version and the ones before it, oldest first."""
    current = await get_served(runtime, writer_of(who, HTTP), memory_id, runtime.clock.now())
    scope = readable_by(who.principal, who.access)
    async with runtime.database.read(identity_of(who.principal)) as conn:
        older = await memories.list_history(conn, scope, memory_id, runtime.keyring)
        derived = await extractions.list_of_memories(conn, scope.org_id, [memory_id])
        decided = await reconciliations.list_of_memory(conn, scope, memory_id)
        near = await memories.list_by_id(conn, scope, {one for row in decided for one in row.neighbour_ids}, runtime.keyring)
    served = {one for one, row in near.items() if row.intact and not row.held}
    versions = [VersionOut(memory=MemoryOut.of(m), replaced_at=at, replaced_by=action) for m, at, action in older]
    derivations = [DerivationOut.of(derivation) for derivation in derived]
    decisions = [DecisionOut.of(row, served) for row in decided]
    return HistoryOut(current=MemoryOut.of(current), versions=versions, derivations=derivations, decisions=decisions)


@router.patch("/v1/memories/{memory_id}", summary="Edit a memory")
async def patch(memory_id: UUID, body: EditBody, who: Who, runtime: InRuntime, metrics: InMetrics) -> ReceiptOut:
    """Make a new version through the same path as a write; what the body leaves out stays as it is."""
    formed = await edit(runtime, writer_of(who, HTTP), memory_id, body.to_change(), body.expected_version)
    receipt = only(formed.outcomes)
    metrics.writes.labels("EDIT", receipt.status).inc()
    return ReceiptOut.of(receipt, formed.timings_ms)


@router.delete("/v1/memories/{memory_id}", status_code=204, summary="Delete a memory")
async def remove(memory_id: UUID, who: Who, runtime: InRuntime, metrics: InMetrics, expected_version: ExpectedVersion = None) -> Response:
    """Remove content, versions, index, vectors, links and sole fragments; id, times and who remain."""
    await delete(runtime, writer_of(who, HTTP), memory_id, expected_version)
    metrics.writes.labels("DELETE", "deleted").inc()
    return Response(status_code=204)


def _bound(wanted: ListFilter) -> dict[str, Any]:
    return {name: str(getattr(wanted, name)) for name in ("kinds", "about", "said_by", "topic", "tags", "created_from", "created_to")}


def _lines(body: bytes) -> list[bytes]:
    lines = [line for line in body.split(b"\n") if line.strip()]
    if not lines:
        raise InvalidInput("the batch has no line")
    if len(lines) > BATCH_LINES_MAX:
        raise Problem("request_too_large", f"a batch has at most {BATCH_LINES_MAX} lines; send several")
    return lines


def _parse_line(line: bytes) -> WriteBody | ItemError:
    try:
        value = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return ItemError(status=STATUS["malformed_json"], code="malformed_json", detail="the line is not valid JSON")
    try:
        return WriteBody.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        field = next((str(part) for part in first["loc"] if part in WriteBody.model_fields), None)
        detail = "a field is missing, unknown or malformed"
        return ItemError(status=STATUS["invalid_input"], code="invalid_input", detail=detail, field=field)


def _refuse_constant(_name: str) -> None:
    raise ValueError


def _item_error(error: ServiceError) -> ItemError:
    return ItemError(status=STATUS[error.code], code=error.code, detail=error.message, field=error.field)
