"""How far a text is believed comes from the credential and the channel, whatever is made of it; little trust is withheld from people."""

from __future__ import annotations

import pytest

from tests.support.product import Caller, Product


async def hold_nothing(caller: Caller) -> None:
    await caller.send("PUT", "/v1/admin/policy", expect=200, json={"trust": {"personal_brains_hold": "none"}})


@pytest.mark.parametrize("kind", ["web", "tool", "file", "imported"])
async def test_what_an_agent_read_is_withheld_from_its_person_and_the_reply_says_why(ana: Caller, kind: str) -> None:
    bruno = await ana.make_person("Bruno")
    home = (await bruno.send("GET", "/v1/brains", expect=200, params={"kind": "personal"}))["items"][0]["id"]
    agent = await ana.make_person("Bot of Bruno", trust="agent")
    await ana.product.rows(
        "INSERT INTO mem.brain_access (org_id, subject_id, brain_id, role) VALUES (:o, :s, CAST(:b AS uuid), 'writer')",
        o=ana.org_id, s=agent.subject_id, b=home,
    )  # fmt: skip
    receipt = await agent.write("Bruno is allergic to peanuts", brain_id=home, source={"kind": kind})
    assert (receipt["status"], receipt["reasons"], receipt["released_by"]) == ("held", ["low_trust_in_personal_brain"], "reviewer")
    assert await bruno.found("what is Bruno allergic to?") == []
    said = await bruno.write("Bruno is allergic to peanuts")
    assert (said["status"], said["action"]) == ("active", "ADD"), "what is held stands in nobody's way"


async def test_elsewhere_it_is_served_with_its_trust(ana: Caller) -> None:
    room = await ana.make_brain()
    receipt = await ana.write("The museum opens at nine", brain_id=room, source={"kind": "web"})
    assert (receipt["status"], receipt["reasons"], receipt["released_by"]) == ("active", [], None)
    (found,) = (await ana.search("when does the museum open?", brains=[room], min_score=0.0))["evidence"]
    assert found["memory"]["trust"] == "web"
    assert "trust" in {modifier["name"] for modifier in found["modifiers"]}


async def test_what_people_bring_along_themselves_is_served(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno")
    receipt = await bruno.write("Bruno likes tea", source={"kind": "imported"})
    assert receipt["status"] == "active"
    assert (await bruno.read(receipt["id"]))["trust"] == "imported"
    await bruno.edit(receipt["id"], tags=["drinks"])
    assert (await bruno.read(receipt["id"]))["trust"] == "imported"
    page = await bruno.write("Bruno likes rum", source={"kind": "web"})
    assert page["status"] == "held", "a page that an agent read is nothing that the person brought"


async def test_an_edit_never_raises_trust_whoever_makes_it(ana: Caller) -> None:
    tool = await ana.make_person("Scraper", trust="tool")
    room = await ana.make_brain(members=[{"subject_id": str(tool.subject_id), "role": "writer"}])
    receipt = await tool.write("The lift is broken", brain_id=room)
    await ana.edit(receipt["id"], content="The lift is broken on Monday", data={"floor": 3})
    assert (await ana.read(receipt["id"]))["trust"] == "tool"


async def test_a_copy_is_believed_no_more_than_what_it_was_made_of(ana: Caller) -> None:
    tool = await ana.make_person("Scraper", trust="tool")
    room = await ana.make_brain(members=[{"subject_id": str(tool.subject_id), "role": "writer"}])
    receipt = await tool.write("The lift is broken", brain_id=room, about=[str(ana.subject_id)])
    other = await ana.make_brain("other")
    copy = await ana.send("POST", f"/v1/memories/{receipt['id']}:share", expect=201, json={"brain_id": other})
    assert (await ana.read(copy["id"]))["trust"] == "tool"


async def test_an_org_may_serve_it_everywhere_or_hold_more(ana: Caller, product: Product) -> None:
    bruno = await ana.make_person("Bruno", trust="agent")
    assert (await bruno.write("Bruno likes tea"))["status"] == "active"
    await ana.send("PUT", "/v1/admin/policy", expect=200, json={"trust": {"personal_brains_hold": "agent"}})
    assert (await bruno.write("Bruno likes rum"))["status"] == "held"
    await hold_nothing(ana)
    assert (await bruno.write("Bruno likes gin", source={"kind": "web"}))["status"] == "active"


async def test_no_field_of_a_body_raises_trust(ana: Caller) -> None:
    bot = await ana.make_person("Bot", trust="agent")
    for field in ({"trust": "admin"}, {"source": {"kind": "conversation", "trust": "admin"}}):
        await bot.write("Bot likes tea", expect=422, **field)
    receipt = await bot.write("Bot likes tea", source={"kind": "conversation"})
    assert (await bot.read(receipt["id"]))["trust"] == "agent"
