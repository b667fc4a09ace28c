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
from memdb.directory.keys import LISTED_MAX, CreatedKey
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
    "created_at": "2026-01-31T09:30:00Z",
    "expires_at": None,
    "revoked_at": None,
}
TrustLabel = Literal["web", "imported", "tool", "agent", "member", "admin"]
Ids = Annotated[list[UUID], Field(max_length=LISTED_MAX)]


class KeyRequest(Body):
    """A key to make. It can never do more than the key that makes it, nor more than its subject may. `brains` null means every brain of
    the subject; `act_as_*` list for whom it may speak and need the capability act_as.
    """

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"subject_id": _SUBJECT, "writer_label": "support-bot", "max_role": "writer", "trust": "agent"}]}
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
        )


class KeyReply(Reply):
    """A key without its secret."""

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
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None

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
        "created_at": row.created_at,
        "expires_at": g.expires_at,
        "revoked_at": row.revoked_at,
    }
