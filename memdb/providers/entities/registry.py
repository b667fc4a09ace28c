"""From a name in the settings to an entity extractor."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from memdb.errors import ConfigurationError
from memdb.providers.entities.rules import RuleExtractor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memdb.providers.entities.base import EntityExtractor

EXTRACTORS: Final[Mapping[str, Callable[[], EntityExtractor]]] = MappingProxyType({"rules": RuleExtractor})


def make_extractor(name: str) -> EntityExtractor:
    """Build the named extractor.

    Raises:
        ConfigurationError: no such extractor.
    """
    make = EXTRACTORS.get(name)
    if make is None:
        raise ConfigurationError(f"entity extractor {name!r} is unknown; use one of {', '.join(EXTRACTORS)}")
    return make()
