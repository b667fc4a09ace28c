"""Search: a question, answered with evidence."""

from __future__ import annotations

from api.auth import Who
from api.routing import InMetrics, InRuntime, make_router
from api.schemas.recall import SearchBody, SearchOut
from retrieval.engine import Reader, recall

router = make_router("search")


@router.post("/v1/memories/search", summary="Search memories")
async def search(body: SearchBody, who: Who, runtime: InRuntime, metrics: InMetrics) -> SearchOut:
    """Answer from what the caller may read. Each memory says where it comes from and why it was found; no evidence is an answer."""
    answer = await recall(runtime, Reader(who.principal, who.access, who.redaction, who.request_id), body.to_request())
    metrics.recalls.inc()
    for entry in answer.degraded:
        metrics.degraded.labels(entry.partition(":")[0]).inc()
    return SearchOut.of(answer, explain=body.explain)
