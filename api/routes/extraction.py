"""`/v1/admin/extraction`: which kinds are learned from conversations, why, and whether that is in force."""

from __future__ import annotations

from api.auth import Who
from api.routing import InRuntime, make_router
from api.schemas.extraction import LearningOut
from memdb.sessions.learning import read_learning

router = make_router("extraction")


@router.get("/v1/admin/extraction", summary="See what is learned from conversations")
async def read(runtime: InRuntime, who: Who) -> LearningOut:
    """It is set as a part of the policy, `memory.extraction.enabled`."""
    return LearningOut.of(await read_learning(runtime, who))
