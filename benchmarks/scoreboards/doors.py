"""Every door by which something that was written comes back, searched for one string."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx

from benchmarks.scoreboards.product import Caller


def look_everywhere(reader: Caller, agent: Caller, brain: str, memory_id: str | None, topic: str, secret: str) -> list[str]:
    """Names of the doors whose reply holds `secret`, to the letter.

    Args:
        reader: a member of the brain.
        agent: the one whose brain it is.
        brain: its id.
        memory_id: what was written; None: the write was refused.
        topic: where it was written.
        secret: what is looked for.

    Raises:
        RuntimeError: a door did not answer at all, so that nothing was looked at.
    """
    escaped = json.dumps(secret)[1:-1]
    found = []
    for who, caller in (("reader", reader), ("agent", agent)):
        for door, reply in _replies(caller, agent.subject_id, brain, memory_id, topic):
            if reply.status_code >= 500:
                raise RuntimeError(f"{door} answered {reply.status_code}")
            if secret in reply.text or escaped in reply.text:
                found.append(f"{door} ({who})")
    return found


def _replies(caller: Caller, subject: str, brain: str, memory_id: str | None, topic: str) -> Iterator[tuple[str, httpx.Response]]:
    words = topic.replace("/", " ")
    yield "list", caller.ask("GET", "/v1/memories", brain_id=brain, limit=200)
    yield "search", caller.ask("POST", "/v1/memories/search", {"query": words, "min_score": 0.0, "limit": 50, "token_budget": 2000})
    yield (
        "search by topic",
        caller.ask("POST", "/v1/memories/search", {"query": words, "topic": topic, "min_score": 0.0, "token_budget": 2000}),
    )
    if memory_id is not None:
        yield "get", caller.ask("GET", f"/v1/memories/{memory_id}")
        yield "history", caller.ask("GET", f"/v1/memories/{memory_id}/history")
    yield "topics", caller.ask("GET", f"/v1/brains/{brain}/topics")
    yield "topics:query", caller.ask("POST", f"/v1/brains/{brain}/topics:query", {"topic": topic})
    yield "conflicts", caller.ask("GET", f"/v1/brains/{brain}/conflicts")
    yield "unattributed", caller.ask("GET", f"/v1/brains/{brain}/unattributed")
    yield "card", caller.ask("GET", f"/v1/subjects/{subject}/card")
    yield "notes.md", caller.ask("GET", f"/v1/subjects/{subject}/notes.md")
    grep = {"pattern": ".", "regex": True, "placement": "all", "limit": 200}
    yield "drawer:grep", caller.ask("POST", f"/v1/subjects/{subject}/drawer:grep", grep)
    for tool, arguments in (
        ("recall", {"query": words}),
        ("query_brain", {"brain_id": brain, "topic": topic}),
        ("get_context", {"query": words}),
        ("get_card", {"subject_id": subject}),
    ):
        yield f"mcp {tool}", _call(caller, tool, arguments)


def _call(caller: Caller, tool: str, arguments: dict[str, Any]) -> httpx.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    return caller.ask("POST", "/mcp", message)
