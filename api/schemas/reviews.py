"""Bodies of reviews: memories under review and what there is to judge them by."""

from __future__ import annotations

from enum import StrEnum
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Moment, Reply
from api.schemas.memories import EXAMPLE_ID, EditBody, ItemError, MemoryOut, ReceiptOut
from api.schemas.quarantine import ActionOut
from memdb.lifecycle.quarantine.reviewing import Review

DECIDED_MAX = 200


class ReviewSource(Reply):
    """An excerpt that a held memory came from."""

    episode_id: UUID
    episode: str | None
    fragment_id: UUID
    fragment: str
    speaker: str | None
    said_at: Moment | None


class RequestOut(Reply):
    """That a served memory is to be looked at."""

    cause: str = Field(description="harmful: feedback said so; flagged: policy let a doubtful write pass")
    reasons: list[str] = Field(description="codes of policy")
    times: int = Field(description="how often since it was opened")
    opened_at: Moment
    changed_at: Moment


class PieceOut(Reply):
    """A part of the text beside its former version."""

    what: str = Field(description="same, added or removed")
    text: str


class ReviewOut(Reply):
    """A memory under review. `former`: its version before this one, with the difference, word by word."""

    memory: MemoryOut
    written_key: str
    intact: bool = Field(description="false: its row was changed behind the product's back, and a release is refused")
    reasons: list[str] = Field(description="codes of all that holds it or asks to look at it")
    actions: list[ActionOut] = Field(description="what holds it; empty: it is served, and only to be looked at")
    requests: list[RequestOut]
    sources: list[ReviewSource]
    similar: list[MemoryOut] = Field(description="served memories that it is near")
    former: MemoryOut | None
    difference: list[PieceOut]

    @classmethod
    def of(cls, review: Review) -> ReviewOut:
        return cls(
            memory=MemoryOut.of(review.memory),
            written_key=review.memory.written_key,
            intact=review.intact,
            reasons=list(review.reasons),
            actions=[ActionOut.of(one) for one in review.actions],
            requests=[
                RequestOut(
                    cause=one.cause.value, reasons=list(one.reasons), times=one.times, opened_at=one.opened_at, changed_at=one.changed_at
                )
                for one in review.requests
            ],
            sources=[
                ReviewSource(
                    episode_id=one.episode_id,
                    episode=one.episode,
                    fragment_id=one.fragment_id,
                    fragment=one.fragment,
                    speaker=one.speaker,
                    said_at=one.said_at,
                )
                for one in review.sources
            ],
            similar=[MemoryOut.of(one) for one in review.similar],
            former=None if review.former is None else MemoryOut.of(review.former),
            difference=[PieceOut(what=one.what, text=one.text) for one in review.difference],
        )


class ReleaseBody(Body):
    """What a release does beside it. Without a body all holds go."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}]})

    action_id: UUID | None = Field(None, description="only the hold of this action")
    edit: EditBody | None = Field(None, description="correct it first, through the whole write path")


class ReleasedOut(Reply):
    """`served`: nothing holds the memory any more. `receipt`: of the edit, if there was one."""

    memory_id: UUID
    served: bool
    receipt: ReceiptOut | None = None


class Ruling(StrEnum):
    """What becomes of held memories."""

    RELEASE = "release"
    PURGE = "purge"


class DecideBody(Body):
    """One decision on many held memories."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"decision": "release", "memory_ids": [EXAMPLE_ID]}]})

    decision: Ruling
    memory_ids: list[UUID] = Field(min_length=1, max_length=DECIDED_MAX)


class DecidedOut(Reply):
    """The outcome for one memory; `error` says why nothing was done."""

    memory_id: UUID
    done: bool
    error: ItemError | None = None


class DecisionsOut(Reply):
    """One outcome for each memory, in order."""

    results: list[DecidedOut]
