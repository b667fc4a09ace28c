from __future__ import annotations

import json
from typing import Any

import pytest

from api.mcp.envelope import INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, Refusal, inspect


def look(message: Any, version: str | None = None) -> Refusal | None:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return inspect(body, version, lambda text: "secret" not in text)


def message(**more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}} | more


@pytest.mark.parametrize("number", [0, -1, 2**52, "abc-1", "01980000-0000-7000-8000-000000000001"])
def test_a_message_with_a_plain_id_passes(number: object) -> None:
    assert look(message(id=number)) is None


def test_a_notification_passes_and_a_request_without_an_id_does_not() -> None:
    assert look({"jsonrpc": "2.0", "method": "notifications/cancelled"}) is None
    refusal = look({"jsonrpc": "2.0", "method": "tools/list"})
    assert refusal is not None
    assert refusal.code == INVALID_REQUEST


@pytest.mark.parametrize("number", [None, True, 1.5, [], {}, "", "a b", "x" * 65, "a-secret", 2**53])
def test_an_id_that_cannot_be_told_is_refused_and_not_repeated(number: object) -> None:
    refusal = look(message(id=number))
    assert refusal is not None
    assert refusal.body()["id"] is None


@pytest.mark.parametrize("broken", [b"", b"{", b"\xff", b'{"a": NaN}', b"[" * 100_000])
def test_what_is_no_json_is_told_as_such(broken: bytes) -> None:
    refusal = look(broken)
    assert refusal is not None
    assert (refusal.status, refusal.code) == (400, PARSE_ERROR)


@pytest.mark.parametrize("wrong", [[], "x", 1, None, [message()], message(jsonrpc="1.0"), message(method=1), message(params=[])])
def test_what_is_no_message_is_told_as_such(wrong: object) -> None:
    refusal = look(wrong)
    assert refusal is not None
    assert (refusal.status, refusal.code) == (400, INVALID_REQUEST)


@pytest.mark.parametrize(("version", "status"), [(None, 200), ("2025-11-25", 200), ("2026-07-28", 404)])
def test_an_unknown_method_has_the_status_that_the_version_says(version: str | None, status: int) -> None:
    refusal = look(message(method="secret/thing"), version)
    assert refusal is not None
    assert (refusal.status, refusal.code, refusal.id) == (status, METHOD_NOT_FOUND, 1)
    assert "secret" not in refusal.message
