"""`/healthz`, `/readyz` and `/metrics`."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from fastapi import Request, Response

from api.access import is_loopback
from api.auth import authenticate, find_key
from api.metrics import CONTENT_TYPE
from api.routing import InMetrics, InRuntime, make_router
from api.schemas.health import Health, Readiness, ReadinessDetails
from memdb.directory.authentication import Authenticated
from memdb.errors import StorageError
from memdb.runtime import Runtime
from memdb.sessions.learning import read_figures
from memdb.storage.status import count_pending, read_status

router = make_router("health")
FIGURES_WITHIN_S: Final = 1.0
"""A scrape waits no longer for the database, nor for a connection to it."""


# HEAD is for load balancers. The server sends the headers of such a reply and keeps its body, so the description leaves them out.
@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="The process answers")
async def healthz() -> Health:
    return Health(status="ok")


@router.head("/readyz", include_in_schema=False)
@router.get("/readyz", summary="Requests can be answered")
async def readyz(request: Request, response: Response, runtime: InRuntime) -> Readiness:
    """503 while the database is out of reach. Details are shown to keys and to this machine itself."""
    status: ReadinessDetails | None
    try:
        presented = find_key(request)
        who = await authenticate(request, presented) if presented is not None else None
        details = await _look(runtime, who)
    except StorageError:
        details, who = _unavailable(runtime), None
    if details.database != "ok":
        response.status_code = 503
    status = details if who is not None or is_loopback(request.scope) else None
    return Readiness(status="ready" if details.database == "ok" else "unavailable", details=status)


@router.get("/metrics", summary="Figures for Prometheus", response_class=Response)
async def metrics(runtime: InRuntime, counted: InMetrics) -> Response:
    """Figures of the whole server, so a key needs the capability operator; this machine itself needs none."""
    figures = None
    with contextlib.suppress(StorageError, TimeoutError):
        async with asyncio.timeout(FIGURES_WITHIN_S):
            figures = await read_figures(runtime)
    return Response(counted.render(figures), headers={"Content-Type": CONTENT_TYPE})


async def _look(runtime: Runtime, who: Authenticated | None) -> ReadinessDetails:
    space = runtime.embedder.space.name
    async with runtime.database.bare() as conn:
        found = await read_status(conn)
    pending = None
    if who is not None:
        async with runtime.database.read(who.identity) as conn:
            pending = await count_pending(conn, who.principal.org_id, space)
    return ReadinessDetails(
        database="ok",
        postgres=found.postgres,
        schema_version=found.schema_version,
        space=space,
        extensions=found.extensions,
        pending_embeddings=pending,
    )


def _unavailable(runtime: Runtime) -> ReadinessDetails:
    return ReadinessDetails(
        database="unavailable",
        postgres=None,
        schema_version=None,
        space=runtime.embedder.space.name,
        extensions={},
        pending_embeddings=None,
    )
