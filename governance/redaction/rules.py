"""Which action each kind of finding gets. Policy per org and brain is made of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from governance.errors import InvalidInput
from governance.redaction.entities import DATE_TIME, ENTITIES, LOCATION, PERSON, URL
from governance.redaction.findings import Action, EntityType

_NOT_LOOKED_FOR = frozenset({DATE_TIME, URL})
"""Types that have a name and no recognizer: another action than keep would promise what nothing does."""


def _defaults() -> Mapping[EntityType, Action]:
    return MappingProxyType({entity: spec.default for entity, spec in ENTITIES.items()})


@dataclass(frozen=True, slots=True)
class RedactionRules:
    """A total mapping from entity type to action; secrets are always `replace`.

    Raises:
        InvalidInput: an entity type is unknown or missing, or a secret has an action other than `replace`.
    """

    actions: Mapping[EntityType, Action] = field(default_factory=_defaults)

    def __post_init__(self) -> None:
        for entity, action in self.actions.items():
            spec = ENTITIES.get(entity)
            if spec is None:
                raise InvalidInput("unknown entity type in redaction rules", field="redaction")
            if spec.secret and action is not Action.REPLACE:
                raise InvalidInput(f"{entity} is a secret: its action can only be replace", field=f"redaction.{entity}")
        if len(self.actions) != len(ENTITIES):
            raise InvalidInput("redaction rules must name every entity type", field="redaction")
        # A frozen object must not change through the mapping that its maker still holds.
        object.__setattr__(self, "actions", MappingProxyType(dict(self.actions)))

    def action(self, entity: EntityType) -> Action:
        return self.actions[entity]

    @property
    def finds_names(self) -> bool:
        """True when names of people or places are not kept, and so are looked for."""
        return any(self.actions[entity] is not Action.KEEP for entity in (PERSON, LOCATION))

    def with_overrides(self, overrides: Mapping[str, str]) -> RedactionRules:
        """Return rules with some actions changed, as an org or brain states them.

        Args:
            overrides: entity type name to action name, such as `{"EMAIL_ADDRESS": "keep"}`.

        Raises:
            InvalidInput: an entity type or action is unknown, or a secret would not be replaced.
        """
        changed = dict(self.actions)
        for name, action in overrides.items():
            problem = _problem(name, action)
            if problem is not None:
                raise problem
            changed[EntityType(name)] = Action(action)
        return RedactionRules(changed)

    def with_known(self, overrides: Mapping[str, str]) -> RedactionRules:
        """The same for what was stored once: a type or action that this release does not allow is passed over, and its default holds."""
        return self.with_overrides({name: action for name, action in overrides.items() if _problem(name, action) is None})


def _problem(name: str, action: str) -> InvalidInput | None:
    spec = ENTITIES.get(EntityType(name))
    if spec is None:
        # SECURITY: the name is the caller's, and may be anything.
        return InvalidInput("unknown entity type; there are " + ", ".join(sorted(ENTITIES)), field="redaction")
    if action not in set(Action):
        return InvalidInput(f"unknown action for {name}: use replace, pseudonymise, mask or keep", field=f"redaction.{name}")
    if spec.secret and action != Action.REPLACE:
        return InvalidInput(f"{name} is a secret: its action can only be replace", field=f"redaction.{name}")
    if EntityType(name) in _NOT_LOOKED_FOR and action != Action.KEEP:
        return InvalidInput(f"{name} is not looked for by this release: its action can only be keep", field=f"redaction.{name}")
    return None
