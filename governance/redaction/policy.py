"""What an org does with its findings: actions for all of its brains, and other ones for single brains."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from uuid import UUID

from governance.redaction.findings import Action
from governance.redaction.names.known import NOBODY, KnownNames
from governance.redaction.rules import DEFAULT_RULES, RedactionRules

_STRICTNESS: Final = {Action.KEEP: 0, Action.MASK: 1, Action.PSEUDONYMISE: 2, Action.REPLACE: 3}  # by how much of the value stays readable


@dataclass(frozen=True, slots=True)
class RedactionPolicy:
    """Rules of an org and of those of its brains that differ. `version` counts from 1; 0 is what holds before anybody set one."""

    version: int = 0
    rules: RedactionRules = field(default_factory=RedactionRules)
    brains: Mapping[UUID, RedactionRules] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def finds_names(self) -> bool:
        """True when the org or one of its brains has names looked for."""
        return any(rules.finds_names for rules in (self.rules, *self.brains.values()))

    @property
    def directory(self) -> RedactionRules:
        """The rules of names, aliases and platform ids: the defaults, and what the org itself looks for.

        Everybody in an org reads the directory, so nothing that the policy keeps loosens these; and names are what it is for.
        """
        return DEFAULT_RULES.with_known_recognizers(self.rules.custom)

    def rules_for(self, brain_id: UUID) -> RedactionRules:
        """The rules of a brain."""
        return self.brains.get(brain_id, self.rules)

    def strictest(self, brain_ids: Collection[UUID]) -> RedactionRules:
        """Rules that keep of a text only what every one of these brains keeps; the org's own rules for none.

        For a question: it is stored and embedded once, whichever brains it is asked of.
        """
        rules = [self.rules_for(brain_id) for brain_id in brain_ids] or [self.rules]
        distinct = list({id(each): each for each in rules}.values())
        if len(distinct) == 1:
            return distinct[0]
        first = distinct[0]  # what is looked for is the same in all brains of an org
        strictest = {entity: max((each.action(entity) for each in distinct), key=_STRICTNESS.__getitem__) for entity in first.actions}
        return RedactionRules(strictest, first.custom)


@dataclass(frozen=True, slots=True)
class OrgRedaction:
    """What the redactor needs to know of an org: its policy, and the names that it has given, if the policy has names looked for."""

    policy: RedactionPolicy
    known: KnownNames = NOBODY
