"""Which kinds are learned from turns: as the org has set, else as the server is set. Writing a kind directly is never switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.policy.memory_rules import EXTRACTIONS
from memdb.errors import ConfigurationError
from memdb.models.memory import Kind

if TYPE_CHECKING:
    from governance.policy.memory_rules import MemoryRules
    from memdb.config import Settings


def enabled_handlers(settings: Settings, rules: MemoryRules) -> tuple[Kind, ...]:
    """The kinds whose handlers read new snapshots of an org, in their order.

    Raises:
        ConfigurationError: the setting names another kind.
    """
    wanted = default_handlers(settings) if rules.extractions is None else rules.extractions
    return tuple(Kind(name) for name in EXTRACTIONS if name in wanted)


def default_handlers(settings: Settings) -> tuple[str, ...]:
    """What MEMDB_ENABLED_EXTRACTIONS says. Raises ConfigurationError for a kind that is not extracted."""
    wanted = {name.strip().lower() for name in settings.enabled_extractions.split(",")} - {""}
    if not wanted <= set(EXTRACTIONS):
        raise ConfigurationError("MEMDB_ENABLED_EXTRACTIONS lists kinds of " + ", ".join(EXTRACTIONS) + ", separated by commas")
    return tuple(name for name in EXTRACTIONS if name in wanted)
