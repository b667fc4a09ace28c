"""What the tests of quarantine share: actions over HTTP, and the audit checked as its owner."""

from __future__ import annotations

from typing import Any

from memdb.auditing.verifying import verify_org
from memdb.storage.owner import connect
from tests.support.product import Caller, Json, Product


async def preview(caller: Caller, *, expect: int = 200, shown: int = 10, **selection: Any) -> Json:
    body = {"selection": selection, "shown": shown}
    found: Json = await caller.send("POST", "/v1/admin/quarantine:preview", expect=expect, json=body)
    return found


async def quarantine(caller: Caller, *, expect: int = 201, expected: int = 1_000, reason: str | None = None, **selection: Any) -> Json:
    body = {"selection": selection, "expected": expected, "reason": reason}
    made: Json = await caller.send("POST", "/v1/admin/quarantine", expect=expect, json=body)
    return made


async def release(caller: Caller, action_id: str, *, expect: int = 200) -> Json:
    done: Json = await caller.send("POST", f"/v1/admin/quarantine/{action_id}:release", expect=expect)
    return done


async def reviews(caller: Caller, **query: Any) -> list[Json]:
    page = await caller.send("GET", "/v1/admin/reviews", expect=200, params={"limit": 200, **query})
    items: list[Json] = page["items"]
    return items


async def decide(caller: Caller, memory_id: str, what: str, *, expect: int, **options: Any) -> Json:
    done: Json = await caller.send("POST", f"/v1/admin/reviews/{memory_id}:{what}", expect=expect, **options)
    return done


def damage(product: Product, caller: Caller, url: str) -> list[object]:
    """What verification of the caller's org finds: rows, index and events, both ways."""
    with connect(url) as conn:
        report = verify_org(conn, product.runtime.keyring, ("tests", caller.org_id), None, lambda _: None)
    return [] if report.intact else [report]
