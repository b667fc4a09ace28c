"""What every route has in common: admission by the access table, strict JSON, no unknown query parameter."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, NoReturn

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from api.access import get_access
from api.auth import admit
from api.metrics import Metrics
from memdb.extraction.extractor import Extractor
from memdb.runtime import Runtime

PAGE_MAX = 200
PAGE_DEFAULT = 50
CURSOR_CHARACTERS_MAX = 1_100


class StrictRequest(Request):
    """A request whose JSON is JSON: no NaN, no infinity, no number that Python only can read, no half characters."""

    async def json(self) -> Any:  # noqa: ANN401 - any JSON value, checked by the schema of the route
        if not hasattr(self, "_json"):
            body = await self.body()
            try:
                self._json = json.loads(body, parse_constant=_refuse_constant)
            except json.JSONDecodeError:
                raise
            except (ValueError, RecursionError):
                # SECURITY: the text of the error may quote the body, so that it goes no further.
                raise json.JSONDecodeError("not JSON", "", 0) from None
        return self._json


class Route(APIRoute):
    """A route that admits before it reads the body. Routers carry no prefix, so that `path` is the whole path, as in the access table."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        access = {method: get_access(method, self.path) for method in self.methods or ()}
        answer = super().get_route_handler()
        known = _query_names(self)

        async def handle(request: Request) -> Response:
            await admit(request, access[request.method])
            unknown = [name for name in request.query_params if name not in known]
            if unknown:
                raise RequestValidationError([{"type": "extra_forbidden", "loc": ("query", name), "msg": ""} for name in unknown])
            return await answer(StrictRequest(request.scope, request.receive))

        return handle


def make_router(tag: str) -> APIRouter:
    """A router for one family of routes; write whole paths."""
    return APIRouter(tags=[tag], route_class=Route)


def _query_names(route: APIRoute) -> frozenset[str]:
    names: set[str] = set()
    waiting = [route.dependant]
    while waiting:
        dependant = waiting.pop()
        waiting += dependant.dependencies
        for field in dependant.query_params:
            fields = getattr(field.field_info.annotation, "model_fields", None)
            names |= {f.alias or name for name, f in fields.items()} if fields else {field.alias}
    return frozenset(names)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


async def _runtime(request: Request) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


async def _metrics(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


async def _learner(request: Request) -> Extractor:
    learner: Extractor = request.app.state.learner
    return learner


InRuntime = Annotated[Runtime, Depends(_runtime)]
InMetrics = Annotated[Metrics, Depends(_metrics)]
InLearner = Annotated[Extractor, Depends(_learner)]
Limit = Annotated[int, Query(ge=1, le=PAGE_MAX, description="Items of a page at most.")]
Cursor = Annotated[
    str | None, Query(max_length=CURSOR_CHARACTERS_MAX, description="`next_cursor` of the page before, with the same filters.")
]
