"""Bodies of the feedback route."""

from __future__ import annotations

from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Flag, Reply
from api.schemas.memories import EXAMPLE_ID
from memdb.lifecycle.feedback import Feedback
from memdb.models.outcome import Outcome
from memdb.models.submission import NOTE_CHARS_MAX

EXAMPLE_RECALL = "01980000-0000-7000-8000-0000000000e1"


class FeedbackBody(Body):
    """What became of a memory that a search returned."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"recall_id": EXAMPLE_RECALL, "memory_id": EXAMPLE_ID, "outcome": "helpful"},
                {"recall_id": EXAMPLE_RECALL, "memory_id": EXAMPLE_ID, "outcome": "stale", "note": "moved to Monday since"},
            ]
        }
    )

    recall_id: UUID = Field(description="of a search that was made for the same subject")
    memory_id: UUID = Field(description="one of its evidence")
    outcome: Outcome
    note: str | None = Field(None, description=f"a remark of at most {NOTE_CHARS_MAX} characters; kept redacted")

    def to_feedback(self) -> Feedback:
        """The same for the use case."""
        return Feedback(self.recall_id, self.memory_id, self.outcome, self.note)


class FeedbackOut(Reply):
    """What is kept."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"recall_id": EXAMPLE_RECALL, "memory_id": EXAMPLE_ID, "outcome": "helpful", "replaced": False}]}
    )

    recall_id: UUID
    memory_id: UUID
    outcome: Outcome
    replaced: Flag = Field(description="true when this key had said something about this memory of this recall before")
