"""Bodies of topics, units, conflicts and sharing."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Flag, Integer, Moment, Reply
from api.schemas.memories import EXAMPLE_BRAIN, EXAMPLE_ID, ConflictOut, MemoryOut, SourceBody
from memdb.lifecycle.conflicts import Choice, Conflict
from memdb.lifecycle.freshness import Freshness
from memdb.lifecycle.units import UnitWrite
from memdb.models.memory import Kind, Memory
from memdb.models.submission import Submission
from memdb.storage.conflicts import ConflictRow
from retrieval.topics import Match, Pointer, TopicAnswer, TopicCount, TopicQuery, pointer_json

EXAMPLE_TOPIC = "clients/meridian"


class OnConflict(StrEnum):
    """What happens to a write that had not seen the version it would replace."""

    FLAG = "flag"
    REJECT = "reject"


class UnitBody(Body):
    """What a brain says about a topic."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"topic": EXAMPLE_TOPIC, "content": "Meridian pays in 45 days", "base_version": 2}]}
    )

    topic: Annotated[str, Field(description="a path; letters in upper case and accents make no difference")]
    content: Annotated[str, Field(description="one statement, at most 16 KiB of UTF-8; it takes the place of what the unit said")]
    kind: Kind = Field(Kind.SEMANTIC, description="semantic, procedural or taxonomic; a unit keeps the kind that it was made with")
    base_version: Integer | None = Field(None, description="the version that the writer had read; another one makes the unit conflicted")
    on_conflict: OnConflict = Field(OnConflict.FLAG, description="reject: 409 in place of a conflict")
    tags: list[str] = Field(default_factory=list)
    data: dict[str, Any] = Field(default_factory=dict)
    about: list[UUID] = Field(default_factory=list)
    said_by: UUID | None = None
    source: SourceBody | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None

    def to_write(self, brain_id: UUID) -> UnitWrite:
        """The same for the lifecycle."""
        submission = Submission(
            content=self.content,
            kind=self.kind,
            brain_id=brain_id,
            topic=self.topic,
            tags=tuple(self.tags),
            data=self.data,
            about=tuple(self.about),
            said_by=self.said_by,
            source=self.source.to_source() if self.source else None,
            valid_from=self.valid_from,
            valid_to=self.valid_to,
        )
        return UnitWrite(submission, self.base_version, reject=self.on_conflict is OnConflict.REJECT)


class TopicQueryBody(Body):
    """What is looked up."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"topic": EXAMPLE_TOPIC, "limit": 10, "token_budget": 400}]})

    topic: Annotated[str, Field(description="a path or some words of one")]
    limit: Integer = 20
    token_budget: Integer | None = Field(None, description="pointers beyond it are counted, not sent")
    audience: list[UUID] | None = Field(None, description="subjects who will see the answer; unknown ids are guests")

    def to_query(self, brain_id: UUID) -> TopicQuery:
        """The same for retrieval."""
        audience = None if self.audience is None else tuple(self.audience)
        return TopicQuery(brain_id, self.topic, audience, self.limit, self.token_budget)


class PointerOut(Reply):
    """A memory of a topic, without its body."""

    id: UUID
    topic: str
    kind: str
    preview: str = Field(description="its first line, at most 120 characters")
    freshness: Freshness
    conflict: Flag
    updated_at: Moment
    version: int
    unit: Flag = Field(description="it stands for the topic; read it with GET /v1/brains/{brain_id}/units/{id}")
    match: Match

    @classmethod
    def of(cls, pointer: Pointer) -> PointerOut:
        return cls.model_validate(pointer_json(pointer))


class TopicAnswerOut(Reply):
    """Pointers, best first: the topic itself, those below it, those that share words with it."""

    pointers: list[PointerOut]
    over_budget: int = Field(description="pointers that the token budget left out")
    suggestions: list[str] = Field(description="topics that may have been meant, when none is the one asked for or lies below it")

    @classmethod
    def of(cls, answer: TopicAnswer) -> TopicAnswerOut:
        pointers = [PointerOut.of(pointer) for pointer in answer.pointers]
        return cls(pointers=pointers, over_budget=answer.over_budget, suggestions=list(answer.suggestions))


class TopicOut(Reply):
    """A topic and how much is known about it."""

    topic: str
    memories: int
    units: int
    changed_at: Moment

    @classmethod
    def of(cls, count: TopicCount) -> TopicOut:
        return cls(topic=count.label, memories=count.memories, units=count.units, changed_at=count.changed_at)


class TopicsOut(Reply):
    """A page of topics, in byte order."""

    items: list[TopicOut]
    next_cursor: str | None
    suggestions: list[str] = Field(description="topics that may have been meant, when the prefix has none")


# -------------------------------------------------------------------------------------------------------------- conflicts
class ConflictBody(Body):
    """Two memories of one brain that cannot both hold."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"memory_id": EXAMPLE_ID, "other_id": EXAMPLE_ID[:-1] + "2", "note": "the contract says 30 days"}]}
    )

    memory_id: UUID
    other_id: UUID
    note: str | None = Field(None, description="a remark, at most 1,000 characters; kept redacted")


class ConflictIdOut(Reply):
    """The open conflict."""

    id: UUID


class OpenConflictOut(Reply):
    """An open conflict of a brain."""

    id: UUID
    memory: MemoryOut
    conflict: ConflictOut

    @classmethod
    def of(cls, row: ConflictRow, memory: Memory, conflict: Conflict) -> OpenConflictOut:
        return cls(id=row.id, memory=MemoryOut.of(memory), conflict=ConflictOut.of(conflict))


class ResolveBody(Body):
    """Exactly one of keep_version, keep_memory, content and both."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"keep_version": 2}, {"content": "Meridian pays in 30 days", "expected_version": 3}]}
    )

    keep_version: Integer | None = Field(
        None, description="the version of this memory that holds; the current one, or one of the other sides"
    )
    keep_memory: UUID | None = Field(None, description="of two memories the one that holds; the other ends now")
    content: str | None = Field(None, description="a text that takes the place of both sides")
    both: Flag = Field(False, description="they do not contradict each other")
    expected_version: Integer | None = Field(None, description="refuse with 409 when the memory is at another version")

    def to_choice(self) -> Choice:
        """The same for the lifecycle."""
        return Choice(self.keep_version, self.keep_memory, self.content, self.both, self.expected_version)


class ConfirmBody(Body):
    """What is confirmed."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"expected_version": 2}]})

    expected_version: Integer | None = Field(None, description="refuse with 409 when the memory is at another version")


class ShareBody(Body):
    """Where a copy goes."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"brain_id": EXAMPLE_BRAIN}]})

    brain_id: UUID
