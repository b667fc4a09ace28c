"""Requests of the people routes."""

from __future__ import annotations

from typing import Any, cast

from tests.support.product import Caller

Json = dict[str, Any]


async def card(caller: Caller, subject_id: object, *, expect: int = 200, **query: Any) -> Json:
    return cast("Json", await caller.send("GET", f"/v1/subjects/{subject_id}/card", expect=expect, params=query))


async def grep(caller: Caller, subject_id: object, pattern: str, *, expect: int = 200, **body: Any) -> Json:
    path = f"/v1/subjects/{subject_id}/drawer:grep"
    return cast("Json", await caller.send("POST", path, expect=expect, json={"pattern": pattern, **body}))


async def notes(caller: Caller, subject_id: object, *, expect: int = 200, **query: Any) -> str:
    reply = await caller.client.get(f"/v1/subjects/{subject_id}/notes.md", headers=caller.headers, params=query)
    assert reply.status_code == expect, (reply.status_code, reply.text)
    return reply.text


def contents(reply: Json) -> list[str]:
    """Of a card."""
    return [entry["memory"]["content"] for entry in reply["front"]]


def texts(reply: Json) -> list[str]:
    """Of a grep."""
    return [line["text"] for line in reply["lines"]]
