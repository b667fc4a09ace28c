"""Runs the branches: one after the other on one connection, each in a savepoint with its own deadline, as the role that only searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import structlog
from sqlalchemy import exc

from governance.scopes import ScopeFilter
from memdb.errors import AllBranchesFailed
from memdb.runtime import Runtime
from memdb.storage.database import ReadConn, set_local
from memdb.timing import Stopwatch
from retrieval.branches.base import Branch, BranchSkipped, Hit
from retrieval.branches.registry import BRANCHES
from retrieval.query import Question

log = structlog.get_logger()

SEEKING = frozenset({"lexical", "vector"})
"""Branches that ask every memory in scope. When none of them answered, that the others found nothing says nothing."""
CANCELLED = "57014"  # SQLSTATE query_canceled: the statement ran into its deadline


@dataclass(slots=True)
class Found:
    """Hits by branch; `degraded` names branches that failed, were late or could not be asked, each with its reason."""

    hits: dict[str, list[Hit]] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)
    failed: int = 0


async def run_branches(runtime: Runtime, conn: ReadConn, scope: ScopeFilter, question: Question, watch: Stopwatch) -> Found:
    """Ask every branch; a late or failing one leaves the rest.

    Raises:
        AllBranchesFailed: none answered.
    """
    found = Found()
    for branch in BRANCHES:
        try:
            # An empty scope is answered without asking, and looks like one in which nothing was found.
            hits = await _run(runtime, conn, branch, scope, replace(question, seeds=_seeds(found.hits))) if scope.brain_ids else []
            found.hits[branch.name] = hits
        except BranchSkipped as skipped:
            found.degraded.append(f"{branch.name}: {skipped.reason}")
        except exc.DBAPIError as error:
            if error.connection_invalidated:
                raise
            late = getattr(error.orig, "sqlstate", None) == CANCELLED
            found.degraded.append(f"{branch.name}: {'late' if late else 'failed'}")
            found.failed += 1
            log.warning("branch_failed", branch=branch.name, late=late, sqlstate=getattr(error.orig, "sqlstate", None))
        watch.lap(branch.name)
    names = {branch.name for branch in BRANCHES}
    if found.failed and not any(found.hits.values()) and not (SEEKING & names or names) & set(found.hits):
        raise AllBranchesFailed
    return found


def _seeds(hits: Mapping[str, Sequence[Hit]]) -> dict[UUID, float]:
    """What the branches so far found of current memories, with strength by their default weights."""
    weights = {branch.name: branch.default_weight for branch in BRANCHES if branch.name in hits}
    strengths: dict[UUID, float] = {}
    for name in sorted(hits):
        for hit in hits[name]:
            if hit.version == 0:
                strengths[hit.memory_id] = strengths.get(hit.memory_id, 0.0) + weights[name] * hit.strength / sum(weights.values())
    return strengths


async def _run(runtime: Runtime, conn: ReadConn, branch: Branch, scope: ScopeFilter, question: Question) -> list[Hit]:
    async with conn.begin_nested():
        # SECURITY: memdb_search sees index rows of every org. The role lasts until it is given back or the savepoint is rolled back, and
        # every statement in between binds org and brains.
        deadline = runtime.settings.branch_deadline_ms
        # A statement that is run often may get one plan for all values; that one expects few rows in scope and leaves the HNSW index alone.
        await set_local(conn, role="memdb_search", statement_timeout=deadline, plan_cache_mode="force_custom_plan")
        hits = await branch.find(conn, scope, question, runtime.embedder.space)
        await set_local(conn, role="none", statement_timeout=runtime.settings.statement_timeout_ms)
    return hits
