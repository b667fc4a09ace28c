"""The policy of an org as one document: what it does with personal data and with doubtful writes, how long and how large its memories live,
and what it must keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from governance.errors import InvalidInput
from governance.policy.keeping import KeepingDocument, LegalHold, Retention
from governance.policy.memory_rules import MemoryDocument, MemoryRules
from governance.policy.screening import Screening, ScreeningDocument
from governance.redaction.custom import CustomRecognizer
from governance.redaction.findings import Action
from governance.redaction.policy import RedactionPolicy
from governance.redaction.rules import RedactionRules, below

READS: Final = ("required", "best_effort")


@dataclass(frozen=True, slots=True)
class OrgPolicy:
    """A policy in force. `reads_audited`: a recall that cannot be recorded is refused; False: it is answered, and says so."""

    redaction: RedactionPolicy = field(default_factory=RedactionPolicy)
    memory: MemoryRules = field(default_factory=MemoryRules)
    screening: Screening = field(default_factory=Screening)
    retention: Retention = field(default_factory=Retention)
    legal_hold: LegalHold = field(default_factory=LegalHold)
    reads_audited: bool = True

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
    recognizers: tuple[CustomRecognizer, ...] = ()
    screening: ScreeningDocument = field(default_factory=ScreeningDocument)
    keeping: KeepingDocument = field(default_factory=KeepingDocument)
    reads: str | None = None

    def compile(self, version: int) -> OrgPolicy:
        """The policy that this document makes. What a brain does not name is as in the org.

        It never fails: requests of the org depend on it, and a document that was set in an earlier release may name what this one lacks.
        """
        rules = self.redaction_rules()
        brains = {brain_id: rules.with_known(actions) for brain_id, actions in self.brains.items()}
        retention, legal_hold = self.keeping.compile()
        return OrgPolicy(
            RedactionPolicy(version, rules, MappingProxyType(brains)),
            self.memory.compile(),
            self.screening.compile(),
            retention,
            legal_hold,
            self.reads != "best_effort",
        )

    def redaction_rules(self) -> RedactionRules:
        """Those of brains without rules of their own."""
        return RedactionRules().with_known_recognizers(self.recognizers).with_known(self.actions)

    def check(self) -> None:
        """Raise InvalidInput for what is unknown or not allowed, with its path; before the document is stored."""
        names = [each.name for each in self.recognizers]
        if len(set(names)) != len(names):
            raise InvalidInput("two recognizers have the same name", field="redaction.recognizers")
        rules = RedactionRules().with_recognizers(self.recognizers)
        _check_actions(rules, self.actions, "redaction.actions")
        for brain_id, actions in self.brains.items():
            _check_actions(rules, actions, f"redaction.brains.{brain_id}")
        self.screening.check()
        self.memory.check()
        self.keeping.check()
        if self.reads not in {None, *READS}:
            raise InvalidInput("use " + " or ".join(READS), field="audit.reads")

    def to_json(self) -> dict[str, Any]:
        """As it is stored. A section that says nothing is left out, but for the two that were there first."""
        brains = {str(brain_id): dict(sorted(actions.items())) for brain_id, actions in sorted(self.brains.items())}
        redaction: dict[str, object] = {"actions": dict(sorted(self.actions.items())), "brains": brains}
        if self.recognizers:
            redaction["recognizers"] = {each.name: _recognizer_json(each) for each in self.recognizers}
        screening, trust = self.screening.to_json()
        retention, legal_hold = self.keeping.to_json()
        further = {
            "screening": screening,
            "trust": trust,
            "retention": retention,
            "legal_hold": legal_hold,
            "audit": {} if self.reads is None else {"reads": self.reads},
        }
        return {"redaction": redaction, "memory": self.memory.to_json()} | {name: value for name, value in further.items() if value}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> PolicyDocument:
        """The reverse of `to_json`; a document of an earlier release says nothing of what it did not know."""
        redaction = stored["redaction"]
        brains = {UUID(brain_id): dict(actions) for brain_id, actions in redaction["brains"].items()}
        return cls(
            dict(redaction["actions"]),
            brains,
            MemoryDocument.from_json(stored.get("memory", {})),
            tuple(_recognizer(name, value) for name, value in redaction.get("recognizers", {}).items()),
            ScreeningDocument.from_json(stored.get("screening", {}), stored.get("trust", {})),
            KeepingDocument.from_json(stored.get("retention", {}), stored.get("legal_hold", {})),
            stored.get("audit", {}).get("reads"),
        )


def _check_actions(rules: RedactionRules, actions: Mapping[str, str], path: str) -> None:
    for name, action in actions.items():
        try:
            rules.with_overrides({name: action})
        except InvalidInput as problem:
            raise InvalidInput(problem.message, field=below(path, name)) from None


def _recognizer_json(recognizer: CustomRecognizer) -> dict[str, object]:
    return {"pattern": recognizer.pattern, "context": list(recognizer.context), "action": recognizer.action.value}


def _recognizer(name: str, stored: Mapping[str, Any]) -> CustomRecognizer:
    return CustomRecognizer(name, stored["pattern"], tuple(stored.get("context", ())), Action(stored.get("action", Action.PSEUDONYMISE)))


NO_DOCUMENT: Final = PolicyDocument(MappingProxyType({}), MappingProxyType({}))
