"""What the tests of people ask of the HTTP door."""

from __future__ import annotations

from typing import Any

from tests.support.product import Caller, Json


async def make(admin: Caller, name: str | None, *, kind: str = "person", **more: Any) -> str:
    """A subject without a key; its id."""
    made = await admin.send("POST", "/v1/subjects", expect=201, json={"kind": kind, "name": name, **more})
    return str(made["id"])


async def resolve(caller: Caller, name: str, *, expect: int = 200, **more: Any) -> Json:
    answer: Json = await caller.send("POST", "/v1/subjects:resolve", expect=expect, json={"name": name, **more})
    return answer


async def answer(caller: Caller, name: str, **more: Any) -> str | None:
    """Id of the one who is meant; None for candidates or nobody."""
    found = (await resolve(caller, name, **more))["subject"]
    return None if found is None else str(found["id"])


async def candidates(caller: Caller, name: str, **more: Any) -> dict[str, str]:
    """Id -> how it matches, best first; nobody is chosen."""
    reply = await resolve(caller, name, **more)
    assert reply["subject"] is None
    return {c["subject_id"]: c["match"] for c in reply["candidates"]}


async def see(admin: Caller, subject_id: str, alias: str, *, expect: int = 200, **where: Any) -> Json:
    seen: Json = await admin.send("POST", f"/v1/subjects/{subject_id}/aliases", expect=expect, json={"alias": alias, **where})
    return seen


async def read(caller: Caller, subject_id: str, *, expect: int = 200) -> Json:
    found: Json = await caller.send("GET", f"/v1/subjects/{subject_id}", expect=expect)
    return found


async def merge(caller: Caller, subject_id: str, into_id: str, *, expect: int = 200) -> Json:
    merged: Json = await caller.send("POST", f"/v1/subjects/{subject_id}:merge", expect=expect, json={"into_id": into_id})
    return merged


async def split(caller: Caller, subject_id: str, *, expect: int = 200) -> Json:
    apart: Json = await caller.send("POST", f"/v1/subjects/{subject_id}:split", expect=expect)
    return apart
