"""An erasure that is cut off goes on, nobody brings back what is under way, and what may not be erased is refused."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from memdb.lifecycle.erasure import requests, scanning
from memdb.lifecycle.erasure import run as running
from tests.integration.erasure.asking import Rows, forget, make_subject
from tests.integration.sessions.learning import work

if TYPE_CHECKING:
    from tests.support.product import Caller, Json


async def state_of(admin: Caller, erasure: Json) -> str:
    return str((await admin.send("GET", f"/v1/admin/erasures/{erasure['id']}", expect=200))["state"])


async def test_what_takes_longer_than_a_request_is_finished_by_a_job(ana: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    zilda = await make_subject(ana, "Zilda Quaresma")
    for number in range(30):
        await ana.write(f"Zilda owns boat number {number}.", about=[zilda])
    monkeypatch.setattr(requests, "BUDGET_S", 0.0)
    begun = await forget(ana, "subjects", zilda, expect=202)
    assert begun["state"] == "running"
    await ana.send("GET", f"/v1/subjects/{zilda}", expect=404)
    await work(ana.product)
    done = await ana.send("GET", f"/v1/admin/erasures/{begun['id']}", expect=200)
    assert done["state"] == "complete"
    assert done["counts"]["memories"] == 30
    assert await Rows(ana).holding("zilda", "quaresm") == {}
    listed = await ana.send("GET", "/v1/admin/erasures", expect=200)
    assert [one["id"] for one in listed["items"]] == [begun["id"]]


async def test_a_worker_that_dies_leaves_the_rest_to_the_next(ana: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    zilda = await make_subject(ana, "Zilda Quaresma")
    await ana.write("Zilda owns a boat.", about=[zilda])
    await ana.write("The boat of Zilda Quaresma is blue.")
    scan = scanning.scan_brain
    died: list[UUID] = []

    async def dies(turn: Any, brain_id: UUID) -> None:
        await scan(turn, brain_id)
        if turn.changed and not died:
            died.append(brain_id)
            raise RuntimeError("killed")

    monkeypatch.setattr(running, "scan_brain", dies)
    await forget(ana, "subjects", zilda, expect=500)
    assert died
    await work(ana.product)
    listed = await ana.send("GET", "/v1/admin/erasures", expect=200)
    assert [one["state"] for one in listed["items"]] == ["complete"]
    assert await Rows(ana).holding("zilda", "quaresm") == {}


async def test_two_workers_are_never_at_one_erasure(ana: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    zilda = await make_subject(ana, "Zilda Quaresma")
    await ana.write("Zilda owns a boat.", about=[zilda])
    monkeypatch.setattr(requests, "BUDGET_S", 0.0)
    begun = await forget(ana, "subjects", zilda, expect=202)
    runtime, org_id, erasure_id = ana.product.runtime, ana.org_id, UUID(begun["id"])
    await asyncio.gather(*(running.run(runtime, org_id, erasure_id) for _ in range(3)))
    await running.run(runtime, org_id, erasure_id)
    assert await state_of(ana, begun) == "complete"
    events = await ana.product.rows(
        "SELECT action FROM mem.audit_events WHERE org_id = :o AND action IN ('memory.erase', 'erasure.complete') ORDER BY action", o=org_id
    )
    assert [row[0] for row in events] == ["erasure.complete", "memory.erase"]


async def test_a_write_that_is_under_way_while_somebody_is_erased_stores_nothing_about_them(
    ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    zilda = await make_subject(ana, "Zilda Quaresma")
    embed = type(ana.product.runtime.embedder).embed_documents
    erased: list[Json] = []

    async def slow(self: Any, texts: Any) -> Any:
        if not erased and any("boat" in text for text in texts):
            erased.append({})
            erased[0] = await forget(ana, "subjects", zilda)
        return await embed(self, texts)

    monkeypatch.setattr(type(ana.product.runtime.embedder), "embed_documents", slow)
    refused = await ana.write("Zilda owns a boat.", about=[zilda], expect=422)
    assert refused["code"] == "invalid_input"
    assert erased[0]["state"] == "complete"
    assert await Rows(ana).holding("zilda", "quaresm") == {}


async def test_a_legal_hold_refuses_before_anything_is_touched(ana: Caller) -> None:
    zilda = await make_subject(ana, "Zilda Quaresma")
    brain = await ana.make_brain()
    kept = await ana.write("Zilda owns a boat.", about=[zilda], brain_id=brain)

    async def hold(**held: list[str]) -> None:
        await ana.send("PUT", "/v1/admin/policy", expect=200, json={"legal_hold": held})

    await hold(subjects=[zilda])
    assert (await forget(ana, "subjects", zilda, expect=409))["code"] == "legal_hold"
    await hold(brains=[brain])
    assert (await forget(ana, "subjects", zilda, expect=409))["code"] == "legal_hold"
    assert (await forget(ana, "memories", kept["id"], expect=409))["code"] == "legal_hold"
    assert (await ana.read(kept["id"]))["content"] == "Zilda owns a boat."
    await hold()
    assert (await forget(ana, "subjects", zilda))["state"] == "complete"


async def test_who_may_not_erase_is_refused(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno Lima")
    zilda = await make_subject(ana, "Zilda Quaresma")
    secret = await ana.write("The vault is blue.")
    assert (await forget(bruno, "subjects", zilda, expect=403))["code"] == "access_denied"
    assert (await forget(bruno, "memories", secret["id"], expect=404))["code"] == "not_found"
    await bruno.send("GET", "/v1/admin/erasures", expect=403)
    stranger = await ana.product.make_caller()
    await forget(stranger, "subjects", zilda, expect=404)
    await forget(stranger, "memories", secret["id"], expect=404)
    own = await bruno.write("I like tea.")
    assert (await forget(bruno, "memories", own["id"]))["state"] == "complete"


async def test_merged_people_go_together_and_a_key_of_theirs_opens_nothing(ana: Caller) -> None:
    zilda = await ana.make_person("Zilda Quaresma", writer_label="zilda-laptop")
    other = await make_subject(ana, "Z. Quaresminha")
    bruno = await make_subject(ana, "Bruno Lima")
    shared = await ana.make_brain()
    await ana.send("POST", f"/v1/brains/{shared}/members", expect=201, json={"subject_id": str(zilda.subject_id), "role": "writer"})
    kept = await zilda.write("Bruno likes tea.", about=[bruno], brain_id=shared)
    await zilda.edit(kept["id"], content="Bruno likes green tea.")
    await ana.send("POST", f"/v1/subjects/{other}:merge", expect=200, json={"into_id": str(zilda.subject_id)})
    await zilda.write("I keep a diary.")
    await zilda.delete((await zilda.write("I had a cold."))["id"])
    await ana.write("Quaresminha sings.", about=[other])
    done = await forget(ana, "subjects", other)
    assert done["state"] == "complete"
    assert set(done["receipt"]["subject_ids"]) == {other, str(zilda.subject_id)}
    assert await Rows(ana).holding("diary", "quaresm", "sings") == {}
    assert (await ana.read(kept["id"]))["content"] == "Bruno likes green tea."
    assert await Rows(ana).holding("zilda") == {}
    await zilda.send("GET", "/v1/memories", expect=401)
