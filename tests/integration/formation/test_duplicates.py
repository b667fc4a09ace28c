"""The same statement twice: counted, merged or made a new version, and never stored twice."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.product import Caller, Json, Product


async def test_a_repetition_reinforces_and_merges_tags_and_sources(ana: Caller, product: Product) -> None:
    first = await ana.write("Lia lives in Porto", tags=["family"], source={"episode": {"external_id": "a"}})
    again = await ana.write("lia lives in PORTO.", tags=["places"], source={"episode": {"external_id": "b"}})
    assert (again["action"], again["id"], again["version"], again["embedding"]) == ("REINFORCE", first["id"], 1, "kept")
    memory = await ana.read(first["id"])
    assert memory["tags"] == ["family", "places"]
    assert memory["content"] == "Lia lives in Porto"
    assert await product.value("SELECT reinforced FROM mem.memory_stats WHERE memory_id = :id", id=first["id"]) == 1
    (found,) = (await ana.search("where does Lia live?", min_score=0.0, tags=["places", "family"]))["evidence"]
    assert {s["episode"] for s in found["sources"]} == {"a", "b"}


@pytest.mark.parametrize(
    "change",
    [{"data": {"since": 2019}}, {"valid_from": "2026-01-01T00:00:00Z"}, {"valid_to": "2027-01-01T00:00:00Z"}, {"placement": "front"}],
    ids=["data", "valid_from", "valid_to", "placement"],
)
async def test_other_data_validity_or_placement_is_an_update(ana: Caller, change: Json) -> None:
    first = await ana.write("Lia lives in Porto", tags=["family"], data={"room": 3})
    again = await ana.write("Lia lives in Porto", tags=["places"], **change)
    assert (again["action"], again["id"], again["version"]) == ("UPDATE", first["id"], 2)
    memory = await ana.read(first["id"])
    assert memory["tags"] == ["family", "places"]
    assert {name: memory[name] for name in change} == change | ({"data": {"room": 3} | change["data"]} if "data" in change else {})
    assert (await ana.history(first["id"]))["versions"][0]["memory"]["data"] == {"room": 3}
    repeated = await ana.write("Lia lives in Porto", **change)
    assert (repeated["action"], repeated["version"]) == ("REINFORCE", 2)


async def test_a_repetition_that_says_less_takes_nothing_away(ana: Caller) -> None:
    first = await ana.write("Lia lives in Porto", data={"since": 2019}, valid_from="2026-01-01T00:00:00Z", tags=["family"])
    assert (await ana.write("Lia lives in Porto"))["action"] == "REINFORCE"
    memory = await ana.read(first["id"])
    assert (memory["data"], memory["valid_from"], memory["tags"]) == ({"since": 2019}, "2026-01-01T00:00:00Z", ["family"])


async def test_a_repetition_adds_to_the_data_and_what_stays_keeps_its_redactions(ana: Caller) -> None:
    """B022."""
    kept: Json = {"n": 0, "flag": False, "empty": "", "none": None, "nested": {"a": [1]}}
    await ana.write("Lia lives in Porto", data={**kept, "mail": "lia@example.com", "office": {"mail": "office@example.com"}})
    again = await ana.write("Lia lives in Porto", data={"since": 2019, "office": {"room": 3}})
    assert again["action"] == "UPDATE"
    memory = await ana.read(again["id"])
    assert memory["data"] == {**kept, "mail": "[EMAIL_1]", "since": 2019, "office": {"room": 3}}
    assert [r["field"] for r in memory["redactions"]] == ["data.mail"]
    assert (await ana.write("Lia lives in Porto", data={"since": 2019}))["action"] == "REINFORCE"
    assert (await ana.edit(again["id"], data={"since": 2020}))["version"] == 3
    edited = await ana.read(again["id"])
    assert (edited["data"], edited["redactions"]) == ({"since": 2020}, []), "an edit says what there is"


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"valid_to": "2026-02-01T00:00:00Z"}, {"valid_from": "2026-03-01T00:00:00Z"}),
        ({"valid_from": "2026-03-01T00:00:00Z"}, {"valid_to": "2026-02-01T00:00:00Z"}),
    ],
)
async def test_a_validity_that_contradicts_the_known_one_takes_its_place(ana: Caller, known: Json, said: Json) -> None:
    first = await ana.write("Lia lives in Porto", **known)
    assert (await ana.write("Lia lives in Porto", **said))["action"] == "UPDATE"
    memory = await ana.read(first["id"])
    assert {name: memory[name] for name in ("valid_from", "valid_to")} == {"valid_from": None, "valid_to": None, **said}


async def test_what_differs_in_subject_topic_kind_or_brain_is_another_memory(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    room = await ana.make_brain()
    variants: list[Json] = [
        {},
        {"about": [str(ana.subject_id)]},
        {"about": [str(bruno.subject_id)]},
        {"topic": "style/answers"},
        {"brain_id": room},
    ]
    receipts = [await ana.write("Short answers, no emoji", **fields) for fields in variants]
    receipts.append(await ana.write("Short answers, no emoji", "procedural"))
    assert {r["action"] for r in receipts} == {"ADD"}
    assert len({r["id"] for r in receipts}) == len(receipts)


async def test_redacted_values_that_differ_make_two_memories_and_the_same_one_does_not(ana: Caller) -> None:
    one = await ana.write("Write to ana@example.com")
    other = await ana.write("Write to bruno@example.com")
    same = await ana.write("Write to ana@example.com")
    assert one["id"] != other["id"]
    assert (same["action"], same["id"]) == ("REINFORCE", one["id"])


@pytest.mark.parametrize("kind", ["episodic", "working"])
async def test_events_and_scratch_may_repeat(ana: Caller, kind: str) -> None:
    extra: Json = {"ttl_seconds": 60} if kind == "working" else {}
    receipts = [await ana.write("The build failed", kind, **extra) for _ in range(2)]
    assert [r["action"] for r in receipts] == ["ADD", "ADD"]


async def test_code_points_do_not_make_two_memories(ana: Caller) -> None:
    composed = await ana.write("Ana toma caf\u00e9")
    decomposed = await ana.write("Ana toma cafe\u0301")
    wide = await ana.write("Ana\u200b toma café")
    assert {decomposed["id"], wide["id"]} == {composed["id"]}
    assert (await ana.read(composed["id"]))["content"] == "Ana toma caf\u00e9"


async def test_repetitions_inside_a_batch_meet_in_order(ana: Caller) -> None:
    lines: list[Json | str] = [
        {"content": "Lia lives in Porto", "kind": "semantic", "tags": ["a"]},
        {"content": "Rui lives in Lisbon", "kind": "semantic"},
        {"content": "lia lives in porto", "kind": "semantic", "tags": ["b"]},
        {"content": "Lia lives in Porto", "kind": "semantic", "data": {"since": 2019}},
    ]
    results = [r["memory"] for r in (await ana.write_batch(lines))["results"]]
    assert [r["action"] for r in results] == ["ADD", "ADD", "REINFORCE", "UPDATE"]
    assert len({results[0]["id"], results[2]["id"], results[3]["id"]}) == 1
    assert (await ana.read(results[0]["id"]))["tags"] == ["a", "b"]


async def test_parallel_identical_writes_make_one_memory(ana: Caller, product: Product) -> None:
    receipts = await asyncio.gather(*(ana.write("Lia lives in Porto", tags=[f"tag-{n}"]) for n in range(10)))
    assert len({r["id"] for r in receipts}) == 1
    assert sorted(r["action"] for r in receipts) == ["ADD"] + ["REINFORCE"] * 9
    assert (await ana.read(receipts[0]["id"]))["tags"] == sorted(f"tag-{n}" for n in range(10))
    assert await product.value("SELECT reinforced FROM mem.memory_stats WHERE memory_id = :id", id=receipts[0]["id"]) == 9
    assert await product.value("SELECT count(*) FROM mem.memories WHERE org_id = :org", org=ana.org_id) == 1


async def test_a_deleted_memory_can_be_said_again(ana: Caller) -> None:
    first = await ana.write("Lia lives in Porto")
    await ana.delete(first["id"])
    again = await ana.write("Lia lives in Porto")
    assert (again["action"], again["id"] != first["id"]) == ("ADD", True)


@pytest.mark.parametrize(
    ("first", "again"),
    [("Ana doesn't like coffee", "Ana does not like coffee"), ("A Ana trabalha com o Bruno", "Ana trabalha com Bruno")],
    ids=["en", "pt"],
)
async def test_other_wording_that_says_the_same_reinforces_and_keeps_the_text(
    ana: Caller, product: Product, first: str, again: str
) -> None:
    known = await ana.write(first, tags=["a"], source={"episode": {"external_id": "one"}})
    repeated = await ana.write(again, tags=["b"], source={"episode": {"external_id": "two"}})
    assert (repeated["action"], repeated["id"], repeated["version"], repeated["embedding"]) == ("REINFORCE", known["id"], 1, "kept")
    memory = await ana.read(known["id"])
    assert (memory["content"], memory["tags"]) == (first, ["a", "b"])
    assert await product.value("SELECT reinforced FROM mem.memory_stats WHERE memory_id = :id", id=known["id"]) == 1
    (found,) = (await ana.search(first, min_score=0.0, tags=["a", "b"]))["evidence"]
    assert {s["episode"] for s in found["sources"]} == {"one", "two"}


async def test_other_wording_with_redacted_values_that_differ_stays_two(ana: Caller) -> None:
    one = await ana.write("Don't write to ana@example.com")
    other = await ana.write("Do not write to bruno@example.com")
    same = await ana.write("Do not write to ana@example.com")
    assert one["id"] != other["id"]
    assert (same["action"], same["id"]) == ("REINFORCE", one["id"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana is allergic to peanuts", "Ana is allergic to walnuts"),
        ("Carla reports to Diego", "Diego reports to Carla"),
        ("A Carla reporta ao Diego", "O Diego reporta à Carla"),
    ],
)
async def test_one_other_word_or_another_order_is_another_memory(ana: Caller, one: str, other: str) -> None:
    assert (await ana.write(one))["action"] == "ADD"
    assert (await ana.write(other))["action"] == "ADD"


async def test_the_same_three_times_stays_one_that_was_counted_twice(ana: Caller, product: Product) -> None:
    """B015."""
    receipts = [await ana.write("My sister Lia lives in Porto.") for _ in range(3)]
    assert [r["action"] for r in receipts] == ["ADD", "REINFORCE", "REINFORCE"]
    assert await product.value("SELECT count(*) FROM mem.memories WHERE org_id = :org AND status = 'active'", org=ana.org_id) == 1
    assert await product.value("SELECT reinforced FROM mem.memory_stats WHERE memory_id = :id", id=receipts[0]["id"]) == 2


async def test_spellings_of_a_fact_do_not_pile_up_and_paraphrases_stay(ana: Caller) -> None:
    """B016: what can be known without a model; one fact told in other words stays another memory."""
    spelt = ["The service listens on port 8090", "the service listens on port 8090.", "Service listens on port 8090"]
    told = ["The service is at localhost:8090", "Port for the service: 8090"]
    assert len({(await ana.write(text))["id"] for text in spelt}) == 1
    assert len({(await ana.write(text))["id"] for text in told}) == 2


async def test_an_edit_to_other_wording_is_a_version_and_onto_another_memory_is_refused(ana: Caller) -> None:
    tea = await ana.write("Ana doesn't like tea")
    coffee = await ana.write("Ana doesn't like coffee")
    edited = await ana.edit(tea["id"], content="Ana does not like tea")
    assert edited["version"] == 2
    assert (await ana.read(tea["id"]))["content"] == "Ana does not like tea"
    refused = await ana.edit(coffee["id"], expect=409, content="ana does not like tea")
    assert refused["code"] == "already_exists"


async def test_a_unit_in_other_wording_is_a_new_version(ana: Caller) -> None:
    brain = await ana.make_brain()
    unit = {"topic": "deploy/days"}
    for version, text in enumerate(("Do not deploy on Fridays", "Don't deploy on Fridays"), 1):
        receipt = await ana.send("POST", f"/v1/brains/{brain}/units", expect=201, json=unit | {"content": text})
        assert receipt["version"] == version
