"""Two subjects that are one: a row says so, reads follow it at once, and deleting the row undoes exactly that."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from memdb.storage.access import load_audience
from memdb.storage.database import Identity
from tests.integration.directory.people import answer, candidates, make, merge, read, resolve, see, split
from tests.support.product import Caller


async def audience(admin: Caller, *subject_ids: str) -> dict[str, set[str]]:
    """Brains that each reaches, as the owner sees them."""
    async with admin.product.owner.read(Identity(admin.org_id)) as conn:
        found = await load_audience(conn, admin.org_id, map(UUID, subject_ids))
    return {str(s): set(map(str, brains)) for s, brains in found.items()}


async def test_one_person_on_two_platforms_is_one_until_split(admin: Caller) -> None:
    slack = await make(admin, "Mike Okafor", identities=[{"platform": "slack", "external_id": "U0MIKE"}])
    phone = await make(admin, "Mike", aliases=["Big Mike"], identities=[{"platform": "whatsapp", "external_id": "mike-2"}])
    rooms = [await admin.make_brain(n, members=[{"subject_id": s, "role": "reader"}]) for n, s in (("One", slack), ("Two", phone))]
    before = await audience(admin, slack, phone)
    assert await answer(admin, "mike") is None

    merged = await merge(admin, phone, slack)
    assert (merged["id"], merged["merged_into"], merged["also"]) == (phone, slack, [])
    assert ((await read(admin, slack))["merged_into"], (await read(admin, slack))["also"]) == (None, [phone])
    found = await admin.send("POST", "/v1/subjects:lookup", expect=200, json={"platform": "whatsapp", "external_id": "mike-2"})
    assert (found["id"], found["merged_into"]) == (phone, slack)
    for name in ("mike", "Big Mike", "okafor"):
        assert await answer(admin, name) == slack
        assert await answer(admin, name, brain_id=rooms[1]) == slack
    assert await answer(admin, "mike", brain_id=rooms[0], platform="whatsapp") == slack
    heard = await audience(admin, slack, phone)
    assert heard[slack] == heard[phone] == before[slack] | before[phone]
    assert set(rooms) <= heard[slack]

    apart = await split(admin, phone)
    assert (apart["merged_into"], (await read(admin, slack))["also"]) == (None, [])
    assert (await candidates(admin, "mike")).keys() == {slack, phone}
    assert await audience(admin, slack, phone) == before


async def test_an_audience_hears_what_any_identity_may_at_once(admin: Caller) -> None:
    slack, phone, other = [await make(admin, name) for name in ("Mike Slack", "Mike Phone", "Ana")]
    room = await admin.make_brain("Room", members=[{"subject_id": slack, "role": "reader"}, {"subject_id": other, "role": "reader"}])
    await admin.write("The launch moved to Friday", brain_id=room)
    heard = {"audience": [phone, other], "brains": [room]}
    assert await admin.found("when is the launch?", **heard) == []
    await merge(admin, phone, slack)
    assert await admin.found("when is the launch?", **heard) == ["The launch moved to Friday"]
    await split(admin, phone)
    assert await admin.found("when is the launch?", **heard) == []


async def test_rights_do_not_merge(admin: Caller) -> None:
    ana, bea = await admin.make_person("Ana"), await admin.make_person("Bea")
    room = await admin.make_brain("Room", members=[{"subject_id": str(bea.subject_id), "role": "reader"}])
    await merge(admin, str(ana.subject_id), str(bea.subject_id))
    await ana.send("GET", f"/v1/brains/{room}", expect=404)
    await bea.send("GET", f"/v1/brains/{room}", expect=200)


async def test_no_memory_row_is_rewritten(admin: Caller) -> None:
    one, two = await make(admin, "Ana"), await make(admin, "Aninha")
    receipt = await admin.write("Ana likes tea", about=[two])
    rows = "SELECT xmin::text, ctid::text FROM mem.memories WHERE org_id = :org UNION ALL SELECT xmin::text, ctid::text FROM mem.memory_index WHERE org_id = :org"
    before = await admin.product.rows(rows, org=admin.org_id)
    await merge(admin, two, one)
    await split(admin, two)
    assert await admin.product.rows(rows, org=admin.org_id) == before
    assert (await admin.read(receipt["id"]))["about"] == [two]


async def test_chains_are_followed_and_a_split_undoes_one_row(admin: Caller) -> None:
    one, two, three = [await make(admin, f"Ana {n}") for n in ("Um", "Dois", "Tres")]
    await merge(admin, one, two)
    await merge(admin, two, three)
    assert [(await read(admin, s))["merged_into"] for s in (one, two, three)] == [three, three, None]
    assert (await read(admin, three))["also"] == sorted([one, two])
    assert await answer(admin, "ana") == three
    apart = await split(admin, two)
    assert (apart["merged_into"], apart["also"]) == (None, [one])
    assert (await read(admin, one))["merged_into"] == two
    assert (await candidates(admin, "ana")).keys() == {two, three}


async def test_what_cannot_be_merged(admin: Caller) -> None:
    one, two, three = [await make(admin, name) for name in ("Ana", "Bea", "Cleo")]
    agent = await make(admin, "Bot", kind="agent")
    for pair in ((one, one), (one, agent), (str(admin.org_id), one), (one, str(admin.org_id))):
        await merge(admin, *pair, expect=422)
    await merge(admin, one, two)
    again = await merge(admin, one, three, expect=409)
    assert again["code"] == "already_merged"
    assert two in again["detail"]
    assert f"/v1/subjects/{one}:split" in again["detail"]
    into = await merge(admin, three, one, expect=409)
    assert two in into["detail"]
    assert "merge into that one" in into["detail"]
    circle = await merge(admin, two, one, expect=409)
    assert f"/v1/subjects/{one}:split" in circle["detail"]
    await split(admin, two, expect=404)
    await split(admin, one)
    await split(admin, one, expect=404)


@pytest.mark.parametrize("kind", ["team", "project", "agent", "service"])
async def test_agents_teams_and_projects_are_merged_with_their_kind(admin: Caller, kind: str) -> None:
    one, two = await make(admin, "Atlas", kind=kind), await make(admin, "Atlas", kind=kind)
    await merge(admin, one, two)
    assert await answer(admin, "atlas") == two


async def test_merges_at_once_never_make_a_circle(admin: Caller) -> None:
    people = [await make(admin, f"Ana {chr(97 + n)}") for n in range(4)]
    pairs = [(a, b) for a in people for b in people if a != b]
    path = "/v1/subjects/{}:merge"
    done = await asyncio.gather(*(admin.client.post(path.format(a), json={"into_id": b}, headers=admin.headers) for a, b in pairs))
    assert {r.status_code for r in done} <= {200, 409}
    assert sum(r.status_code == 200 for r in done) == len(people) - 1
    roots = {(await read(admin, s))["merged_into"] or s for s in people}
    assert len(roots) == 1


async def test_merging_needs_the_capability_admin_and_is_audited(admin: Caller) -> None:
    one, two = await make(admin, "Ana"), await make(admin, "Bea")
    plain = await admin.make_person("Eve")
    loader = await admin.make_person("Bulk", capabilities=["loader"])
    for caller in (plain, loader):
        await merge(caller, one, two, expect=403)
        await split(caller, one, expect=403)
    await merge(admin, one, two)
    await split(admin, one)
    events = await admin.product.rows(
        "SELECT action, object_id, detail FROM mem.audit_events WHERE org_id = :org AND action LIKE 'subject.%' AND action <> 'subject.create' ORDER BY id",
        org=admin.org_id,
    )
    assert [tuple(e) for e in events] == [("subject.merge", one, {"into": two, "kind": "person"}), ("subject.split", one, {"from": two})]


async def test_candidates_tell_of_all_identities(admin: Caller) -> None:
    slack = await make(admin, "Mike Okafor", identities=[{"platform": "slack", "external_id": "U0MIKE"}])
    phone = await make(admin, "Miguel", identities=[{"platform": "telegram", "external_id": "mike-2"}])
    await make(admin, "Mike Larsen")
    await see(admin, phone, "Miguel", platform="telegram")
    await merge(admin, phone, slack)
    (okafor, _) = (await resolve(admin, "mike"))["candidates"]
    assert okafor["subject_id"] == slack
    assert okafor["aliases"] == ["Miguel", "Mike Okafor"]
    assert {p["platform"] for p in okafor["tells_apart"]["platforms"]} == {"slack", "telegram"}
    assert [s["place"] for s in okafor["tells_apart"]["seen"]] == ["platform:telegram"]
