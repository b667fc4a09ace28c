"""Writers at the same time: no deadlock is seen, nothing is lost, nothing dangles."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager

from structlog.testing import capture_logs

from tests.support.product import Caller, Product

NAMES = ("Zanzibar", "Madagascar", "Mauritius", "Comoros", "Seychelles", "Mayotte")


async def test_batches_that_name_the_same_things_in_shuffled_order_all_succeed(ana: Caller, product: Product) -> None:
    shuffle = random.Random(7).sample
    batches = []
    for writer in range(4):
        order = shuffle(NAMES, len(NAMES))
        batches.append(
            [
                {
                    "content": f"Carla visited {a} before {b} and {c}",
                    "kind": "semantic",
                    "tags": [f"w{writer}"],
                    "source": {"episode": {"external_id": f"trip {a}"}, "position": 1},
                }
                for a, b, c in (shuffle(order, 3) for _ in range(6))
            ]
        )
    replies = await asyncio.gather(*(ana.write_batch(batch) for batch in batches))
    assert not [r for reply in replies for r in reply["results"] if r["error"]]
    ids = {r["memory"]["id"] for reply in replies for r in reply["results"]}
    assert await product.value("SELECT count(*) FROM mem.memories WHERE org_id = :o", o=ana.org_id) == len(ids)
    wanted = [name.lower() for name in NAMES]
    names = await product.rows("SELECT folded FROM mem.entities WHERE org_id = :o AND folded = ANY (:n)", o=ana.org_id, n=wanted)
    assert {row.folded for row in names} == {n.lower() for n in NAMES}


async def test_writes_and_deletions_that_share_a_name_lose_no_mention(ana: Caller, product: Product) -> None:
    ids = [(await ana.write("Zanzibar number one", "episodic"))["id"]]
    with no_deadlock():
        for round_ in range(6):
            writes = [ana.write(f"Zanzibar again {round_} {n}", "episodic") for n in range(4)]
            done = await asyncio.gather(*writes, *(ana.delete(memory_id) for memory_id in ids))
            ids = [receipt["id"] for receipt in done[:4]]
    rows = await product.rows(
        "SELECT m.memory_id FROM mem.memory_entities m JOIN mem.entities e ON e.org_id = m.org_id AND e.id = m.entity_id"
        " WHERE m.org_id = :o AND e.folded = 'zanzibar'",
        o=ana.org_id,
    )
    assert {str(row.memory_id) for row in rows} == set(ids)
    dangling = await product.value(
        "SELECT count(*) FROM mem.links l JOIN mem.memories m ON m.org_id = l.org_id AND m.id = l.to_id"
        " WHERE m.org_id = :o AND m.status = 'deleted'",
        o=ana.org_id,
    )
    assert dangling == 0


async def test_edits_and_repetitions_at_the_same_time_lose_no_tag(ana: Caller) -> None:
    receipt = await ana.write("Lia lives in Porto")
    repeats = [ana.write("Lia lives in Porto", tags=[f"said-{n}"]) for n in range(4)]
    edits = [ana.edit(receipt["id"], data={"n": n}) for n in range(3)]
    await asyncio.gather(*repeats, *edits)
    assert (await ana.read(receipt["id"]))["tags"] == [f"said-{n}" for n in range(4)]


async def test_repetitions_and_deletions_of_one_statement_with_one_source_neither_fail_nor_wait_in_a_circle(
    ana: Caller, product: Product
) -> None:
    """A deletion takes source and memory in the order in which a write takes them; in the other order they met in deadlocks."""

    async def tell() -> None:
        source = {"episode": {"external_id": "trip"}, "text": "Lia told it on the trip"}
        for _ in range(4):
            receipt = await ana.write("Lia lives in Faro", source=source)
            gone = await ana.client.delete(f"/v1/memories/{receipt['id']}", headers=ana.headers)
            assert gone.status_code in {204, 404}, gone.text

    with no_deadlock():
        await asyncio.gather(*(tell() for _ in range(8)))
    assert await product.value("SELECT count(*) FROM mem.fragments WHERE org_id = :o", o=ana.org_id) == 0


async def test_edits_writes_and_deletions_that_share_names_never_wait_in_a_circle(ana: Caller) -> None:
    order = random.Random(11)

    def about() -> str:
        return " and ".join(order.sample(NAMES, 3))

    async def writer(number: int) -> None:
        for round_ in range(4):
            receipts = await ana.write_batch(
                [{"content": f"Carla {number} {round_} {n} saw {about()}", "kind": "semantic"} for n in range(3)]
            )
            first, second, _ = [r["memory"]["id"] for r in receipts["results"]]
            await asyncio.gather(ana.edit(first, content=f"Carla {number} {round_} never saw {about()}"), ana.delete(second))

    with no_deadlock():
        await asyncio.gather(*(writer(n) for n in range(4)))


@contextmanager
def no_deadlock() -> Iterator[None]:
    """Fails when a transaction lost to another: a request that is tried again succeeds, and is a second late."""
    with capture_logs() as lines:
        yield
    assert [line for line in lines if line["event"] == "transaction tried again" and line["sqlstate"] == "40P01"] == []
