"""The least that a search with two branches can do in this database; sql/baseline_two.sql has its statements.

Same roles, transaction, settings and scope as the engine: one read-only transaction, a savepoint as memdb_search, contents as memdb_app.
Nothing is redacted, explained, checked again or recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from benchmarks.harness import Bench
from governance.principals import Principal
from governance.scopes import ScopeFilter
from memdb.providers.embedding.base import Vector
from memdb.storage.database import ReadConn, identity_of, set_local
from memdb.storage.seals import halfvec
from memdb.storage.statements import clause, load
from memdb.storage.tables import vector_table
from memdb.text.language import detect
from memdb.text.lexemes import query_terms
from retrieval.branches.binding import scope_parameters
from retrieval.branches.vector import SCAN_TUPLES_MAX
from retrieval.engine import LANGUAGES

SMALL_MAX: Final = 1_000
"""Vectors of texts up to which a scope is compared exactly."""
EF_SEARCH: Final = (50, 100, 200, 400, 800, 1_000)
RECALL_MIN: Final = 0.98
CONTENTS: Final = 10
K: Final = 60

_STATEMENTS = load("benchmarks.sql")


@dataclass(frozen=True, slots=True)
class Near:
    """How vectors are compared: exactly (None), or by the index with this ef_search, which found this share of the ten nearest."""

    ef_search: int | None
    recall: float


async def calibrate(bench: Bench, principal: Principal, scope: ScopeFilter, vectors: Sequence[Vector], size: int) -> Near:
    """The smallest ef_search with which the index finds at least 0.98 of the ten nearest of these queries; exact where none does."""
    if size <= SMALL_MAX:
        return Near(None, 1.0)
    async with bench.runtime.database.read(identity_of(principal)) as conn, conn.begin_nested():
        await set_local(conn, role="memdb_search", statement_timeout=60_000, plan_cache_mode="force_custom_plan")
        exact = [set((await _near(bench, conn, scope, vector, None))[:10]) for vector in vectors]
        for ef_search in EF_SEARCH:
            found = [(await _near(bench, conn, scope, vector, ef_search))[:10] for vector in vectors]
            recall = sum(len(e & set(f)) / len(e) for e, f in zip(exact, found, strict=True)) / len(exact)
            if recall >= RECALL_MIN:
                return Near(ef_search, round(recall, 4))
    return Near(None, 1.0)


async def search(bench: Bench, principal: Principal, scope: ScopeFilter, near: Near, question: tuple[str, Vector]) -> dict[UUID, str]:
    """Ten contents for a question and its vector."""
    text, vector = question
    terms = sorted({lexeme for term in query_terms(text, (detect(text), *LANGUAGES)) for lexeme in term.alternatives})
    settings = bench.runtime.settings
    async with bench.runtime.database.read(identity_of(principal)) as conn:
        async with conn.begin_nested():
            await set_local(conn, role="memdb_search", statement_timeout=settings.branch_deadline_ms, plan_cache_mode="force_custom_plan")
            by_vector = await _near(bench, conn, scope, vector, near.ef_search)
            by_words = await _worded(conn, scope, terms)
            await set_local(conn, role="none", statement_timeout=settings.statement_timeout_ms)
        best = fuse(by_vector, by_words)[:CONTENTS]
        rows = await conn.execute(_STATEMENTS["contents"].clause, scope_parameters(scope) | {"ids": best})
        found = {row.id: row.content for row in rows}
    return {memory_id: found[memory_id] for memory_id in best if memory_id in found}


def fuse(*ranked: Sequence[UUID]) -> list[UUID]:
    """Reciprocal rank fusion, best first, ties by id."""
    scores: dict[UUID, float] = {}
    for ids in ranked:
        for rank, memory_id in enumerate(ids, 1):
            scores[memory_id] = scores.get(memory_id, 0.0) + 1 / (K + rank)
    return sorted(scores, key=lambda memory_id: (-scores[memory_id], memory_id))


async def _near(bench: Bench, conn: ReadConn, scope: ScopeFilter, vector: Vector, ef_search: int | None) -> list[UUID]:
    if ef_search is not None:
        await set_local(conn, hnsw__ef_search=ef_search, hnsw__iterative_scan="relaxed_order", hnsw__max_scan_tuples=SCAN_TUPLES_MAX)
    space = bench.runtime.embedder.space
    sql = _STATEMENTS["near_exact" if ef_search is None else "near_index"].sql
    statement = clause(sql.replace("{vectors}", vector_table(space.name, space.dimension).name))
    parameters: dict[str, Any] = scope_parameters(scope) | {"query": halfvec(vector)}
    return list((await conn.execute(statement, parameters)).scalars())


async def _worded(conn: ReadConn, scope: ScopeFilter, terms: Sequence[str]) -> list[UUID]:
    parameters = scope_parameters(scope)
    stems = (await conn.execute(_STATEMENTS["stem_counts"].clause, parameters | {"terms": list(terms)})).scalars().all()
    if not stems:
        return []
    words = " | ".join("'" + stem.replace("\\", "\\\\").replace("'", "''") + "'" for stem in stems)
    return list((await conn.execute(_STATEMENTS["worded"].clause, parameters | {"words": words})).scalars())
