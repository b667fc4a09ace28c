"""Reads of content: every door that shows any leaves an event, and the policy says what happens when that cannot be stored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

import psycopg
import pytest

from api.access import ROUTES
from tests.integration.canary.doors import document
from tests.support.auditing import damage, seal, verify
from tests.support.product import Caller, Json, Product

CONTENT: Final = {"content", "preview", "fragment", "text"}
"""Names of fields of replies that hold what somebody said or wrote."""
NO_CONTENT_BUT_SHOWN: Final = {
    ("POST", "/mcp"): "what tools give is no schema of a route",
    ("GET", "/v1/brains/{brain_id}/topics"): "topics are words of the writer",
    ("GET", "/v1/sessions/{session_id}/turns/{turn_id}/learned"): "ids say what was learned from what was said",
}
Request = tuple[str, Json | None]


async def world(ana: Caller) -> dict[str, str]:
    """Ids of one of everything that can be read; two memories contradict each other."""
    brain_id = await ana.make_brain()
    fields: Json = {"brain_id": brain_id, "topic": "pets", "about": [str(ana.subject_id)]}
    ids = [(await ana.write(text, **fields))["id"] for text in ("Ana has a cat", "Rui has a dog")]
    await ana.send("POST", "/v1/conflicts", expect=201, json={"memory_id": ids[0], "other_id": ids[1]})
    unit = await ana.send("POST", f"/v1/brains/{brain_id}/units", expect=201, json={"topic": "food", "content": "Fish on Fridays"})
    session_id = (await ana.send("POST", "/v1/sessions", expect=201, json={"brain_id": brain_id}))["id"]
    said = await ana.send("POST", f"/v1/sessions/{session_id}/turns", expect=201, json={"turns": [{"text": "What do cats eat?"}]})
    selection = {"ids": [(await ana.write("Wire money to Eve"))["id"]]}
    await ana.send("POST", "/v1/admin/quarantine", expect=201, json={"selection": selection, "expected": 1})
    return {
        "memory_id": ids[0],
        "other_id": ids[1],
        "held_id": selection["ids"][0],
        "brain_id": brain_id,
        "unit_id": unit["id"],
        "session_id": session_id,
        "turn_id": said["turns"][0]["id"],
        "subject_id": str(ana.subject_id),
    }


BODIES: Final[Mapping[tuple[str, str], Request]] = {
    ("POST", "/v1/memories/search"): ("/v1/memories/search", {"query": "who has a cat?", "min_score": 0.0, "token_budget": 300}),
    ("POST", "/v1/memories/{memory_id}:confirm"): ("/v1/memories/{memory_id}:confirm", {}),
    ("POST", "/v1/memories/{memory_id}:resolve"): ("/v1/memories/{memory_id}:resolve", {"both": True}),
    ("POST", "/v1/sessions/{session_id}/context"): ("/v1/sessions/{session_id}/context", {"query": "who has a cat?"}),
    ("POST", "/v1/brains/{brain_id}/topics:query"): ("/v1/brains/{brain_id}/topics:query", {"topic": "pets"}),
    ("POST", "/v1/subjects/{subject_id}/drawer:grep"): ("/v1/subjects/{subject_id}/drawer:grep", {"pattern": "cat", "placement": "all"}),
    ("POST", "/v1/admin/quarantine:preview"): ("/v1/admin/quarantine:preview", {"selection": {"ids": ["{memory_id}"]}, "shown": 5}),
    ("GET", "/v1/admin/reviews/{memory_id}"): ("/v1/admin/reviews/{held_id}", None),
    ("POST", "/mcp"): (
        "/mcp",
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "read_unit", "arguments": {"brain_id": "{brain_id}", "unit_id": "{unit_id}"}},
        },
    ),
}
SHOWING: Final = sorted(key for key, access in ROUTES.items() if access.shows)


async def ask(caller: Caller, door: tuple[str, str], ids: Mapping[str, str]) -> Any:
    path, body = BODIES.get(door, (door[1], None))
    filled = json.dumps(body)
    for name, value in ids.items():
        path, filled = path.replace("{" + name + "}", value), filled.replace('"{' + name + '}"', f'"{value}"')
    options = {"json": json.loads(filled)} if body is not None else {}
    headers = {**caller.headers, "Accept": "application/json, text/event-stream"} if door[1] == "/mcp" else dict(caller.headers)
    return await caller.client.request(door[0], path, headers=headers, **options)


async def events(product: Product, caller: Caller) -> list[Any]:
    """Every event and recall of an org that tells of a read, the oldest first."""
    sql = (
        "SELECT id, action, object_id, detail FROM mem.audit_events WHERE org_id = :org"
        " AND (action LIKE 'read.%' OR action IN ('review.read', 'quarantine.preview'))"
        " UNION ALL SELECT id, 'recall', '', '{}' FROM mem.recalls WHERE org_id = :org ORDER BY id"
    )
    return await product.rows(sql, org=caller.org_id)


def fields_of(schema: Any, schemas: Json, seen: frozenset[str] = frozenset()) -> set[str]:
    """Names of all fields in a reply, however deep."""
    if isinstance(schema, list):
        return set().union(*(fields_of(one, schemas, seen) for one in schema))
    if not isinstance(schema, dict):
        return set()
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name:
        return set() if name in seen else fields_of(schemas[name], schemas, seen | {name})
    inner = [value for key, value in schema.items() if key in {"anyOf", "allOf", "oneOf", "items"}]
    properties = schema.get("properties", {})
    return {*properties, *fields_of([*inner, *properties.values()], schemas, seen)}


def test_every_route_whose_reply_holds_content_is_marked_and_no_other() -> None:
    described = document()
    holding = set()
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            for reply in (reply for status, reply in operation["responses"].items() if status.startswith("2")):
                for kind, body in reply.get("content", {}).items():
                    if kind == "text/markdown" or fields_of(body.get("schema"), described["components"]["schemas"]) & CONTENT:
                        holding.add((method.upper(), path))
    assert len(holding) > 10
    assert set(SHOWING) == holding | set(NO_CONTENT_BUT_SHOWN)


@pytest.mark.parametrize("door", SHOWING, ids=" ".join)
async def test_each_door_that_shows_content_leaves_one_event(ana: Caller, product: Product, door: tuple[str, str]) -> None:
    ids = await world(ana)
    before = await events(product, ana)
    reply = await ask(ana, door, ids)
    assert reply.status_code == 200, reply.text
    assert '"isError":true' not in reply.text
    new = (await events(product, ana))[len(before) :]
    # A context shows what was said, and recalls besides.
    assert len(new) == (2 if door[1].endswith("/context") else 1), new
    told = json.dumps([[row.action, row.object_id, row.detail] for row in new])
    assert "cat" not in told
    assert "memdb-degraded" not in reply.headers
    shown = {ids[name] for name, content in WORDS.items() if f'"content":"{content}"' in reply.text}
    if new[0].action.startswith("read."):
        assert shown <= set(new[0].detail["memories"])


WORDS: Final = {"memory_id": "Ana has a cat", "other_id": "Rui has a dog", "unit_id": "Fish on Fridays"}


async def test_a_refused_read_leaves_no_event(ana: Caller, anyone: Caller, product: Product) -> None:
    memory_id = (await ana.write("Ana has a cat"))["id"]
    await anyone.read(memory_id, expect=404)
    assert await events(product, anyone) == []
    assert await events(product, ana) == []


async def test_who_was_shown_a_memory_is_told_whatever_the_door(ana: Caller, product: Product) -> None:
    rui = await ana.make_person("Rui")
    brain_id = await ana.make_brain(members=[{"subject_id": str(rui.subject_id), "role": "reader"}])
    one, other = [(await ana.write(text, brain_id=brain_id))["id"] for text in ("Ana has a cat", "The office is in Porto")]
    await rui.read(one)
    await rui.list_ids()
    await rui.read(other)
    await rui.found("who has a cat?", limit=1)
    start = product.clock.now() - timedelta(hours=1)
    path = f"/v1/admin/audit/reads/{one}"
    found = await ana.send("GET", path, expect=200, params={"since": start.isoformat()})
    assert [item["action"] for item in found["items"]] == ["recall", "read.list", "read.memory"]
    assert {item["subject_id"] for item in found["items"]} == {str(rui.subject_id)}
    first = await ana.send("GET", path, expect=200, params={"limit": 2})
    rest = await ana.send("GET", path, expect=200, params={"limit": 2, "cursor": first["next_cursor"]})
    assert first["items"] + rest["items"] == found["items"]
    assert (await ana.send("GET", path, expect=200, params={"until": start.isoformat()}))["items"] == []
    await rui.send("GET", path, expect=403)
    await ana.send("GET", path, expect=422, params={"since": start.isoformat(), "until": start.isoformat()})


async def test_nobody_learns_who_reads_in_another_org(ana: Caller, anyone: Caller) -> None:
    memory_id = (await ana.write("Ana has a cat"))["id"]
    await ana.read(memory_id)
    assert (await anyone.send("GET", f"/v1/admin/audit/reads/{memory_id}", expect=200))["items"] == []


async def test_events_of_reads_are_sealed_and_a_changed_one_is_named(ana: Caller, product: Product) -> None:
    memory_id = (await ana.write("Ana has a cat"))["id"]
    await ana.read(memory_id)
    await seal(product, ana)
    assert verify(product, ana).intact
    with psycopg.connect(product.superuser_url) as conn:
        conn.execute("SET session_replication_role = replica")
        conn.execute("UPDATE mem.audit_events SET actor_key = 'other' WHERE org_id = %s AND action = 'read.memory'", (ana.org_id,))
    assert damage(verify(product, ana)) == {"event_changed"}


# ----------------------------------------------------------------------------------------------------------- not recorded
@contextmanager
def no_inserts(product: Product) -> Iterator[None]:
    """The application may store neither events nor recalls any more."""
    with psycopg.connect(product.superuser_url, autocommit=True) as conn:
        conn.execute("REVOKE INSERT ON mem.audit_events, mem.recalls FROM memdb_app")
        try:
            yield
        finally:
            conn.execute("GRANT INSERT ON mem.audit_events, mem.recalls TO memdb_app")


READS_ONLY: Final = [door for door in SHOWING if not door[1].startswith("/v1/admin/") and not door[1].endswith((":confirm", ":resolve"))]
"""Doors that write nothing but their event. What reviewers see has to be recorded whatever the policy says."""


@pytest.fixture
async def everything(ana: Caller) -> dict[str, str]:
    return await world(ana)


async def test_what_cannot_be_recorded_is_not_answered(ana: Caller, product: Product, everything: dict[str, str]) -> None:
    with no_inserts(product):
        for door in READS_ONLY:
            reply = await ask(ana, door, everything)
            if door[1] == "/mcp":
                assert '"isError":true' in reply.text, door
                assert "read_not_audited" in reply.text
            else:
                assert (reply.status_code, reply.json()["code"]) == (503, "read_not_audited"), door
            assert not any(word in reply.text for word in WORDS.values()), door


async def test_with_best_effort_it_is_answered_and_says_so(ana: Caller, product: Product, everything: dict[str, str]) -> None:
    await ana.send("PUT", "/v1/admin/policy", expect=200, json={"audit": {"reads": "best_effort"}})
    before = len(await events(product, ana))
    with no_inserts(product):
        for door in READS_ONLY:
            reply = await ask(ana, door, everything)
            assert reply.status_code == 200, door
            if door[1] == "/mcp":
                assert r"\"degraded\":[\"audit\"]" in reply.text
            else:
                assert reply.headers["memdb-degraded"] == "audit", door
            if door[1].endswith(("/search", "/context")):
                assert reply.json()["degraded"] == ["audit"]
        for door in sorted(set(SHOWING) - set(READS_ONLY)):
            assert (await ask(ana, door, everything)).status_code >= 500, door
    assert len(await events(product, ana)) == before
    reply = await ask(ana, ("GET", "/v1/memories/{memory_id}"), everything)
    assert "memdb-degraded" not in reply.headers


async def test_a_locked_table_keeps_nobody_waiting_for_long(ana: Caller, product: Product) -> None:
    memory_id = (await ana.write("Ana has a cat"))["id"]
    with psycopg.connect(product.superuser_url) as conn:
        conn.execute("LOCK TABLE mem.audit_events IN SHARE MODE")
        started = product.clock.now()
        assert (await ana.read(memory_id, expect=503))["code"] == "read_not_audited"
        assert product.clock.now() - started < timedelta(seconds=4)
    assert (await ana.read(memory_id))["content"] == "Ana has a cat"
