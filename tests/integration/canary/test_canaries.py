"""Canaries: values of valid form go through every place of every door, and nothing of them is in a reply, a log or the database."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from api.access import ROUTES
from api.app import create_app
from api.logging import configure
from memdb.config import Settings
from memdb.providers.embedding.base import EmbeddingSpace
from tests.integration.canary.doors import Door, document, doors
from tests.integration.canary.values import MAKERS, Canary, canaries, leaks
from tests.support.database import Cluster, clone
from tests.support.product import Caller, Product, WatchedEmbedder, running

COUNT = 300
# Where a text may stand that is stored or searched for; each has to have been accepted, or the test would only see refusals.
ACCEPTED = {
    ("POST", "/v1/memories"): {"content", "data", "source"},
    ("POST", "/v1/memories:batch"): {"content", "data", "source"},
    ("PATCH", "/v1/memories/{memory_id}"): {"content", "data"},
    ("POST", "/v1/memories/search"): {"query", "data", "purpose"},
    ("POST", "/v1/brains"): {"name"},
    ("POST", "/v1/subjects"): {"name"},
    ("POST", "/v1/memories/{memory_id}:resolve"): {"content"},
    ("POST", "/v1/conflicts"): {"note"},
    ("POST", "/v1/brains/{brain_id}/topics:query"): {"topic"},
    ("POST", "/v1/brains/{brain_id}/units"): {"content", "data", "source"},
    ("POST", "/v1/brains/{brain_id}/notebook:import"): {"text"},
    ("PATCH", "/v1/brains/{brain_id}"): {"name"},
    ("POST", "/v1/subjects/{subject_id}/drawer:grep"): {"pattern"},
    ("POST", "/v1/sessions"): {"title"},
    ("POST", "/v1/sessions/{session_id}/turns"): {"turns"},
    ("POST", "/v1/sessions/{session_id}/context"): {"query"},
    ("POST", "/mcp"): {
        "remember content", "recall query", "get_context query", "update_memory content", "give_feedback note", "query_brain topic",
        "write_unit content", "report_conflict note", "grep_memory pattern", "record_turns turns text", "record_turns conversation",
    },
}  # fmt: skip
IDS = (
    "memory_id", "other_id", "unit_id", "recall_id", "brain_id", "subject_id", "member_id", "key_id", "session_id", "turn_id", "snapshot_id",
    "action_id",
    "look_id", "episode_id", "erasure_id",
)  # fmt: skip


@pytest.fixture
async def product(settings: Settings, cluster: Cluster, space: EmbeddingSpace) -> AsyncIterator[Product]:
    with clone(cluster, space) as fresh:
        async with running(settings, fresh) as opened:
            yield opened


def test_every_route_is_a_door() -> None:
    found = doors(dict.fromkeys(IDS, "x"))
    assert {(d.method, d.path) for d in found} == set(ROUTES)
    with_body = {(m.upper(), p) for p, operations in document()["paths"].items() for m, o in operations.items() if "requestBody" in o}
    assert {(d.method, d.path) for d in found if d.place.startswith("body (")} == with_body


def test_the_search_for_leaks_sees_what_it_should() -> None:
    planted = canaries(len(MAKERS), 5)
    assert {c.kind for c in planted} >= {"email", "cpf", "card", "jwt", "pem", "password"}
    for canary in planted:
        assert leaks(f"… {canary.text} …", [canary]), canary.kind
        core = canary.cores[0]
        part = core[:5] if core.isdigit() else core[-4:]
        assert leaks(f"before {part} after", [canary]), canary.kind
        assert leaks(f"before {' '.join(part) if core.isdigit() else part.upper()} after", [canary]), canary.kind
        assert not leaks("a harmless text of 12 words [EMAIL_1] 01a22a32-eaf6-7111-a361-ab72541dd074 0.12345678", [canary])


async def test_no_canary_survives(product: Product, capfd: pytest.CaptureFixture[str]) -> None:
    embedder = WatchedEmbedder(product.runtime.embedder)
    app = create_app(replace(product.runtime, embedder=embedder))
    ana = replace(await product.make_caller(), client=_client(app, "203.0.113.9"))
    configure("debug", "json")
    planted = canaries(COUNT, 11)
    sent, replies, accepted = await _send_all(ana, planted)
    logs = "".join(capfd.readouterr())
    assert len(sent) == COUNT, "every canary went through some door"
    # Random names that this run made itself; five digits of one can be part of a planted number by chance.
    known = {row.id for row in await product.rows("SELECT id FROM mem.api_keys")} | set(product.runtime.keyring.key_ids)
    assert leaks("\n".join(replies), sent, known) == {}
    assert leaks(logs, sent, known) == {}
    assert logs.count("\n") > COUNT, "the requests were logged"
    assert leaks("\n".join([*embedder.documents, *embedder.queries]), sent, known) == {}
    assert leaks(await _dump(product), sent, known) == {}
    figures = await _client(app, "127.0.0.1").get("/metrics")
    assert figures.status_code == 200
    assert leaks(figures.text, sent, known) == {}
    for operation, fields in ACCEPTED.items():
        assert fields <= accepted[operation], operation


def _client(app: FastAPI, address: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app, client=(address, 40_000)), base_url=f"http://{address}")


async def _send_all(ana: Caller, planted: list[Canary]) -> tuple[set[Canary], list[str], dict[tuple[str, str], set[str]]]:
    """Canaries that were sent, what came back, and which fields of which operation were accepted with one in them."""
    sent: set[Canary] = set()
    replies: list[str] = []
    accepted: dict[tuple[str, str], set[str]] = defaultdict(set)
    statuses: Counter[int] = Counter()
    turn = 0
    ids = await _make_ids(ana)
    for door in doors(ids):
        if door.method == "DELETE" and door.place.startswith(("header", "credential", "query", "name")):
            continue  # what it names would be gone for the doors behind it
        for canary in _for(door, planted, turn):
            turn += 1
            if door.path.endswith(":resolve") and door.place == "body ('content',)":  # there has to be something to settle
                await ana.send("POST", "/v1/conflicts", expect=201, json={"memory_id": ids["memory_id"], "other_id": ids["other_id"]})
            request = door.send(f"Please note {canary.text} for later" if turn % 3 else canary.text)
            headers = dict(ana.headers) | request.pop("headers", {})
            reply = await ana.client.request(door.method, headers=headers, **request)
            sent.add(canary)
            statuses[reply.status_code] += 1
            replies += [json.dumps(dict(reply.headers)), reply.text]
            if reply.is_success and door.place.startswith(("body (", "tool ")) and '"isError":true' not in reply.text:
                accepted[door.method, door.path].add(_field(door))
    assert not [status for status in statuses if status >= 500], statuses
    return sent, replies, accepted


def _for(door: Door, planted: list[Canary], turn: int) -> list[Canary]:
    """A few canaries for each place, all kinds for those where text is stored."""
    stored = _field(door) in ACCEPTED.get((door.method, door.path), ())
    count = len(MAKERS) if stored else 2 if door.place.startswith("body") else 1
    return [planted[(turn + n) % len(planted)] for n in range(count)]


def _field(door: Door) -> str:
    """Of a body its outermost field, of a tool the tool with its argument."""
    if door.place.startswith("tool "):
        return door.place.removeprefix("tool ")
    if not door.place.startswith("body ("):
        return ""
    steps = door.place.removeprefix("body (").split(", ")
    names = [s.strip("'(),") for s in steps if not s.strip("(),").isdigit()]
    return names[0] if names else ""


async def _make_ids(ana: Caller) -> dict[str, str]:
    person = await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Rui"})
    grant = {"subject_id": person["id"], "writer_label": "x", "max_role": "reader", "trust": "agent", "reason": "tests"}
    brain_id = await ana.make_brain(members=[{"subject_id": person["id"], "role": "reader"}])
    unit = {"topic": "releases", "content": "One release a week"}
    memory_id = (await ana.write("The release moved to Friday"))["id"]
    session_id = (await ana.send("POST", "/v1/sessions", expect=201, json={"brain_id": brain_id}))["id"]
    turns = {"turns": [{"text": "When is the release?"}]}
    said = await ana.send("POST", f"/v1/sessions/{session_id}/turns", expect=201, json=turns)
    cut = await ana.send("POST", f"/v1/sessions/{session_id}:flush", expect=200)
    selection = {"ids": [(await ana.write("The release moved to Tuesday"))["id"]]}
    action = await ana.send("POST", "/v1/admin/quarantine", expect=201, json={"selection": selection, "expected": 1})
    return {
        "action_id": action["id"],
        "session_id": session_id,
        "turn_id": said["turns"][0]["id"],
        "snapshot_id": cut["snapshots"][0]["id"],
        "memory_id": memory_id,
        "other_id": (await ana.write("The release moved to Sunday"))["id"],
        "unit_id": (await ana.send("POST", f"/v1/brains/{brain_id}/units", expect=201, json=unit))["id"],
        "recall_id": (await ana.search("when is the release?", min_score=0.0))["recall_id"],
        "brain_id": brain_id,
        "subject_id": person["id"],
        "member_id": person["id"],
        "look_id": brain_id,
        "episode_id": brain_id,
        "erasure_id": brain_id,
        "key_id": (await ana.send("POST", "/v1/admin/keys", expect=201, json=grant))["id"],
    }


async def _dump(product: Product) -> str:
    """Every row of every table, as text."""
    tables = await product.rows(
        "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname IN ('mem', 'memdb_jobs') AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
    )
    parts: list[Any] = []
    for table in tables:
        parts += [row.line for row in await product.rows(f"SELECT to_jsonb(x)::text AS line FROM {table.nspname}.{table.relname} x")]
    assert len(parts) > COUNT
    return "\n".join(parts)
