"""`/v1/brains/{id}/notebook:import` and `/unattributed`: an old notebook filed per person, and what waits to be attributed."""

from __future__ import annotations

from uuid import UUID

from api.auth import Who
from api.callers import IMPORT, only, writer_of
from api.cursors import decode_id, encode
from api.routing import PAGE_DEFAULT, Cursor, InMetrics, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.memories import ReceiptOut
from api.schemas.notebooks import AssignBody, NotebookBody, NotebookOut, QueuedOut
from memdb.lifecycle import unattributed
from memdb.lifecycle.notebook import import_notebook

router = make_router("notebooks")


@router.post("/v1/brains/{brain_id}/notebook:import", summary="Import a notebook")
async def import_text(runtime: InRuntime, who: Who, brain_id: UUID, body: NotebookBody) -> NotebookOut:
    """Split it into statements and file them where the subject is named and means one person of the room; the rest waits in the queue.
    The reply gives lines and ids, not text.
    """
    return NotebookOut.of(await import_notebook(runtime, who, writer_of(who, IMPORT), body.to_notebook(brain_id)))


@router.get("/v1/brains/{brain_id}/unattributed", summary="List statements that wait to be attributed")
async def list_waiting(runtime: InRuntime, who: Who, brain_id: UUID, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[QueuedOut]:
    """Oldest first. Needs the role writer in the brain."""
    question = {"list": "unattributed", "org": who.principal.org_id, "subject": who.principal.subject_id, "brain": brain_id}
    after = None if cursor is None else decode_id(cursor, question)
    writer = writer_of(who, IMPORT)
    found, last = await unattributed.list_unattributed(runtime, who, writer, brain_id, after=after, limit=limit)
    return Page(items=[QueuedOut.of(queued) for queued in found], next_cursor=None if last is None else encode(last, question))


@router.post("/v1/brains/{brain_id}/unattributed/{memory_id}:assign", status_code=201, summary="Say whom a statement is about")
async def assign(runtime: InRuntime, who: Who, metrics: InMetrics, brain_id: UUID, memory_id: UUID, body: AssignBody) -> ReceiptOut:
    """It becomes a memory of theirs and leaves the queue; the receipt is that of the memory."""
    formed = await unattributed.assign(runtime, writer_of(who, IMPORT), brain_id, memory_id, body.about)
    receipt = only(formed.outcomes)
    metrics.writes.labels(receipt.action.value, receipt.status).inc()
    return ReceiptOut.of(receipt, formed.timings_ms)


@router.delete("/v1/brains/{brain_id}/unattributed/{memory_id}", status_code=204, summary="Discard a statement that waits")
async def discard(runtime: InRuntime, who: Who, brain_id: UUID, memory_id: UUID) -> None:
    """Content and excerpt are deleted."""
    await unattributed.discard(runtime, writer_of(who, IMPORT), brain_id, memory_id)
