"""The application: routes, errors, limits, and upkeep while it serves. It is given a runtime and does not own it."""

from __future__ import annotations

import asyncio
import contextlib
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

from api.container import close_learner, make_learner
from api.errors import install
from api.learning_metrics import Watched
from api.lockout import Lockout
from api.metrics import Metrics
from api.middleware import RequestContext, SizeLimit, TimeLimit
from api.openapi import describe
from api.rate_limits import RateLimits
from api.routes.registry import ROUTERS
from api.routing import Route
from memdb.directory.authentication import Authenticator
from memdb.errors import ConfigurationError
from memdb.lifecycle import upkeep

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from memdb.runtime import Runtime

DISTRIBUTION = "memdb-server"
_DESCRIPTION = (
    "A memory database for AI agents: agents write what they learned, memdb redacts it and finds it again with evidence. "
    "Every request carries a key. Errors are application/problem+json with a stable code."
)


def create_app(runtime: Runtime) -> FastAPI:
    """Make the application around a runtime.

    Raises:
        ConfigurationError: a route has no line in the access table, or was not made by `make_router`.
    """
    for router in ROUTERS:
        if not all(isinstance(route, Route) for route in router.routes):
            raise ConfigurationError("a route was made past api/routing.py")
    app = FastAPI(
        title="memdb",
        description=_DESCRIPTION,
        version=_version(),
        docs_url=None,  # the pages would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan,
    )
    metrics = Metrics(lambda: runtime.database.checked_out)
    app.state.runtime = runtime
    app.state.metrics = metrics
    app.state.learner = Watched(make_learner(runtime.settings), metrics.learning)
    app.state.authenticator = Authenticator(runtime.database, runtime.clock, runtime.keyring)
    app.state.lockout = Lockout(runtime.clock)
    app.state.rate_limits = RateLimits(runtime.settings.key_requests_per_minute, runtime.settings.org_requests_per_minute)
    for router in ROUTERS:
        app.include_router(router)
    install(app)
    app.add_middleware(SizeLimit, bytes_max=runtime.settings.request_bytes_max)
    app.add_middleware(TimeLimit, timeout_s=runtime.settings.request_timeout_s)
    app.add_middleware(RequestContext, metrics=metrics, check_identifier=runtime.redactor.check_identifier)
    app.openapi = _described_once(app)  # type: ignore[method-assign]  # the library's own way to change the document
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    passes = asyncio.create_task(upkeep.run(app.state.runtime))
    yield
    passes.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await passes
    await close_learner(app.state.learner)


def _described_once(app: FastAPI) -> Any:  # noqa: ANN401 - a method of FastAPI
    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = describe(app)
        return app.openapi_schema

    return openapi


def _version() -> str:
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "0"
