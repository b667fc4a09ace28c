"""Retries with an Idempotency-Key: one write, one answer."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from tests.support.product import Caller, Json, Product


def _told(receipt: Json) -> Json:
    """What a replay must repeat; a suggestion is made of words of the text, so it is not kept."""
    return {name: value for name, value in receipt.items() if name not in {"replayed", "timings_ms", "suggested_topic"}}


async def test_the_same_key_and_body_write_once_and_answer_the_same(ana: Caller, product: Product) -> None:
    body: Json = {"content": "Mail ana@example.com about tea", "kind": "episodic", "tags": ["x"]}
    first, second = await ana.write(**body, key="k1"), await ana.write(**body, key="k1")
    assert _told(first) == _told(second)
    assert (first["replayed"], second["replayed"]) == (False, True)
    assert await _count(product, ana) == 1


async def test_the_same_key_with_another_body_is_a_conflict(ana: Caller, product: Product) -> None:
    await ana.write("Tea at noon", "episodic", key="k1")
    assert (await ana.write("Tea at one", "episodic", key="k1", expect=409))["code"] == "idempotency_conflict"
    assert await _count(product, ana) == 1


async def test_ten_in_parallel_write_once(ana: Caller, product: Product) -> None:
    receipts = await asyncio.gather(*(ana.write("Tea at noon", "episodic", key="k1") for _ in range(10)))
    assert len({r["id"] for r in receipts}) == 1
    assert sorted(r["replayed"] for r in receipts) == [False] + [True] * 9
    assert await _count(product, ana) == 1
    assert await product.value("SELECT count(*) FROM mem.audit_events WHERE org_id = :o AND action = 'memory.add'", o=ana.org_id) == 1


async def test_another_server_over_the_same_database_gives_the_same_answer(ana: Caller, product: Product) -> None:
    first = await ana.write("Tea at noon", "episodic", key="k1")
    second = await ana.through(product.runtime).write("Tea at noon", "episodic", key="k1")
    assert (second["id"], second["replayed"]) == (first["id"], True)


async def test_keys_of_two_orgs_two_people_and_two_routes_are_independent(ana: Caller, product: Product) -> None:
    carla = await product.make_caller()
    bruno = await ana.make_person("Bruno")
    receipts = [await who.write("Tea at noon", "episodic", key="k1") for who in (ana, bruno, carla)]
    batch = await ana.write_batch([{"content": "Tea at noon", "kind": "episodic"}], key="k1")
    ids = {*(r["id"] for r in receipts), batch["results"][0]["memory"]["id"]}
    assert len(ids) == 4


async def test_a_batch_with_bad_lines_is_replayed_line_by_line(ana: Caller, product: Product) -> None:
    lines: list[Json | str] = [
        {"content": "Tea at noon", "kind": "episodic"},
        "not json",
        {"content": "   ", "kind": "episodic"},
        {"content": "Tea at one", "kind": "episodic", "perosn": "x"},
        {"content": "Tea at two", "kind": "semantic"},
    ]
    first, second = await ana.write_batch(lines, key="k1"), await ana.write_batch(lines, key="k1")
    assert [_outcome(r) for r in first["results"]] == [_outcome(r) for r in second["results"]]
    assert [r["error"] and r["error"]["code"] for r in first["results"]] == [None, "malformed_json", "invalid_input", "invalid_input", None]
    assert [r["memory"]["replayed"] for r in second["results"] if r["memory"]] == [True, True]
    assert await _count(product, ana) == 2


async def test_after_a_day_a_key_is_free_again(ana: Caller, product: Product) -> None:
    first = await ana.write("Tea at noon", "episodic", key="k1")
    product.clock.ahead += timedelta(hours=24, seconds=1)
    second = await ana.write("Tea at one", "episodic", key="k1")
    assert (second["replayed"], second["id"] != first["id"]) == (False, True)


async def test_a_write_that_failed_leaves_its_key_free(ana: Caller) -> None:
    await ana.write(" ", "episodic", key="k1", expect=422)
    assert (await ana.write("Tea at noon", "episodic", key="k1"))["replayed"] is False


async def test_what_is_kept_for_replays_holds_no_text(ana: Caller, product: Product) -> None:
    await ana.write("Mail ana@example.com about tea", "episodic", key="tea-time")
    kept = await product.value("SELECT to_jsonb(i)::text FROM mem.idempotency_keys i WHERE org_id = :org", org=ana.org_id)
    assert not [word for word in ("tea", "ana", "EMAIL_1") if word in kept]


async def _count(product: Product, caller: Caller) -> int:
    return int(await product.value("SELECT count(*) FROM mem.memories WHERE org_id = :org", org=caller.org_id))


def _outcome(result: Json) -> Json:
    return {**result, "memory": _told(result["memory"]) if result["memory"] else None}
