"""What a handler proposes. The write path decides what becomes of it: it is redacted again, inspected, reconciled and stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from governance.redaction.findings import JsonValue
from memdb.models.memory import Kind


@dataclass(frozen=True, slots=True)
class Ended:
    """Something that no longer holds of the same subjects: this value of the attribute, or with None whatever value it had."""

    attribute: str
    value: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One typed statement, in the language of the talk, that can be read without the talk: it names its subject.

    content: one sentence; None when the candidate only ends something.
    about: subjects, sorted; empty when it is about nobody who is known here.
    said_by: who stated it; None when unknown.
    attribute: what of the subject it tells, as a topic path of one to three parts (`home`, `work/role`), if that is clear.
    value: the part of the sentence that is the attribute's value, as said.
    single: the attribute has one value at a time, so that a new one takes the place of the former.
    ends: what is over, from `valid_from` on (else from when it was said).
    data: by kind: `steps` (procedural), `participants` (episodic), `aliases` (taxonomic).
    valid_from, valid_to: aware; since when and until when it holds, where the talk says so.
    evidence: numbers of the utterances that it rests on, the one that states it first.
    quote: words of the first of them, verbatim; what is not found there is refused.
    rule: which rule or model proposed it.
    """

    kind: Kind
    content: str | None = field(repr=False)
    about: tuple[UUID, ...]
    said_by: UUID | None
    attribute: str | None = None
    value: str | None = field(default=None, repr=False)
    single: bool = False
    ends: tuple[Ended, ...] = field(default=(), repr=False)
    data: Mapping[str, JsonValue] = field(default_factory=dict, repr=False)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    evidence: tuple[int, ...]
    quote: str = field(repr=False)
    rule: str
