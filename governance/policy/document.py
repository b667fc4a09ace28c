"""The policy of an org as one document: what it does with personal data, and how long and how large its memories live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from governance.policy.memory_rules import MemoryDocument, MemoryRules
from governance.redaction.policy import RedactionPolicy
from governance.redaction.rules import RedactionRules


@dataclass(frozen=True, slots=True)
class OrgPolicy:
    """A policy in force."""

    redaction: RedactionPolicy = field(default_factory=RedactionPolicy)
    memory: MemoryRules = field(default_factory=MemoryRules)

    @property
    def version(self) -> int:
        """Counts from 1; 0 is what holds before anybody set one."""
        return self.redaction.version


@dataclass(frozen=True, slots=True)
class PolicyDocument:
    """A policy as it is set and stored: only what differs from the defaults. `actions` is entity type name to action name."""

    actions: Mapping[str, str]
    brains: Mapping[UUID, Mapping[str, str]]
    memory: MemoryDocument = field(default_factory=MemoryDocument)

    def compile(self, version: int) -> OrgPolicy:
        """The policy that this document makes. What a brain does not name is as in the org.

        It never fails: requests of the org depend on it, and a document that was set in an earlier release may name what this one lacks.
        """
        rules = RedactionRules().with_known(self.actions)
        brains = {brain_id: rules.with_known(actions) for brain_id, actions in self.brains.items()}
        return OrgPolicy(RedactionPolicy(version, rules, MappingProxyType(brains)), self.memory.compile())

    def check(self) -> None:
        """Raise InvalidInput for an entity type, action, kind or value that is unknown or not allowed; before the document is stored."""
        for actions in (self.actions, *self.brains.values()):
            RedactionRules().with_overrides(actions)
        self.memory.check()

    def to_json(self) -> dict[str, object]:
        """As it is stored."""
        brains = {str(brain_id): dict(sorted(actions.items())) for brain_id, actions in sorted(self.brains.items())}
        redaction = {"actions": dict(sorted(self.actions.items())), "brains": brains}
        return {"redaction": redaction, "memory": self.memory.to_json()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> PolicyDocument:
        """The reverse of `to_json`."""
        redaction = stored["redaction"]
        brains = {UUID(brain_id): dict(actions) for brain_id, actions in redaction["brains"].items()}
        return cls(dict(redaction["actions"]), brains, MemoryDocument.from_json(stored.get("memory", {})))


NO_DOCUMENT: Final = PolicyDocument(MappingProxyType({}), MappingProxyType({}))
