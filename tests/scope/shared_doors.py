"""Random requests for topics, units, conflicts and sharing, each judged against the oracle."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from memdb.ids import make_id
from tests.scope.asking import Request, pages
from tests.scope.world import COMMON, marker


async def browse_topics(at: Request) -> None:
    brain_id = at.any_brain()
    path = f"/v1/brains/{brain_id}/topics"
    if brain_id not in at.brains:
        reply = await at.send("GET", path)
        at.expect(reply, 404)
        if at.exact:
            await at.compare(reply, "GET", f"/v1/brains/{make_id()}/topics")
        return
    found = await pages(at, path, [], limit=at.rng.choice((2, 200)), brains={brain_id}, name="topic")
    if at.exact:
        assert found == sorted(Counter(m.topic for m in at.world.oracle.visible({brain_id}) if m.topic)), at.log[-1]


async def query_topic(at: Request) -> None:
    brain_id, topic = at.any_brain(), at.rng.choice(("clients", "client", at.any_memory().topic or "clients"))
    body = {"topic": topic, "limit": 100}
    here = {brain_id} & at.brains.keys()
    reply = await at.send("POST", f"/v1/brains/{brain_id}/topics:query", json=body, brains=here if at.exact else None)
    if at.exact:
        at.expect(reply, 200 if here else 404)
        if not here:
            await at.compare(reply, "POST", f"/v1/brains/{make_id()}/topics:query", json=body)
    if reply.status_code != 200:
        return
    visible = at.world.oracle.visible(here)
    found = {UUID(pointer["id"]) for pointer in reply.json()["pointers"]}
    assert found <= {m.id for m in visible}, at.log[-1]
    assert found >= {m.id for m in visible if m.topic == topic or (m.topic or "").startswith(f"{topic}/")} or len(found) == 100, at.log[-1]


async def read_unit(at: Request) -> None:
    memory = at.any_memory()
    brain_id = at.rng.choice((memory.brain_id, memory.brain_id, at.any_brain()))
    seen = memory.served and memory.brain_id in at.brains and brain_id == memory.brain_id and memory.topic is not None
    reply = await at.send("GET", f"/v1/brains/{brain_id}/units/{memory.id}")
    at.expect(reply, 200 if seen else 404)
    if not seen:
        await at.compare(reply, "GET", f"/v1/brains/{brain_id}/units/{make_id()}")


async def write_unit(at: Request) -> None:
    brain_id = at.any_brain()
    body = {"topic": at.rng.choice(("clients", "clients/unit")), "content": f"The {at.rng.choice(COMMON)} is now {marker()}"}
    reply = await at.send("POST", f"/v1/brains/{brain_id}/units", json=body)
    at.expect(reply, (201 if at.may(brain_id, "writer") else 403) if brain_id in at.brains else 404)
    if brain_id not in at.brains:
        await at.compare(reply, "POST", f"/v1/brains/{make_id()}/units", json=body)
    at.world.reload()


async def report_conflict(at: Request) -> None:
    one, two = at.any_memory(), at.any_memory()
    near = [m for m in at.world.oracle.visible({one.brain_id}) if m.id != one.id]
    two = at.rng.choice([two, *near[:3]])
    seen = [m.served and m.brain_id in at.brains for m in (one, two)]
    body = {"memory_id": str(one.id), "other_id": str(two.id)}
    reply = await at.send("POST", "/v1/conflicts", json=body)
    if one.id != two.id and not all(seen):
        at.expect(reply, 404)
        unknown = body | {name: str(make_id()) for name, shown in zip(body, seen, strict=True) if not shown}
        await at.compare(reply, "POST", "/v1/conflicts", json=unknown)
    elif one.id == two.id or one.brain_id != two.brain_id:
        at.expect(reply, 422)
    else:
        at.expect(reply, 201 if at.may(one.brain_id, "writer") else 403)


async def settle(at: Request) -> None:
    """Confirm, or resolve a conflict that may be there."""
    memory = at.any_memory()
    verb, body = at.rng.choice(((":confirm", {}), (":resolve", {"both": True}), (":resolve", {"content": f"It is {marker()}"})))
    seen = memory.served and memory.brain_id in at.brains
    reply = await at.send("POST", f"/v1/memories/{memory.id}{verb}", json=body)
    at.expect(reply, ({200, 404, 409} if at.may(memory.brain_id, "writer") else 403) if seen else 404)
    if not seen:
        await at.compare(reply, "POST", f"/v1/memories/{make_id()}{verb}", json=body)
    at.world.reload()


async def share(at: Request) -> None:
    memory, brain_id = at.any_memory(), at.any_brain()
    path, body = f"/v1/memories/{memory.id}:share", {"brain_id": str(brain_id)}
    seen = memory.served and memory.brain_id in at.brains
    reply = await at.send("POST", path, json=body)
    at.expect(reply, {201, 403, 422} if seen and brain_id in at.brains else 404)
    if not seen:
        await at.compare(reply, "POST", f"/v1/memories/{make_id()}:share", json=body)
    elif brain_id not in at.brains:
        await at.compare(reply, "POST", path, json={"brain_id": str(make_id())})
    if reply.status_code == 201:
        subject_id = at.caller.act_as or at.world.oracle.keys[at.caller.key_id].subject_id
        assert subject_id in {*memory.about, memory.said_by}, at.log[-1]
    at.world.reload()


async def list_open(at: Request) -> None:
    """Open conflicts, and what waits to be attributed."""
    brain_id, what = at.any_brain(), at.rng.choice(("conflicts", "unattributed"))
    reply = await at.send("GET", f"/v1/brains/{brain_id}/{what}")
    allowed = 200 if what == "conflicts" or at.may(brain_id, "writer") else 403
    at.expect(reply, allowed if brain_id in at.brains else 404)
    if brain_id not in at.brains and at.exact:
        await at.compare(reply, "GET", f"/v1/brains/{make_id()}/{what}")
