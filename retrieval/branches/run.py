"""Runs the branches: one after the other on one connection, each in a savepoint with its own deadline, as the role that only searches."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy import exc

from governance.scopes import ScopeFilter
from memdb.errors import AllBranchesFailed
from memdb.models.memory import Kind
from memdb.runtime import Runtime
from memdb.storage.database import ReadConn, Steps, stepping
from memdb.timing import Stopwatch
from retrieval.branches.base import EXACT, Asked, Branch, BranchSkipped, Hit, Later
from retrieval.branches.registry import BRANCHES, EXACT_BRANCH, SETTINGS
from retrieval.query import Question
from retrieval.spread import DidNotConverge
from retrieval.weights import DEFAULTS

log = structlog.get_logger()

SEEKING = frozenset({"lexical", "vector"})
"""Branches that ask every memory in scope. When none of them answered, that the others found nothing says nothing."""
ENTRY: Final[Mapping[str, str | int]] = {
    "role": "memdb_search",
    # A statement that is run often may get one plan for all values; that one expects few rows in scope and leaves the HNSW index alone.
    "plan_cache_mode": "force_custom_plan",
    **SETTINGS,
}
LEAVE: Final[Mapping[str, str | int]] = {"role": "none"}
CANCELLED = "57014"  # SQLSTATE query_canceled: the statement ran into its deadline


@dataclass(slots=True)
class Found:
    """Hits by branch; `exact`: what the question asks for by id, topic or its very words; `later`: what is left of a branch to do without a
    connection; `degraded` names branches that failed, were late or could not be asked, each with its reason.
    """

    hits: dict[str, list[Hit]] = field(default_factory=dict)
    exact: list[Hit] = field(default_factory=list)
    later: dict[str, Later] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)
    failed: int = 0


async def ask(runtime: Runtime, conn: ReadConn, scope: ScopeFilter, question: Question, watch: Stopwatch) -> Found:
    """Let every branch read what it needs, a late or failing one leaves the rest; `finish` does what is left to do."""
    found = Found()
    if not scope.brain_ids:
        # An empty scope is answered without asking, and looks like one in which nothing was found.
        found.hits = {branch.name: [] for branch in BRANCHES}
        return found
    # SECURITY: memdb_search sees index rows of every org. The role is given back below, or ends with the transaction; every statement in
    # between binds org and brains.
    entry = {**ENTRY, "statement_timeout": runtime.settings.branch_deadline_ms}
    leave = {**LEAVE, "statement_timeout": runtime.settings.statement_timeout_ms}
    first = Asked.of(scope, question, runtime.embedder.space)
    async with stepping(conn, entry, leave, fetched=True) as steps:
        for place, branch in enumerate(_asked(question)):
            if place:
                await steps.next(plan_cache_mode="force_generic_plan" if branch.looks_up else "force_custom_plan")
            seeds, kinds = _seen(found.hits)
            await _run(conn, steps, branch, replace(first, question=replace(question, seeds=seeds), kinds=kinds), found)
            watch.lap(branch.name)
            if branch.name == EXACT:
                found.exact = found.hits.pop(EXACT, [])
                if found.exact and question.exact.alone:
                    break
    return found


def _asked(question: Question) -> Sequence[Branch]:
    exact = question.exact
    return (EXACT_BRANCH, *BRANCHES) if exact.ids or exact.phrase or exact.topic else BRANCHES


async def finish(found: Found, watch: Stopwatch) -> Found:
    """Do what is left, off the event loop; needs no connection.

    Raises:
        AllBranchesFailed: no branch answered.
    """
    for name, later in found.later.items():
        try:
            found.hits[name] = await asyncio.to_thread(later)
        except DidNotConverge:
            found.degraded.append(f"{name}: failed")
            found.failed += 1
            log.warning("branch_failed", branch=name, late=False, sqlstate=None)
        watch.lap(name)
    names = {branch.name for branch in BRANCHES}
    if found.failed and not any(found.hits.values()) and not (SEEKING & names or names) & set(found.hits):
        raise AllBranchesFailed
    return found


async def _run(conn: ReadConn, steps: Steps, branch: Branch, asked: Asked, found: Found) -> None:
    try:
        answer = await branch.find(conn, asked)
    except BranchSkipped as skipped:
        found.degraded.append(f"{branch.name}: {skipped.reason}")
    except exc.DBAPIError as error:
        if error.connection_invalidated:
            raise
        await steps.undo()
        late = getattr(error.orig, "sqlstate", None) == CANCELLED
        found.degraded.append(f"{branch.name}: {'late' if late else 'failed'}")
        found.failed += 1
        log.warning("branch_failed", branch=branch.name, late=late, sqlstate=getattr(error.orig, "sqlstate", None))
    else:
        if callable(answer):
            found.later[branch.name] = answer
        else:
            found.hits[branch.name] = answer


def _seen(hits: Mapping[str, Sequence[Hit]]) -> tuple[dict[UUID, float], dict[UUID, Kind]]:
    """What the branches so far found of current memories: strength by the default weights of their kinds, and kind."""
    names = sorted(hits)
    totals = {kind: sum(weights.get(name, 0.0) for name in names) for kind, weights in DEFAULTS.items()}
    # By number: hashing UUIDs would take most of the time.
    strengths: dict[int, float] = {}
    found: dict[int, Hit] = {}
    for name in names:
        shares = {kind: weights.get(name, 0.0) / totals[kind] if totals[kind] else 0.0 for kind, weights in DEFAULTS.items()}
        for hit in hits[name]:
            if hit.version == 0:
                number = hit.memory_id.int
                strengths[number] = strengths.get(number, 0.0) + shares[hit.kind] * hit.strength
                found[number] = hit
    return {hit.memory_id: strengths[number] for number, hit in found.items()}, {hit.memory_id: hit.kind for hit in found.values()}
