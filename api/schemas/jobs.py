"""Bodies of the job routes."""

from __future__ import annotations

from enum import StrEnum
from uuid import UUID

from pydantic import ConfigDict

from api.schemas.base import Body, Moment, Reply
from api.schemas.memories import EXAMPLE_BRAIN
from memdb.models.memory import Kind
from memdb.models.turn import ExtractionState
from memdb.storage.extractions import Extraction


class Unfinished(StrEnum):
    """States of an extraction that is not done."""

    WAITING = "waiting"
    DEAD = "dead"

    @property
    def state(self) -> ExtractionState:
        """The same for the product."""
        return ExtractionState(self.value)


class LearnedKind(StrEnum):
    """Kinds that are learned from turns, each by a handler of its own."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"
    TAXONOMIC = "taxonomic"

    @property
    def kind(self) -> Kind:
        """The kind that it makes."""
        return Kind(self.value)


class JobOut(Reply):
    """An extraction. `failure`: the code of the last error."""

    snapshot_id: UUID
    handler: str
    brain_id: UUID
    session_id: UUID
    state: str
    attempts: int
    failure: str | None
    created_at: Moment
    changed_at: Moment

    @classmethod
    def of(cls, extraction: Extraction) -> JobOut:
        return cls(
            snapshot_id=extraction.snapshot_id,
            handler=extraction.handler.value,
            brain_id=extraction.brain_id,
            session_id=extraction.session_id,
            state=extraction.state.value,
            attempts=extraction.attempts,
            failure=extraction.failure,
            created_at=extraction.created_at,
            changed_at=extraction.changed_at,
        )


class RetryBody(Body):
    """Which extraction, as the list shows it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"brain_id": EXAMPLE_BRAIN, "snapshot_id": "01980000-0000-7000-8000-0000000000d1", "handler": "semantic"}]
        }
    )

    brain_id: UUID
    snapshot_id: UUID
    handler: LearnedKind
