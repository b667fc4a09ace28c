"""Feedback: what became of what a search returned."""

from __future__ import annotations

from api.auth import Who
from api.callers import voter_of
from api.routing import InRuntime, make_router
from api.schemas.feedback import FeedbackBody, FeedbackOut
from memdb.lifecycle.feedback import give

router = make_router("feedback")


@router.post("/v1/feedback", status_code=201, summary="Say what became of a memory")
async def give_feedback(body: FeedbackBody, who: Who, runtime: InRuntime) -> FeedbackOut:
    """Tie an outcome to a recall. It counts once; another one for the same memory of the same recall by the same key replaces it."""
    replaced = await give(runtime, voter_of(who), body.to_feedback())
    return FeedbackOut(recall_id=body.recall_id, memory_id=body.memory_id, outcome=body.outcome, replaced=replaced)
