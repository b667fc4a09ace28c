"""DELETE: nothing of a memory is left but that it was there."""

from __future__ import annotations

from tests.support.product import Caller, Json, Product

WORD = "quokka"


async def test_a_deletion_leaves_id_times_and_who_and_no_word(ana: Caller, product: Product) -> None:
    source = {"episode": {"external_id": "zoo"}, "speaker": "Carla", "text": f"We saw a {WORD} today"}
    receipt = await ana.write(
        f"Lia saw a {WORD} in Quokkaville", tags=[WORD], topic=f"animals/{WORD}", data={"animal": WORD}, source=source
    )
    later = await ana.write(f"Lia likes Quokkaville, not the {WORD} though")
    await ana.edit(receipt["id"], content=f"Lia saw a {WORD} in Quokkaville twice")
    created = (await ana.read(receipt["id"]))["created_at"]
    await ana.delete(later["id"])
    await ana.delete(receipt["id"])
    for table in await _tables(product, "memory_id"):
        assert (
            await product.value(f"SELECT count(*) FROM mem.{table} WHERE org_id = :o AND memory_id = :id", o=ana.org_id, id=receipt["id"])
            == 0
        ), table
    for table in ("links", "fragments", "episodes", "entities", "memory_fragments"):
        assert await product.value(f"SELECT count(*) FROM mem.{table} WHERE org_id = :o", o=ana.org_id) == 0, table
    row = (await product.rows("SELECT * FROM mem.memories WHERE id = :id", id=receipt["id"]))[0]._mapping
    assert (row["status"], row["written_by"], row["content"], row["duplicate_key"]) == ("deleted", ana.subject_id, None, None)
    assert row["created_at"].isoformat().startswith(created[:19])
    assert WORD not in str(dict(row)).lower()
    audit = await product.rows("SELECT to_jsonb(a)::text FROM mem.audit_events a WHERE org_id = :o", o=ana.org_id)
    assert not [a for (a,) in audit if WORD in a.lower()]


async def test_a_deleted_memory_is_gone_from_every_door_also_in_the_past(ana: Caller, product: Product) -> None:
    receipt = await ana.write(f"Lia saw a {WORD}")
    await ana.edit(receipt["id"], content=f"Lia saw two of the {WORD} kind")
    moment = product.clock.now().isoformat()
    assert await ana.found_ids(WORD, as_of=moment) == [receipt["id"]]
    await ana.delete(receipt["id"])
    assert (await ana.delete(receipt["id"], expect=404))["code"] == "not_found"
    await ana.read(receipt["id"], expect=404)
    await ana.history(receipt["id"], expect=404)
    await ana.edit(receipt["id"], expect=404, tags=["x"])
    assert await ana.list_ids() == []
    assert await ana.found_ids(WORD) == []
    assert await ana.found_ids(WORD, as_of=moment) == []
    assert await ana.found_ids(WORD, valid_at=moment) == []


async def test_a_fragment_goes_with_its_last_memory_and_so_does_the_context_made_of_it(ana: Caller, product: Product) -> None:
    def said(content: str, position: int, text: str) -> Json:
        return {"content": content, "kind": "episodic", "source": {"episode": {"external_id": "zoo"}, "position": position, "text": text}}

    lines = [said("First", 0, f"{WORD} one"), said("Also first", 0, f"{WORD} one"), said("Second", 1, "wombat two"), said("Third", 2, "x")]
    results = (await ana.write_batch(lines))["results"]
    first, also, second, third = (r["memory"]["id"] for r in results)
    assert {WORD} <= await _context(product, ana, second)
    await ana.delete(first)
    assert {WORD} <= await _context(product, ana, second), "another memory still came from that fragment"
    await ana.delete(also)
    assert await _context(product, ana, second) == set()
    assert {"wombat"} <= await _context(product, ana, third)
    assert WORD not in await _context(product, ana, third)
    left = await product.rows("SELECT text FROM mem.fragments WHERE org_id = :o ORDER BY position", o=ana.org_id)
    assert [row.text for row in left] == ["wombat two", "x"]


async def test_a_deletion_touches_no_other_memory(ana: Caller) -> None:
    keep = [await ana.write(f"Lia saw animal number {n}", "episodic") for n in range(3)]
    gone = await ana.write(f"Lia saw a {WORD}", "episodic")
    before = [await ana.read(r["id"]) for r in keep]
    await ana.delete(gone["id"])
    assert [await ana.read(r["id"]) for r in keep] == before
    assert set(await ana.found_ids("Lia saw animal")) == {r["id"] for r in keep}


async def _tables(product: Product, column: str) -> list[str]:
    rows = await product.rows(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = :column",
        column=column,
    )
    return [row.relname for row in rows]


async def _context(product: Product, caller: Caller, memory_id: str) -> set[str]:
    sql = "SELECT tsvector_to_array(context) FROM mem.memory_index WHERE org_id = :org AND memory_id = :id"
    return set(await product.value(sql, org=caller.org_id, id=memory_id))
