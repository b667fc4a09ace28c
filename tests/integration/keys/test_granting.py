"""Who may make which key: nothing wider or longer than the maker's, and no quiet way into another person's memories."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.integration.keys.callers import audited, key_id, make_key, make_subject, status, with_key
from tests.support.product import Caller, Product

ADMIN = {"capabilities": ["admin", "act_as"], "max_role": "admin"}


async def test_a_key_makes_none_that_outlives_it(product: Product, ana: Caller) -> None:
    ends = product.clock.now() + timedelta(days=1)
    brief = with_key(ana, (await make_key(ana, ana.subject_id, expires_at=ends.isoformat(), **ADMIN))["key"])
    agent = await make_subject(ana, "agent", "helper")
    for wrong in ({}, {"expires_at": (ends + timedelta(seconds=1)).isoformat()}):
        assert (await make_key(brief, agent, expect=403, **wrong))["errors"][0]["field"] == "expires_at"
    await make_key(brief, agent, expires_at=ends.isoformat())


async def test_a_key_grants_no_more_requests_than_it_has(ana: Caller) -> None:
    slow = with_key(ana, (await make_key(ana, ana.subject_id, requests_per_minute=100, **ADMIN))["key"])
    agent = await make_subject(ana, "agent", "helper")
    for wrong in ({}, {"requests_per_minute": 101}):
        assert (await make_key(slow, agent, expect=403, **wrong))["errors"][0]["field"] == "requests_per_minute"
    assert (await make_key(slow, agent, requests_per_minute=100))["requests_per_minute"] == 100


async def test_a_key_that_lists_whom_it_acts_for_grants_only_those(ana: Caller) -> None:
    one, other, room = await make_subject(ana, "agent", "a"), await make_subject(ana, "agent", "b"), await ana.make_brain()
    listed = with_key(ana, (await make_key(ana, ana.subject_id, act_as_subjects=[one], **ADMIN))["key"])
    bridge = await make_subject(ana, "service", "bridge")
    for field, ids in (("act_as_subjects", [one, other]), ("act_as_brains", [room])):
        refused = await make_key(listed, bridge, expect=403, capabilities=["act_as"], **{field: ids})
        assert refused["errors"][0]["field"] == field
    await make_key(listed, bridge, capabilities=["act_as"], act_as_subjects=[one])


async def test_a_key_for_another_person_needs_a_reason_that_this_person_sees(product: Product, ana: Caller) -> None:
    bea = await ana.make_person("Bea")
    assert (await make_key(ana, bea.subject_id, expect=422))["errors"][0]["field"] == "reason"
    made = await make_key(ana, bea.subject_id, reason="her phone is lost; mail bea@example.com", expect=201)
    assert "bea@example.com" not in made["reason"]
    assert await product.value("SELECT count(*) FROM mem.api_keys WHERE reason LIKE '%bea@example%'") == 0
    seen = {one["id"]: one for one in (await bea.send("GET", "/v1/keys", expect=200))["items"]}[made["id"]]
    assert (seen["reason"], seen["created_by"]) == (made["reason"], key_id(ana))
    assert "key" not in seen
    event = (await audited(ana, "key.create"))[-1]
    assert (event.object_id, event.detail["for_others"], event.detail["reasoned"]) == (made["id"], True, True)
    assert "phone" not in str(event)


@pytest.mark.parametrize("through", ["act_as_subjects", "act_as_brains"])
async def test_acting_for_another_person_is_no_way_round(ana: Caller, through: str) -> None:
    bea, cleo = await ana.make_person("Bea"), await ana.make_person("Cleo")
    home = (await ana.send("GET", f"/v1/subjects/{bea.subject_id}", expect=200))["home_brain_id"]
    bridge = await make_subject(ana, "service", "bridge")
    grant = {"capabilities": ["act_as"], through: [str(bea.subject_id) if through == "act_as_subjects" else home]}
    assert (await make_key(ana, bridge, expect=422, **grant))["errors"][0]["field"] == "reason"
    made = await make_key(ana, bridge, reason="the chat bridge", **grant)
    assert made["id"] in {one["id"] for one in (await bea.send("GET", "/v1/keys", expect=200))["items"]}
    assert made["id"] not in {one["id"] for one in (await cleo.send("GET", "/v1/keys", expect=200))["items"]}


async def test_keys_of_oneself_of_agents_and_services_need_none(ana: Caller) -> None:
    room = await ana.make_brain()
    for subject in (ana.subject_id, await make_subject(ana, "agent", "helper"), await make_subject(ana, "service", "bridge")):
        await make_key(ana, subject, capabilities=["act_as"], act_as_brains=[room])


async def test_whoever_acts_for_somebody_does_not_see_their_keys(ana: Caller) -> None:
    bea = await ana.make_person("Bea")
    bridge = await make_subject(ana, "service", "bridge")
    grant = {"capabilities": ["act_as"], "act_as_subjects": [str(bea.subject_id)], "reason": "the chat bridge"}
    acting = with_key(ana, (await make_key(ana, bridge, **grant))["key"])
    assert await status(acting, path="/v1/keys", params=None) == 200
    reply = await acting.client.get("/v1/keys", headers={**acting.headers, "Memdb-Act-As": str(bea.subject_id)})
    assert reply.status_code == 403


async def test_own_keys_come_in_pages(ana: Caller) -> None:
    wanted = {key_id(ana)} | {(await make_key(ana, ana.subject_id))["id"] for _ in range(4)}
    found, cursor = [], None
    while True:
        page = await ana.send("GET", "/v1/keys", expect=200, params={"limit": 2} | ({"cursor": cursor} if cursor else {}))
        found += [one["id"] for one in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == sorted(wanted)
