"""The OpenAPI document is true: its request examples are accepted, replies match the declared schemas, and so do the examples of replies."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI

from api.access import ROUTES
from api.openapi import describe
from api.routes.registry import ROUTERS
from memdb.config import Settings
from memdb.providers.embedding.base import EmbeddingSpace
from tests.support.database import Cluster, clone
from tests.support.product import Caller, Json, Product, running

SAMPLE_ID = re.compile(r"01980000-0000-7000-8000-[0-9a-f]{12}|019b76da-a800-7000-8000-[0-9a-f]{12}")
TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int, "number": (int, float),
}  # fmt: skip
KEYWORDS = {
    "type", "properties", "required", "additionalProperties", "items", "anyOf", "$ref", "enum", "const", "format", "title", "description",
    "default", "examples", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "maxProperties", "propertyNames",
}  # fmt: skip


@cache
def document() -> dict[str, Any]:
    app = FastAPI(title="memdb", version="0")
    for router in ROUTERS:
        app.include_router(router)
    return describe(app)


def operations() -> list[tuple[str, str]]:
    return [(method.upper(), path) for path, found in document()["paths"].items() for method in found]


@pytest.fixture(scope="module")
async def server(cluster: Cluster, settings: Settings, space: EmbeddingSpace) -> AsyncIterator[Product]:
    with clone(cluster, space) as database:
        async with running(settings, database) as product:
            yield product


@pytest.fixture
async def ana(server: Product) -> Caller:
    return await server.make_caller()


def test_every_route_is_in_the_document() -> None:
    # The server sends the headers of a HEAD and keeps its body, so the description leaves it out.
    assert set(operations()) == {route for route in ROUTES if route[0] != "HEAD"}


def test_every_request_body_has_an_example() -> None:
    assert not [f"{m} {p}" for m, p in operations() if "requestBody" in operation(m, p) and not examples_of(m, p)]


def test_every_example_matches_its_own_schema() -> None:
    checked = 0
    for name, schema in document()["components"]["schemas"].items():
        for example in schema.get("examples", ()):
            assert list(faults(example, schema)) == [], name
            checked += 1
    assert checked > 15


@pytest.mark.parametrize(("method", "path"), operations())
async def test_examples_are_accepted_and_replies_are_as_declared(ana: Caller, method: str, path: str) -> None:
    for media_type, body in examples_of(method, path) or [("", None)]:
        world = await make_world(ana, method, path, body)
        options: dict[str, Any] = {"headers": dict(ana.headers)}
        if isinstance(body, str):
            options["content"] = body
            options["headers"]["Content-Type"] = media_type
        elif body is not None:
            options["json"] = fill(body, world)
        reply = await ana.client.request(method, path.format(**world), **options)
        declared = operation(method, path)["responses"]
        if path == "/metrics":
            assert reply.status_code == 403, "figures of the whole server need an operator"
            return
        assert str(reply.status_code) in declared, reply.text
        contents = declared[str(reply.status_code)].get("content", {})
        assert (not contents) == (not reply.content)
        if contents:
            kind = reply.headers["content-type"].partition(";")[0]
            assert kind in contents
            sent = reply.json() if kind == "application/json" else reply.text
            assert list(faults(sent, contents[kind]["schema"])) == []


@pytest.mark.parametrize(("method", "path"), [pair for pair in operations() if pair[1].startswith("/v1/")])
async def test_refusals_are_as_declared(ana: Caller, method: str, path: str) -> None:
    nowhere = dict.fromkeys(re.findall(r"{(\w+)}", path), "00000000-0000-7000-8000-000000000000")
    reply = await ana.client.request(method, path.format(**nowhere), json={"surprise": 1})
    assert reply.status_code == 401
    content = operation(method, path)["responses"]["4XX"]["content"]
    assert reply.headers["content-type"] in content
    assert list(faults(reply.json(), content["application/problem+json"]["schema"])) == []


def test_the_validator_sees_what_it_should() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
    assert list(faults({"a": 1}, schema)) == []
    wrongs: list[Any] = [{}, {"a": "1"}, {"a": True}, {"a": 1, "b": 2}, []]
    for wrong in wrongs:
        assert list(faults(wrong, schema)), wrong
    assert list(faults("x", {"type": "string", "format": "uuid"}))
    assert list(faults("2026-01-01T00:00:00", {"type": "string", "format": "date-time"}))
    assert list(faults(1, {"anyOf": [{"type": "string"}, {"type": "null"}]}))


async def make_world(ana: Caller, method: str, path: str, body: Any) -> dict[str, str]:
    """What the operation needs to find; made anew in an org of its own. Path parameter, or field of a body -> id."""
    identities = [{"platform": "slack", "external_id": "U0ANA"}] if path.endswith(":lookup") else []
    person = await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Rui", "identities": identities})
    subject_id, world = person["id"], {"subject_id": person["id"], "member_id": person["id"]}
    if "{key_id}" in path:
        grant = {"subject_id": subject_id, "writer_label": "x", "max_role": "reader", "trust": "agent", "reason": "tests"}
        world["key_id"] = (await ana.send("POST", "/v1/admin/keys", expect=201, json=grant))["id"]
    if "{memory_id}" in path or path == "/v1/feedback":
        world["memory_id"] = (await ana.write("The release moved to Friday"))["id"]
        world["recall_id"] = (await ana.search("when is the release?", min_score=0.0))["recall_id"]
    if path.startswith(("/v1/admin/quarantine", "/v1/admin/reviews")):
        world["memory_id"] = (await ana.write("The release moved to Friday"))["id"]
        home = (await ana.read(world["memory_id"]))["brain_id"]
        action = {"selection": {"ids": [world["memory_id"]]}, "expected": 1, "reason": None}
        world |= {"brain_id": home}
        if path != "/v1/admin/quarantine":
            world["action_id"] = (await ana.send("POST", "/v1/admin/quarantine", expect=201, json=action))["id"]
        return world
    if path.endswith((":confirm", ":share", ":resolve")) or path == "/v1/conflicts" or "{unit_id}" in path:
        return world | await make_contested(ana, body if isinstance(body, dict) else {})
    if "{brain_id}" in path:
        members = [{"subject_id": subject_id, "role": "reader"}] if "{subject_id}" in path else []
        world["brain_id"] = await ana.make_brain(members=members)
    if path.startswith("/v1/admin/brains/"):
        world["brain_id"] = person["home_brain_id"]
    if "{look_id}" in path:
        opened = await ana.send("POST", f"/v1/admin/brains/{world['brain_id']}:break-glass", expect=201, json={"reason": "tests"})
        world["look_id"] = opened["id"]
    if "/unattributed/" in path:
        notebook = {"name": "old-notes", "text": "- prefers short answers, no emoji\n"}
        imported = await ana.send("POST", f"/v1/brains/{world['brain_id']}/notebook:import", expect=200, json=notebook)
        world["memory_id"] = imported["unattributed"][0]["outcome"]["id"]
    if "{session_id}" in path or path in {"/v1/sessions", "/v1/admin/jobs:retry"}:
        world |= await make_session(ana)
    if "{episode_id}" in path:
        source = {"episode": {"external_id": "call-1"}, "position": 0, "text": "The release moved to Friday, they said."}
        await ana.write("The release moved to Friday", source=source)
        world["episode_id"] = str(await ana.product.value("SELECT id FROM mem.episodes WHERE org_id = :org", org=ana.org_id))
    if "{erasure_id}" in path:
        return world | await make_erasure(ana, subject_id)
    if path.endswith((":merge", ":split")):
        world["into_id"] = (await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Rui S."}))["id"]
    if path.endswith(":split"):
        await ana.send("POST", f"/v1/subjects/{subject_id}:merge", expect=200, json={"into_id": world["into_id"]})
    if path.startswith("/v1/subjects/{subject_id}/members"):
        team = await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "team", "name": "Support"})
        world["subject_id"] = team["id"]
        if method == "DELETE":
            await ana.send("POST", f"/v1/subjects/{team['id']}/members", expect=204, json={"subject_id": subject_id})
    return world


async def make_session(ana: Caller) -> dict[str, str]:
    """A session with a turn that was cut, and an extraction that was given up."""
    brain = await ana.make_brain()
    session = await ana.send("POST", "/v1/sessions", expect=201, json={"brain_id": brain})
    turns = {"turns": [{"text": "When is the release?"}]}
    said = await ana.send("POST", f"/v1/sessions/{session['id']}/turns", expect=201, json=turns)
    flushed = await ana.send("POST", f"/v1/sessions/{session['id']}:flush", expect=200)
    await ana.product.rows("UPDATE mem.extractions SET state = 'dead' WHERE session_id = CAST(:id AS uuid)", id=session["id"])
    await ana.send("POST", f"/v1/sessions/{session['id']}/turns", expect=201, json=turns)
    return {
        "session_id": session["id"], "turn_id": said["turns"][0]["id"], "snapshot_id": flushed["snapshots"][0]["id"], "brain_id": brain,
    }  # fmt: skip


async def make_erasure(ana: Caller, subject_id: str) -> dict[str, str]:
    """An erasure that leaves a memory to somebody: two people are called Rui."""
    await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Rui Costa"})
    unclear = await ana.write("Rui broke the build")
    begun = await ana.send("POST", f"/v1/subjects/{subject_id}:forget", expect=200, json={})
    return {"erasure_id": begun["id"], "member_id": unclear["id"]}


async def make_contested(ana: Caller, body: dict[str, Any]) -> dict[str, str]:
    """A unit of as many versions as the example speaks of, the last one written by somebody who had not seen the one before; a memory that it
    may be in conflict with; and another brain.
    """
    home = await ana.make_brain()
    wanted = max(2, body.get("expected_version") or 0, body.get("keep_version") or 0)
    for version in range(1, wanted + 1):
        unit = {"topic": "clients/meridian", "content": f"Meridian pays in {version} days", "said_by": str(ana.subject_id)}
        late: Json = {"base_version": wanted + 5} if version == wanted else {}
        written = await ana.send("POST", f"/v1/brains/{home}/units", expect=201, json=unit | late)
    other = await ana.write("Meridian pays at once", brain_id=home)
    return {
        "memory_id": written["id"], "unit_id": written["id"], "other_id": other["id"],
        "brain_id": home if "brain_id" not in body else await ana.make_brain(),
    }  # fmt: skip


def fill(body: Any, world: dict[str, str], name: str = "") -> Any:
    """An example with an id that exists in the place of the sample: of what the field says where there is such a thing, else of a person."""
    if isinstance(body, dict):
        return {key: fill(value, world, key) for key, value in body.items()}
    if isinstance(body, list):
        return [fill(value, world) for value in body]
    if not isinstance(body, str) or not SAMPLE_ID.fullmatch(body):
        return body
    named = {"recall_id", "memory_id", "other_id", "into_id", "brain_id", "snapshot_id"} & world.keys()
    return world[name if name in named else "member_id"]


def operation(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = document()["paths"][path][method.lower()]
    return found


def examples_of(method: str, path: str) -> list[tuple[str, Any]]:
    """Each with its type of content."""
    found: list[tuple[str, Any]] = []
    for media_type, content in operation(method, path).get("requestBody", {"content": {}})["content"].items():
        listed = [content["example"]] if "example" in content else resolve(content.get("schema", {})).get("examples", ())
        found += [(media_type, example) for example in listed]
    return found


def resolve(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def faults(value: Any, schema: dict[str, Any], place: str = "$") -> Iterator[str]:
    """What of a value does not match; only the keywords that our document uses, and an unknown one is a defect of this test."""
    schema = resolve(schema)
    assert set(schema) <= KEYWORDS, set(schema) - KEYWORDS
    if "anyOf" in schema:
        if all(list(faults(value, option, place)) for option in schema["anyOf"]):
            yield f"{place} matches no alternative"
        return
    kind = schema.get("type")
    if kind is not None and (not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind in {"integer", "number"})):
        yield f"{place} is not a {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is none of the allowed values"
    if "const" in schema and value != schema["const"]:
        yield f"{place} is not {schema['const']}"
    if isinstance(value, str) and not has_format(value, schema.get("format")):
        yield f"{place} is not a {schema['format']}"
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from faults(item, schema["items"], f"{place}[{index}]")
    if isinstance(value, dict):
        yield from faults_of_object(value, schema, place)


def faults_of_object(value: dict[str, Any], schema: dict[str, Any], place: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    yield from (f"{place}.{name} is missing" for name in schema.get("required", ()) if name not in value)
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        yield from faults(name, schema.get("propertyNames", {}), f"{place}, the name {name},")
        if name in properties:
            yield from faults(item, properties[name], f"{place}.{name}")
        elif others is False:
            yield f"{place}.{name} is not declared"
        elif isinstance(others, dict):
            yield from faults(item, others, f"{place}.{name}")


def has_format(value: str, name: str | None) -> bool:
    try:
        if name == "uuid":
            UUID(value)
        if name == "date-time":
            return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False
    return True
