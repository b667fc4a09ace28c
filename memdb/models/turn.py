"""Sessions, turns and snapshots as the rest of the product sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from governance.redaction.findings import JsonValue
from memdb.models.memory import StoredRedaction
from memdb.models.submission import SourceKind

TURN_BYTES_MAX: Final = 65_536
TURNS_MAX: Final = 500
"""In one request, and in one snapshot."""
SNAPSHOT_BYTES_MAX: Final = 131_072
"""Of the texts of one snapshot; a turn that is longer by itself cannot be."""
ATTACHMENTS_MAX: Final = 16
MAX_MESSAGES: Final = 40
IDLE_SECONDS: Final = 300
IDLE_SECONDS_MAX: Final = 604_800
OVERLAP: Final = 4
OVERLAP_MAX: Final = 50


class TurnRole(StrEnum):
    """Who speaks in a turn. Only what a user says can become a fact about people."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class SnapshotCause(StrEnum):
    """Why a snapshot was cut."""

    SIZE = "size"
    IDLE = "idle"
    FLUSH = "flush"
    CLOSE = "close"


class ExtractionState(StrEnum):
    """What became of a snapshot under one handler. DEAD: given up after several tries; an admin may have it tried again."""

    WAITING = "waiting"
    DONE = "done"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Attachment:
    """What lay beside a turn: a reference, never the thing itself."""

    kind: str
    name: str | None = field(default=None, repr=False)
    uri: str | None = field(default=None, repr=False)
    media_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSubmission:
    """A turn as it was sent: nothing of it has passed the redactor.

    speaker_id: the subject that speaks; None: the caller's own when it speaks in its own role and names nobody, else unknown.
    by_stranger: somebody is named by an id that nobody has, so nobody that is known speaks.
    said_at: aware, in the zone of the speaker.
    client_turn_id: the caller's id of the turn; the same one again in a session is the same turn.
    reply_to: the caller's id of the turn that this one answers.
    guest: somebody from outside, who is believed least.
    """

    text: str = field(repr=False)
    role: TurnRole = TurnRole.USER
    speaker_id: UUID | None = None
    by_stranger: bool = False
    speaker: str | None = field(default=None, repr=False)
    said_at: datetime | None = None
    client_turn_id: str | None = field(default=None, repr=False)
    reply_to: str | None = field(default=None, repr=False)
    attachments: tuple[Attachment, ...] = ()
    source_kind: SourceKind | None = None
    guest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn as stored; positions of a session count from 0 without a gap."""

    id: UUID
    session_id: UUID
    brain_id: UUID
    position: int
    role: TurnRole
    speaker_id: UUID | None
    speaker: str | None = field(repr=False)
    text: str = field(repr=False)
    redactions: tuple[StoredRedaction, ...]
    attachments: tuple[Mapping[str, JsonValue], ...] = field(repr=False)
    said_at: datetime | None
    reply_to: UUID | None
    trust: str
    source_kind: str | None
    written_by: UUID
    written_key: str
    writer_label: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A conversation. Turns from `open_from` on, up to but without `next_position`, are in no snapshot yet."""

    id: UUID
    brain_id: UUID
    platform: str | None
    title: str | None = field(repr=False)
    max_messages: int
    idle_seconds: int
    overlap: int
    next_position: int
    open_from: int
    last_turn_at: datetime | None
    due_at: datetime | None
    created_at: datetime
    created_by: UUID
    created_key: str
    closed_at: datetime | None

    @property
    def open_turns(self) -> int:
        """How many turns wait to be cut."""
        return self.next_position - self.open_from


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A contiguous run of turns, both ends included; those from `overlap_from` on before it are read with it and not learned from."""

    id: UUID
    session_id: UUID
    brain_id: UUID
    first_position: int
    last_position: int
    overlap_from: int
    cause: SnapshotCause
    created_at: datetime
