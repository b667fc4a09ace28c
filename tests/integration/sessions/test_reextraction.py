"""Reading a snapshot anew replaces what it alone had made, and touches nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memdb.extraction.by_rules import ByRules
from memdb.extraction.extractor import Found
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind
from tests.integration.sessions.learning import Room, make_room, work
from tests.support.product import Caller, Json, Product

KINDS = ("semantic", "episodic", "procedural", "taxonomic")


class Edited:
    """Reads as the rules do, then leaves out and rewrites some of what they find, as a newer prompt would."""

    def __init__(self, without: str = "", **instead: str) -> None:
        self._without, self._instead = without, instead

    def judge(self) -> None:
        return

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        found = await ByRules().read(kind, transcript)
        kept = [one for one in found.candidates if not self._without or self._without not in (one.content or "")]
        for word, other in self._instead.items():
            kept = [replace(one, content=(one.content or "").replace(word, other), value=other) for one in kept]
        return replace(found, candidates=kept, extractor="edited/1")


async def again(room: Room, snapshot: Json, verb: str = "extract", *, expect: int = 202, who: Caller | None = None, **body: Any) -> Json:
    path = f"/v1/sessions/{room.session}/snapshots/{snapshot['id']}:{verb}"
    answer: Json = await (who or room.agent).send("POST", path, expect=expect, json=body)
    return answer


async def test_what_is_no_longer_found_goes_and_what_is_found_again_stays_as_it_is(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana", "Bruno")
    await room.say(("Ana", "I'm allergic to peanuts."), ("Bruno", "I live in Lisbon."))
    (snapshot,) = await room.learn()
    before = {memory["content"]: memory for memory in await room.memories()}
    changed = await again(room, snapshot)
    assert {one["state"] for one in changed["extractions"]} == {"waiting"}
    await work(product, Edited(without="Lisbon"))
    assert await room.contents() == {"Ana is allergic to peanuts."}
    (kept,) = await room.memories()
    allergy = before["Ana is allergic to peanuts."]
    assert (kept["id"], kept["version"], kept["updated_at"]) == (allergy["id"], allergy["version"], allergy["updated_at"])
    counted = "SELECT reinforced FROM mem.memory_stats WHERE memory_id = CAST(:id AS uuid)"
    assert await product.value(counted, id=kept["id"]) == 0, "said once, though read twice"
    history = await room.agent.history(kept["id"])
    assert [(one["action"], one["reason"]) for one in history["derivations"]] == [("ADD", "new")]


async def test_what_somebody_else_stands_for_stays(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    foods = ("peanuts", "latex", "wasps", "soy", "celery")
    await room.say(*[("Ana", f"I'm allergic to {food}.") for food in foods])
    (first,) = await room.learn()
    made = {memory["content"]: memory for memory in await room.memories()}
    ids = {food: made[f"Ana is allergic to {food}."]["id"] for food in foods}
    await room.say(("Ana", "I'm allergic to latex."))
    await room.learn()
    wasps = made["Ana is allergic to wasps."]
    about = {"about": wasps["about"], "brain_id": room.brain, "topic": wasps["topic"], "data": wasps["data"]}
    repeated = await room.agent.write("Ana is allergic to wasps.", **about)
    assert (repeated["id"], repeated["action"]) == (ids["wasps"], "REINFORCE")
    await room.agent.edit(ids["soy"], tags=["health"])
    await room.agent.send("POST", f"/v1/memories/{ids['celery']}:confirm", expect=200, json={})
    await again(room, first, handlers=["semantic"])
    await work(product, Edited(without="allergic"))
    assert await room.contents() == {f"Ana is allergic to {food}." for food in foods if food != "peanuts"}


async def test_a_dry_run_says_what_would_change_and_changes_nothing(admin: Caller) -> None:
    room = await make_room(admin, "Ana", "Bruno")
    await room.say(("Ana", "I'm allergic to peanuts."), ("Bruno", "I live in Lisbon."))
    (snapshot,) = await room.learn()
    ids = {memory["content"]: memory["id"] for memory in await room.memories()}
    same = await again(room, snapshot, "preview", expect=200, handlers=["semantic"])
    (difference,) = same["differences"]
    assert (sorted(difference["kept"]), difference["added"], difference["removed"]) == (sorted(ids.values()), [], [])
    app = room.agent.client._transport.app  # type: ignore[attr-defined]  # the application that the client talks to
    rules, app.state.learner = app.state.learner, Edited(without="Lisbon", peanuts="walnuts")
    try:
        other = await again(room, snapshot, "preview", expect=200, handlers=["semantic"])
    finally:
        app.state.learner = rules
    (difference,) = other["differences"]
    assert difference["added"] == ["Ana is allergic to walnuts."]
    assert sorted(difference["removed"]) == sorted(ids.values())
    assert await room.contents() == set(ids), "nothing has changed"
    (read,) = (await room.agent.send("GET", f"/v1/sessions/{room.session}/snapshots", expect=200))["items"]
    assert {one["state"] for one in read["extractions"]} == {"done"}


async def test_a_handler_that_is_switched_on_later_reads_what_is_there(admin: Caller, product: Product) -> None:
    await admin.send("PUT", "/v1/admin/policy", expect=200, json={"memory": {"extraction": {"enabled": []}}})
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."))
    (snapshot,) = await room.learn()
    assert snapshot["extractions"] == []
    assert (await again(room, snapshot, expect=403, handlers=["semantic"]))["code"] == "policy_rejected"
    assert (await again(room, snapshot))["extractions"] == [], "none is switched on"
    await admin.send("PUT", "/v1/admin/policy", expect=200, json={"memory": {"extraction": {"enabled": ["semantic"]}}})
    assert [one["handler"] for one in (await again(room, snapshot))["extractions"]] == ["semantic"]
    await work(product)
    assert await room.contents() == {"Ana is allergic to peanuts."}


async def test_only_who_may_write_reads_anew(admin: Caller) -> None:
    room, other = await make_room(admin, "Ana"), await make_room(admin, "Bruno")
    await room.say(("Ana", "I'm allergic to peanuts."))
    (snapshot,) = await room.learn()
    for verb in ("extract", "preview"):
        await again(room, snapshot, verb, expect=404, who=other.agent)
    await again(other, snapshot, expect=404)
    await again(room, snapshot, expect=422, handlers=[])
    await again(room, snapshot, expect=422, handlers=["working"])


async def test_what_is_said_late_of_an_earlier_time_ends_where_the_next_began(admin: Caller) -> None:
    room = await make_room(admin, "Ana")
    speaker = {"speaker": {"subject_id": room.people["Ana"]}}
    await room.say({"text": "I live in Porto.", "said_at": "2025-06-01T09:00:00Z", **speaker})
    await room.learn()
    await room.say({"text": "I live in Lisbon.", "said_at": "2023-06-01T09:00:00Z", **speaker})
    await room.learn()
    now = await room.agent.found("where does Ana live?")
    assert now == ["Ana lives in Porto."]
    then = await room.agent.found("where does Ana live?", valid_at="2024-01-01T00:00:00Z")
    assert then == ["Ana lives in Lisbon."]


async def test_what_the_same_snapshot_says_again_is_kept_whatever_its_kind(admin: Caller, product: Product) -> None:
    await admin.send("PUT", "/v1/admin/policy", expect=200, json={"memory": {"extraction": {"enabled": list(KINDS)}}})
    room = await make_room(admin, "Ana")
    said = (
        "I live in Lisbon.",
        "Yesterday I went to the dentist.",
        "To restart the server, first stop the queue, then run make restart.",
        "A runbook is a list of steps for an incident.",
    )
    await room.say(*[("Ana", text) for text in said])
    (snapshot,) = await room.learn()
    before = {memory["id"]: (memory["kind"], memory["version"], memory["updated_at"]) for memory in await room.memories()}
    assert {kind for kind, *_ in before.values()} == set(KINDS)
    differences = (await again(room, snapshot, "preview", expect=200))["differences"]
    assert [(one["added"], one["removed"], one["updated"]) for one in differences] == [([], [], [])] * 4
    assert {memory_id for one in differences for memory_id in one["kept"]} == set(before)
    await again(room, snapshot)
    await work(product)
    assert {memory["id"]: (memory["kind"], memory["version"], memory["updated_at"]) for memory in await room.memories()} == before
