"""The door of `/mcp`: a request that was let in, inspected and handed to the protocol library, which is loaded beside serving."""

from __future__ import annotations

import asyncio
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, cast

from starlette.responses import JSONResponse, Response

from api.mcp.envelope import inspect
from governance.errors import PersonalDataInIdentifier, ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import Request

    from memdb.runtime import Runtime

    Exchange: TypeAlias = "Callable[[bytes, str], Response]"

VERSION_HEADER = "MCP-Protocol-Version"


async def answer(request: Request) -> Response:
    """The response to a request of a client."""
    body = await request.body()
    runtime: Runtime = request.app.state.runtime
    refusal = inspect(body, request.headers.get(VERSION_HEADER), lambda text: _is_safe(runtime, text))
    if refusal is not None:
        return JSONResponse(refusal.body(), status_code=refusal.status)
    if not _load.cache_info().currsize:
        await asyncio.to_thread(_load)
    return _load()(body, request.app.version)


def warm() -> None:
    """Load the protocol library, about a second; `api/container.py` does it beside serving."""
    _load()


@cache
def _load() -> Exchange:
    return cast("Exchange", import_module("api.mcp.exchange").Exchange)


def _is_safe(runtime: Runtime, text: str) -> bool:
    try:
        runtime.redactor.check_identifier(text, "id")
    except (PersonalDataInIdentifier, ServiceError):
        return False
    return True
