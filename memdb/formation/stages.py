"""The frozen types between the steps of formation.

Each step takes the type of the step before and returns its own, so a wrong order does not type-check. Raw text ends at `Redacted`: from
there on every string that came from a caller is inside a `RedactedText` or `RedactedJson`, or was checked to be a plain identifier.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from governance.inspection.signals import Signal
from governance.policy.decision import Decision
from governance.principals import Principal
from governance.redaction.findings import RedactedJson, RedactedText
from governance.trust import Trust
from memdb.formation.placement import Proposal
from memdb.models.memory import Kind, Memory, Placement, StoredRedaction, WriteAction
from memdb.models.reconciling import Neighbour, Reason, Verdict
from memdb.models.submission import Claim, SourceKind, Submission
from memdb.providers.embedding.base import Vector
from memdb.providers.entities.base import Mention
from memdb.text.lexemes import Analysis

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTerms:
    """The memory stands for its topic: what the writer had read of it, whether a conflict refuses the write, and how far apart two keys'
    writes of other content are none; None: they never are one.
    """

    base_version: int | None = None
    reject: bool = False
    window: timedelta | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Authorised:
    """Allowed: the principal may write into this brain. `replaces` is the memory that an edit makes a new version of."""

    principal: Principal
    submission: Submission
    brain_id: UUID
    now: datetime
    replaces: Memory | None = None
    expected_version: int | None = None
    unit: UnitTerms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactedFragment:
    """The excerpt that a memory comes from, redacted."""

    episode: str | None
    started_at: datetime | None
    position: int | None
    speaker: RedactedText | None
    said_at: datetime | None
    text: RedactedText
    turn_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """Past the redactor. `redactions` lists every mention of every field with its place in the stored text."""

    principal: Principal
    brain_id: UUID
    now: datetime
    replaces: Memory | None
    expected_version: int | None
    unit: UnitTerms | None
    kind: Kind
    content: RedactedText
    data: RedactedJson
    topic: str | None
    tags: tuple[str, ...]
    about: tuple[UUID, ...]
    said_by: UUID | None
    source_kind: SourceKind | None
    fragment: RedactedFragment | None
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None
    placement: Placement | None
    attributed: bool
    claim: Claim | None
    derived_trust: Trust | None
    redactions: tuple[StoredRedaction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected(Redacted):
    """Looked at for stored instructions."""

    signals: tuple[Signal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Enriched(Inspected):
    """What the text says of itself: language, mentions, its words, the time of the event, weight, a topic and a place to offer."""

    language: str
    mentions: tuple[Mention, ...]
    words: Analysis
    event_from: datetime | None
    event_to: datetime | None
    importance: float
    suggested_topic: str | None
    proposal: Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where an excerpt stands: its episode and its own row, existing or to be made; `text_hash` is keyed."""

    episode_id: UUID
    fragment_id: UUID
    position: int
    text_hash: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoped(Enriched):
    """Placed: subjects exist, context comes from what this brain holds. `context_text`: for the context vector, if any."""

    place: Placed | None
    context: Analysis
    context_fragments: tuple[UUID, ...]
    context_text: str | None = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded(Scoped):
    """Has a vector, or none because the provider did not answer; then it is embedded later."""

    vector: Vector | None = field(repr=False)
    context_vector: Vector | None = field(repr=False)
    text_cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted(Embedded):
    """Has its id, its trust, and the key under which its brain holds it once (None for kinds that may repeat)."""

    memory_id: UUID
    duplicate_key: bytes | None
    trust: Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided(Drafted):
    """Policy has answered; a hold or an allowance goes on to storage, a rejection does not come this far."""

    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(Decided):
    """Which memories it is near, the nearest first, and what a language model decided of it among them, if one was asked."""

    neighbours: tuple[Neighbour, ...]
    verdict: Verdict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a write did. No text: ids, places and codes. `reason`: why it was this action."""

    id: UUID
    version: int
    action: WriteAction
    status: str
    brain_id: UUID
    placement: Placement
    placement_reason: str
    redactions: tuple[StoredRedaction, ...]
    reasons: tuple[str, ...]
    embedding: str
    text_cut: bool
    suggested_topic: str | None
    conflicted: bool = False
    replayed: bool = False
    reason: str = Reason.NEW.value


def grow(cls: type[T], before: object, **added: object) -> T:
    """Make the next stage from the one before: its fields, and those that this step adds."""
    kept = {name: getattr(before, name) for name in _names(type(before))}  # type: ignore[arg-type]  # mypy takes a class of classes for unhashable
    return cls(**kept, **added)


@cache
def _names(stage: type[Any]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(stage))
