"""Every way into the product over HTTP, read from its own description: each place of each body, path, query and header."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI

from api.access import ROUTES
from api.mcp.schema import LISTS, Shape
from api.mcp.tools.registry import TOOLS
from api.openapi import describe
from api.routes.registry import ROUTERS

MARK = "\x00canary\x00"
HEADERS = ("Idempotency-Key", "Memdb-Act-As", "X-Request-Id", "User-Agent", "Accept-Language", "If-Match", "Cookie", "Content-Type")
DEPTH_MAX = 4
ALONE = {
    "PATCH /v1/memories/{memory_id}": {"expected_version"},
    "POST /v1/memories/{memory_id}:resolve": {"keep_version"},
    "POST /v1/brains/{brain_id}/notebook:import": {"dry_run"},
    "POST /v1/sessions": {"external"},
}
"""Fields of an example without which a text is stored, and with which it would be refused or only looked at."""


@dataclass(frozen=True, slots=True)
class Door:
    """One place of one operation. `send(text)` gives the request with a text in that place, as arguments for an HTTP client."""

    method: str
    path: str
    place: str
    send: Callable[[str], dict[str, Any]] = field(repr=False)


def document() -> dict[str, Any]:
    """The OpenAPI document."""
    app = FastAPI(title="memdb", version="0")
    for router in ROUTERS:
        app.include_router(router)
    return describe(app)


def doors(ids: dict[str, str]) -> list[Door]:
    """All of them.

    Args:
        ids: path parameter -> an id that exists.
    """
    described, found = document(), []
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            found += list(_of_operation(method.upper(), path, operation, described, ids))
            if (method, path) in {("get", p) for m, p in ROUTES if m == "HEAD"}:
                found += list(_of_operation("HEAD", path, operation, described, ids))
    found += list(_of_tools(ids))
    # What is deleted is no door for those behind it.
    return sorted(found, key=lambda door: door.method == "DELETE" or door.path.endswith(":close"))


def _of_operation(method: str, path: str, operation: dict[str, Any], described: dict[str, Any], ids: dict[str, str]) -> Iterator[Door]:
    names = re.findall(r"{(\w+)}", path)
    plain = path.format(**ids)
    body, kind = _example(operation, described)
    if isinstance(body, dict):
        for turn in body.get("turns", ()):  # the same id again would be a turn that said something else
            turn.pop("client_turn_id", None)
            turn.pop("reply_to", None)
        body |= {name: ids[name] for name in ("memory_id", "other_id", "brain_id", "snapshot_id") if name in body and name in ids}

    def with_body(changed: Any) -> dict[str, Any]:
        return {"url": plain} | ({} if kind is None else {"content": _encode(changed, kind), "headers": {"Content-Type": kind}})

    def in_path(name: str, text: str) -> dict[str, Any]:
        return {"url": path.format(**ids | {name: quote(text[:500], safe="")})}

    def in_query(name: str, text: str) -> dict[str, Any]:
        return with_body(body) | {"params": {name: text[:2_000]}}

    def in_header(name: str, text: str) -> dict[str, Any]:
        return _with_header(with_body(body), name, text)

    def in_body(place: tuple[Any, ...], text: str) -> dict[str, Any]:
        # An external id belongs to one subject, so it is sent where it is the place at hand.
        gone = {"identities"} | ALONE.get(f"{method} {path}", set())
        base = {k: v for k, v in body.items() if k not in gone or k == place[0]} if isinstance(body, dict) else body
        return with_body(_put(base, place, text))

    for name in names:
        yield Door(method, path, f"path {name}", partial(in_path, name))
    queries = [p["name"] for p in operation.get("parameters", ()) if p["in"] == "query"]
    for name in [*queries, "surprise"]:
        yield Door(method, path, f"query {name}", partial(in_query, name))
    yield Door(method, path, "name of a query parameter", lambda text: with_body(body) | {"params": {text[:2_000]: "1"}})
    for name in HEADERS:
        yield Door(method, path, f"header {name}", partial(in_header, name))
    yield Door(method, path, "credential Authorization", lambda text: in_header("Authorization", f"Bearer {text}"))
    yield Door(method, path, "credential X-API-Key", lambda text: in_header("X-API-Key", text))
    if kind is None:
        yield Door(method, path, "body of a request that has none", lambda text: {"url": plain, "content": text.encode()})
        return
    schema = next(iter(operation["requestBody"]["content"].values())).get("schema", {})
    for place in _places(schema, described, body):
        yield Door(method, path, f"body {place}", partial(in_body, place))
    yield from _broken(method, path, plain, kind, body)


def _of_tools(ids: dict[str, str]) -> Iterator[Door]:
    """Each argument of each tool, and the name of an argument."""

    def send(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        return {
            "url": "/mcp",
            "content": json.dumps(message).encode(),
            "headers": {"Content-Type": "application/json", "Accept": "application/json"},
        }

    for tool in TOOLS:
        if tool.destroys:
            continue  # what it names would be gone for the doors behind it; its arguments are an id and a number
        filled = {
            "content": "The ferry leaves at nine",
            "topic": "ferries",
            "query": "when does the ferry leave?",
            "pattern": "ferry",
            "name": "Rui",
            "outcome": "used",
            "conversation": "ferries",
            "turns": [{"text": "When does the ferry leave?"}],
        }
        needed = {p.name: filled.get(p.name) or ids[p.name] for p in tool.parameters if p.required}
        for parameter in tool.parameters:
            listed = parameter.shape in LISTS and parameter.shape is not Shape.IDS
            for part in parameter.parts:

                def in_part(text: str, *, tool: Any = tool, needed: Any = needed, parameter: Any = parameter, part: Any = part) -> Any:
                    return send(tool.name, needed | {parameter.name: [{"text": "The ferry leaves at nine", part.name: text}]})

                yield Door("POST", "/mcp", f"tool {tool.name} {parameter.name} {part.name}", in_part)

            def in_argument(text: str, *, tool: Any = tool, needed: Any = needed, parameter: Any = parameter, listed: bool = listed) -> Any:
                return send(tool.name, needed | {parameter.name: [text] if listed else text})

            yield Door("POST", "/mcp", f"tool {tool.name} {parameter.name}", in_argument)
        yield Door("POST", "/mcp", f"tool {tool.name}, an argument", lambda text, t=tool, n=needed: send(t.name, n | {text: "1"}))  # type: ignore[misc]  # bound now
    yield Door("POST", "/mcp", "name of a tool", lambda text: send(text, {}))


def _broken(method: str, path: str, plain: str, kind: str, body: Any) -> Iterator[Door]:
    """Bodies that no schema gets to see."""

    def raw(content: bytes, type_: str = kind) -> dict[str, Any]:
        return {"url": plain, "content": content, "headers": {"Content-Type": type_}}

    whole = _encode(body, kind)
    yield Door(method, path, "body cut off", lambda text: raw(b'{"content": ' + json.dumps(text).encode()[:-1]))
    yield Door(method, path, "body a string", lambda text: raw(json.dumps(text).encode()))
    yield Door(method, path, "body a list", lambda text: raw(json.dumps([text, {text: text}]).encode()))
    yield Door(method, path, "body no JSON", lambda text: raw(text.encode()))
    yield Door(method, path, "body a form", lambda text: raw(f"content={quote(text)}".encode(), "application/x-www-form-urlencoded"))
    yield Door(
        method, path, "body no UTF-8", lambda text: raw(b'{"content": "\xff\xfe ' + text.encode("utf-16-le") + text.encode() + b'"}')
    )
    yield Door(method, path, "body with a number behind", lambda text: raw(whole + b" NaN " + text.encode()))
    yield Door(method, path, "body twice the key", lambda text: raw(b'{"content": 1, "content": ' + json.dumps(text).encode() + b"}"))


def _with_header(request: dict[str, Any], name: str, text: str) -> dict[str, Any]:
    # What no HTTP client can send is no door.
    value = re.sub(r"[^\x20-\x7e]", "", text)[:1_000].strip()
    return request | {"headers": request.get("headers", {}) | {name: value}}


def _encode(body: Any, kind: str) -> bytes:
    if kind == "application/x-ndjson":
        return "\n".join(line if isinstance(line, str) else json.dumps(line) for line in body).encode()
    return json.dumps(body).encode()


def _example(operation: dict[str, Any], described: dict[str, Any]) -> tuple[Any, str | None]:
    contents = operation.get("requestBody", {}).get("content", {})
    for kind, content in contents.items():
        if "example" in content:
            text = content["example"]
            return [json.loads(line) for line in text.splitlines()], kind
        example = copy.deepcopy(_resolve(content["schema"], described)["examples"][0])
        example.pop("expected_version", None)  # true of the first request at most
        return example, kind
    return None, None


def _resolve(schema: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _places(schema: dict[str, Any], described: dict[str, Any], example: Any) -> list[tuple[Any, ...]]:
    """Paths of everything that a body may hold, whatever its type, and of names that a caller may choose."""
    if isinstance(example, list):  # lines: the schema is that of a text
        memory = _resolve(described["paths"]["/v1/memories"]["post"]["requestBody"]["content"]["application/json"]["schema"], described)
        return [(0, *place) for place in _inside(memory, described, 0)] + [(0,)]
    return _inside(_resolve(schema, described), described, 0)


def _inside(schema: dict[str, Any], described: dict[str, Any], depth: int) -> list[tuple[Any, ...]]:
    schema = _resolve(schema, described)
    if depth > DEPTH_MAX:
        return []
    found: list[tuple[Any, ...]] = []
    for option in schema.get("anyOf", ()):
        found += _inside(option, described, depth)
    for name, inner in schema.get("properties", {}).items():
        found.append((name,))
        found += [(name, *rest) for rest in _inside(inner, described, depth + 1)]
    if "items" in schema:
        found.append((0,))
        found += [(0, *rest) for rest in _inside(schema["items"], described, depth + 1)]
    if schema.get("type") == "object":
        found += [(MARK,), ("note",), ("note", "deeper"), ("note", 0)]
    return list(dict.fromkeys(found))


def _put(body: Any, place: tuple[Any, ...], text: str) -> Any:
    """The body with the text at a place; the mark stands for the text as a name."""
    if not place:
        return text
    step, rest = place[0], place[1:]
    if isinstance(step, int):
        items = list(body) if isinstance(body, list) else []
        items += [None] * (step + 1 - len(items))
        items[step] = _put(items[step], rest, text)
        return items
    name = text if step == MARK else step
    fields = dict(body) if isinstance(body, dict) else {}
    fields[name] = _put(fields.get(name), rest, text if rest or step != MARK else "1")
    return fields
