"""Bodies of looks: an administrator reads a brain for a while (break_glass), and its members see it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from api.schemas.base import Body, Reply
from memdb.directory.looks import SECONDS_DEFAULT, SECONDS_MAX, SECONDS_MIN
from memdb.directory.reasons import REASON_CHARS_MAX
from memdb.storage.looks import LookRow

EXAMPLE: JsonDict = {
    "id": "019b76da-a800-7000-8000-0000000000f1",
    "brain_id": "019b76da-a800-7000-8000-0000000000b1",
    "key_id": "wxyz6789abcd",
    "subject_id": "019b76da-a800-7000-8000-0000000000a1",
    "reason": "ticket 4711: the assistant repeats a wrong address",
    "begins_at": "2026-01-31T09:30:00Z",
    "ends_at": "2026-01-31T09:45:00Z",
    "ended_at": None,
}


class LookRequest(Body):
    """Why a brain is looked into, and for how long, in seconds. Its members see both."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"reason": "ticket 4711: the assistant repeats a wrong address", "seconds": 900}]}
    )

    reason: Annotated[str, Field(min_length=1, max_length=REASON_CHARS_MAX)]
    seconds: Annotated[int, Field(ge=SECONDS_MIN, le=SECONDS_MAX)] = SECONDS_DEFAULT


class LookReply(Reply):
    """A look into a brain: by which key of whom, why, and until when. `ended_at`: when somebody ended it earlier."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    id: UUID
    brain_id: UUID
    key_id: str
    subject_id: UUID
    reason: str
    begins_at: datetime
    ends_at: datetime
    ended_at: datetime | None

    @classmethod
    def of(cls, row: LookRow) -> LookReply:
        return cls(
            id=row.id,
            brain_id=row.brain_id,
            key_id=row.key_id,
            subject_id=row.subject_id,
            reason=row.reason,
            begins_at=row.begins_at,
            ends_at=row.ends_at,
            ended_at=row.ended_at,
        )
