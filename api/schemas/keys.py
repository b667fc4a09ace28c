"""Bodies of the key routes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from api.schemas.base import Body, Identifier, Moment, Reply
from governance.principals import Capability, Role
from governance.trust import Trust
from memdb.directory.keys import LISTED_MAX, REQUESTS_MAX, CreatedKey
from memdb.directory.reasons import REASON_CHARS_MAX
from memdb.directory.rotating import GRACE_DEFAULT_S, GRACE_MAX_S
from memdb.storage.keys import KeyGrant, KeyRow

_SUBJECT = "019b76da-a800-7000-8000-0000000000a1"
_EXAMPLE: JsonDict = {
    "id": "abcd2345efgh",
    "subject_id": _SUBJECT,
    "writer_label": "support-bot",
    "max_role": "writer",
    "capabilities": [],
    "brains": None,
    "act_as_subjects": [],
    "act_as_brains": [],
    "trust": "agent",
    "requests_per_minute": None,
    "reason": None,
    "created_at": "2026-01-31T09:30:00Z",
    "created_by": "wxyz6789abcd",
    "last_used_at": "2026-01-31T10:05:00Z",
    "expires_at": None,
    "revoked_at": None,
    "replaced_by": None,
}
TrustLabel = Literal["web", "imported", "tool", "agent", "member", "admin"]
Ids = Annotated[list[UUID], Field(max_length=LISTED_MAX)]
Reason = Annotated[str, Field(min_length=1, max_length=REASON_CHARS_MAX)]


class KeyRequest(Body):
    """A key to make. It can never do more than the key that makes it, nor more than its subject may, nor outlive it. `brains` null means
    every brain of the subject; `act_as_*` list for whom it may speak and need the capability act_as; `requests_per_minute` null is as the
    server is set. A key by which another person's memories are read needs a `reason`, which that person sees.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "subject_id": _SUBJECT,
                    "writer_label": "support-bot",
                    "max_role": "writer",
                    "trust": "agent",
                    "reason": "first key of a new colleague",
                },
            ]
        }
    )

    subject_id: UUID
    writer_label: Identifier
    max_role: Role
    trust: TrustLabel
    capabilities: Annotated[list[Capability], Field(max_length=len(Capability))] = Field(default_factory=list)
    brains: Ids | None = None
    act_as_subjects: Ids = Field(default_factory=list)
    act_as_brains: Ids = Field(default_factory=list)
    expires_at: Moment | None = None
    requests_per_minute: Annotated[int, Field(ge=1, le=REQUESTS_MAX)] | None = None
    reason: Reason | None = None

    def grant(self) -> KeyGrant:
        return KeyGrant(
            subject_id=self.subject_id,
            writer_label=self.writer_label,
            max_role=self.max_role,
            capabilities=frozenset(self.capabilities),
            trust=Trust.parse(self.trust),
            brains=None if self.brains is None else frozenset(self.brains),
            act_as_subjects=frozenset(self.act_as_subjects),
            act_as_brains=frozenset(self.act_as_brains),
            expires_at=self.expires_at,
            requests_per_minute=self.requests_per_minute,
        )


class RotationRequest(Body):
    """How a key is replaced. The former goes on for `grace_seconds`; the successor ends at `expires_at`, or when the former would have."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"grace_seconds": 3600, "reason": "the former may have leaked"}]})

    grace_seconds: Annotated[int, Field(ge=0, le=GRACE_MAX_S)] = GRACE_DEFAULT_S
    expires_at: Moment | None = None
    reason: Reason | None = None


class KeyReply(Reply):
    """A key without its secret. `created_by` is the key that made it, null for the owner of the server. `last_used_at` is true to some
    minutes. `replaced_by` is its successor.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    id: str
    subject_id: UUID
    writer_label: str
    max_role: Role
    capabilities: list[Capability]
    brains: list[UUID] | None
    act_as_subjects: list[UUID]
    act_as_brains: list[UUID]
    trust: TrustLabel
    requests_per_minute: int | None
    reason: str | None
    created_at: datetime
    created_by: str | None
    last_used_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None
    replaced_by: str | None

    @classmethod
    def of(cls, row: KeyRow) -> KeyReply:
        return cls.model_validate(_fields(row))


class CreatedKeyReply(KeyReply):
    """A new key. `key` is shown this once and cannot be read again."""

    model_config = ConfigDict(json_schema_extra={"examples": [{**_EXAMPLE, "key": "memdb_main_abcd2345efgh_(43 characters)"}]})

    key: str

    @classmethod
    def of_created(cls, created: CreatedKey) -> CreatedKeyReply:
        return cls.model_validate({**_fields(created.row), "key": created.key.render()})


def _fields(row: KeyRow) -> dict[str, object]:
    g = row.grant
    return {
        "id": row.id,
        "subject_id": g.subject_id,
        "writer_label": g.writer_label,
        "max_role": g.max_role,
        "capabilities": sorted(g.capabilities),
        "brains": None if g.brains is None else sorted(g.brains),
        "act_as_subjects": sorted(g.act_as_subjects),
        "act_as_brains": sorted(g.act_as_brains),
        "trust": g.trust.label,
        "requests_per_minute": g.requests_per_minute,
        "reason": row.reason,
        "created_at": row.created_at,
        "created_by": row.created_by,
        "last_used_at": row.last_used_at,
        "expires_at": g.expires_at,
        "revoked_at": row.revoked_at,
        "replaced_by": row.replaced_by,
    }
