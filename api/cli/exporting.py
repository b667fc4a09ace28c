"""Memories of a server as lines that an import takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

from api.cli.brains import list_brains, make_label
from api.cli.client import Client
from api.cli.output import Advance

PAGE = 100
_KEPT = ("content", "kind", "brain_id", "topic", "tags", "data", "about", "said_by", "valid_from", "valid_to", "placement")


def export_to(client: Client, out: TextIO, brain_id: str | None, advance: Advance) -> int:
    """Write every memory that the client may read, newest first; how many.

    Raises:
        Refused: the server did not answer; what was written so far is incomplete.
    """
    query: dict[str, object] = {"limit": PAGE} | ({} if brain_id is None else {"brain_id": brain_id})
    labels = {brain["id"]: make_label(brain) for brain in list_brains(client)}
    count = 0
    while True:
        page = client.get("/v1/memories", query)
        now = datetime.now(UTC)
        out.writelines(json.dumps(make_line(memory, now, labels), ensure_ascii=False) + "\n" for memory in page["items"])
        count += len(page["items"])
        advance(len(page["items"]))
        if page["next_cursor"] is None:
            return count
        query["cursor"] = page["next_cursor"]


def make_line(memory: Mapping[str, Any], now: datetime, labels: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """A served memory in the shape of a write, with the label of its brain; what is empty is left out.

    A working memory gets what is left of its time.

    >>> memory = {"content": "x", "kind": "semantic", "brain_id": "b1", "tags": [], "topic": None, "expires_at": None}
    >>> make_line(memory, datetime.now(UTC), {"b1": {"kind": "room", "name": "Lab"}})
    {'content': 'x', 'kind': 'semantic', 'brain_id': 'b1', 'brain': {'kind': 'room', 'name': 'Lab'}}
    """
    line: dict[str, object] = {name: memory[name] for name in _KEPT if memory.get(name) not in (None, [], {})}
    label = labels.get(memory["brain_id"])
    if label is not None:
        line["brain"] = label
    if memory.get("expires_at") is not None:
        left = datetime.fromisoformat(memory["expires_at"]) - now
        line["ttl_seconds"] = max(1, int(left.total_seconds()))
    return line
