"""The one list of routers; each of their routes has a line in `api/access.py`."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from api.routes import (
    audit,
    brains,
    erasures,
    extraction,
    feedback,
    health,
    jobs,
    keys,
    lifecycle,
    looks,
    mcp,
    memories,
    notebooks,
    people,
    policy,
    quarantine,
    reviews,
    search,
    sessions,
    subjects,
    topics,
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    search.router,  # first, because routes are tried in this order
    health.router,
    memories.router,
    feedback.router,
    mcp.router,
    lifecycle.router,
    looks.router,
    brains.router,
    topics.router,
    notebooks.router,
    sessions.router,
    subjects.router,
    people.router,
    keys.router,
    policy.router,
    extraction.router,
    jobs.router,
    quarantine.router,
    reviews.router,
    audit.router,
    erasures.router,
)
