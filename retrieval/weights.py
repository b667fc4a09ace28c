"""How much each branch counts, by kind of memory: the defaults, and what a request asks for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from memdb.models.memory import Kind

BranchWeights = Mapping[str, float]

_COMMON: Final[BranchWeights] = MappingProxyType({"lexical": 0.75, "vector": 0.25, "entity": 0.3, "feedback": 0.1, "graph": 0.2})

DEFAULTS: Final[Mapping[Kind, BranchWeights]] = MappingProxyType(dict.fromkeys(Kind, _COMMON))


def weights_for(request: BranchWeights | None) -> Mapping[Kind, BranchWeights]:
    """The weights of a request for every kind; None asks for the defaults of each. A branch that a request leaves out has 0."""
    if request is None:
        return DEFAULTS
    return {kind: {name: request.get(name, 0.0) for name in _COMMON} for kind in Kind}
