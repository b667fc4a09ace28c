"""The body of every error."""

from __future__ import annotations

from pydantic import ConfigDict

from api.schemas.base import Reply


class FieldProblem(Reply):
    """A field at fault and why; never what stood in it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"field": "source.episode.started_at", "reason": "must have a time zone"}]})

    field: str
    reason: str


class ProblemReply(Reply):
    """An error, as in RFC 9457. `code` is stable; `detail` is for people."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "about:blank",
                    "title": "Conflict",
                    "status": 409,
                    "code": "version_conflict",
                    "detail": "the object has changed since the version that the request names; read it again and retry",
                    "request_id": "019b76da-a800-7000-8000-000000000000",
                }
            ]
        }
    )

    type: str
    title: str
    status: int
    code: str
    detail: str
    request_id: str | None
    errors: list[FieldProblem] | None = None
