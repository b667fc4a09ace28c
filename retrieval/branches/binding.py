"""Parameters that every branch statement takes: the scope first, then the filters. There is no statement without them."""

from __future__ import annotations

from typing import Any

from governance.scopes import ScopeFilter
from retrieval.query import Filters


def scope_parameters(scope: ScopeFilter) -> dict[str, Any]:
    """Org and brains."""
    return {"org_id": scope.org_id, "brain_ids": list(scope.brain_ids)}


def filter_parameters(filters: Filters) -> dict[str, Any]:
    """Filters as bound values; None means that the filter is absent."""
    return {
        "now": filters.now,
        "valid_at": filters.valid_at,
        "kinds": _array(filters.kinds),
        "about": _array(filters.about),
        "said_by": _array(filters.said_by),
        "topic": filters.topic,
        "tags": _array(filters.tags),
        "facets": _array(filters.facets),
        "created_from": filters.created_from,
        "created_to": filters.created_to,
    }


def _array(values: tuple[Any, ...] | None) -> list[Any] | None:
    return None if values is None else list(values)
