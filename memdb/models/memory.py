"""A memory as the rest of the product sees it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from governance.redaction.findings import JsonValue


class Kind(StrEnum):
    """What sort of statement a memory is."""

    SEMANTIC = "semantic"  # a fact about somebody or something
    EPISODIC = "episodic"  # an event, or what was said
    PROCEDURAL = "procedural"  # how something is done
    TAXONOMIC = "taxonomic"  # what a term means
    WORKING = "working"  # short-lived; needs a time to live


RECONCILED = frozenset({Kind.SEMANTIC, Kind.PROCEDURAL, Kind.TAXONOMIC})
"""Kinds of which one brain holds one statement once. Two equal events are two events, and working memory is a scratch pad."""


class Placement(StrEnum):
    """Where on a subject's card a memory stands."""

    FRONT = "front"
    DRAWER = "drawer"


class Status(StrEnum):
    """The life of a memory, apart from holds."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DELETED = "deleted"


class WriteAction(StrEnum):
    """What a write did."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    REINFORCE = "REINFORCE"


@dataclass(frozen=True, slots=True)
class StoredRedaction:
    """A redaction as it is kept beside a memory: field path, type, action and place in the stored text; `token` is never served."""

    field: str
    entity: str
    action: str
    start: int
    end: int
    token: str | None

    @property
    def root(self) -> str:
        """The field that its path begins with: `content`, `data` or `source`."""
        return self.field.split(".", 1)[0].split("[", 1)[0]


@dataclass(frozen=True, slots=True)
class Memory:
    """One version of a memory, as stored. Times are aware UTC; `about` and `tags` are sorted."""

    org_id: UUID
    id: UUID
    brain_id: UUID
    kind: Kind
    version: int
    status: Status
    topic: str | None
    content: str
    data: JsonValue
    tags: tuple[str, ...]
    about: tuple[UUID, ...]
    said_by: UUID | None
    language: str
    placement: Placement
    importance: float
    trust: str
    source_kind: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    event_from: datetime | None
    event_to: datetime | None
    expires_at: datetime | None
    redactions: tuple[StoredRedaction, ...]
    text_cut: bool
    written_by: UUID
    written_key: str
    writer_label: str
    created_at: datetime
    updated_at: datetime
    confirmed_at: datetime


SPEAKER = "speaker"
"""Kind of an entity that a memory does not mention but that said it: the label of its source's speaker."""
