"""`GET /v1/admin/audit`: events of one's org, for auditors."""

from __future__ import annotations

from datetime import timedelta

from tests.support.auditing import seal
from tests.support.product import Caller, Json, Product


async def listed(caller: Caller, **query: object) -> list[Json]:
    items: list[Json] = (await caller.send("GET", "/v1/admin/audit", expect=200, params=query))["items"]
    return items


async def test_events_are_listed_newest_first_with_their_place(ana: Caller, product: Product) -> None:
    one = await ana.write("Lia eats fish")
    await seal(product, ana)
    await ana.edit(one["id"], content="Lia eats meat")
    first, second, *rest = await listed(ana)
    assert (first["action"], first["position"], second["action"], second["position"]) == ("memory.update", None, "memory.add", 2)
    assert {first["object_id"], second["object_id"]} == {one["id"]}
    assert first["actor_subject"] == str(ana.subject_id)
    assert [event["action"] for event in rest] == ["org.create"]
    assert "Lia" not in str([first, second])


async def test_each_filter_narrows_and_pages_follow(ana: Caller, product: Product) -> None:
    bia = await ana.make_person("Bia")
    ids = [(await ana.write(f"Fact {word}"))["id"] for word in ("one", "two", "three")]
    theirs = await bia.write("Bia likes tea")
    assert [e["object_id"] for e in await listed(ana, action="memory.", subject_id=bia.subject_id)] == [theirs["id"]]
    assert [e["action"] for e in await listed(ana, object_id=ids[0])] == ["memory.add"]
    assert {e["action"] for e in await listed(ana, action="memory.add")} == {"memory.add"}
    assert await listed(ana, action="memory_") == []
    now = product.clock.now()
    assert await listed(ana, since=(now + timedelta(hours=1)).isoformat()) == []
    assert await listed(ana, until=(now - timedelta(hours=1)).isoformat()) == []
    everything = await listed(ana, limit=200)
    page: Json = await ana.send("GET", "/v1/admin/audit", expect=200, params={"limit": 2})
    seen = page["items"]
    while page["next_cursor"]:
        page = await ana.send("GET", "/v1/admin/audit", expect=200, params={"limit": 2, "cursor": page["next_cursor"]})
        seen += page["items"]
    assert seen == everything
    await ana.send("GET", "/v1/admin/audit", expect=422, params={"action": "DROP TABLE"})


async def test_only_auditors_of_the_org_read_it(ana: Caller, anyone: Caller) -> None:
    bia = await ana.make_person("Bia")
    auditor = await ana.make_person("Rui", capabilities=["auditor"])
    assert (await bia.send("GET", "/v1/admin/audit", expect=403))["code"] == "access_denied"
    await ana.write("Lia eats fish")
    assert "memory.add" in {event["action"] for event in await listed(auditor)}
    own = {event["id"] for event in await listed(anyone)}
    assert own.isdisjoint({event["id"] for event in await listed(ana)})
