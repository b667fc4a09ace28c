"""Bodies of the memory routes."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Flag, Integer, Moment, Reply
from governance.policy.rules import UNATTRIBUTED
from memdb.formation.stages import Receipt
from memdb.lifecycle.conflicts import Conflict, Served
from memdb.lifecycle.edit import Change
from memdb.lifecycle.freshness import Freshness
from memdb.models.memory import Kind, Memory, Placement, StoredRedaction
from memdb.models.submission import Source, SourceKind, Submission

EXAMPLE_ID = "01980000-0000-7000-8000-000000000001"
EXAMPLE_BRAIN = "01980000-0000-7000-8000-0000000000b1"


class EpisodeBody(Body):
    """The event that a memory comes from."""

    external_id: Annotated[str, Field(description="the caller's name of the conversation or document; fragments of one episode meet here")]
    started_at: Moment | None = None


class SourceBody(Body):
    """Where a memory comes from. Without `text` the content itself is the excerpt that is kept."""

    kind: SourceKind | None = Field(None, description="tool, web, file and imported lower the trust of the memory")
    episode: EpisodeBody | None = None
    position: Integer | None = Field(None, description="place in the episode, from 0; left out: after the last one")
    speaker: str | None = Field(None, description="label of who said it")
    said_at: Moment | None = None
    text: str | None = Field(None, description="the excerpt, at most 64 KiB")

    def to_source(self) -> Source:
        """The same for formation."""
        return Source(
            kind=self.kind,
            episode=self.episode.external_id if self.episode else None,
            started_at=self.episode.started_at if self.episode else None,
            position=self.position,
            speaker=self.speaker,
            said_at=self.said_at,
            text=self.text,
        )


class WriteBody(Body):
    """A memory to write."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"content": "Ana is allergic to peanuts. Mail ana@example.com", "kind": "semantic", "tags": ["health"]},
                {
                    "content": "The release moved to Friday",
                    "kind": "episodic",
                    "topic": "releases/next",
                    "data": {"ticket": "QX-58213"},
                    "source": {
                        "episode": {"external_id": "standup-2026-03-02", "started_at": "2026-03-02T09:00:00Z"},
                        "position": 4,
                        "speaker": "Carla",
                        "said_at": "2026-03-02T09:03:00Z",
                        "text": "We will not make Thursday, the release moves to Friday.",
                    },
                },
            ]
        }
    )

    content: Annotated[str, Field(description="one statement, at most 16 KiB of UTF-8")]
    kind: Kind = Field(description="semantic, episodic, procedural, taxonomic or working")
    brain_id: UUID | None = Field(None, description="default: the home brain of the caller")
    topic: str | None = Field(None, description="a path such as clients/meridian")
    tags: list[str] = Field(default_factory=list)
    data: dict[str, Any] = Field(default_factory=dict, description="JSON object, at most 16 KiB; scalar leaves can be searched for")
    about: list[UUID] = Field(default_factory=list, description="subjects that the memory is about")
    said_by: UUID | None = Field(None, description="subject who said it")
    source: SourceBody | None = None
    valid_from: Moment | None = Field(None, description="since when it is true")
    valid_to: Moment | None = Field(None, description="until when; after that it is found only by valid_at")
    ttl_seconds: Integer | None = Field(None, description="required for working memories, and only for them")
    placement: Placement | None = None

    def to_submission(self) -> Submission:
        """The same for formation."""
        return Submission(
            content=self.content,
            kind=self.kind,
            brain_id=self.brain_id,
            topic=self.topic,
            tags=tuple(self.tags),
            data=self.data,
            about=tuple(self.about),
            said_by=self.said_by,
            source=self.source.to_source() if self.source else None,
            valid_from=self.valid_from,
            valid_to=self.valid_to,
            ttl_seconds=self.ttl_seconds,
            placement=self.placement,
        )


class EditBody(Body):
    """What to change. A field that is left out stays as it is; null clears topic, valid_from and valid_to."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"content": "The release moved to Monday", "expected_version": 1}]})

    content: str | None = None
    topic: str | None = None
    tags: list[str] | None = None
    data: dict[str, Any] | None = None
    about: list[UUID] | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    ttl_seconds: Integer | None = None
    placement: Placement | None = None
    expected_version: Integer | None = Field(None, description="refuse with 409 when the memory is at another version")

    def to_change(self) -> Change:
        """The fields that were sent; null for a field that cannot be empty is no change."""
        clearable = {"topic", "valid_from", "valid_to"}
        sent = self.model_fields_set - {"expected_version"}
        named = {name: getattr(self, name) for name in sent if name in clearable or getattr(self, name) is not None}
        for name in ("tags", "about"):
            if name in named:
                named[name] = tuple(named[name])
        return Change(**named)


class RedactionOut(Reply):
    """A mention that was replaced, by type and place in the stored text; the value is never shown."""

    field: str
    entity: str
    action: str
    start: int
    end: int

    @classmethod
    def of(cls, redaction: StoredRedaction) -> RedactionOut:
        return cls(field=redaction.field, entity=redaction.entity, action=redaction.action, start=redaction.start, end=redaction.end)


class ReceiptOut(Reply):
    """What a write did."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": EXAMPLE_ID,
                    "version": 1,
                    "action": "ADD",
                    "status": "active",
                    "brain_id": EXAMPLE_BRAIN,
                    "placement": "front",
                    "placement_reason": "allergy",
                    "redactions": [{"field": "content", "entity": "EMAIL_ADDRESS", "action": "pseudonymise", "start": 33, "end": 42}],
                    "reasons": [],
                    "released_by": None,
                    "embedding": "stored",
                    "text_cut": False,
                    "conflicted": False,
                    "suggested_topic": "people/ana",
                    "replayed": False,
                    "timings_ms": {"redact": 1.1, "embed": 3.6, "store": 5.2},
                }
            ]
        }
    )

    id: UUID
    version: int
    action: str = Field(description="ADD, UPDATE or REINFORCE")
    status: str = Field(description="active, or held until a reviewer decides")
    brain_id: UUID
    placement: str = Field(description="front or drawer of the cards of those whom it is about")
    placement_reason: str = Field(
        description="why there: given, the code of a rule such as allergy, address, tone or detail, front_full when the front had no"
        " room for it, kept when a memory that was there before stays where it was"
    )
    redactions: list[RedactionOut]
    reasons: list[str] = Field(description="codes of policy; why it is held or flagged")
    released_by: str | None = Field(
        description="who decides on a held write: reviewer, a key with that capability, or writer, whoever may write into the brain and"
        " says whom it is about"
    )
    embedding: str = Field(description="stored, kept, or pending while the embedding provider is down")
    text_cut: bool = Field(description="the text was longer than the embedding model takes; its middle is found by words only")
    conflicted: bool = Field(
        description="of a unit: the write took the place of one that it had not seen, or that another key had just written"
    )
    suggested_topic: str | None
    replayed: bool = Field(description="an earlier request with this idempotency key had done it")
    timings_ms: dict[str, float] | None = None

    @classmethod
    def of(cls, receipt: Receipt, timings_ms: dict[str, float] | None = None) -> ReceiptOut:
        return cls(
            id=receipt.id,
            version=receipt.version,
            action=receipt.action.value,
            status=receipt.status,
            brain_id=receipt.brain_id,
            placement=receipt.placement.value,
            placement_reason=receipt.placement_reason,
            redactions=[RedactionOut.of(r) for r in receipt.redactions],
            reasons=list(receipt.reasons),
            released_by=_released_by(receipt),
            embedding=receipt.embedding,
            text_cut=receipt.text_cut,
            conflicted=receipt.conflicted,
            suggested_topic=receipt.suggested_topic,
            replayed=receipt.replayed,
            timings_ms=timings_ms,
        )


def _released_by(receipt: Receipt) -> str | None:
    if receipt.status != "held":
        return None
    return "writer" if set(receipt.reasons) == {UNATTRIBUTED} else "reviewer"


class ItemError(Reply):
    """Why one line of a batch was refused; never its content."""

    status: int
    code: str
    detail: str
    field: str | None = None


class BatchItemOut(Reply):
    """The outcome of one line, by its place in the request from 0: a receipt or an error."""

    index: int
    memory: ReceiptOut | None = None
    error: ItemError | None = None


class BatchOut(Reply):
    """One outcome for each line, in order."""

    results: list[BatchItemOut]
    timings_ms: dict[str, float]


class MemoryOut(Reply):
    """A memory as it is served."""

    id: UUID
    kind: str
    content: str
    brain_id: UUID
    topic: str | None
    tags: list[str]
    data: Any
    about: list[UUID]
    said_by: UUID | None
    language: str
    placement: str
    version: int
    status: str
    trust: str
    created_at: Moment
    updated_at: Moment
    confirmed_at: Moment
    valid_from: Moment | None
    valid_to: Moment | None
    event_from: Moment | None
    event_to: Moment | None
    expires_at: Moment | None
    written_by: UUID
    writer_label: str
    redactions: list[RedactionOut]
    text_cut: Flag

    @classmethod
    def of(cls, memory: Memory) -> MemoryOut:
        return cls(
            id=memory.id,
            kind=memory.kind.value,
            content=memory.content,
            brain_id=memory.brain_id,
            topic=memory.topic,
            tags=list(memory.tags),
            data=memory.data,
            about=list(memory.about),
            said_by=memory.said_by,
            language=memory.language,
            placement=memory.placement.value,
            version=memory.version,
            status=memory.status.value,
            trust=memory.trust,
            created_at=memory.created_at,
            updated_at=memory.updated_at,
            confirmed_at=memory.confirmed_at,
            valid_from=memory.valid_from,
            valid_to=memory.valid_to,
            event_from=memory.event_from,
            event_to=memory.event_to,
            expires_at=memory.expires_at,
            written_by=memory.written_by,
            writer_label=memory.writer_label,
            redactions=[RedactionOut.of(r) for r in memory.redactions],
            text_cut=memory.text_cut,
        )


class SideOut(Reply):
    """What stands against a memory: one of its own former versions, or another memory of the brain."""

    memory_id: UUID
    version: int
    content: str
    written_by: UUID
    writer_label: str
    recorded_at: Moment


class ConflictOut(Reply):
    """Two versions, or two memories, that cannot both hold; until somebody resolves it."""

    reasons: list[str] = Field(description="base_version, window, reported or speakers")
    raised_at: Moment
    sides: list[SideOut] = Field(description="the other sides, newest first")
    more: int = Field(description="sides beyond these")
    notes: list[str]

    @classmethod
    def of(cls, conflict: Conflict) -> ConflictOut:
        return cls(
            reasons=[reason.value for reason in conflict.reasons],
            raised_at=conflict.raised_at,
            sides=[
                SideOut(
                    memory_id=side.memory_id,
                    version=side.version,
                    content=side.content,
                    written_by=side.written_by,
                    writer_label=side.writer_label,
                    recorded_at=side.recorded_at,
                )
                for side in conflict.sides
            ],
            more=conflict.more,
            notes=list(conflict.notes),
        )


class ServedOut(MemoryOut):
    """A memory with how fresh it is and what stands against it."""

    freshness: Freshness = Field(description="by the time since the last confirmation; past: a date that lay ahead has gone")
    conflict: ConflictOut | None

    @classmethod
    def shown(cls, served: Served) -> ServedOut:
        conflict = None if served.conflict is None else ConflictOut.of(served.conflict)
        return cls(**MemoryOut.of(served.memory).model_dump(), freshness=served.freshness, conflict=conflict)


class MemoryPage(Reply):
    """A page of memories, newest first."""

    items: list[MemoryOut]
    next_cursor: str | None
