"""Nothing comes into a brain with other readers but by `:share`, and only by who said it or whom it is about."""

from __future__ import annotations

from typing import Any

from tests.support.product import Caller, Product


async def test_what_is_said_in_private_is_shared_by_its_owner_alone(ana: Caller, product: Product) -> None:
    bruno = await ana.make_person("Bruno")
    carla = await ana.make_person("Carla")
    members = [{"subject_id": str(p.subject_id), "role": "writer"} for p in (bruno, carla)]
    room = await ana.make_brain("room", "room", members=members)
    direct = await ana.make_brain("direct", "room", members=[members[0]])
    about: dict[str, Any] = {"about": [str(bruno.subject_id)], "said_by": str(bruno.subject_id), "tags": ["plans"], "topic": "people/bruno"}
    said = await ana.write("Bruno moves to Lisbon in May", brain_id=direct, **about)
    assert await carla.found("where does Bruno move?") == []
    await ana.send("POST", f"/v1/memories/{said['id']}:share", expect=403, json={"brain_id": room})
    await carla.send("POST", f"/v1/memories/{said['id']}:share", expect=404, json={"brain_id": room})
    await bruno.send("POST", f"/v1/memories/{said['id']}:share", expect=422, json={"brain_id": direct})
    copy = await bruno.send("POST", f"/v1/memories/{said['id']}:share", expect=201, json={"brain_id": room})
    assert (copy["brain_id"], copy["action"], copy["id"] != said["id"]) == (room, "ADD", True)
    assert await carla.found("where does Bruno move?") == ["Bruno moves to Lisbon in May"]
    shared = await carla.read(copy["id"])
    assert (shared["about"], shared["tags"], shared["topic"]) == ([str(bruno.subject_id)], ["plans"], "people/bruno")
    (evidence,) = (await carla.search("where does Bruno move?"))["evidence"]
    assert evidence["sources"] == [], "the conversation stays where it was"
    (event,) = await product.rows("SELECT detail FROM mem.audit_events WHERE org_id = :org AND action = 'memory.share'", org=ana.org_id)
    assert event.detail == {"version": 1, "to_brain": room, "as": copy["id"]}


async def test_a_brain_may_let_nobody_share(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    members = [{"subject_id": str(bruno.subject_id), "role": "writer"}]
    closed, room = await ana.make_brain("closed", "room", members=members), await ana.make_brain("room", "room", members=members)
    said = await ana.write("Bruno is ill", brain_id=closed, about=[str(bruno.subject_id)])
    await ana.send("PATCH", f"/v1/brains/{closed}", expect=200, json={"sharing": "nobody"})
    await bruno.send("POST", f"/v1/memories/{said['id']}:share", expect=403, json={"brain_id": room})


async def test_a_reader_of_the_target_shares_nothing_into_it(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    me = str(bruno.subject_id)
    room = await ana.make_brain("room", "room", members=[{"subject_id": me, "role": "reader"}])
    note = await bruno.write("Bruno likes tea", about=[me])
    await bruno.send("POST", f"/v1/memories/{note['id']}:share", expect=403, json={"brain_id": room})
    elsewhere = await ana.make_brain()
    await bruno.send("POST", f"/v1/memories/{note['id']}:share", expect=404, json={"brain_id": elsewhere})
