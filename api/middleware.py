"""Around every request: its id, its log line, limits on size and time, and an answer when everything else failed. Pure ASGI.

RequestContext > TimeLimit > SizeLimit > routes
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING

import structlog
from starlette.datastructures import Headers, MutableHeaders

from api.errors import Problem, log_failure, problem_response, service_problem
from governance.errors import PersonalDataInIdentifier, ServiceError
from memdb.ids import make_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from api.metrics import Metrics

REQUEST_ID_HEADER = "X-Request-Id"
NO_ROUTE = "none"
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_TRACE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}")
_SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}

_log = structlog.get_logger(__name__)


class RequestContext:
    """Gives each request an id, logs and counts it, and answers 500 where nothing else did."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, check_identifier: Callable[[str, str], None]) -> None:
        self._app = app
        self._metrics = metrics
        self._check_identifier = check_identifier

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state["request_id"] = request_id = self._request_id(Headers(scope=scope).get(REQUEST_ID_HEADER))
        started_s = time.perf_counter()
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers[REQUEST_ID_HEADER] = request_id
                for name, value in _SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except ServiceError as error:
            if status == 0:
                await service_problem(scope, error)(scope, receive, send_with_headers)
        except Exception as error:  # noqa: BLE001 - the last resort: whatever is left becomes a 500 that tells nothing, and a log line
            log_failure(error)
            if status == 0:
                await problem_response(scope, "internal", "the server failed")(scope, receive, send_with_headers)
        finally:
            self._tell(scope, status, time.perf_counter() - started_s)

    def _request_id(self, sent: str | None) -> str:
        if sent is None or not _TOKEN.fullmatch(sent):
            return str(make_id())
        if not _TRACE.fullmatch(sent):
            try:
                # It goes into logs and the audit, so it passes the redactor like everything else.
                self._check_identifier(sent, "request_id")
            except (PersonalDataInIdentifier, ServiceError):
                return str(make_id())
        return sent

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", NO_ROUTE)
        method = scope["method"] if scope["method"] in _METHODS else "other"
        state = scope["state"]
        self._metrics.answered(route, method, status, seconds)
        _log.info(
            "request",
            route=route,
            method=method,
            status=status,
            code=state.get("code"),
            duration_ms=round(seconds * 1000, 1),
            key_id=state.get("key_id"),
            request_id=state["request_id"],
        )


class TimeLimit:
    """Ends a request that takes too long; what it had not committed is rolled back."""

    def __init__(self, app: ASGIApp, *, timeout_s: float) -> None:
        self._app = app
        self._timeout_s = timeout_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def send_noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        limit = asyncio.timeout(self._timeout_s)
        try:
            async with limit:
                await self._app(scope, receive, send_noting)
        except TimeoutError:
            if not limit.expired() or started:
                raise
            detail = f"the request took longer than {self._timeout_s:g} seconds; it may have been carried out: read before you repeat it"
            await problem_response(scope, "request_timeout", detail)(scope, receive, send)


class SizeLimit:
    """Refuses bodies beyond a number of bytes, whether or not they announce their length."""

    def __init__(self, app: ASGIApp, *, bytes_max: int) -> None:
        self._app = app
        self._bytes_max = bytes_max

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        detail = f"a request may have {self._bytes_max} bytes; send several"
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isascii() and announced.isdigit() and int(announced[:20]) > self._bytes_max:
            await problem_response(scope, "request_too_large", detail)(scope, receive, send)
            return
        seen = 0

        async def receive_counting() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._bytes_max:
                raise Problem("request_too_large", detail)
            return message

        await self._app(scope, receive_counting, send)
