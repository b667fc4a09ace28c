"""Conflicts are shown to every reader with both sides until somebody settles them; a side that nobody may see is not shown."""

from __future__ import annotations

from tests.integration.shared.test_units import get, put, team
from tests.support.product import Caller, Product


async def contested(ana: Caller) -> tuple[str, str, Caller]:
    """A brain, a unit of it that Bruno and Carla write against each other, and Carla."""
    brain, bruno, carla = await team(ana)
    unit = await put(bruno, brain, "Meridian pays in 30 days")
    assert (await put(carla, brain, "Meridian pays in 45 days"))["conflicted"]
    return brain, unit["id"], carla


async def test_picking_the_current_version_settles_it(ana: Caller) -> None:
    brain, unit, carla = await contested(ana)
    settled = await carla.send("POST", f"/v1/memories/{unit}:resolve", expect=200, json={"keep_version": 2})
    assert (settled["content"], settled["version"], settled["conflict"]) == ("Meridian pays in 45 days", 2, None)
    assert (await get(ana, brain, unit))["conflict"] is None


async def test_picking_the_other_version_brings_it_back(ana: Caller) -> None:
    brain, unit, _ = await contested(ana)
    settled = await ana.send("POST", f"/v1/memories/{unit}:resolve", expect=200, json={"keep_version": 1})
    assert (settled["content"], settled["version"], settled["conflict"]) == ("Meridian pays in 30 days", 3, None)
    assert [v["memory"]["content"] for v in (await ana.history(unit))["versions"]][1] == "Meridian pays in 45 days"
    assert (await get(ana, brain, unit))["content"] == "Meridian pays in 30 days"


async def test_a_merged_text_takes_the_place_of_both(ana: Caller) -> None:
    brain, unit, _ = await contested(ana)
    body = {"content": "Meridian pays in 30 days, abroad in 45", "expected_version": 2}
    settled = await ana.send("POST", f"/v1/memories/{unit}:resolve", expect=200, json=body)
    assert (settled["content"], settled["conflict"]) == (body["content"], None)
    assert await ana.found("when does Meridian pay?", brains=[brain]) == [body["content"]]


async def test_the_choice_is_checked(ana: Caller) -> None:
    _, unit, _ = await contested(ana)
    for body in ({}, {"keep_version": 1, "both": True}, {"keep_memory": unit, "content": "x"}):
        await ana.send("POST", f"/v1/memories/{unit}:resolve", expect=422, json=body)
    await ana.send("POST", f"/v1/memories/{unit}:resolve", expect=404, json={"keep_version": 7})
    await ana.send("POST", f"/v1/memories/{unit}:resolve", expect=409, json={"keep_version": 2, "expected_version": 1})
    alone = (await ana.write("nobody contests this"))["id"]
    await ana.send("POST", f"/v1/memories/{alone}:resolve", expect=404, json={"both": True})


async def test_a_reader_sees_and_does_not_settle(ana: Caller) -> None:
    brain, unit, _ = await contested(ana)
    dora = await ana.make_person("Dora")
    await ana.send("POST", f"/v1/brains/{brain}/members", expect=201, json={"subject_id": str(dora.subject_id), "role": "reader"})
    assert (await get(dora, brain, unit))["conflict"]["sides"]
    await dora.send("POST", f"/v1/memories/{unit}:resolve", expect=403, json={"keep_version": 2})
    await dora.send("POST", f"/v1/memories/{unit}:confirm", expect=403, json={})


async def test_two_memories_that_contradict_each_other_are_reported(ana: Caller) -> None:
    brain = await ana.make_brain()
    three, two = [(await ana.write(f"A guest may stay {n} nights", brain_id=brain))["id"] for n in ("three", "two")]
    body = {"memory_id": three, "other_id": two, "note": "they never agreed; ask ana@example.com"}
    first = await ana.send("POST", "/v1/conflicts", expect=201, json=body)
    again = await ana.send("POST", "/v1/conflicts", expect=201, json={"memory_id": two, "other_id": three})
    assert first == again
    answer = await ana.search("how many nights may a guest stay?", brains=[brain])
    sides = {e["memory"]["id"]: e["conflict"]["sides"][0]["memory_id"] for e in answer["evidence"]}
    assert sides == {three: two, two: three}
    assert all("conflict" in {m["name"] for m in e["modifiers"]} for e in answer["evidence"])
    assert "ana@example.com" not in str(answer)
    (listed,) = (await ana.send("GET", f"/v1/brains/{brain}/conflicts", expect=200))["items"]
    assert (listed["memory"]["id"], listed["conflict"]["sides"][0]["memory_id"]) == (three, two)
    kept = await ana.send("POST", f"/v1/memories/{three}:resolve", expect=200, json={"keep_memory": two})
    assert (kept["id"], kept["conflict"]) == (two, None)
    assert await ana.found_ids("how many nights may a guest stay?", brains=[brain]) == [two]
    assert (await ana.send("GET", f"/v1/brains/{brain}/conflicts", expect=200))["items"] == []


async def test_choosing_another_side_ends_this_memory_and_nothing_that_does_not_contradict_the_choice(ana: Caller) -> None:
    brain = await ana.make_brain()
    three, two, never = [
        (await ana.write(text, brain_id=brain))["id"] for text in ("Guests stay three nights", "Guests stay two", "No guests in May")
    ]
    for other in (two, never):
        await ana.send("POST", "/v1/conflicts", expect=201, json={"memory_id": three, "other_id": other})
    (listed,) = (await ana.send("GET", f"/v1/brains/{brain}/conflicts", expect=200))["items"]
    assert {side["memory_id"] for side in listed["conflict"]["sides"]} == {two, never}, (
        "one memory is listed once, with all that contradict it"
    )
    await ana.send("POST", f"/v1/memories/{three}:resolve", expect=200, json={"keep_memory": two})
    assert set(await ana.found_ids("how long do guests stay, and in May?", brains=[brain])) == {two, never}
    assert (await ana.send("GET", f"/v1/brains/{brain}/conflicts", expect=200))["items"] == []


async def test_a_memory_that_holds_ends_all_that_contradict_it(ana: Caller) -> None:
    brain = await ana.make_brain()
    three, two, never = [
        (await ana.write(text, brain_id=brain))["id"] for text in ("Guests stay three nights", "Guests stay two", "No guests in May")
    ]
    for other in (two, never):
        await ana.send("POST", "/v1/conflicts", expect=201, json={"memory_id": other, "other_id": three})
    await ana.send("POST", f"/v1/memories/{three}:resolve", expect=200, json={"keep_memory": three})
    assert await ana.found_ids("how long do guests stay, and in May?", brains=[brain]) == [three]


async def test_a_conflict_never_crosses_a_brain(ana: Caller) -> None:
    one, two = [(await ana.write(f"tea at {n}", brain_id=await ana.make_brain()))["id"] for n in ("five", "six")]
    await ana.send("POST", "/v1/conflicts", expect=422, json={"memory_id": one, "other_id": two})
    await ana.send("POST", "/v1/conflicts", expect=422, json={"memory_id": one, "other_id": one})
    stranger = await ana.product.make_caller()
    await stranger.send("POST", "/v1/conflicts", expect=404, json={"memory_id": one, "other_id": two})


async def test_a_side_that_is_gone_or_held_is_shown_nowhere(ana: Caller, product: Product) -> None:
    brain = await ana.make_brain()
    ids = [(await ana.write(f"A guest may stay {n} nights", brain_id=brain))["id"] for n in ("three", "two", "five")]
    for other in ids[1:]:
        await ana.send("POST", "/v1/conflicts", expect=201, json={"memory_id": ids[0], "other_id": other})
    await ana.delete(ids[1])
    await product.rows(
        "WITH a AS (INSERT INTO mem.hold_actions (org_id, id, kind, reasons, created_at) "
        "VALUES (:org, gen_random_uuid(), 'quarantine', '{}', now()) RETURNING org_id, id) "
        "INSERT INTO mem.holds (org_id, memory_id, action_id, brain_id, created_at) SELECT org_id, CAST(:memory AS uuid), id, "
        "CAST(:brain AS uuid), now() FROM a RETURNING 1",
        org=ana.org_id, memory=ids[2], brain=brain,
    )  # fmt: skip
    assert (await ana.read(ids[0]))["conflict"] is None
    assert (await ana.send("GET", f"/v1/brains/{brain}/conflicts", expect=200))["items"] == []
    answer = await ana.search("how many nights may a guest stay?", brains=[brain])
    assert "two nights" not in str(answer)
    assert "five nights" not in str(answer)
    assert await product.value("SELECT count(*) FROM mem.conflicts WHERE other_id = CAST(:id AS uuid)", id=ids[1]) == 0
