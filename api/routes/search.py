"""Search: a question, answered with evidence."""

from __future__ import annotations

from fastapi import Request, Response

from api.auth import who_asks
from api.callers import count_recall, reader_of
from api.metrics import Metrics
from api.routing import make_router
from api.schemas.recall import SearchBody, SearchOut
from memdb.runtime import Runtime
from retrieval.engine import recall

router = make_router("search")


@router.post("/v1/memories/search", summary="Search memories", response_model=SearchOut)
async def search(body: SearchBody, request: Request) -> Response:
    """Answer from what the caller may read. Each memory says where it comes from and why it was found; no evidence is an answer."""
    # What other routes get by dependencies is taken from the request, and the reply is written here and not validated a second time: this
    # is the route that agents wait for.
    who, state = who_asks(request), request.app.state
    runtime: Runtime = state.runtime
    metrics: Metrics = state.metrics
    answer = await recall(runtime, reader_of(who), body.to_request())
    count_recall(metrics, answer)
    return Response(SearchOut.of(answer, explain=body.explain).model_dump_json(), media_type="application/json")
