"""Errors as HTTP: a status for each code, and one body for all of them that never repeats what came in.

Body: `application/problem+json` with type, title, status, code, detail, request_id and, where fields are at fault, errors.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from governance.errors import ServiceError

if TYPE_CHECKING:
    from starlette.types import Scope

_log = structlog.get_logger(__name__)

STATUS: Mapping[str, int] = MappingProxyType(
    {
        # refusals
        "unauthenticated": 401,
        "access_denied": 403,
        "not_found": 404,
        "invalid_input": 422,
        "personal_data_in_identifier": 422,
        "content_too_large": 413,
        "policy_rejected": 403,
        "rate_limited": 429,
        "locked_out": 429,
        "legal_hold": 409,
        "redaction_unavailable": 503,
        "refused": 403,
        # storage
        "version_conflict": 409,
        "idempotency_conflict": 409,
        "already_exists": 409,
        "already_merged": 409,
        "session_closed": 409,
        "front_full": 409,
        "selection_grown": 409,
        "erased": 409,
        "integrity_failed": 500,
        "audit_diverged": 500,
        "storage_unavailable": 503,
        "storage_failed": 500,
        "schema_mismatch": 503,
        # providers, recalls, load
        "provider_failed": 502,
        "provider_unavailable": 503,
        "dimension_mismatch": 502,
        "recall_failed": 500,
        "all_branches_failed": 503,
        "overloaded": 503,
        # start-up; a request meets them only through a defect
        "configuration": 500,
        "unsafe_database_role": 500,
        "wrong_secret": 500,
        "port_in_use": 500,
        "service_error": 500,
        # of HTTP itself
        "malformed_json": 422,
        "invalid_cursor": 422,
        "bad_request": 400,
        "method_not_allowed": 405,
        "request_too_large": 413,
        "request_timeout": 504,
        "internal": 500,
    }
)
RETRY_AFTER_S = 1
_BY_STATUS = {404: "not_found", 405: "method_not_allowed", 413: "request_too_large"}
_OWN_DETAIL = {
    "not_found": "no such path",
    "method_not_allowed": "this path does not take this method",
    "bad_request": "the request could not be read",
}

# Reasons of pydantic that are made of the schema alone. Others may quote the input, so only their type is told.
_SAFE_REASONS = frozenset(
    [
        "missing",
        "string_type",
        "string_too_short",
        "string_too_long",
        "string_pattern_mismatch",
        "string_unicode",
        "int_type",
        "int_from_float",
        "bool_type",
        "float_type",
        "finite_number",
        "list_type",
        "tuple_type",
        "set_type",
        "frozen_set_type",
        "dict_type",
        "model_type",
        "model_attributes_type",
        "too_short",
        "too_long",
        "greater_than",
        "greater_than_equal",
        "less_than",
        "less_than_equal",
        "literal_error",
        "enum",
        "none_required",
        "timezone_aware",
        "int_parsing",
        "bool_parsing",
        "float_parsing",
        "memdb",
    ]
)
_OTHER_REASONS = {
    "extra_forbidden": "unknown field",
    "uuid_parsing": "must be a UUID",
    "uuid_type": "must be a UUID",
    "json_invalid": "the body is not valid JSON",
}
_TOLD_NAME = re.compile(r"[A-Za-z_]{1,40}")


class Problem(HTTPException):
    """An error of the transport. The detail is a sentence of the product's own."""

    def __init__(self, code: str, detail: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status_code=STATUS[code], detail=detail, headers=headers)
        self.code = code


def problem_response(
    scope: Scope,
    code: str,
    detail: str,
    *,
    errors: Sequence[Mapping[str, object]] = (),
    headers: Mapping[str, str] | None = None,
    facts: Mapping[str, object] | None = None,
) -> JSONResponse:
    """The one body of an error. `facts`: ids and numbers that a program acts on, as members of their own."""
    status = STATUS[code]
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        "request_id": scope.get("state", {}).get("request_id"),
    }
    if errors:
        body["errors"] = list(errors)
    body |= facts or {}
    scope.setdefault("state", {})["code"] = code
    return JSONResponse(body, status_code=status, headers=headers, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Answer every error of a route in this form. Whatever is left is answered by `api/middleware.py`."""
    app.add_exception_handler(ServiceError, _service_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)


def service_problem(scope: Scope, error: ServiceError) -> JSONResponse:
    """The response of an error of the product."""
    status = STATUS[error.code]
    headers = {}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if error.retryable:
        headers["Retry-After"] = str(error.facts.get("retry_after_s", RETRY_AFTER_S))
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log_failure(error)
    errors = [{"field": error.field, "reason": error.message}] if error.field else []
    return problem_response(scope, error.code, error.message, errors=errors, headers=headers, facts=error.facts)


def log_failure(error: BaseException) -> None:
    """Log an error by its type and places in the code, with those it came from; messages may hold input and stay out."""
    chain: list[str] = []
    places: list[str] = []
    current: BaseException | None = error
    while current is not None and len(chain) < 8:
        chain.append(type(current).__qualname__)
        frames = traceback.extract_tb(current.__traceback__)[-12:]
        places.append(" < ".join(f"{f.filename.rsplit('/', 1)[-1]}:{f.lineno} {f.name}" for f in reversed(frames)))
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    _log.error("failure", error_types=chain, places=places)


async def _service_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ServiceError), "registered for this type"
    return service_problem(request.scope, error)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError), "registered for this type"
    found = error.errors()
    if any(e["type"] == "json_invalid" for e in found):
        return problem_response(request.scope, "malformed_json", "the body is not valid JSON")
    errors = [{"field": path_of(e["loc"]), "reason": reason_of(e)} | _line(e) for e in found[:50]]
    return problem_response(request.scope, "invalid_input", "one or more fields are missing, unknown or malformed", errors=errors)


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException), "registered for this type"
    if isinstance(error, Problem):
        return problem_response(request.scope, error.code, error.detail, headers=error.headers)
    code = _BY_STATUS.get(error.status_code, "bad_request" if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR else "internal")
    return problem_response(request.scope, code, _OWN_DETAIL.get(code, "the request failed"), headers=error.headers)


def _line(error: Mapping[str, Any]) -> dict[str, object]:
    """Line and path of what is wrong in a body that has lines."""
    context = error.get("ctx", {}) if error["type"] == "memdb" else {}
    return {"field": context["path"] or "body", "line": context["line"]} if "line" in context else {}


def path_of(location: Sequence[object]) -> str:
    """`("body", "source", "episode", 0)` as `source.episode[0]`. A name that the schema does not know may be anything, even a secret."""
    parts = list(location[1:]) if location and location[0] in {"body", "query", "path", "header"} else list(location)
    path = ""
    for part in parts:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            shown = part if isinstance(part, str) and _TOLD_NAME.fullmatch(part) else "?"
            path += f".{shown}" if path else shown
    return path or "body"


def reason_of(error: Mapping[str, Any]) -> str:
    kind = str(error["type"])
    if kind in _SAFE_REASONS:
        return str(error["msg"])
    return _OTHER_REASONS.get(kind, f"is not valid ({kind})")
