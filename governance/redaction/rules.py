"""Which action each kind of finding gets. Policy per org and brain is made of these."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from governance.errors import InvalidInput
from governance.redaction.custom import RECOGNIZERS_MAX, CustomRecognizer
from governance.redaction.entities import DATE_TIME, ENTITIES, LOCATION, PERSON, URL, is_secret, label_pattern
from governance.redaction.findings import Action, EntityType

_TOLD = re.compile(r"[A-Za-z_]{1,40}")
_NOT_LOOKED_FOR = frozenset({DATE_TIME, URL})
"""Types that have a name and no recognizer: another action than keep would promise what nothing does."""


def _defaults() -> Mapping[EntityType, Action]:
    return MappingProxyType({entity: spec.default for entity, spec in ENTITIES.items()})


@dataclass(frozen=True, slots=True)
class RedactionRules:
    """A total mapping from entity type to action; secrets are always `replace`. `custom`: what the org looks for besides.

    Raises:
        InvalidInput: an entity type is unknown or missing, or a secret has an action other than `replace`.
    """

    actions: Mapping[EntityType, Action] = field(default_factory=_defaults)
    custom: tuple[CustomRecognizer, ...] = ()

    def __post_init__(self) -> None:
        own = {recognizer.entity for recognizer in self.custom}
        for entity, action in self.actions.items():
            spec = ENTITIES.get(entity)
            if spec is None:
                if entity in own:
                    continue
                raise InvalidInput("unknown entity type in redaction rules", field="redaction")
            if spec.secret and action is not Action.REPLACE:
                raise InvalidInput(f"{entity} is a secret: its action can only be replace", field=f"redaction.{entity}")
        if len(self.actions) != len(ENTITIES) + len(own):
            raise InvalidInput("redaction rules must name every entity type", field="redaction")
        # A frozen object must not change through the mapping that its maker still holds.
        object.__setattr__(self, "actions", MappingProxyType(dict(self.actions)))

    def action(self, entity: EntityType) -> Action:
        return self.actions[entity]

    @property
    def finds_names(self) -> bool:
        """True when names of people or places are not kept, and so are looked for."""
        return any(self.actions[entity] is not Action.KEEP for entity in (PERSON, LOCATION))

    @property
    def sought(self) -> tuple[CustomRecognizer, ...]:
        """Recognizers of the org whose findings these rules do not keep; what is kept is not looked for."""
        return tuple(each for each in self.custom if self.actions[each.entity] is not Action.KEEP)

    @property
    def labels(self) -> re.Pattern[str]:
        """How the labels of redacted texts look in this org."""
        return label_pattern(tuple(each.name for each in self.custom))

    def with_recognizers(self, custom: Sequence[CustomRecognizer]) -> RedactionRules:
        """Return rules that look for these as well, each with its own action.

        Raises:
            InvalidInput: there are too many, or one is none.
        """
        if len(custom) > RECOGNIZERS_MAX:
            raise InvalidInput(f"more than {RECOGNIZERS_MAX} recognizers", field="redaction.recognizers")
        for each in custom:
            each.check(below("redaction.recognizers", each.name))
        return self.with_known_recognizers(custom)

    def with_known_recognizers(self, custom: Sequence[CustomRecognizer]) -> RedactionRules:
        """The same for what was checked when it was set. A type that this release knows itself by now is looked for by it alone."""
        kept = tuple(each for each in custom if each.entity not in ENTITIES)
        return RedactionRules({**self.actions, **{each.entity: each.action for each in kept}}, kept)

    def with_overrides(self, overrides: Mapping[str, str]) -> RedactionRules:
        """Return rules with some actions changed, as an org or brain states them.

        Args:
            overrides: entity type name to action name, such as `{"EMAIL_ADDRESS": "keep"}`.

        Raises:
            InvalidInput: an entity type or action is unknown, or a secret would not be replaced.
        """
        changed = dict(self.actions)
        for name, action in overrides.items():
            problem = self._problem(name, action)
            if problem is not None:
                raise problem
            changed[EntityType(name)] = Action(action)
        return RedactionRules(changed, self.custom)

    def with_known(self, overrides: Mapping[str, str]) -> RedactionRules:
        """The same for what was stored once: a type or action that this release does not allow is passed over, and its default holds."""
        return self.with_overrides({name: action for name, action in overrides.items() if self._problem(name, action) is None})

    def _problem(self, name: str, action: str) -> InvalidInput | None:
        entity = EntityType(name)
        if entity not in self.actions:
            # SECURITY: the name is the caller's, and may be anything.
            return InvalidInput("unknown entity type; there are " + ", ".join(sorted(self.actions)), field="redaction")
        if action not in set(Action):
            return InvalidInput(f"unknown action for {name}: use replace, pseudonymise, mask or keep", field=f"redaction.{name}")
        if is_secret(entity) and action != Action.REPLACE:
            return InvalidInput(f"{name} is a secret: its action can only be replace", field=f"redaction.{name}")
        if entity in _NOT_LOOKED_FOR and action != Action.KEEP:
            return InvalidInput(f"{name} is not looked for by this release: its action can only be keep", field=f"redaction.{name}")
        return None


def below(path: str, name: str) -> str:
    """The path of a name, for errors; one that may be anything, even a secret, is left out.

    >>> below("redaction.actions", "EMAIL_ADRESS"), below("redaction.actions", "ana@example.com")
    ('redaction.actions.EMAIL_ADRESS', 'redaction.actions')
    """
    return f"{path}.{name}" if _TOLD.fullmatch(name) else path


DEFAULT_RULES: Final = RedactionRules()
"""What holds before anybody set a policy."""
