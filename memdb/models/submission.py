"""What a caller asks to remember, before anything was done to it. SECURITY: raw text; it ends at the redaction step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from governance.redaction.findings import JsonValue
from governance.trust import Trust
from memdb.models.memory import Kind, Placement

CONTENT_BYTES_MAX = 16_384
"""A memory is one statement; longer text is refused, not cut."""
FRAGMENT_BYTES_MAX = 65_536
TAGS_MAX = 32
ABOUT_MAX = 32
IDENTIFIER_CHARS_MAX = 200
DATA_BYTES_MAX = 16_384
NOTE_CHARS_MAX = 1_000
"""A remark, not a document; as the purpose of a recall."""
TTL_SECONDS_MAX = 366 * 24 * 3600


class SourceKind(StrEnum):
    """Where a statement was found; each but `conversation` lowers its trust."""

    CONVERSATION = "conversation"
    TOOL = "tool"
    WEB = "web"
    FILE = "file"
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class TurnRef:
    """A recorded turn, and the session that stands for the episode."""

    session_id: UUID
    turn_id: UUID


@dataclass(frozen=True, slots=True)
class Source:
    """The event that a memory comes from. `text` is the excerpt, else the content itself is. `turn`: set by extraction."""

    kind: SourceKind | None = None
    episode: str | None = None
    started_at: datetime | None = None
    position: int | None = None
    speaker: str | None = field(default=None, repr=False)
    said_at: datetime | None = None
    text: str | None = field(default=None, repr=False)
    turn: TurnRef | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """What extraction says beside a statement. `attribute`: of the subjects, with one value at a time, so that another one takes its
    place; None: it may have several. `since`: when it began to hold, where the statement says nothing. `known`: memories that came of the
    same snapshot before; to say them once more confirms nothing. `recorded_at`: of the turn; what was
    deleted since does not come back by it.
    """

    attribute: str | None
    since: datetime | None
    known: frozenset[UUID] = frozenset()
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """One memory to write."""

    content: str = field(repr=False)
    kind: Kind
    brain_id: UUID | None = None
    topic: str | None = field(default=None, repr=False)
    tags: tuple[str, ...] = field(default=(), repr=False)
    data: Mapping[str, JsonValue] = field(default_factory=dict, repr=False)
    about: tuple[UUID, ...] = ()
    said_by: UUID | None = None
    source: Source | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    ttl_seconds: int | None = None
    placement: Placement | None = None
    attributed: bool = True
    """False: whom it is about has to be decided first, so that it waits in the queue of its brain."""
    claim: Claim | None = None
    trust: Trust | None = None
    """Of what it is derived from; it only lowers what the credential gives."""
