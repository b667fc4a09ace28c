"""What the tests of extraction share: a room with people, what they say in it, and the jobs worked off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from api.container import make_learner
from memdb.jobs.worker import make_app, work_off
from tests.support.product import Caller, Json, Product

if TYPE_CHECKING:
    from memdb.extraction.extractor import Extractor


async def work(product: Product, extractor: Extractor | None = None) -> None:
    """Do every job that waits, as a worker does."""
    await work_off(make_app(product.runtime, extractor or make_learner(product.runtime.settings), product.app_url, back_off_s=0))


@dataclass(frozen=True, slots=True)
class Room:
    """A room of people and an agent that records what they say; `agent` has the key."""

    product: Product
    agent: Caller
    brain: str
    session: str
    people: dict[str, str]

    async def say(self, *said: tuple[str, str] | Json) -> list[Json]:
        """Turns of people by name, or as they are sent."""
        turns = []
        for one in said:
            turn = one if isinstance(one, dict) else {"text": one[1], "speaker": {"subject_id": self.people[one[0]]}}
            turns.append({"said_at": "2026-11-02T09:00:00-03:00", **turn})
        answer = await self.agent.send("POST", f"/v1/sessions/{self.session}/turns", expect=201, json={"turns": turns})
        recorded: list[Json] = answer["turns"]
        return recorded

    async def learn(self, extractor: Extractor | None = None) -> list[Json]:
        """Cut what is open, let the worker read it, and return the snapshots with what became of them."""
        await self.agent.send("POST", f"/v1/sessions/{self.session}:flush", expect=200)
        await work(self.product, extractor)
        page = await self.agent.send("GET", f"/v1/sessions/{self.session}/snapshots", expect=200, params={"limit": 200})
        snapshots: list[Json] = page["items"]
        return snapshots

    async def memories(self, **query: Any) -> list[Json]:
        """What the room remembers, newest first."""
        page = await self.agent.send("GET", "/v1/memories", expect=200, params={"brain_id": self.brain, "limit": 200, **query})
        items: list[Json] = page["items"]
        return items

    async def contents(self, **query: Any) -> set[str]:
        return {memory["content"] for memory in await self.memories(**query)}


async def make_room(admin: Caller, *names: str, **session: Any) -> Room:
    """A room with these people, all of them members, and a session in it."""
    brain = await admin.make_brain("room")
    people: dict[str, str] = {}
    for name in names:
        person = await admin.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": name})
        await admin.send("POST", f"/v1/brains/{brain}/members", expect=201, json={"subject_id": person["id"], "role": "reader"})
        people[name] = person["id"]
    agent = await make_agent(admin, brain)
    opened = await agent.send("POST", "/v1/sessions", expect=201, json={"brain_id": brain, **session})
    return Room(admin.product, agent, brain, opened["id"], people)


async def make_agent(admin: Caller, brain: str) -> Caller:
    """An agent that writes in the room."""
    subject = await admin.send("POST", "/v1/subjects", expect=201, json={"kind": "agent", "name": "helper"})
    await admin.send("POST", f"/v1/brains/{brain}/members", expect=201, json={"subject_id": subject["id"], "role": "writer"})
    wanted = {"subject_id": subject["id"], "writer_label": "bot", "max_role": "writer", "trust": "agent"}
    made = await admin.send("POST", "/v1/admin/keys", expect=201, json=wanted)
    return replace(admin, headers={"Authorization": f"Bearer {made['key']}"}, subject_id=UUID(subject["id"]))


async def told(room: Room, day: int, who: str, text: str, extractor: Any = None) -> Json:
    """One turn of somebody on a day of November, read; the extraction of statements."""
    await room.say({"text": text, "speaker": {"subject_id": room.people[who]}, "said_at": f"2026-11-{day:02}T09:00:00Z"})
    return (await room.learn(extractor))[-1]


async def conflicts(room: Room) -> list[Json]:
    page = await room.agent.send("GET", f"/v1/brains/{room.brain}/conflicts", expect=200)
    items: list[Json] = page["items"]
    return items


async def by_content(room: Room) -> dict[str, Json]:
    return {memory["content"]: memory for memory in await room.memories()}
