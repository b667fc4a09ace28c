"""Bodies of the policy routes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Reply
from api.schemas.policy_sections import (
    MEMORY,
    REDACTION,
    AuditBody,
    LegalHoldBody,
    MemoryBody,
    RedactionBody,
    RetentionBody,
    ScreeningBody,
    TrustBody,
)
from governance.policy.document import PolicyDocument
from governance.policy.keeping import KeepingDocument
from governance.policy.screening import ScreeningDocument
from governance.policy.sections import SECTIONS
from governance.redaction.findings import Action
from memdb.lifecycle.policy_preview import IDS_MAX, Preview
from memdb.storage.policies import PolicyRow


class PolicyRequest(Body):
    """The whole policy: what it does not name is as by default. `expected_version` is the version that it was made from."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"expected_version": 0, "redaction": {"actions": {"EMAIL_ADDRESS": "mask"}}}]}
    )

    redaction: RedactionBody = Field(default_factory=RedactionBody)
    screening: ScreeningBody = Field(default_factory=ScreeningBody)
    trust: TrustBody = Field(default_factory=TrustBody)
    memory: MemoryBody = Field(default_factory=MemoryBody)
    retention: RetentionBody = Field(default_factory=RetentionBody)
    legal_hold: LegalHoldBody = Field(default_factory=LegalHoldBody)
    audit: AuditBody = Field(default_factory=AuditBody)
    expected_version: Annotated[int, Field(ge=0)] | None = None

    def document(self) -> PolicyDocument:
        """The same for the directory."""
        brains = {brain_id: _plain(actions) for brain_id, actions in self.redaction.brains.items()}
        return PolicyDocument(
            _plain(self.redaction.actions),
            brains,
            self.memory.document(),
            self.redaction.named(),
            self._screening(),
            self._keeping(),
            self.audit.reads,
        )

    def _screening(self) -> ScreeningDocument:
        said = self.screening
        return ScreeningDocument(
            _said(said.thresholds),
            {level: _said(values) for level, values in said.by_trust.items()},
            {kind.value: _said(values) for kind, values in said.by_kind.items()},
            tuple(_said(rule) for rule in said.review),
            self.trust.personal_brains_hold,
        )

    def _keeping(self) -> KeepingDocument:
        hold = self.legal_hold
        days = {str(kind): each for kind, each in self.retention.memories_days.items()}
        return KeepingDocument(self.retention.recalls_days, days, tuple(sorted(set(hold.subjects))), tuple(sorted(set(hold.brains))))


class PreviewReply(Reply):
    """What the policy would have done otherwise than the one that holds, to the last writes as they are stored. `ids` of the newest 100
    each, for a key with the capability reviewer; null for others.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "version": 3,
                    "looked_at": 200,
                    "flagged": 5,
                    "held": 3,
                    "rejected": 0,
                    "served": 1,
                    "redacted": 41,
                    "memories": 12,
                    "ids": None,
                }
            ]
        }
    )

    version: int = Field(description="of the policy that holds, with which it is compared")
    looked_at: int = Field(description="memories")
    flagged: int = Field(description="served as before, but shown to reviewers")
    held: int = Field(description="not held by the policy that holds")
    rejected: int = Field(description="not stored at all")
    served: int = Field(description="held or rejected by the policy that holds, and not by this one")
    redacted: int = Field(description="mentions that stand in the stored texts and would not")
    memories: int = Field(description="memories in which they stand")
    ids: dict[str, list[UUID]] | None

    @classmethod
    def of(cls, found: Preview, *, with_ids: bool) -> PreviewReply:
        count = {name: len(ids) for name, ids in found.ids.items()}
        return cls(
            version=found.version,
            looked_at=found.looked_at,
            flagged=count["flagged"],
            held=count["held"],
            rejected=count["rejected"],
            served=count["served"],
            redacted=found.mentions,
            memories=count["redacted"],
            ids={name: list(ids[-IDS_MAX:]) for name, ids in found.ids.items()} if with_ids else None,
        )


def _said(body: Body) -> dict[str, Any]:
    """What a body says, as JSON."""
    return body.model_dump(mode="json", exclude_none=True)


class PolicyReply(Reply):
    """A version of the policy. `effective` is the action of every entity type in a brain without rules of its own."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "version": 1,
                    "redaction": REDACTION,
                    "screening": {},
                    "trust": {},
                    "memory": MEMORY,
                    "retention": {},
                    "legal_hold": {},
                    "audit": {},
                    "effective": {"EMAIL_ADDRESS": "pseudonymise"},
                    "created_at": "2026-01-31T09:30:00Z",
                    "created_by": "019b76da-a800-7000-8000-0000000000a1",
                }
            ]
        }
    )

    version: int
    redaction: RedactionReply
    screening: dict[str, Any]
    trust: dict[str, Any]
    memory: dict[str, Any]
    retention: dict[str, Any]
    legal_hold: dict[str, Any]
    audit: dict[str, Any]
    effective: dict[str, Action]
    created_at: datetime | None
    created_by: UUID | None

    @property
    def told(self) -> str:
        """Which version it is, and since when."""
        since = "the defaults" if self.created_at is None else f"set {self.created_at:%Y-%m-%d %H:%M} UTC"
        return f"version {self.version}, {since}; what it does not name is as by default"

    @classmethod
    def of(cls, row: PolicyRow) -> PolicyReply:
        rules, stored = row.document.compile(row.version).redaction.rules, row.document.to_json()
        return cls(
            version=row.version,
            redaction=RedactionReply.of(row.document),
            **{name: stored.get(name, {}) for name in SECTIONS if name != "redaction"},
            effective={str(entity): rules.action(entity) for entity in sorted(rules.actions)},
            created_at=row.created_at,
            created_by=row.created_by,
        )


class RedactionReply(Reply):
    """What differs from the defaults, as it was set; `effective` says what of it this release follows."""

    actions: dict[str, str]
    brains: dict[UUID, dict[str, str]]
    recognizers: dict[str, Any]

    @classmethod
    def of(cls, document: PolicyDocument) -> RedactionReply:
        brains = {brain_id: dict(actions) for brain_id, actions in document.brains.items()}
        recognizers = document.to_json()["redaction"].get("recognizers", {})
        return cls(actions=dict(document.actions), brains=brains, recognizers=recognizers)


def _plain(actions: dict[str, Action]) -> dict[str, str]:
    return {name: action.value for name, action in actions.items()}
