"""Bodies of the notebook import and of its queue."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Flag, Moment, Reply
from api.schemas.memories import EXAMPLE_ID
from governance.errors import ServiceError
from memdb.formation.stages import Receipt
from memdb.lifecycle.notebook import Filed, Notebook, NotebookReport, Waiting
from memdb.lifecycle.unattributed import Queued


class NotebookBody(Body):
    """A notebook, Markdown or plain text, in English or Portuguese."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "team-notes", "text": "## Ana\n- prefers short answers, no emoji\n", "dry_run": True}]}
    )

    name: Annotated[str, Field(description="stands for the notebook; a second import under it reinforces the first")]
    text: Annotated[str, Field(description="at most 1 MiB and 500 statements")]
    dry_run: Flag = Field(False, description="say what would be filed, and store nothing")

    def to_notebook(self, brain_id: UUID) -> Notebook:
        """The same for the lifecycle."""
        return Notebook(brain_id, self.name, self.text, self.dry_run)


class OutcomeOut(Reply):
    """What became of one statement; all null in a dry run."""

    id: UUID | None = None
    action: str | None = None
    status: str | None = None
    placement: str | None = None
    error: Annotated[str | None, Field(description="code of the error that kept it from being stored")] = None

    @classmethod
    def of(cls, outcome: Receipt | ServiceError | None) -> OutcomeOut:
        if outcome is None:
            return cls()
        if isinstance(outcome, ServiceError):
            return cls(error=outcome.code)
        return cls(id=outcome.id, action=outcome.action.value, status=outcome.status, placement=outcome.placement.value)


class FiledOut(Reply):
    """A statement whose subjects are known."""

    line: int
    about: list[UUID]
    outcome: OutcomeOut

    @classmethod
    def of(cls, filed: Filed) -> FiledOut:
        return cls(line=filed.line, about=list(filed.about), outcome=OutcomeOut.of(filed.outcome))


class WaitingOut(Reply):
    """A statement that waits to be attributed."""

    line: int
    candidates: list[UUID] = Field(description="who may be meant; empty when nobody is named, or nobody who is known")
    outcome: OutcomeOut

    @classmethod
    def of(cls, waiting: Waiting) -> WaitingOut:
        return cls(line=waiting.line, candidates=list(waiting.candidates), outcome=OutcomeOut.of(waiting.outcome))


class SkippedOut(Reply):
    """What was no statement: code, markup or too_long."""

    line: int
    reason: str


class NotebookOut(Reply):
    """What became of the lines of a notebook, counted from 1."""

    filed: list[FiledOut]
    unattributed: list[WaitingOut]
    skipped: list[SkippedOut]

    @classmethod
    def of(cls, report: NotebookReport) -> NotebookOut:
        return cls(
            filed=[FiledOut.of(filed) for filed in report.filed],
            unattributed=[WaitingOut.of(waiting) for waiting in report.waiting],
            skipped=[SkippedOut(line=skipped.line, reason=skipped.reason) for skipped in report.skipped],
        )


class WhoMayBeMeant(Reply):
    """Somebody whom a statement may be about."""

    subject_id: UUID
    name: str | None


class QueuedOut(Reply):
    """A statement that waits. `named` is whom the notebook said, `candidates` who bears that name now."""

    id: UUID
    content: str
    named: str | None
    candidates: list[WhoMayBeMeant]
    created_at: Moment

    @classmethod
    def of(cls, queued: Queued) -> QueuedOut:
        return cls(
            id=queued.memory.id,
            content=queued.memory.content,
            named=queued.named,
            candidates=[WhoMayBeMeant(subject_id=c.id, name=c.name) for c in queued.candidates],
            created_at=queued.memory.created_at,
        )


class AssignBody(Body):
    """Whom a waiting statement is about."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"about": [EXAMPLE_ID]}]})

    about: Annotated[list[UUID], Field(min_length=1, max_length=32)]
