"""What a branch is: one way of finding memories, within a scope and a deadline, that says why it found each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from governance.scopes import ScopeFilter
from memdb.providers.embedding.base import EmbeddingSpace
from retrieval.query import Question

HITS_MAX = 60
"""Hits of one branch: over-retrieval, so that fusion and the second filter have something to choose from."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that one branch found. `rank` counts from 1 without gaps, ties by id; `raw` is the branch's own score, higher is better;
    `strength` is the same in 0..1, comparable across questions; `version` 0 is the current one. `found` is what led to it: words, names, or
    the hit that it was reached from and the steps.
    """

    memory_id: UUID
    version: int
    rank: int
    raw: float
    strength: float
    found: tuple[str, ...] = field(default=(), repr=False)


class Branch(Protocol):
    """Runs on a read-only connection as memdb_search, inside a savepoint whose statement_timeout is the branch's deadline."""

    name: str
    default_weight: float

    async def find(self, conn: AsyncConnection, scope: ScopeFilter, question: Question, space: EmbeddingSpace, /) -> list[Hit]:
        """At most HITS_MAX hits, best first; none is an answer.

        Raises:
            BranchSkipped: the question gives this branch nothing to look for, and the reply should say so.
        """
        ...


class BranchSkipped(Exception):
    """The branch cannot answer this question; `reason` goes into `degraded`."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)
