"""`memdb redact scan` and the labels of speakers: one that may not be kept any more leads to nothing, and takes no other along."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from tests.integration.formation.test_rescan import dump, run_scan
from tests.support.product import Caller, Product


# ------------------------------------------------------------------------------------------------------------------ speakers
def told_by(speaker: str, episode: str = "call-1", position: int = 0) -> dict[str, Any]:
    return {"source": {"episode": {"external_id": episode}, "position": position, "speaker": speaker}}


async def speakers(product: Product, caller: Caller) -> set[tuple[str, str | None]]:
    """Labels of speakers among the entities of the org, each with a memory that they stand at; None for one that stands at none."""
    rows = await product.rows(
        "SELECT e.folded, m.memory_id::text FROM mem.entities e LEFT JOIN mem.memory_entities m ON m.org_id = e.org_id AND m.entity_id = e.id"
        " WHERE e.org_id = :org AND e.kind = 'speaker'",
        org=caller.org_id,
    )
    return {tuple(row) for row in rows}


async def hide_names(caller: Caller, **brains: str) -> None:
    policy = {"actions": {"PERSON": "pseudonymise"}, "brains": {brain: {"PERSON": action} for brain, action in brains.items()}}
    await caller.send("PUT", "/v1/admin/policy", expect=200, json={"redaction": policy})


async def test_a_speaker_whose_name_may_not_be_kept_any_more_leads_to_nothing(ana: Caller, product: Product) -> None:
    room = await ana.make_brain("clients")
    named = (await ana.write("We should paint the boat", "episodic", **told_by("Marina Duarte")))["id"]
    desk = (await ana.write("The paint has arrived", "episodic", **told_by("Support desk", position=1)))["id"]
    elsewhere = (await ana.write("The boat needs paint", "episodic", brain_id=room, **told_by("Marina Duarte")))["id"]
    before = {("marina duarte", named), ("support desk", desk), ("marina duarte", elsewhere)}
    asked: dict[str, Any] = {"weights": {"entity": 1.0}, "min_score": 0.0}
    assert await speakers(product, ana) == before
    assert set(await ana.found_ids("what did Marina Duarte want?", **asked)) == {named, elsewhere}
    await hide_names(ana, **{room: "keep"})
    await run_scan(product, ana, apply=False)
    assert await speakers(product, ana) == before, "a look changes nothing"
    report = await run_scan(product, ana)
    assert report.found["speaker", "PERSON"] == 1
    assert await speakers(product, ana) == {("support desk", desk), ("marina duarte", elsewhere)}, "another brain keeps names"
    assert set(await ana.found_ids("what did Marina Duarte want?", brains=[room], **asked)) == {elsewhere}
    assert named not in await ana.found_ids("what did Marina Duarte want?", **asked)
    assert await ana.found_ids("what did the Support desk say?", **asked) == [desk]
    assert await product.value("SELECT speaker FROM mem.fragments f JOIN mem.memory_fragments m ON m.fragment_id = f.id WHERE m.memory_id = :m", m=UUID(named)) == "[PERSON_1]"  # fmt: skip
    await run_scan(product, ana)
    assert await speakers(product, ana) == {("support desk", desk), ("marina duarte", elsewhere)}


@pytest.mark.parametrize("first", ["Marina Duarte", "Support desk"])
async def test_who_else_said_it_stays_when_one_label_may_not(ana: Caller, product: Product, first: str) -> None:
    other = {"Marina Duarte": "Support desk", "Support desk": "Marina Duarte"}[first]
    told = await ana.write("The ferry leaves at nine", **told_by(first, "call-1"))
    again = await ana.write("The ferry leaves at nine", **told_by(other, "call-2"))
    assert (again["id"], again["action"]) == (told["id"], "REINFORCE")
    await hide_names(ana)
    await run_scan(product, ana)
    assert await speakers(product, ana) == {("support desk", told["id"])}


@pytest.mark.parametrize(("again", "action"), [({}, "REINFORCE"), ({"data": {"pier": 2}}, "UPDATE")])
async def test_what_is_said_again_is_found_by_whoever_said_it(ana: Caller, product: Product, again: dict[str, Any], action: str) -> None:
    first = await ana.write("The ferry leaves at nine", **told_by("Tom", "call-1"))
    assert (await ana.write("The ferry leaves at nine", **told_by("Ida", "call-2"), **again))["action"] == action
    assert await speakers(product, ana) == {("tom", first["id"]), ("ida", first["id"])}
    for name in ("Tom", "Ida"):
        assert await ana.found_ids(f"what did {name} say?", weights={"entity": 1.0}) == [first["id"]]


async def test_a_speaker_of_whom_other_fragments_are_left_is_forgotten_with_the_last(ana: Caller, product: Product) -> None:
    for position in range(3):
        await ana.write(f"Part {position} of the story", "episodic", **told_by("Marina Duarte", position=position))
    await hide_names(ana)
    await run_scan(product, ana)
    assert await speakers(product, ana) == set()
    assert "marina" not in (await dump(product, ana)).lower()
