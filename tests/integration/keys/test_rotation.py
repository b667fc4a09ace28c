"""Rotation: a successor with the same rights, and no moment without a key that works."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memdb.directory.rotating import GRACE_DEFAULT_S
from tests.integration.keys.callers import audited, key_id, make_key, make_subject, rotate, status, with_key
from tests.support.product import Caller, Product, open_client

SAME = (
    "subject_id", "writer_label", "max_role", "capabilities", "brains", "act_as_subjects", "act_as_brains", "trust", "requests_per_minute",
    "expires_at",
)  # fmt: skip


async def test_both_keys_work_until_the_grace_is_over(product: Product, ana: Caller) -> None:
    agent = await make_subject(ana, "agent", "helper")
    room = await ana.make_brain(members=[{"subject_id": agent, "role": "writer"}])
    old = await make_key(ana, agent, brains=[room], requests_per_minute=500)
    new = await rotate(ana, old["id"], grace_seconds=3_600)
    assert new["id"] != old["id"]
    assert {field: new[field] for field in SAME} == {field: old[field] for field in SAME}
    former, successor = with_key(ana, old["key"]), with_key(ana, new["key"])
    assert [await status(one) for one in (former, successor)] == [200, 200]
    product.clock.ahead += timedelta(seconds=3_590)
    assert [await status(one) for one in (former, successor)] == [200, 200]
    product.clock.ahead += timedelta(seconds=20)
    assert [await status(one) for one in (former, successor)] == [401, 200]


async def test_the_list_tells_who_follows_and_never_the_key(product: Product, ana: Caller) -> None:
    agent = await make_subject(ana, "agent", "helper")
    old = await make_key(ana, agent)
    new = await rotate(ana, old["id"])
    listed = {one["id"]: one for one in (await ana.send("GET", "/v1/admin/keys", expect=200))["items"]}
    assert listed[old["id"]]["replaced_by"] == new["id"]
    assert listed[new["id"]]["replaced_by"] is None
    ends = await product.value("SELECT expires_at FROM mem.api_keys WHERE org_id = :o AND id = :k", o=ana.org_id, k=old["id"])
    assert abs((ends - product.clock.now()).total_seconds() - GRACE_DEFAULT_S) < 60
    assert new["key"].split("_", 3)[3] not in str(listed)


async def test_it_is_audited_with_both_ids(ana: Caller) -> None:
    old = await make_key(ana, await make_subject(ana, "agent", "helper"))
    new = await rotate(ana, old["id"], grace_seconds=60)
    (event,) = await audited(ana, "key.rotate")
    assert (event.object_id, event.actor_key, event.detail) == (old["id"], key_id(ana), {"successor": new["id"], "grace_s": 60})
    assert (await audited(ana, "key.create"))[-1].detail["replaces"] == old["id"]


async def test_no_grace_ends_the_former_at_once_and_never_later_than_it_would_have(product: Product, ana: Caller) -> None:
    agent = await make_subject(ana, "agent", "helper")
    old = await make_key(ana, agent)
    await rotate(ana, old["id"], grace_seconds=0)
    assert await status(with_key(ana, old["key"])) == 401
    ends = product.clock.now() + timedelta(hours=1)
    brief = await make_key(ana, agent, expires_at=ends.isoformat())
    new = await rotate(ana, brief["id"], grace_seconds=86_400, expires_at=(ends + timedelta(days=9)).isoformat())
    product.clock.ahead += timedelta(hours=2)
    assert await status(with_key(ana, brief["key"])) == 401
    assert await status(with_key(ana, new["key"])) == 200


async def test_a_key_rotates_itself_and_keeps_why_it_was_made(ana: Caller) -> None:
    bea = await ana.make_person("Bea", reason="first key of a new colleague")
    new = await rotate(bea, key_id(bea))
    assert await status(with_key(bea, new["key"])) == 200
    assert new["reason"] == "first key of a new colleague"
    own = {one["id"]: one for one in (await bea.send("GET", "/v1/keys", expect=200))["items"]}
    assert own[new["id"]]["reason"] == "first key of a new colleague"
    assert own[new["id"]]["created_by"] == key_id(bea)


async def test_a_key_does_not_give_itself_more_time(product: Product, ana: Caller) -> None:
    ends = product.clock.now() + timedelta(hours=1)
    brief = with_key(ana, (await make_key(ana, await make_subject(ana, "agent", "h"), expires_at=ends.isoformat()))["key"])
    later = (ends + timedelta(seconds=1)).isoformat()
    refused = await rotate(brief, key_id(brief), expect=403, expires_at=later)
    assert refused["errors"][0]["field"] == "expires_at"
    assert (await rotate(brief, key_id(brief)))["expires_at"] is not None


async def test_a_server_may_forbid_that_keys_rotate_themselves(product: Product, ana: Caller) -> None:
    settings = product.runtime.settings.model_copy(update={"keys_rotate_themselves": False})
    agent = with_key(ana, (await make_key(ana, await make_subject(ana, "agent", "h")))["key"])
    strict = replace(agent, client=open_client(replace(product.runtime, settings=settings)))
    await rotate(strict, key_id(agent), expect=403)
    await rotate(replace(ana, client=strict.client), key_id(agent))


async def test_a_key_rotates_no_other_key(ana: Caller) -> None:
    subject = await make_subject(ana, "agent", "helper")
    one, two = [with_key(ana, (await make_key(ana, subject))["key"]) for _ in range(2)]
    assert (await rotate(one, key_id(two), expect=403))["code"] == "access_denied"
    assert (await rotate(one, "zzzz2222yyyy", expect=403))["code"] == "access_denied"
    assert (await rotate(ana, "zzzz2222yyyy", expect=404))["code"] == "not_found"


async def test_a_second_rotation_names_the_successor(ana: Caller) -> None:
    old = await make_key(ana, await make_subject(ana, "agent", "helper"))
    new = await rotate(ana, old["id"])
    again = await rotate(ana, old["id"], expect=409)
    assert (again["code"], again["successor"]) == ("already_exists", new["id"])
    await rotate(ana, new["id"])


async def test_an_ended_key_is_not_rotated(ana: Caller) -> None:
    old = await make_key(ana, await make_subject(ana, "agent", "helper"))
    await ana.send("DELETE", f"/v1/admin/keys/{old['id']}", expect=204)
    assert (await rotate(ana, old["id"], expect=422))["errors"][0]["field"] == "key_id"


async def test_a_persons_key_is_rotated_by_an_administrator_only_with_a_reason(ana: Caller) -> None:
    bea = await ana.make_person("Bea")
    assert (await rotate(ana, key_id(bea), expect=422))["errors"][0]["field"] == "reason"
    new = await rotate(ana, key_id(bea), reason="the former may have leaked")
    own = {one["id"]: one for one in (await bea.send("GET", "/v1/keys", expect=200))["items"]}
    assert (own[new["id"]]["reason"], own[new["id"]]["created_by"]) == ("the former may have leaked", key_id(ana))


@pytest.mark.parametrize("how", [{"grace_seconds": -1}, {"grace_seconds": 2_592_001}, {"grace_seconds": 1.5}, {"grace": 1}])
async def test_bad_input_is_422(anyone: Caller, how: dict[str, object]) -> None:
    await rotate(anyone, key_id(anyone), expect=422, **how)
