"""Bodies of the policy routes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from api.schemas.base import Body, Integer, Reply
from api.schemas.jobs import LearnedKind
from governance.policy.document import PolicyDocument
from governance.policy.memory_rules import HALF_LIFE_DAYS, TOPIC_CHARACTERS_MAX, TOPICS_MAX, MemoryDocument
from governance.redaction.entities import ENTITIES
from governance.redaction.findings import Action
from memdb.directory.policies import BRAINS_MAX
from memdb.models.memory import Kind
from memdb.storage.policies import PolicyRow
from memdb.text.normalise import fold

_BRAIN = "019b76da-a800-7000-8000-0000000000b1"
_MEMORY: JsonDict = {"half_life_days": {"semantic": 90}, "topic_half_life_days": {"brand/voice": 365}, "conflict_window_s": 600}
_REDACTION: JsonDict = {"actions": {"EMAIL_ADDRESS": "pseudonymise"}, "brains": {_BRAIN: {"EMAIL_ADDRESS": "keep"}}}
ENTITY_NAME_MAX = 40
EntityName = Annotated[str, Field(max_length=ENTITY_NAME_MAX)]
TopicPath = Annotated[str, Field(min_length=1, max_length=TOPIC_CHARACTERS_MAX)]
Actions = Annotated[dict[EntityName, Action], Field(max_length=len(ENTITIES))]


class RedactionBody(Body):
    """What differs from the defaults: entity type to action, for all brains of the org and for single ones. Secrets are always replaced."""

    model_config = ConfigDict(json_schema_extra={"examples": [_REDACTION]})

    actions: Actions = Field(default_factory=dict)
    brains: Annotated[dict[UUID, Actions], Field(max_length=BRAINS_MAX)] = Field(default_factory=dict)


class ExtractionBody(Body):
    """What is learned from turns. `enabled`: the kinds, an empty list for none; null: as the server is set."""

    enabled: Annotated[list[LearnedKind], Field(max_length=len(LearnedKind))] | None = None


class MemoryBody(Body):
    """What differs from the defaults in the life of memories: half-lives in days by kind, and by topic for it and all below it; how many
    seconds apart two keys' writes of one unit are a conflict; how many entries and characters the front of a subject may have; which kinds
    are learned from turns.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_MEMORY]})

    half_life_days: Annotated[dict[Kind, Integer], Field(max_length=len(HALF_LIFE_DAYS))] = Field(default_factory=dict)
    topic_half_life_days: Annotated[dict[TopicPath, Integer], Field(max_length=TOPICS_MAX)] = Field(default_factory=dict)
    conflict_window_s: Integer | None = None
    front_entries: Integer | None = None
    front_characters: Integer | None = None
    extraction: ExtractionBody = Field(default_factory=ExtractionBody)

    def document(self) -> MemoryDocument:
        return MemoryDocument(
            half_life_days={kind.value: days for kind, days in self.half_life_days.items()},
            topic_half_life_days={fold(topic): days for topic, days in self.topic_half_life_days.items()},
            conflict_window_s=self.conflict_window_s,
            front_entries=self.front_entries,
            front_characters=self.front_characters,
            extractions=None if self.extraction.enabled is None else tuple(h.value for h in self.extraction.enabled),
        )


class PolicyRequest(Body):
    """The whole policy: what it does not name is as by default. `expected_version` is the version that it was made from."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"expected_version": 0, "redaction": {"actions": {"EMAIL_ADDRESS": "mask"}}}]}
    )

    redaction: RedactionBody = Field(default_factory=RedactionBody)
    memory: MemoryBody = Field(default_factory=MemoryBody)
    expected_version: Annotated[int, Field(ge=0)] | None = None

    def document(self) -> PolicyDocument:
        """The same for the directory."""
        brains = {brain_id: _plain(actions) for brain_id, actions in self.redaction.brains.items()}
        return PolicyDocument(_plain(self.redaction.actions), brains, self.memory.document())


class PolicyReply(Reply):
    """A version of the policy. `effective` is the action of every entity type in a brain without rules of its own."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "version": 1,
                    "redaction": _REDACTION,
                    "memory": _MEMORY,
                    "effective": {"EMAIL_ADDRESS": "pseudonymise"},
                    "created_at": "2026-01-31T09:30:00Z",
                    "created_by": "019b76da-a800-7000-8000-0000000000a1",
                }
            ]
        }
    )

    version: int
    redaction: RedactionReply
    memory: dict[str, Any]
    effective: dict[str, Action]
    created_at: datetime | None
    created_by: UUID | None

    @classmethod
    def of(cls, row: PolicyRow) -> PolicyReply:
        rules = row.document.compile(row.version).redaction.rules
        return cls(
            version=row.version,
            redaction=RedactionReply.of(row.document),
            memory=row.document.memory.to_json(),
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
