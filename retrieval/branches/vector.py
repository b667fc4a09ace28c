"""Vector branch: memories whose text, with what was said before it, means something like the question.

A small scope is compared exactly; a filtered HNSW scan would return too few of its rows (0 of 10 for a tenant with 100 of 50,000). A large
one uses the index with an iterative scan. Everything asked of the past is exact.
"""

from __future__ import annotations

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from governance.scopes import ScopeFilter
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.storage.database import set_local
from memdb.storage.memories import halfvec
from memdb.storage.statements import clause, load
from memdb.storage.tables import vector_table, version_vector_table
from retrieval.branches.base import HITS_MAX, BranchSkipped, Hit
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.query import Question

EXACT_ROWS_MAX = 10_000
"""Scopes up to here are compared exactly: 10,000 half vectors of 512 dimensions take about 10 ms."""
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
    default_weight = 0.25

    async def find(self, conn: AsyncConnection, scope: ScopeFilter, question: Question, space: EmbeddingSpace) -> list[Hit]:
        if question.vector is None:
            raise BranchSkipped("embedding_unavailable")
        parameters = scope_parameters(scope) | filter_parameters(question.filters)
        parameters |= {"query": halfvec(question.vector), "limit": HITS_MAX}
        name = await self._choose(conn, scope, question, space)
        if name == "vector_past":
            parameters["as_of"] = question.filters.as_of
        else:
            seeds = list(question.seeds)
            parameters |= {"ids": None, "seeds": seeds, "context_share": CONTEXT_SHARE, "limit": HITS_MAX + len(seeds)}
        if name == "vector_near":
            parameters["ids"] = [*await self._near(conn, parameters, space), *seeds]
            name = "vector_exact"
        rows = sorted(await conn.execute(clause(statement(name, space)), parameters), key=lambda row: (-row.similarity, row.memory_id))
        return [
            Hit(memory_id=row.memory_id, version=row.version, rank=rank, raw=row.similarity, strength=_strength(row.similarity))
            for rank, row in enumerate(rows, 1)
        ]

    async def _near(self, conn: AsyncConnection, parameters: dict[str, object], space: EmbeddingSpace) -> list[UUID]:
        await set_local(conn, hnsw__ef_search=EF_SEARCH, hnsw__iterative_scan="relaxed_order", hnsw__max_scan_tuples=SCAN_TUPLES_MAX)
        return list((await conn.execute(clause(statement("vector_near", space)), parameters | {"limit": 2 * HITS_MAX})).scalars())

    async def _choose(self, conn: AsyncConnection, scope: ScopeFilter, question: Question, space: EmbeddingSpace) -> str:
        if question.filters.past:
            return "vector_past"
        size = clause(statement("scope_size", space))
        vectors = (await conn.execute(size, scope_parameters(scope) | {"limit": EXACT_ROWS_MAX + 1})).scalar_one()
        return "vector_exact" if vectors <= EXACT_ROWS_MAX else "vector_near"


def statement(name: str, space: EmbeddingSpace) -> str:
    """A vector statement for the tables of one space; table names come from `memdb.storage.tables` alone."""
    live, past = vector_table(space.name, space.dimension), version_vector_table(space.name, space.dimension)
    return _STATEMENTS[name].sql.replace("{vectors}", live.name).replace("{version_vectors}", past.name)


def _strength(similarity: float) -> float:
    return min(1.0, max(0.0, (similarity - SIMILARITY_NONE) / (1.0 - SIMILARITY_NONE)))
