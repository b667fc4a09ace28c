"""What the tests of feedback say over and over."""

from __future__ import annotations

from typing import Any

from tests.support.product import Caller, Json, Product

QUESTION = "when does the ferry to the island leave?"


async def recall(caller: Caller, query: str = QUESTION, **fields: Any) -> tuple[str, list[str]]:
    """Id of a new recall, and the ids that it returned."""
    answer = await caller.search(query, min_score=0.0, **fields)
    return answer["recall_id"], [e["memory"]["id"] for e in answer["evidence"]]


async def say(caller: Caller, recall_id: str, memory_id: str, outcome: str = "helpful", *, expect: int = 201, **fields: Any) -> Json:
    body = {"recall_id": recall_id, "memory_id": memory_id, "outcome": outcome, **fields}
    reply: Json = await caller.send("POST", "/v1/feedback", expect=expect, json=body)
    return reply


async def vote(caller: Caller, memory_id: str, outcome: str = "helpful", query: str = QUESTION) -> Json:
    """Ask, and say of one memory that came what became of it."""
    recall_id, found = await recall(caller, query, limit=100)
    assert memory_id in found
    return await say(caller, recall_id, memory_id, outcome)


async def strengths(caller: Caller, query: str = QUESTION, **fields: Any) -> dict[str, float]:
    """What the feedback branch says, by memory id."""
    answer = await caller.search(query, **{"min_score": 0.0, "weights": {"feedback": 1.0}, "limit": 100, **fields})
    return {e["memory"]["id"]: e["branches"]["feedback"]["raw"] for e in answer["evidence"]}


async def counters(product: Product, memory_id: str) -> dict[str, int]:
    (row,) = await product.rows(
        "SELECT used, helpful, not_helpful, stale, wrong, harmful FROM mem.memory_stats WHERE memory_id = CAST(:m AS uuid)", m=memory_id
    )
    return {name: count for name, count in row._mapping.items() if count}


async def count(product: Product, table: str, caller: Caller) -> int:
    return int(await product.value(f"SELECT count(*) FROM mem.{table} WHERE org_id = :org", org=caller.org_id))
