"""What is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from governance.policy.memory_rules import MemoryRules
from governance.redaction.findings import JsonValue, RedactedText
from memdb.models.memory import Kind
from memdb.providers.embedding.base import Vector
from memdb.storage.subjects import Groups
from memdb.text.lexemes import QueryTerm
from retrieval.names import QueryName
from retrieval.routing import Exact

LIMIT_MAX = 100
TOKEN_BUDGET_MAX = 32_000
QUERY_BYTES_MAX = 65_536


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A question as the caller sent it. SECURITY: raw text; it ends at the first step of the engine.

    `audience` None asks for the caller alone; otherwise every listed subject will see the answer. `session_id`: so will whoever takes part
    in that session. `valid_at` is when it should be true, `as_of` when it should have been known. `weights` are per branch, 0 or more.
    """

    query: str = field(repr=False)
    kinds: frozenset[Kind] | None = None
    brains: frozenset[UUID] | None = None
    about: tuple[UUID, ...] | None = None
    said_by: UUID | None = None
    audience: tuple[UUID, ...] | None = None
    session_id: UUID | None = None
    topic: str | None = field(default=None, repr=False)
    tags: tuple[str, ...] | None = field(default=None, repr=False)
    data: Mapping[str, JsonValue] | None = field(default=None, repr=False)
    created_from: datetime | None = None
    created_to: datetime | None = None
    valid_at: datetime | None = None
    as_of: datetime | None = None
    limit: int = 10
    token_budget: int | None = None
    weights: Mapping[str, float] | None = None
    min_score: float | None = None
    purpose: str | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Filters:
    """What narrows the scope, redacted, in the forms of the index. None is no filter, an empty list is never one."""

    kinds: tuple[str, ...] | None
    about: tuple[UUID, ...] | None
    said_by: tuple[UUID, ...] | None
    topic: str | None
    tags: tuple[str, ...] | None
    facets: tuple[str, ...] | None
    created_from: datetime | None
    created_to: datetime | None
    valid_at: datetime
    as_of: datetime | None
    now: datetime

    @property
    def past(self) -> bool:
        """True when superseded versions are searched as well."""
        return self.as_of is not None or self.valid_at < self.now


@dataclass(frozen=True, slots=True)
class Question:
    """A redacted question with what the branches need of it. `vector` None: the embedding provider did not answer. `seeds`: what the
    branches before found, current memories with their strength so far (0..1). `rules`: half-lives of the org. `same`: who is one with whom,
    of those that it names.
    """

    text: RedactedText
    language: str
    terms: tuple[QueryTerm, ...]
    names: tuple[QueryName, ...]
    exact: Exact
    vector: Vector | None
    filters: Filters
    limit: int
    rules: MemoryRules = field(default_factory=MemoryRules)
    same: Groups = Groups({}, {})  # noqa: RUF009 - frozen and empty
    seeds: Mapping[UUID, float] = field(default_factory=dict)
