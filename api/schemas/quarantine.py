"""Bodies of quarantine: what is selected, what it would hold, what became of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Flag, Identifier, Integer, Moment, Reply
from api.schemas.memories import EXAMPLE_BRAIN, MemoryOut
from memdb.lifecycle.quarantine.acting import Preview
from memdb.lifecycle.quarantine.selection import IDS_MAX
from memdb.storage.quarantine import ActionRow

_WRITER = "01980000-0000-7000-8000-0000000000c1"


class PatternBody(Body):
    """A text, or an expression that RE2 takes; case and accents are no difference."""

    text: str
    regex: Flag = False


class SearchSelection(Body):
    """A question; what a search of the caller finds for it, at most `limit`."""

    query: str
    limit: Integer = 50


class SelectionBody(Body):
    """Conditions, all of which a memory has to meet; at least one is given."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"writer": _WRITER, "created_from": "2026-03-01T00:00:00Z", "forward": True}]}
    )

    ids: list[UUID] | None = Field(None, min_length=1, max_length=IDS_MAX)
    writer: UUID | None = Field(None, description="the subject who wrote the current version")
    key_id: Identifier | None = Field(None, description="the key that wrote the current version")
    session_id: UUID | None = Field(None, description="what was learned from this session; its turns are held as well")
    source: str | None = Field(None, min_length=1, max_length=200, description="external id of an episode")
    created_from: Moment | None = None
    created_to: Moment | None = None
    brain_id: UUID | None = None
    pattern: PatternBody | None = None
    search: SearchSelection | None = None
    forward: Flag = Field(False, description="also what came from them: learned from the same turns, made of them, shared from them")
    backward: Flag = Field(False, description="also what they came from, and the sessions that they were learned from")


class PreviewBody(Body):
    """What to look for, and how many ids are shown."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"selection": {"brain_id": EXAMPLE_BRAIN}, "shown": 10}]})

    selection: SelectionBody
    shown: Integer = 10


class PreviewOut(Reply):
    """What a quarantine of the selection would hold; `memories` is what its execution takes as `expected`."""

    memories: int
    held: int = Field(description="of the memories, those that are held already")
    sessions: list[UUID]
    by_kind: dict[str, int]
    by_brain: dict[str, int]
    by_writer: dict[str, int]
    first: list[UUID] = Field(description="the first ids, oldest first")
    shown: list[MemoryOut] = Field(description="the same with their content, for a reviewer; empty for others")

    @classmethod
    def of(cls, preview: Preview) -> PreviewOut:
        return cls(
            memories=preview.memories,
            held=preview.held,
            sessions=list(preview.sessions),
            by_kind=preview.by_kind,
            by_brain=preview.by_brain,
            by_writer=preview.by_writer,
            first=list(preview.first),
            shown=[MemoryOut.of(one) for one in preview.shown],
        )


class QuarantineBody(Body):
    """What to hold, and how many memories the preview counted."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"selection": {"brain_id": EXAMPLE_BRAIN}, "expected": 12, "reason": "poisoned page"}]}
    )

    selection: SelectionBody
    expected: Integer = Field(ge=0, description="the count of the preview; refused with 409 when it is more by now")
    reason: str | None = Field(None, description="for whoever reviews; redacted")


class ActionOut(Reply):
    """A quarantine. `memories` were selected; `done` of them are held, or once it is being released, are no longer held by it."""

    id: UUID
    kind: str
    state: str = Field(description="running, done, releasing or released; a worker carries on what is running or releasing")
    reasons: list[str]
    reason: str | None
    selection: dict[str, Any] = Field(description="ids, moments and whether there was a source, a pattern or a search; never their text")
    memories: int
    sessions: int
    done: int
    created_at: Moment
    created_by: UUID | None
    created_key: str | None
    changed_at: Moment | None
    released_at: Moment | None
    released_by: UUID | None

    @classmethod
    def of(cls, action: ActionRow) -> ActionOut:
        return cls(
            id=action.id,
            kind=action.kind,
            state=action.state.value,
            reasons=list(action.reasons),
            reason=action.reason,
            selection=dict(action.selection),
            memories=action.memories,
            sessions=action.sessions,
            done=action.done,
            created_at=action.created_at,
            created_by=action.created_by,
            created_key=action.created_key,
            changed_at=action.changed_at,
            released_at=action.released_at,
            released_by=action.released_by,
        )
