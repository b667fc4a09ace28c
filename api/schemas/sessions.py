"""Bodies of the session routes."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from api.schemas.base import YEAR_MAX, YEAR_MIN, Body, Flag, Identifier, Integer, Moment, Reply
from api.schemas.memories import EXAMPLE_BRAIN, RedactionOut
from api.schemas.recall import CardOut
from api.schemas.snapshots import SnapshotOut
from governance.principals import Principal
from memdb.directory.labels import ExternalId
from memdb.models.submission import SourceKind
from memdb.models.turn import (
    ATTACHMENTS_MAX,
    IDLE_SECONDS,
    IDLE_SECONDS_MAX,
    MAX_MESSAGES,
    OVERLAP,
    OVERLAP_MAX,
    TURNS_MAX,
    Attachment,
    Session,
    Turn,
    TurnRole,
    TurnSubmission,
)
from memdb.sessions.opening import SessionRequest
from memdb.sessions.record import Recorded
from retrieval.context import CARD_BUDGET, TURNS_BUDGET, Context, ContextRequest, RecentTurn
from retrieval.query import TOKEN_BUDGET_MAX

EXAMPLE_SESSION = "01980000-0000-7000-8000-0000000000c1"
_RFC3339 = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})")


def _parse_zoned(value: object) -> object:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not _RFC3339.fullmatch(value):
        raise PydanticCustomError("memdb", "must be a time as in RFC 3339 with a zone, such as 2026-01-31T09:30:00-03:00")
    try:
        moment = datetime.fromisoformat(value.upper())
    except ValueError:
        raise PydanticCustomError("memdb", "is not a time that exists") from None
    if not YEAR_MIN <= moment.year <= YEAR_MAX:
        raise PydanticCustomError("memdb", f"must lie in the years {YEAR_MIN} to {YEAR_MAX}")
    return moment


ZonedMoment = Annotated[
    datetime,
    BeforeValidator(_parse_zoned),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-01-31T09:30:00-03:00"]}),
]
"""An aware time that keeps its offset: relative dates in what was said resolve in the zone of the speaker."""


class ExternalBody(Body):
    """The platform's id of something."""

    platform: Annotated[str, Field(min_length=1, max_length=40)]
    external_id: Annotated[str, Field(min_length=1, max_length=256)]

    def to_external(self) -> ExternalId:
        """The same for the directory."""
        return ExternalId(self.platform, self.external_id)


class SessionBody(Body):
    """A conversation to begin. With `external` the same one again is the same session."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"brain_id": EXAMPLE_BRAIN, "title": "Kitchen", "external": {"platform": "chat", "external_id": "kitchen-42"}},
                {"max_messages": 20, "idle_seconds": 600},
            ]
        }
    )

    brain_id: UUID | None = Field(None, description="whose readers hear what is said; default: the home brain of the caller")
    title: str | None = Field(None, max_length=200)
    external: ExternalBody | None = Field(None, description="the platform and its id of the conversation")
    max_messages: Integer = Field(MAX_MESSAGES, ge=1, le=TURNS_MAX, description="turns after which a snapshot is cut")
    idle_seconds: Integer = Field(IDLE_SECONDS, ge=1, le=IDLE_SECONDS_MAX, description="silence after which what was said is cut")
    overlap: Integer = Field(OVERLAP, ge=0, le=OVERLAP_MAX, description="turns before a snapshot that are read with it")

    def to_request(self) -> SessionRequest:
        """The same for the lifecycle."""
        external = None if self.external is None else self.external.to_external()
        return SessionRequest(
            brain_id=self.brain_id,
            title=self.title,
            external=external,
            max_messages=self.max_messages,
            idle_seconds=self.idle_seconds,
            overlap=self.overlap,
        )


class IdentityOut(Reply):
    """Whose identity a request was made with; `acting`: a key acted for this subject."""

    subject_id: UUID
    key_id: str
    acting: bool

    @classmethod
    def of(cls, principal: Principal) -> IdentityOut:
        return cls(subject_id=principal.subject_id, key_id=principal.key_id, acting=principal.acting)


class SessionOut(Reply):
    """A session. `open_turns` are in no snapshot yet."""

    id: UUID
    brain_id: UUID
    platform: str | None
    title: str | None
    max_messages: int
    idle_seconds: int
    overlap: int
    turns: int
    open_turns: int
    last_turn_at: Moment | None
    created_at: Moment
    created_by: UUID
    closed_at: Moment | None
    identity: IdentityOut

    @classmethod
    def of(cls, session: Session, principal: Principal) -> SessionOut:
        names = ("id", "brain_id", "platform", "title", "max_messages", "idle_seconds", "overlap", "open_turns", "last_turn_at",
                 "created_at", "created_by", "closed_at")  # fmt: skip
        kept = {name: getattr(session, name) for name in names}
        return cls(**kept, turns=session.next_position, identity=IdentityOut.of(principal))


class SpeakerBody(Body):
    """Who speaks: the id of a subject, or a platform and its id of them."""

    subject_id: UUID | None = None
    platform: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    external_id: Annotated[str, Field(min_length=1, max_length=256)] | None = None
    name: str | None = Field(None, max_length=200, description="as the platform shows it")


class AttachmentBody(Body):
    """What lies beside a turn; a reference, never the thing itself."""

    kind: Identifier = Field(description="such as image, file or audio")
    name: str | None = Field(None, max_length=200)
    uri: str | None = Field(None, max_length=2000)
    media_type: str | None = Field(None, max_length=200)


class TurnBody(Body):
    """One message."""

    text: Annotated[str, Field(description="what was said, at most 64 KiB of UTF-8")]
    role: TurnRole = TurnRole.USER
    speaker: SpeakerBody | None = Field(None, description="default: the caller, where it speaks in its own role")
    said_at: ZonedMoment | None = Field(None, description="when, with the offset of the speaker's zone")
    client_turn_id: str | None = Field(None, max_length=200, description="the same id again in this session is the same turn")
    reply_to: str | None = Field(None, max_length=200, description="client_turn_id of the turn that it answers")
    attachments: list[AttachmentBody] = Field(default_factory=list, max_length=ATTACHMENTS_MAX)
    source_kind: SourceKind | None = Field(None, description="where pasted text is from; each but conversation lowers the trust")
    guest: Flag = Field(False, description="somebody from outside, who is believed least")

    def to_submission(self, speaker_id: UUID | None) -> TurnSubmission:
        """The same for the lifecycle; `speaker_id` as the platform id resolved."""
        return TurnSubmission(
            text=self.text,
            role=self.role,
            speaker_id=speaker_id,
            by_stranger=speaker_id is None and self.speaker is not None and self.speaker.external_id is not None,
            speaker=None if self.speaker is None else self.speaker.name,
            said_at=self.said_at,
            client_turn_id=self.client_turn_id,
            reply_to=self.reply_to,
            attachments=tuple(Attachment(a.kind, a.name, a.uri, a.media_type) for a in self.attachments),
            source_kind=self.source_kind,
            guest=self.guest,
        )


class TurnsBody(Body):
    """Turns to append, in order; all of them or none."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "turns": [
                        {"text": "I'm allergic to peanuts", "said_at": "2026-03-02T09:03:00-03:00", "client_turn_id": "m-1"},
                        {"text": "Noted.", "role": "assistant", "client_turn_id": "m-2", "reply_to": "m-1"},
                    ]
                }
            ]
        }
    )

    turns: Annotated[list[TurnBody], Field(min_length=1, max_length=TURNS_MAX)]


class RecordedOut(Reply):
    """Where a turn stands. `replayed`: it was there already. `redactions` by type and place in the stored text, never a value."""

    id: UUID
    position: int
    speaker_id: UUID | None
    redactions: list[RedactionOut]
    replayed: bool

    @classmethod
    def of(cls, recorded: Recorded) -> RecordedOut:
        return cls(
            id=recorded.id,
            position=recorded.position,
            speaker_id=recorded.speaker_id,
            redactions=[RedactionOut.of(r) for r in recorded.redactions],
            replayed=recorded.replayed,
        )


class RecordedTurnsOut(Reply):
    """One answer for each turn, in the order of the request, and whose identity was used."""

    session_id: UUID
    turns: list[RecordedOut]
    identity: IdentityOut


class TurnOut(Reply):
    """A turn as it is stored. `speaker`: the name of the subject as it is known now, else as it was recorded."""

    id: UUID
    position: int
    role: TurnRole
    speaker_id: UUID | None
    speaker: str | None
    text: str
    attachments: list[dict[str, Any]]
    said_at: ZonedMoment | None
    reply_to: UUID | None
    trust: str
    created_at: Moment

    @classmethod
    def of(cls, turn: Turn, speaker: str | None) -> TurnOut:
        names = ("id", "position", "role", "speaker_id", "text", "said_at", "reply_to", "trust", "created_at")
        kept = {name: getattr(turn, name) for name in names}
        return cls(**kept, speaker=speaker, attachments=[dict(a) for a in turn.attachments])


class FlushedOut(Reply):
    """The session after its open turns were cut, and the snapshots that were made now."""

    session: SessionOut
    snapshots: list[SnapshotOut]


class ContextBody(Body):
    """What an agent needs before it answers. Without `query` the last turn of a user is the question."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"turns_budget": 800, "card_budget": 600}, {"query": "what must Ana not eat?"}]}
    )

    query: str | None = None
    turns_budget: Integer = Field(TURNS_BUDGET, ge=0, le=TOKEN_BUDGET_MAX, description="tokens (o200k) of recent turns at most")
    card_budget: Integer = Field(CARD_BUDGET, ge=1, le=TOKEN_BUDGET_MAX, description="tokens of the card at most")
    audience: list[UUID] | None = Field(None, description="further subjects who will see the answer, beside those of the session")

    def to_request(self, session_id: UUID) -> ContextRequest:
        """The same for retrieval."""
        audience = None if self.audience is None else tuple(self.audience)
        return ContextRequest(session_id, self.query, self.turns_budget, self.card_budget, audience)


class RecentTurnOut(Reply):
    """A recent turn as a prompt takes it; `cut`: it was too long for the budget."""

    id: UUID
    position: int
    role: TurnRole
    speaker: str | None
    text: str
    said_at: ZonedMoment | None
    cut: bool

    @classmethod
    def of(cls, recent: RecentTurn) -> RecentTurnOut:
        turn = recent.turn
        return cls(
            id=turn.id,
            position=turn.position,
            role=turn.role,
            speaker=recent.speaker,
            text=recent.text,
            said_at=turn.said_at,
            cut=recent.cut,
        )


class ContextOut(Reply):
    """Recent turns, oldest first, and the card for the question. `recall_id` for feedback, null where nothing was asked."""

    session_id: UUID
    turns: list[RecentTurnOut]
    tokens: int
    earlier_turns: int
    recall_id: UUID | None
    card: CardOut | None
    degraded: list[str]

    @classmethod
    def of(cls, context: Context) -> ContextOut:
        answer = context.answer
        return cls(
            session_id=context.session.id,
            turns=[RecentTurnOut.of(recent) for recent in context.turns],
            tokens=context.tokens,
            earlier_turns=context.earlier_turns,
            recall_id=None if answer is None else answer.id,
            card=None if answer is None or answer.card is None else CardOut.of(answer.card),
            degraded=[] if answer is None else answer.degraded,
        )
