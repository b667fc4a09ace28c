"""The JSON-RPC message of a request, looked at before the protocol library is given it.

SECURITY: the library repeats what it could not read, an unknown method, and the id of the message. So what it would refuse is refused here
with words of our own, and an id that could be something else is refused too: no reply of the product repeats what was sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeGuard

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
"""Source: JSON-RPC 2.0, section 5.1."""

STATELESS: Final = "2026-07-28"
"""The version of MCP from which on requests stand alone."""
METHODS: Final = frozenset({"initialize", "ping", "server/discover", "tools/list", "tools/call"})
_NOTIFICATIONS: Final = "notifications/"
_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NUMBER_MAX: Final = 2**53


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error of JSON-RPC: HTTP status, code, a sentence of our own, and the id of the message if it may be told."""

    status: int
    code: int
    message: str
    id: int | str | None = None

    def body(self) -> dict[str, object]:
        """The message that answers."""
        return {"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.message}}


def inspect(body: bytes, version: str | None, is_safe: Callable[[str], bool]) -> Refusal | None:
    """What is wrong with a message, if anything is.

    Args:
        body: of the request.
        version: of the protocol, as the header says.
        is_safe: tells whether a text may be repeated to the one who sent it.
    """
    try:
        message = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return Refusal(400, PARSE_ERROR, "the body is not valid JSON")
    if not _is_message(message):
        return Refusal(400, INVALID_REQUEST, "the body must be one JSON-RPC 2.0 request or notification, with params an object")
    method = message["method"]
    if "id" not in message:
        return None if method.startswith(_NOTIFICATIONS) else Refusal(400, INVALID_REQUEST, "a request needs an id")
    if not _is_id(message["id"], is_safe):
        return Refusal(400, INVALID_REQUEST, "id must be an integer, or a short text without personal data")
    if method not in METHODS:
        # To clients of the versions before it, 404 says that their session is gone.
        status = 404 if version is not None and version >= STATELESS else 200
        return Refusal(status, METHOD_NOT_FOUND, f"unknown method; there are {', '.join(sorted(METHODS))}", message["id"])
    return None


def _is_message(value: object) -> TypeGuard[dict[str, Any]]:
    return (
        isinstance(value, dict)
        and value.get("jsonrpc") == "2.0"
        and isinstance(value.get("method"), str)
        and isinstance(value.get("params", {}), dict)
    )


def _is_id(value: object, is_safe: Callable[[str], bool]) -> bool:
    if isinstance(value, str):
        return _ID.fullmatch(value) is not None and (_UUID.fullmatch(value) is not None or is_safe(value))
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _NUMBER_MAX


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
