"""Vector branch: memories whose text means something like the question.

A small scope is compared exactly; a filtered HNSW scan would return too few of its rows (0 of 10 for a tenant with 100 of 50,000). A large
one uses the index with an iterative scan. Everything asked of the past is exact.
"""

from __future__ import annotations

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

_STATEMENTS = load("retrieval.sql")


class VectorBranch:
    """Cosine similarity of text and question."""

    name = "vector"
    default_weight = 0.4

    async def find(self, conn: AsyncConnection, scope: ScopeFilter, question: Question, space: EmbeddingSpace) -> list[Hit]:
        if question.vector is None:
            raise BranchSkipped("embedding_unavailable")
        parameters = scope_parameters(scope) | filter_parameters(question.filters)
        parameters |= {"query": halfvec(question.vector), "limit": HITS_MAX}
        name = await self._choose(conn, scope, question, space)
        if name == "vector_near":
            await set_local(conn, hnsw__ef_search=EF_SEARCH, hnsw__iterative_scan="relaxed_order", hnsw__max_scan_tuples=SCAN_TUPLES_MAX)
        if name == "vector_past":
            parameters["as_of"] = question.filters.as_of
        rows = [(1.0 - row.distance, row) for row in await conn.execute(clause(statement(name, space)), parameters)]
        # An iterative scan returns rows in relaxed order.
        rows.sort(key=lambda pair: (-pair[0], pair[1].memory_id, pair[1].version))
        return [
            Hit(memory_id=row.memory_id, version=row.version, rank=rank, raw=similarity, strength=_strength(similarity))
            for rank, (similarity, row) in enumerate(rows, 1)
        ]

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
