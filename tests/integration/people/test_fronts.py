"""The front fills up: what finds no room goes to the drawer and says so, a move is refused with what is there, and writers never race past."""

from __future__ import annotations

import asyncio
import random

from structlog.testing import capture_logs

from tests.support.product import Caller, Product

ENTRIES = 12
CHARACTERS = 1_200


async def fill(ana: Caller, count: int = ENTRIES) -> list[str]:
    """So many memories at the front of Ana."""
    receipts = [await ana.write(f"Ana is allergic to thing {n}", about=[str(ana.subject_id)]) for n in range(count)]
    assert {(r["placement"], r["placement_reason"]) for r in receipts} == {("front", "allergy")}
    return [r["id"] for r in receipts]


async def standing(product: Product, ana: Caller, subject_id: object) -> int:
    sql = "SELECT count(*) FROM mem.memory_index WHERE org_id = :o AND placement = 'front' AND :s = ANY (about) AND NOT held"
    return int(await product.value(sql, o=ana.org_id, s=subject_id))


async def test_rules_propose_a_place_and_the_writer_has_the_last_word(ana: Caller) -> None:
    about = [str(ana.subject_id)]
    given = [
        (await ana.write("Please call me Nana", about=about), "front", "address"),
        (await ana.write("Ana wants short answers", about=about), "front", "tone"),
        (await ana.write("Ana is planning a trip to the Allergy Conference", about=about), "drawer", "detail"),
        (await ana.write("Ana is allergic to wasps", about=about, placement="drawer"), "drawer", "given"),
        (await ana.write("Ana plays the cello", about=about, placement="front"), "front", "given"),
        (await ana.write("Somebody is allergic to wasps"), "drawer", "detail"),
    ]
    assert [(r["placement"], r["placement_reason"]) for r, _, _ in given] == [(place, reason) for _, place, reason in given]
    assert (await ana.read(given[0][0]["id"]))["placement"] == "front"


async def test_the_thirteenth_goes_to_the_drawer_and_says_so_and_pushes_nothing_out(ana: Caller, product: Product) -> None:
    ids = await fill(ana)
    for asked in (None, "front"):
        receipt = await ana.write(f"Ana is allergic to cats {asked}", about=[str(ana.subject_id)], placement=asked)
        assert (receipt["status"], receipt["placement"], receipt["placement_reason"]) == ("active", "drawer", "front_full")
    assert {(await ana.read(memory_id))["placement"] for memory_id in ids} == {"front"}
    assert await standing(product, ana, ana.subject_id) == ENTRIES


async def test_characters_count_as_well(ana: Caller) -> None:
    about = [str(ana.subject_id)]
    first = await ana.write("Please call me Nana. " + "x" * (CHARACTERS - 40), about=about, placement="front")
    small = await ana.write("Ana is vegetarian", about=about)
    large = await ana.write("Ana is allergic to wasps, bees and hornets", about=about)
    assert [r["placement"] for r in (first, small, large)] == ["front", "front", "drawer"]
    assert large["placement_reason"] == "front_full"


async def test_each_brain_and_each_subject_has_a_front_of_its_own(ana: Caller) -> None:
    await fill(ana)
    bruno = await ana.make_person("Bruno")
    room = await ana.make_brain()
    for subject_id, brain_id in ((bruno.subject_id, None), (ana.subject_id, room)):
        receipt = await ana.write("allergic to wasps", about=[str(subject_id)], brain_id=brain_id)
        assert receipt["placement"] == "front"
    both = await ana.write("Ana and Bruno are allergic to cats", about=[str(ana.subject_id), str(bruno.subject_id)])
    assert (both["placement"], both["placement_reason"]) == ("drawer", "front_full")


async def test_a_move_to_a_full_front_is_refused_with_what_is_there(ana: Caller) -> None:
    ids = await fill(ana)
    waiting = await ana.write("Ana plays the cello", about=[str(ana.subject_id)])
    problem = await ana.edit(waiting["id"], placement="front", expect=409)
    assert problem["code"] == "front_full"
    assert problem["front"] == ids[::-1]
    assert (problem["subject_id"], problem["entries"], problem["entries_max"]) == (str(ana.subject_id), ENTRIES, ENTRIES)
    assert problem["characters"] == sum(len(f"Ana is allergic to thing {n}") for n in range(ENTRIES))
    assert "cello" not in str(problem)
    await ana.edit(ids[0], placement="drawer")
    moved = await ana.edit(waiting["id"], placement="front")
    assert (moved["placement"], moved["placement_reason"]) == ("front", "given")


async def test_a_further_subject_with_a_full_front_is_refused_too(ana: Caller) -> None:
    await fill(ana)
    bruno = await ana.make_person("Bruno")
    memory = await ana.write("Please call me B", about=[str(bruno.subject_id)])
    problem = await ana.edit(memory["id"], about=[str(bruno.subject_id), str(ana.subject_id)], expect=409)
    assert (problem["code"], problem["subject_id"]) == ("front_full", str(ana.subject_id))


async def test_what_stands_at_a_full_front_stays_there_when_it_is_said_again_or_changes(ana: Caller) -> None:
    ids = await fill(ana)
    again = await ana.write("Ana is allergic to thing 3", about=[str(ana.subject_id)])
    assert (again["action"], again["placement"], again["placement_reason"]) == ("REINFORCE", "front", "kept")
    edited = await ana.edit(ids[3], content="Ana is allergic to thing 3 and to dust")
    assert (edited["action"], edited["placement"], edited["placement_reason"]) == ("UPDATE", "front", "kept")


async def test_a_repetition_that_asks_for_a_full_front_leaves_the_memory_where_it_is(ana: Caller) -> None:
    await fill(ana)
    first = await ana.write("Ana plays the cello", about=[str(ana.subject_id)])
    again = await ana.write("Ana plays the cello", about=[str(ana.subject_id)], placement="front")
    assert (again["id"], again["action"], again["placement"], again["placement_reason"]) == (
        first["id"],
        "REINFORCE",
        "drawer",
        "front_full",
    )


async def test_what_is_over_or_gone_gives_its_place_back(ana: Caller, product: Product) -> None:
    ids = await fill(ana)
    await ana.delete(ids[0])
    assert (await ana.write("Ana is allergic to cats", about=[str(ana.subject_id)]))["placement"] == "front"
    now = product.clock.now().isoformat()
    await ana.edit(ids[1], valid_to=now)
    assert (await ana.write("Ana is allergic to dogs", about=[str(ana.subject_id)]))["placement"] == "front"
    assert (await ana.write("Ana is allergic to birds", about=[str(ana.subject_id)]))["placement"] == "drawer"


async def test_a_batch_fills_the_front_in_its_order(ana: Caller) -> None:
    about = [str(ana.subject_id)]
    lines = [{"content": f"Ana is allergic to thing {n}", "kind": "semantic", "about": about} for n in range(ENTRIES + 3)]
    results = (await ana.write_batch([*lines, lines[0]]))["results"]
    assert [r["memory"]["placement"] for r in results] == ["front"] * ENTRIES + ["drawer"] * 3 + ["front"]
    assert results[-1]["memory"]["action"] == "REINFORCE"


async def test_a_replay_says_the_same(ana: Caller) -> None:
    await fill(ana)
    said = [await ana.write("Ana is allergic to cats", about=[str(ana.subject_id)], key="one") for _ in range(2)]
    assert [(r["replayed"], r["placement_reason"]) for r in said] == [(False, "front_full"), (True, "front_full")]


async def test_twenty_writers_at_once_never_fill_a_front_beyond_its_cap(ana: Caller, product: Product) -> None:
    people = [ana.subject_id, *[(await ana.make_person(name)).subject_id for name in ("Bruno", "Carla")]]
    order = random.Random(5)

    async def write(number: int) -> str:
        about = [str(s) for s in order.sample(people, order.randint(1, 3))]
        return str((await ana.write(f"allergic to thing {number}", about=about))["placement"])

    with capture_logs() as lines:
        places = await asyncio.gather(*(write(n) for n in range(60)))
    assert not [line for line in lines if line["event"] == "transaction tried again"]
    assert set(places) == {"front", "drawer"}
    counts = [await standing(product, ana, s) for s in people]
    assert max(counts) == ENTRIES
    assert min(counts) >= 1


async def test_moves_and_writes_at_once_keep_the_cap(ana: Caller, product: Product) -> None:
    about = [str(ana.subject_id)]
    await fill(ana, ENTRIES - 2)
    waiting = [(await ana.write(f"Ana plays tune {n}", about=about))["id"] for n in range(6)]

    async def move(memory_id: str) -> int:
        reply = await ana.client.patch(f"/v1/memories/{memory_id}", json={"placement": "front"}, headers=ana.headers)
        return reply.status_code

    writes = [ana.write(f"Ana is allergic to dish {n}", about=about) for n in range(6)]
    done = await asyncio.gather(*(move(m) for m in waiting), *writes)
    assert set(done[:6]) <= {200, 409}
    assert await standing(product, ana, ana.subject_id) == ENTRIES
