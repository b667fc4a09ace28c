"""Feedback branch: memories that helped with similar questions before.

Votes belong to the brain of the memory: whoever reads it is helped by what its other readers said, and nobody by a brain out of scope.
Being returned is no vote, so that what is found often is not found more often for it.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from memdb.models.outcome import Outcome
from memdb.storage.sending import fetch
from memdb.storage.statements import load
from retrieval.branches.base import HITS_MAX, KINDS, Asked, BranchSkipped, Hit
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.votes import Vote, weigh

SIMILARITY_MIN: Final = 0.6
"""Cosine similarity at and below which a vote counts nothing; it counts fully for the very same question, and evenly less between. In the
default space two wordings of one question had 0.61 to 0.84 (seven pairs) and two questions about one thing 0.67 to 0.74 (six pairs): cosine
does not tell them apart, so that only what is near the same question may count much."""
VOTES_MAX: Final = 2_000
"""Outcomes that are looked at, shared evenly among the keys of each brain, of each the newest: comparing them takes a few milliseconds, and
older ones have mostly decayed. Of more keys than this the first by brain and key."""

_STATEMENTS = load("retrieval.sql")


class FeedbackBranch:
    """Outcomes of similar questions, weighed."""

    name = "feedback"
    looks_up = True

    async def find(self, conn: AsyncConnection, asked: Asked) -> list[Hit]:
        question = asked.question
        if asked.vector is None:
            raise BranchSkipped("embedding_unavailable")
        if question.filters.past:
            return []  # what was said is about the memory of today
        parameters = scope_parameters(asked.scope) | filter_parameters(question.filters)
        parameters |= {"query": asked.vector, "space": asked.space.name, "distance_max": 1 - SIMILARITY_MIN, "votes": VOTES_MAX}
        rows = await fetch(conn, _STATEMENTS["feedback"].sql, parameters)
        kinds = {row.memory_id: KINDS[row.kind] for row in rows}
        votes = [
            Vote(row.memory_id, row.key_id, row.subject_id, Outcome(row.outcome), _nearness(row.similarity), row.created_at) for row in rows
        ]
        strengths = weigh(votes, question.filters.now)
        best = sorted(strengths, key=lambda memory_id: (-strengths[memory_id], memory_id))[:HITS_MAX]
        return [
            Hit(memory_id=memory_id, version=0, kind=kinds[memory_id], rank=rank, raw=strengths[memory_id], strength=strengths[memory_id])
            for rank, memory_id in enumerate(best, 1)
        ]


def _nearness(similarity: float) -> float:
    return min(1.0, max(0.0, (similarity - SIMILARITY_MIN) / (1 - SIMILARITY_MIN)))
