"""The shared-brain tools over each transport: two agents write against each other, a third sees both sides and it is settled."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memdb.text.tokens import count_tokens
from tests.integration.mcp.conftest import Connect, call, refused, text_of
from tests.support.product import Caller, Json

TOPIC = "clients/meridian"
POINTER = {"id", "topic", "preview", "freshness", "conflict", "updated_at", "unit", "match"}


async def make_room(ana: Caller) -> tuple[str, Caller, Caller, Caller]:
    """A brain that the agents of Bruno and Carla write into and that of Dora reads, and the three."""
    bruno, carla, dora = [await ana.make_person(name) for name in ("Bruno", "Carla", "Dora")]
    members = [{"subject_id": str(p.subject_id), "role": role} for p, role in ((bruno, "writer"), (carla, "writer"), (dora, "reader"))]
    return await ana.make_brain("sales", "team", members=members), bruno, carla, dora


async def put(caller: Caller, brain: str, topic: str, content: str) -> Json:
    body = {"topic": topic, "content": content}
    reply: Json = await caller.send("POST", f"/v1/brains/{brain}/units", expect=201, json=body)
    return reply


async def test_two_agents_write_against_each_other_and_a_third_sees_it_until_it_is_settled(connected: Connect, ana: Caller) -> None:
    brain, bruno, carla, dora = await make_room(ana)
    at: dict[str, Any] = {"brain_id": brain, "topic": TOPIC}
    async with connected(bruno) as ones, connected(carla) as others, connected(dora) as reading:
        first = await call(ones, "write_unit", **at, content="Meridian pays in 30 days; ask rui@example.com")
        assert {name: first[name] for name in ("version", "action", "conflicted", "status", "redacted")} == {
            "version": 1, "action": "ADD", "conflicted": False, "status": "active", "redacted": ["EMAIL_ADDRESS"],
        }  # fmt: skip
        assert "next" not in first
        (pointer,) = (await call(others, "query_brain", **at))["pointers"]
        assert set(pointer) == POINTER
        assert (pointer["id"], pointer["unit"], pointer["match"], pointer["conflict"]) == (first["id"], True, "exact", False)
        seen = await call(others, "read_unit", brain_id=brain, unit_id=first["id"])
        assert (seen["version"], seen["freshness"], seen["content"][:26]) == (1, "fresh", "Meridian pays in 30 days; ")
        assert "conflict" not in seen
        await call(ones, "write_unit", **at, content="Meridian pays in 40 days", base_version=1)
        late = await call(others, "write_unit", **at, content="Meridian pays in 45 days", base_version=seen["version"])
        assert (late["version"], late["action"], late["conflicted"]) == (3, "UPDATE", True)
        assert "read_unit" in late["next"]
        (pointer,) = (await call(reading, "query_brain", **at))["pointers"]
        assert (pointer["preview"], pointer["conflict"]) == ("Meridian pays in 45 days", True)
        both = await call(reading, "read_unit", brain_id=brain, unit_id=pointer["id"])
        assert (both["content"], both["version"]) == ("Meridian pays in 45 days", 3)
        assert [(side["version"], side["content"]) for side in both["sides"]] == [(2, "Meridian pays in 40 days")]
        assert set(both["conflict"]) <= {"base_version", "window"}
        assert ":resolve" in both["next"]
        assert (await refused(reading, "write_unit", {**at, "content": "mine"}))["code"] == "access_denied"
        merged = await call(ones, "write_unit", **at, content="Meridian pays in 40 days, abroad in 45", base_version=3)
        assert (await call(reading, "query_brain", **at))["pointers"][0]["conflict"] is True, "a later write does not settle it"
        body = {"keep_version": merged["version"]}
        await bruno.send("POST", f"/v1/memories/{pointer['id']}:resolve", expect=200, json=body)
        settled = await call(reading, "read_unit", brain_id=brain, unit_id=pointer["id"])
        assert settled["content"] == "Meridian pays in 40 days, abroad in 45"
        assert "sides" not in settled
    assert "rui@example.com" not in json.dumps([first, seen, late, both, settled])


async def test_pointers_never_hold_bodies_and_the_reply_is_short(connected: Connect, ana: Caller) -> None:
    brain = await ana.make_brain()
    body = "The first line says it.\nThe ledger in the cellar has the rest. " + "Counted twice, herring and salt. " * 40
    for n in range(30):
        await put(ana, brain, f"clients/meridian/{n:02}", f"{n}: {body}")
    async with connected(ana) as client:
        result = await client.call_tool("query_brain", {"brain_id": brain, "topic": "clients/meridian"})
        near = await call(client, "query_brain", brain_id=brain, topic="client/meridain")
        nothing = await call(client, "query_brain", brain_id=brain, topic="zzz")
        deeper = await call(client, "query_brain", brain_id=brain, topic="clients/meridian/29")
        whole = await call(client, "read_unit", brain_id=brain, unit_id=deeper["pointers"][0]["id"])
    reply = json.loads(text_of(result))
    assert count_tokens(text_of(result)) <= 1_000
    assert len(reply["pointers"]) > 5
    assert len(reply["pointers"]) + reply["left_out"] == 30
    assert "read_unit" in reply["more"]
    assert "cellar" not in text_of(result)
    assert (near["pointers"], near["suggestions"][0]) == ([], "clients/meridian")
    assert nothing == {"pointers": []}
    assert deeper["pointers"][0]["match"] == "exact"
    assert whole["content"].startswith("29: The first line")
    assert whole["content"].count("herring") == 40


async def test_an_ordinary_memory_of_a_topic_is_read_like_a_unit(connected: Connect, ana: Caller) -> None:
    brain = await ana.make_brain()
    plain = await ana.write("Meridian likes short meetings", brain_id=brain, topic="Clients/Meridian")
    async with connected(ana) as client:
        (pointer,) = (await call(client, "query_brain", brain_id=brain, topic="meridian"))["pointers"]
        assert (pointer["id"], pointer["unit"], pointer["match"]) == (plain["id"], False, "words")
        shown = await call(client, "read_unit", brain_id=brain, unit_id=plain["id"])
        assert (shown["content"], shown["topic"]) == ("Meridian likes short meetings", "Clients/Meridian")


async def test_a_unit_with_long_sides_is_whole_and_its_reply_is_bounded(connected: Connect, ana: Caller) -> None:
    brain, bruno, carla, _ = await make_room(ana)
    unit = await put(bruno, brain, TOPIC, "start")
    for n in range(6):
        await put((carla, bruno)[n % 2], brain, TOPIC, f"side {n}: " + f"herring {n} and salt, " * 500)
    async with connected(ana) as client:
        result = await client.call_tool("read_unit", {"brain_id": brain, "unit_id": unit["id"]})
    reply = json.loads(text_of(result))
    assert reply["content"].count("herring 5") == 500
    assert count_tokens(text_of(result)) <= 8_000
    assert len(reply["sides"]) + reply.get("left_out", 0) + reply.get("sides_not_shown", 0) == 6
    assert all(len(side["content"]) <= 2_001 for side in reply["sides"])
    assert "GET /v1/memories" in reply["sides_cut"]


async def test_two_memories_are_reported_once_and_both_show_it(connected: Connect, ana: Caller) -> None:
    brain = await ana.make_brain()
    three, two = [(await ana.write(f"A guest may stay {n} nights", brain_id=brain, topic="guests"))["id"] for n in ("three", "two")]
    async with connected(ana) as client:
        said = await call(client, "report_conflict", memory_id=three, other_id=two, note="ask rui@example.com")
        assert await call(client, "report_conflict", memory_id=two, other_id=three) == said
        shown = [await call(client, "read_unit", brain_id=brain, unit_id=m) for m in (three, two)]
        found = await call(client, "recall", query="how many nights may a guest stay?", brain_id=brain)
        same = await refused(client, "report_conflict", {"memory_id": two, "other_id": two})
    assert [s["sides"][0]["memory_id"] for s in shown] == [two, three]
    assert [s["conflict"] for s in shown] == [["reported"], ["reported"]]
    assert all(e["conflict"] == ["reported"] for e in found["evidence"])
    assert (same["code"], same["field"]) == ("invalid_input", "other_id")
    assert "rui@example.com" not in json.dumps([shown, found])


async def test_a_stranger_learns_nothing_of_a_brain(connected: Connect, ana: Caller) -> None:
    brain = await ana.make_brain()
    units = [(await put(ana, brain, topic, f"about {topic}"))["id"] for topic in (TOPIC, "clients/orion")]
    rita = await ana.make_person("Rita")
    nowhere = "00000000-0000-7000-8000-000000000000"
    async with connected(rita) as client:
        for name, arguments in {
            "query_brain": {"topic": TOPIC},
            "write_unit": {"topic": TOPIC, "content": "mine"},
            "read_unit": {"unit_id": units[0]},
        }.items():
            told = [await refused(client, name, {"brain_id": b, **arguments}) for b in (brain, nowhere)]
            assert told[0] == told[1]
            assert told[0]["code"] == "not_found", name
        told = [await refused(client, "report_conflict", {"memory_id": units[0], "other_id": m}) for m in (units[1], nowhere)]
        assert told[0] == told[1]
        assert told[0]["code"] == "not_found"


# ------------------------------------------------------------------------------------------------------------ of a subject
async def test_a_card_and_the_lines_of_a_subject(connected: Connect, ana: Caller) -> None:
    rui = await ana.make_person("Rui")
    about = [str(rui.subject_id)]
    await ana.write("Rui is allergic to peanuts", about=about, placement="front")
    await ana.write("Rui moves to São Paulo in March\nand takes the ferry", about=about, topic="travel", placement="drawer")
    async with connected(ana) as client:
        card = await call(client, "get_card", subject_id=about[0])
        assert (card["name"], card["in_drawer"]) == ("Rui", 1)
        assert "peanuts" in card["card"]
        assert "Paulo" not in card["card"]
        found = await call(client, "grep_memory", subject_id=about[0], pattern="sao paulo")
        assert [(line["line"], line["text"], line["topic"]) for line in found["lines"]] == [
            (1, "Rui moves to São Paulo in March", "travel")
        ]
        everywhere = await call(client, "grep_memory", subject_id=about[0], pattern="(peanuts|ferry)", regex=True)
        assert len(everywhere["lines"]) == 2, "front and drawer"
        wrong = await refused(client, "grep_memory", {"subject_id": about[0], "pattern": "(herring", "regex": True})
        assert (wrong["code"], wrong["field"]) == ("invalid_input", "pattern")
        assert "herring" not in json.dumps(wrong)
        heard: dict[str, Any] = {"subject_id": about[0], "audience": [str(rui.subject_id)]}
        assert "peanuts" not in json.dumps(await call(client, "get_card", **heard))
        assert (await call(client, "grep_memory", **heard, pattern="peanuts"))["lines"] == []
        nowhere = "00000000-0000-7000-8000-000000000000"
        for name, more in (("get_card", {}), ("grep_memory", {"pattern": "x"})):
            assert (await refused(client, name, {"subject_id": nowhere, **more}))["code"] == "not_found"


async def test_a_name_gives_an_id_or_those_who_may_be_meant(connected: Connect, ana: Caller) -> None:
    ids = {}
    for name in ("Mike Okafor", "Mike Larsen", "Rui Barbosa"):
        body = {"kind": "person", "name": name, "aliases": [name.split()[0]]}
        ids[name] = (await ana.send("POST", "/v1/subjects", expect=201, json=body))["id"]
    async with connected(ana) as client:
        assert (await call(client, "resolve_subject", name="rui"))["subject"]["subject_id"] == ids["Rui Barbosa"]
        mikes = await call(client, "resolve_subject", name="Mike")
        assert "subject" not in mikes
        assert {c["subject_id"] for c in mikes["candidates"]} == {ids["Mike Okafor"], ids["Mike Larsen"]}
        assert (await call(client, "resolve_subject", name="Zoe"))["candidates"] == []


async def test_of_many_who_may_be_meant_the_reply_says_how_many_it_leaves_out(connected: Connect, ana: Caller) -> None:
    for number in range(23):
        await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": f"Mike {number}", "aliases": ["Mike"]})
    async with connected(ana) as client:
        mikes = await call(client, "resolve_subject", name="Mike")
    assert len(mikes["candidates"]) + mikes["left_out"] == 23
    assert "brain_id" in mikes["more"]


@pytest.mark.parametrize("budget", [200, 1_000])
async def test_card_and_lines_fit_a_prompt(connected: Connect, ana: Caller, budget: int) -> None:
    rui = await ana.make_person("Rui")
    lines = [
        {"content": f"{n}: Rui counts barrels of herring, {'twice and ' * 15} once", "about": [str(rui.subject_id)], "kind": "episodic"}
        for n in range(60)
    ]
    await ana.write_batch(lines)
    async with connected(ana) as client:
        card = await client.call_tool("get_card", {"subject_id": str(rui.subject_id), "token_budget": budget})
        found = await client.call_tool("grep_memory", {"subject_id": str(rui.subject_id), "pattern": "herring", "limit": 50})
    assert not card.is_error
    assert count_tokens(text_of(card)) <= budget
    assert count_tokens(text_of(found)) <= 2_000
    reply = json.loads(text_of(found))
    assert len(reply["lines"]) + reply["left_out"] == 50
    assert "note" in reply
