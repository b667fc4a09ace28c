"""What becomes of a memory: confirmed, shared, contested, settled."""

from __future__ import annotations

from uuid import UUID

from api.auth import Who
from api.callers import HTTP, only, writer_of
from api.cursors import decode_id, encode
from api.routing import PAGE_DEFAULT, Cursor, InMetrics, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.memories import ReceiptOut, ServedOut
from api.schemas.units import ConfirmBody, ConflictBody, ConflictIdOut, OpenConflictOut, ResolveBody, ShareBody
from memdb.lifecycle import conflicts
from memdb.lifecycle.confirm import confirm
from memdb.lifecycle.share import Share, share

router = make_router("lifecycle")


@router.post("/v1/memories/{memory_id}:confirm", summary="Confirm a memory")
async def confirm_memory(memory_id: UUID, body: ConfirmBody, who: Who, runtime: InRuntime) -> ServedOut:
    """It still holds: fresh again, at the same version."""
    writer = writer_of(who, HTTP)
    memory = await confirm(runtime, writer, memory_id, body.expected_version)
    return ServedOut.shown(await conflicts.view(runtime, writer, memory))


@router.post("/v1/memories/{memory_id}:share", status_code=201, summary="Share a memory")
async def share_memory(memory_id: UUID, body: ShareBody, who: Who, runtime: InRuntime, metrics: InMetrics) -> ReceiptOut:
    """Copy it into another brain. Only who said it or whom it is about may; the receipt is that of the copy."""
    formed = await share(runtime, writer_of(who, HTTP), Share(memory_id, body.brain_id))
    receipt = only(formed.outcomes)
    metrics.writes.labels(receipt.action.value, receipt.status).inc()
    return ReceiptOut.of(receipt, formed.timings_ms)


@router.post("/v1/memories/{memory_id}:resolve", summary="Resolve the conflicts of a memory")
async def resolve_memory(memory_id: UUID, body: ResolveBody, who: Who, runtime: InRuntime) -> ServedOut:
    """Pick a side or write a text that takes the place of both. What does not hold stays in the history."""
    writer = writer_of(who, HTTP)
    memory = await conflicts.resolve(runtime, writer, memory_id, body.to_choice())
    return ServedOut.shown(await conflicts.view(runtime, writer, memory))


@router.post("/v1/conflicts", status_code=201, summary="Report a conflict")
async def report_conflict(body: ConflictBody, who: Who, runtime: InRuntime) -> ConflictIdOut:
    """Two memories of one brain cannot both hold. Both are shown as conflicted until somebody resolves it; said twice it is one."""
    return ConflictIdOut(id=await conflicts.report(runtime, writer_of(who, HTTP), body.memory_id, body.other_id, body.note))


@router.get("/v1/brains/{brain_id}/conflicts", summary="List the open conflicts of a brain")
async def list_conflicts(
    runtime: InRuntime, who: Who, brain_id: UUID, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[OpenConflictOut]:
    """Oldest first."""
    question = {"list": "conflicts", "org": who.principal.org_id, "subject": who.principal.subject_id, "brain": brain_id}
    after = None if cursor is None else decode_id(cursor, question)
    found, last = await conflicts.list_conflicts(runtime, writer_of(who, HTTP), brain_id, after=after, limit=limit)
    items = [OpenConflictOut.of(row, memory, conflict) for row, memory, conflict in found]
    return Page(items=items, next_cursor=None if last is None else encode(last, question))
