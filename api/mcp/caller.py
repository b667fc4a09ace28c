"""Who calls a tool: what a call needs of its request, all of it known from the key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from api.auth import who_asks

if TYPE_CHECKING:
    from fastapi import Request

    from api.metrics import Metrics
    from memdb.directory.authentication import Authenticated
    from memdb.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Caller:
    """A request that was admitted with a key."""

    runtime: Runtime
    metrics: Metrics
    who: Authenticated


def caller_of(request: Request) -> Caller:
    """The caller of a request that `api/routing.py` let in."""
    state = request.app.state
    return Caller(state.runtime, state.metrics, who_asks(request))
