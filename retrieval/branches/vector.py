"""Vector branch: memories whose text, with what was said before it, means something like the question.

A small scope is compared exactly; a filtered HNSW scan would return too few of its rows (0 of 10 for a tenant with 100 of 50,000). A large
one uses the index with an iterative scan. Everything asked of the past is exact.
"""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from memdb.providers.embedding.base import EmbeddingSpace
from memdb.storage.sending import fetch
from memdb.storage.statements import load
from memdb.storage.tables import vector_table, version_vector_table
from retrieval.branches.base import HITS_MAX, KINDS, Asked, BranchSkipped, Hit
from retrieval.branches.binding import filter_parameters, scope_parameters

EXACT_MEMORIES_MAX = 5_000
"""Scopes of so many memories are compared exactly: their 10,000 half vectors of 512 dimensions, text and context, take about 10 ms."""
EF_SEARCH = 200
SCAN_TUPLES_MAX = 200_000
"""How far an iterative scan goes before it gives up; pgvector's default of 20,000 ends too early for a scope of a few percent."""
SIMILARITY_NONE = 0.25
"""Cosine similarity at and below which a text has nothing to do with the question, for the default space; strength 0."""

CONTEXT_SHARE = 0.75
"""How much of a similarity is the context's, where there is one. A turn alone is too short: LoCoMo recall@10 of vectors alone is 0.213 over
the turn, 0.455 over the context; on QMSum both together do better than either."""

_STATEMENTS = load("retrieval.sql")


class VectorBranch:
    """Cosine similarity of text and question."""

    name = "vector"
    looks_up = False

    async def find(self, conn: AsyncConnection, asked: Asked) -> list[Hit]:
        question = asked.question
        if asked.vector is None:
            raise BranchSkipped("embedding_unavailable")
        parameters = scope_parameters(asked.scope) | filter_parameters(question.filters)
        parameters |= {"query": asked.vector, "limit": HITS_MAX}
        if question.filters.past:
            name, parameters["as_of"] = "vector_past", question.filters.as_of
        else:
            seeds = list(question.seeds)
            parameters |= {"seeds": seeds, "context_share": CONTEXT_SHARE, "limit": HITS_MAX + len(seeds)}
            small = (await asked.statistics.get(conn)).documents <= EXACT_MEMORIES_MAX
            name = "vector_exact" if small else "vector_near"
            parameters |= {} if small else {"nearest": 2 * HITS_MAX}
        rows = await fetch(conn, statement(name, asked.space), parameters)
        return [
            Hit(row.memory_id, row.version, KINDS[row.kind], rank, raw=row.similarity, strength=_strength(row.similarity))
            for rank, row in enumerate(sorted(rows, key=lambda row: (-row.similarity, row.memory_id)), 1)
        ]


def statement(name: str, space: EmbeddingSpace) -> str:
    """A vector statement for the tables of one space; table names come from `memdb.storage.tables` alone."""
    live, past = vector_table(space.name, space.dimension), version_vector_table(space.name, space.dimension)
    return _STATEMENTS[name].sql.replace("{vectors}", live.name).replace("{version_vectors}", past.name)


def _strength(similarity: float) -> float:
    return min(1.0, max(0.0, (similarity - SIMILARITY_NONE) / (1.0 - SIMILARITY_NONE)))
