"""Bodies of the audit route."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import ConfigDict

from api.schemas.base import Reply
from governance.audit import detail_json
from memdb.storage.audit import PlacedEvent


class AuditEventOut(Reply):
    """An event. `actor_subject` and `actor_key` are null for what the owner of the database did; `position` is null until it is sealed."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "019b76da-a800-7000-8000-0000000000e1",
                    "at": "2026-01-31T09:30:00Z",
                    "action": "memory.add",
                    "actor_subject": "019b76da-a800-7000-8000-0000000000a1",
                    "actor_key": "4kq0c2m7x9zs",
                    "acting_for": None,
                    "brain_id": "019b76da-a800-7000-8000-0000000000b1",
                    "object_kind": "memory",
                    "object_id": "019b76da-a800-7000-8000-0000000000c1",
                    "detail": {"version": 1, "kind": "semantic", "effect": "allow", "reasons": []},
                    "request_id": "019b76da-a800-7000-8000-0000000000f1",
                    "position": 17,
                }
            ]
        }
    )

    id: UUID
    at: datetime
    action: str
    actor_subject: UUID | None
    actor_key: str | None
    acting_for: UUID | None
    brain_id: UUID | None
    object_kind: str
    object_id: str
    detail: dict[str, Any]
    request_id: str | None
    position: int | None

    @classmethod
    def of(cls, placed: PlacedEvent) -> AuditEventOut:
        event = placed.event
        return cls(
            id=event.id,
            at=event.at,
            action=event.action,
            actor_subject=event.actor.subject_id,
            actor_key=event.actor.key_id,
            acting_for=event.actor.acting_for,
            brain_id=event.brain_id,
            object_kind=event.object_kind,
            object_id=event.object_id,
            detail=detail_json(event.detail),
            request_id=event.request_id,
            position=placed.position,
        )
