"""Two agents share a brain, two people share a name, and a drawer is opened: against a running server, with the admin key in MEMDB_KEY.

    memdb up                                     # in one terminal
    python docs/examples/shared_brain.py         # in another

It makes people, agents, keys and brains with names of its own, so that it can run twice.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

URL = os.environ.get("MEMDB_URL", "http://127.0.0.1:8765")
KEY = os.environ.get("MEMDB_KEY") or sys.exit("set MEMDB_KEY to the admin key that `memdb up` printed")
RUN = "".join(secrets.choice("bcdfgklmnprstvz") for _ in range(6))


class Api:
    """The HTTP door with one key."""

    def __init__(self, key: str) -> None:
        self.key = key
        self._client = httpx.AsyncClient(base_url=URL, headers={"Authorization": f"Bearer {key}"}, timeout=60, trust_env=False)

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        return await self._send("POST", path, json=body)

    async def get(self, path: str, **query: Any) -> Any:
        return await self._send("GET", path, params=query)

    async def refused(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The problem that the server answers with."""
        reply = await self._client.request(method, path, json=body)
        assert reply.is_error, "this was to be refused"
        problem: dict[str, Any] = reply.json()
        return problem

    async def _send(self, method: str, path: str, **options: Any) -> Any:
        reply = await self._client.request(method, path, **options)
        if reply.is_error:
            raise SystemExit(f"{method} {path}: {reply.text}")
        return reply.json()


@asynccontextmanager
async def agent(key: str) -> AsyncIterator[Client]:
    """An agent's connection over MCP."""
    async with (
        create_mcp_http_client(headers={"Authorization": f"Bearer {key}"}) as http,
        Client(streamable_http_client(f"{URL}/mcp", http_client=http)) as client,
    ):
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """A tool's reply."""
    result = await client.call_tool(tool, arguments)
    reply: dict[str, Any] = json.loads(result.content[0].text)  # type: ignore[union-attr]  # tools answer with text
    if result.is_error:
        raise SystemExit(f"{tool}: {reply}")
    return reply


async def make_subject(admin: Api, kind: str, name: str, *aliases: str) -> str:
    return str((await admin.post("/v1/subjects", {"kind": kind, "name": name, "aliases": list(aliases)}))["id"])


async def make_key(admin: Api, subject: str, label: str) -> str:
    wanted = {"subject_id": subject, "writer_label": label, "max_role": "admin", "trust": "member", "reason": "first key"}
    return str((await admin.post("/v1/admin/keys", wanted))["key"])


async def share_a_brain(admin: Api) -> None:
    """Two keys write against each other; a third one sees both sides and settles it."""
    ana = await make_subject(admin, "person", f"Ana {RUN}")
    claude, cursor, console = [await make_key(admin, ana, label) for label in ("claude", "cursor", "console")]
    brain = (await Api(claude).post("/v1/brains", {"kind": "team", "name": f"sales {RUN}"}))["id"]
    async with agent(claude) as one, agent(cursor) as two:
        first = await call(one, "write_unit", brain_id=brain, topic="clients/meridian", content="Meridian pays in 30 days")
        await call(two, "read_unit", brain_id=brain, unit_id=first["id"])
        second = await call(two, "write_unit", brain_id=brain, topic="Clients/Meridian", content="Meridian pays in 45 days", base_version=1)
        print("the second agent's write is flagged:", second["conflicted"])
        found = await call(one, "query_brain", brain_id=brain, topic="clients")
        print("the routing index says so:", [(p["topic"], p["conflict"]) for p in found["pointers"]])
        near = await call(one, "query_brain", brain_id=brain, topic="client/meridain")
        print("a near miss:", near["suggestions"])
    third = Api(console)
    unit = await third.get(f"/v1/brains/{brain}/units/{first['id']}")
    print("both sides:", unit["content"], "|", unit["conflict"]["sides"][0]["content"])
    merged = {"content": "Meridian pays in 30 days, abroad in 45", "expected_version": unit["version"]}
    settled = await third.post(f"/v1/memories/{first['id']}:resolve", merged)
    print("resolved:", settled["content"], "| conflict:", settled["conflict"])


async def keep_two_mikes_apart(admin: Api) -> None:
    """A room with two Mikes, and a direct message that stays where it is."""
    okafor, larsen = [await make_subject(admin, "person", f"Mike {name} {RUN}", f"Mike {RUN}") for name in ("Okafor", "Larsen")]
    bot = await make_subject(admin, "agent", f"Harbor {RUN}")
    key = await make_key(admin, bot, "harbor")
    people = [{"subject_id": subject, "role": "writer"} for subject in (okafor, larsen)]
    api = Api(key)
    room = (await api.post("/v1/brains", {"kind": "room", "name": f"platform {RUN}", "members": people}))["id"]
    direct = (await api.post("/v1/brains", {"kind": "room", "name": f"direct {RUN}", "members": people[:1]}))["id"]
    meant = await api.post("/v1/subjects:resolve", {"name": f"mike {RUN}", "brain_id": room})
    print("who is Mike?", meant["subject"], "candidates:", sorted(c["name"].split()[1] for c in meant["candidates"]))
    for brain, who, text in (
        (room, larsen, "Mike Larsen is allergic to shellfish"),
        (room, okafor, "Mike Okafor prefers bullet points"),
        (direct, okafor, "Mike Okafor looks for another job in Baltimore"),
    ):
        await api.post("/v1/memories", {"content": text, "kind": "semantic", "brain_id": brain, "about": [who]})
    asked = {"query": "does Mike prefer bullet points, and where does he look for another job?", "about": [okafor], "token_budget": 400}
    alone = await api.post("/v1/memories/search", {**asked, "audience": [okafor]})
    aloud = await api.post("/v1/memories/search", {**asked, "audience": [okafor, larsen]})
    print("to Okafor alone:", [e["memory"]["content"] for e in alone["evidence"]])
    print("in the room:", [e["memory"]["content"] for e in aloud["evidence"]])
    assert "Baltimore" in json.dumps(alone)
    assert "Baltimore" not in json.dumps(aloud)
    assert "shellfish" not in json.dumps([alone, aloud])
    await fill_the_front(api, room, larsen)


async def fill_the_front(api: Api, room: str, subject: str) -> None:
    """The front of a card has a hard cap; what does not fit goes to the drawer and says so, and the drawer is searched."""
    for number in range(14):
        text = f"Call him before {8 + number} o'clock about station {number}"
        place = {"brain_id": room, "about": [subject], "placement": "front", "topic": f"stations/{number % 3}"}
        receipt = await api.post("/v1/memories", {"content": text, "kind": "semantic", **place})
    print("the last one:", receipt["placement"], receipt["placement_reason"])
    problem = await api.refused("PATCH", f"/v1/memories/{receipt['id']}", {"placement": "front"})
    print("a move is refused:", problem["status"], problem["code"], len(problem["front"]), "entries are there")
    card = await api.get(f"/v1/subjects/{subject}/card")
    print("the card ends with:", card["text"].splitlines()[-1])
    lines = await api.post(f"/v1/subjects/{subject}/drawer:grep", {"pattern": r"station 1[0-9]", "regex": True, "placement": "all"})
    print("grep:", [line["text"] for line in lines["lines"]])


async def main() -> None:
    """Everything in turn."""
    admin = Api(KEY)
    await share_a_brain(admin)
    await keep_two_mikes_apart(admin)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except httpx.ConnectError:
        sys.exit(f"no server at {URL}: start `memdb up`, or set MEMDB_URL")
