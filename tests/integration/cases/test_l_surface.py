"""Cases of the MCP and API surface, by their number. B132 (restart), B133 (schemas) and B136 over MCP are in ../mcp."""

from __future__ import annotations

import asyncio

from memdb.storage.database import Identity
from tests.support.product import Caller, Product


async def test_b136_what_was_saved_is_found_at_once(ana: Caller) -> None:
    saved = await ana.write("marker QX-58213 smoke")
    assert (await ana.found_ids("QX-58213"))[0] == saved["id"]
    await ana.delete(saved["id"])
    assert await ana.found_ids("QX-58213") == []


async def test_b138_a_person_has_one_card_and_a_topic_one_unit_however_they_are_made(ana: Caller, product: Product) -> None:
    brain = await ana.make_brain()
    body = {"topic": "people/ana", "content": "Ana prefers mornings"}
    made = await asyncio.gather(*(ana.send("POST", f"/v1/brains/{brain}/units", expect=201, json=body) for _ in range(6)))
    assert len({unit["id"] for unit in made}) == 1
    person = await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Ana", "aliases": ["ana", "ANA"]})
    again = await asyncio.gather(
        *(ana.send("POST", f"/v1/subjects/{person['id']}/aliases", expect=200, json={"alias": "Ána"}) for _ in range(4))
    )
    assert all(len(reply["aliases"]) == 1 for reply in again)
    count = "SELECT count(*) FROM mem.subject_aliases WHERE org_id = :org AND subject_id = CAST(:id AS uuid)"
    assert await product.value(count, org=ana.org_id, id=person["id"]) == 1


async def test_b141_recalls_of_one_hot_memory_wait_for_no_row(ana: Caller, product: Product) -> None:
    hot = await ana.write("the hot fact about tea")
    async with product.owner.write(Identity(ana.org_id)) as conn:
        for table in ("memories", "memory_stats", "api_keys"):
            await conn.exec_driver_sql(f"SELECT 1 FROM mem.{table} FOR UPDATE")
        await conn.exec_driver_sql("LOCK TABLE mem.outcomes, mem.memory_stats IN SHARE ROW EXCLUSIVE MODE")
        found = await asyncio.wait_for(asyncio.gather(*(ana.found_ids("the hot fact about tea") for _ in range(20))), timeout=30)
    assert all(ids == [hot["id"]] for ids in found)
