"""What a branch is: one way of finding memories, within a scope and a deadline, that says why it found each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from governance.scopes import ScopeFilter
from memdb.models.memory import Kind
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.storage.seals import halfvec
from memdb.storage.sending import fetch
from memdb.storage.statements import load
from retrieval.branches.binding import scope_parameters
from retrieval.query import Question

HITS_MAX = 60
"""Hits of one branch: over-retrieval, so that fusion and the second filter have something to choose from."""


EXACT: Final = "exact"
"""Name under which an exact match stands among what the branches say."""

KINDS: Final = {kind.value: kind for kind in Kind}
"""Kind by its name: making a Kind of each row takes longer."""

_STATEMENTS = load("retrieval.sql")


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that one branch found. `rank` counts from 1 without gaps, ties by id; `raw` is the branch's own score, higher is better;
    `strength` is the same in 0..1, comparable across questions; `version` 0 is the current one, `kind` that version's. `found` is what led
    to it: words, names, or the hit that it was reached from and the steps.
    """

    memory_id: UUID
    version: int
    kind: Kind
    rank: int
    raw: float
    strength: float
    found: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The brains in scope: memories, their words on average (at least 1), and lexeme of the question -> memories whose text holds it."""

    documents: int
    average: float
    holding: Mapping[str, int]


class Statistics:
    """The corpus of one question. What failed in one branch's savepoint is asked again in the next one's."""

    def __init__(self, scope: ScopeFilter, question: Question) -> None:
        self._scope = scope
        self._lexemes = sorted({lexeme for term in question.terms for lexeme in term.alternatives})
        self._corpus: Corpus | None = None

    async def get(self, conn: AsyncConnection) -> Corpus:
        """The same for every branch."""
        if self._corpus is None:
            rows = await fetch(conn, _STATEMENTS["corpus"].sql, scope_parameters(self._scope) | {"terms": self._lexemes})
            counts = {row.term: (row.documents, row.words) for row in rows}
            documents, words = counts.pop(None)
            average = max(1.0, words / documents) if documents > 0 else 1.0
            self._corpus = Corpus(documents, average, {term: holding for term, (holding, _) in counts.items()})
        return self._corpus


@dataclass(frozen=True, slots=True)
class Asked:
    """What a branch is given: the question in its scope, its vector as the text of a halfvec with its space, and what the branches share.
    `kinds`: of its seeds.
    """

    scope: ScopeFilter
    question: Question
    vector: str | None
    space: EmbeddingSpace
    statistics: Statistics
    kinds: Mapping[UUID, Kind]

    @classmethod
    def of(cls, scope: ScopeFilter, question: Question, space: EmbeddingSpace, kinds: Mapping[UUID, Kind] | None = None) -> Asked:
        """The question as the first branch gets it."""
        vector = None if question.vector is None else halfvec(question.vector)
        return cls(scope, question, vector, space, Statistics(scope, question), kinds or {})


Later = Callable[[], list[Hit]]
"""What is left to do when nothing more has to be read: it needs no connection and runs off the event loop."""


class Branch(Protocol):
    """Runs on a read-only connection as memdb_search, inside a savepoint whose statement_timeout is the branch's deadline; both come with
    the first statement that `fetch` sends, so a branch sends all of its own with that. `looks_up`: its
    statements find everything by key, so that one plan serves all values and planning each time would be in vain.
    """

    name: str
    looks_up: bool

    async def find(self, conn: AsyncConnection, asked: Asked, /) -> list[Hit] | Later:
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
