"""Bodies of the routes on snapshots: what handlers have made of one, and what reading it anew would change."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Moment, Reply
from api.schemas.jobs import LearnedKind
from memdb.extraction.extract import Difference
from memdb.models.memory import Kind
from memdb.models.turn import Snapshot
from memdb.storage.extractions import Extraction


class ExtractionOut(Reply):
    """What one handler has made of a snapshot. `failure`: the code of the last error; `state` dead: given up."""

    handler: str
    state: str
    attempts: int
    failure: str | None
    extractor: str | None
    found: int
    added: int
    updated: int
    reinforced: int
    ended: int
    refused: int
    tokens_in: int
    tokens_out: int
    changed_at: Moment

    @classmethod
    def of(cls, extraction: Extraction) -> ExtractionOut:
        names = ("attempts", "failure", "extractor", "found", "added", "updated", "reinforced", "ended", "refused", "tokens_in",
                 "tokens_out", "changed_at")  # fmt: skip
        kept = {name: getattr(extraction, name) for name in names}
        return cls(handler=extraction.handler.value, state=extraction.state.value, **kept)


class SnapshotOut(Reply):
    """A contiguous run of turns, both ends included, and what the handlers have made of it so far."""

    id: UUID
    session_id: UUID
    first_position: int
    last_position: int
    cause: str
    created_at: Moment
    extractions: list[ExtractionOut]

    @classmethod
    def of(cls, snapshot: Snapshot, extractions: list[Extraction]) -> SnapshotOut:
        return cls(
            id=snapshot.id,
            session_id=snapshot.session_id,
            first_position=snapshot.first_position,
            last_position=snapshot.last_position,
            cause=snapshot.cause.value,
            created_at=snapshot.created_at,
            extractions=[ExtractionOut.of(one) for one in extractions],
        )


class ExtractBody(Body):
    """Who reads the snapshot anew: the handlers of these kinds, all that are switched on when none is named."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}, {"handlers": ["semantic"]}]})

    handlers: Annotated[list[LearnedKind], Field(min_length=1, max_length=len(LearnedKind))] | None = None

    @property
    def kinds(self) -> list[Kind] | None:
        """The kinds, each once, in their order; None: not said."""
        return None if self.handlers is None else [one.kind for one in LearnedKind if one in self.handlers]


class DifferenceOut(Reply):
    """What one handler would change: statements that it would add, and memories that would get a new version, be confirmed, get an end,
    stay as they are, or go.
    """

    handler: str
    added: list[str]
    updated: list[UUID]
    reinforced: list[UUID]
    ended: list[UUID]
    kept: list[UUID]
    removed: list[UUID]


class DifferencesOut(Reply):
    """The same for each handler that was asked for."""

    snapshot_id: UUID
    differences: list[DifferenceOut]

    @classmethod
    def of(cls, snapshot_id: UUID, found: list[Difference]) -> DifferencesOut:
        names = ("added", "updated", "reinforced", "ended", "kept", "removed")
        made = [DifferenceOut(handler=one.handler.value, **{name: list(getattr(one, name)) for name in names}) for one in found]
        return cls(snapshot_id=snapshot_id, differences=made)
