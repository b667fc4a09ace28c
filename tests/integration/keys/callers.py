"""What the tests of keys have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.support.product import Caller


def with_key(caller: Caller, key: str) -> Caller:
    """The same caller with another key."""
    return replace(caller, headers={"Authorization": f"Bearer {key}"})


async def status(caller: Caller, method: str = "GET", path: str = "/v1/brains", **options: Any) -> int:
    """What a request is answered with."""
    return (await caller.client.request(method, path, headers=dict(caller.headers), **options)).status_code


def key_id(caller: Caller) -> str:
    return caller.headers["Authorization"].split("_")[2]


async def make_key(admin: Caller, subject_id: object, **grant: Any) -> dict[str, Any]:
    """A key, as the reply to whoever made it."""
    expect = grant.pop("expect", 201)
    wanted = {"subject_id": str(subject_id), "writer_label": "tests", "max_role": "writer", "trust": "member", **grant}
    made: dict[str, Any] = await admin.send("POST", "/v1/admin/keys", expect=expect, json=wanted)
    return made


async def rotate(caller: Caller, key: str, *, expect: int = 201, **how: Any) -> dict[str, Any]:
    made: dict[str, Any] = await caller.send("POST", f"/v1/admin/keys/{key}:rotate", expect=expect, json=how)
    return made


async def make_subject(admin: Caller, kind: str, name: str) -> str:
    return str((await admin.send("POST", "/v1/subjects", expect=201, json={"kind": kind, "name": name}))["id"])


async def audited(admin: Caller, action: str) -> list[Any]:
    """Events of an org, oldest first: object, brain, actor's key, detail."""
    return await admin.product.rows(
        "SELECT object_id, brain_id, actor_key, detail FROM mem.audit_events WHERE org_id = :org AND action = :action ORDER BY id",
        org=admin.org_id,
        action=action,
    )
