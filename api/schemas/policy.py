"""Bodies of the policy routes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from api.schemas.base import Body, Reply
from governance.redaction.entities import ENTITIES
from governance.redaction.findings import Action
from governance.redaction.policy import PolicyDocument
from memdb.directory.policies import BRAINS_MAX
from memdb.storage.policies import PolicyRow

_BRAIN = "019b76da-a800-7000-8000-0000000000b1"
_REDACTION: JsonDict = {"actions": {"EMAIL_ADDRESS": "pseudonymise"}, "brains": {_BRAIN: {"EMAIL_ADDRESS": "keep"}}}
ENTITY_NAME_MAX = 40
EntityName = Annotated[str, Field(max_length=ENTITY_NAME_MAX)]
Actions = Annotated[dict[EntityName, Action], Field(max_length=len(ENTITIES))]


class RedactionBody(Body):
    """What differs from the defaults: entity type to action, for all brains of the org and for single ones. Secrets are always replaced."""

    model_config = ConfigDict(json_schema_extra={"examples": [_REDACTION]})

    actions: Actions = Field(default_factory=dict)
    brains: Annotated[dict[UUID, Actions], Field(max_length=BRAINS_MAX)] = Field(default_factory=dict)

    def document(self) -> PolicyDocument:
        return PolicyDocument(_plain(self.actions), {brain_id: _plain(actions) for brain_id, actions in self.brains.items()})


class PolicyRequest(Body):
    """The whole policy: what it does not name is as by default. `expected_version` is the version that it was made from."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"expected_version": 0, "redaction": {"actions": {"EMAIL_ADDRESS": "mask"}}}]}
    )

    redaction: RedactionBody
    expected_version: Annotated[int, Field(ge=0)] | None = None


class PolicyReply(Reply):
    """A version of the policy. `effective` is the action of every entity type in a brain without rules of its own."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "version": 1,
                    "redaction": _REDACTION,
                    "effective": {"EMAIL_ADDRESS": "pseudonymise"},
                    "created_at": "2026-01-31T09:30:00Z",
                    "created_by": "019b76da-a800-7000-8000-0000000000a1",
                }
            ]
        }
    )

    version: int
    redaction: RedactionReply
    effective: dict[str, Action]
    created_at: datetime | None
    created_by: UUID | None

    @classmethod
    def of(cls, row: PolicyRow) -> PolicyReply:
        rules = row.document.compile(row.version).rules
        return cls(
            version=row.version,
            redaction=RedactionReply.of(row.document),
            effective={str(entity): rules.action(entity) for entity in sorted(ENTITIES)},
            created_at=row.created_at,
            created_by=row.created_by,
        )


class RedactionReply(Reply):
    """What differs from the defaults, as it was set; `effective` says what of it this release follows."""

    actions: dict[str, str]
    brains: dict[UUID, dict[str, str]]

    @classmethod
    def of(cls, document: PolicyDocument) -> RedactionReply:
        return cls(actions=dict(document.actions), brains={brain_id: dict(actions) for brain_id, actions in document.brains.items()})


def _plain(actions: dict[str, Action]) -> dict[str, str]:
    return {name: action.value for name, action in actions.items()}
