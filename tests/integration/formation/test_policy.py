"""The redaction policy of an org: set over HTTP, in force at once, for all brains or for one, and never for secrets."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from tests.support.product import Caller, Product

MAIL = "ana.silva@example.com"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


async def set_policy(caller: Caller, *, expect: int = 200, expected_version: int | None = None, **redaction: Any) -> Any:
    body = {"redaction": redaction} | ({} if expected_version is None else {"expected_version": expected_version})
    return await caller.send("PUT", "/v1/admin/policy", expect=expect, json=body)


async def content_of(caller: Caller, text: str, **fields: Any) -> str:
    receipt = await caller.write(text, **fields)
    return str((await caller.read(receipt["id"]))["content"])


async def test_before_anybody_sets_one_the_defaults_hold(ana: Caller) -> None:
    policy = await ana.send("GET", "/v1/admin/policy", expect=200)
    assert (policy["version"], policy["redaction"]) == (0, {"actions": {}, "brains": {}, "recognizers": {}})
    assert policy["effective"]["EMAIL_ADDRESS"] == "pseudonymise"
    assert policy["effective"]["PASSWORD"] == "replace"
    assert (await ana.send("GET", "/v1/admin/policy/versions", expect=200))["items"] == []


async def test_an_action_holds_for_the_next_write_and_the_next_question(ana: Caller) -> None:
    assert await content_of(ana, f"Write to {MAIL} about tea") == "Write to [EMAIL_1] about tea"
    await set_policy(ana, actions={"EMAIL_ADDRESS": "keep"})
    assert await content_of(ana, f"Write to {MAIL} about coffee") == f"Write to {MAIL} about coffee"
    found = (await ana.search(f"who is {MAIL}", weights={"lexical": 1}, min_score=0.0))["evidence"]
    assert [e["memory"]["content"] for e in found][:1] == [f"Write to {MAIL} about coffee"]
    await set_policy(ana, actions={"EMAIL_ADDRESS": "replace"})
    assert await content_of(ana, f"Write to {MAIL} about rum") == "Write to [EMAIL] about rum"


async def test_a_brain_may_differ_from_its_org(ana: Caller, product: Product) -> None:
    clients = await ana.make_brain("clients")
    await set_policy(ana, actions={"PHONE_NUMBER": "mask"}, brains={clients: {"EMAIL_ADDRESS": "keep"}})
    text = f"Call (11) 98765-4321 or write to {MAIL}"
    assert await content_of(ana, text) == "Call [PHONE ****4321] or write to [EMAIL_1]"
    assert await content_of(ana, text, brain_id=clients) == f"Call [PHONE ****4321] or write to {MAIL}"
    # A question that more brains are asked shows no more than the strictest of them would keep.
    await ana.search(f"who is {MAIL}")
    await ana.search(f"who is {MAIL}", brains=[clients])
    queries = await product.rows("SELECT query FROM mem.recalls WHERE org_id = :org ORDER BY id", org=ana.org_id)
    assert [row.query for row in queries] == ["who is [EMAIL_1]", f"who is {MAIL}"]


async def test_an_edit_follows_the_policy_of_its_brain(ana: Caller) -> None:
    receipt = await ana.write("Write to nobody")
    await set_policy(ana, actions={"EMAIL_ADDRESS": "mask"})
    await ana.edit(receipt["id"], content=f"Write to {MAIL}")
    assert (await ana.read(receipt["id"]))["content"] == "Write to [EMAIL ****]"


@pytest.mark.parametrize("action", ["keep", "mask", "pseudonymise"])
async def test_secrets_are_replaced_whatever_is_set(ana: Caller, action: str) -> None:
    problem = await set_policy(ana, expect=422, actions={"API_KEY": action})
    assert problem["code"] == "invalid_input"
    assert await content_of(ana, f"The bot uses {TOKEN} today") == "The bot uses [API_KEY] today"


@pytest.mark.parametrize(
    "redaction",
    [
        {"actions": {"NO_SUCH_TYPE": "keep"}},
        {"actions": {"EMAIL_ADDRESS": "shout"}},
        {"actions": {"DATE_TIME": "replace"}},
        {"brains": {"not-an-id": {}}},
        {"brains": {str(uuid4()): {"NO_SUCH_TYPE": "keep"}}},
        {"surprise": {}},
        {"actions": {MAIL: "keep"}},
    ],
)
async def test_a_malformed_policy_is_refused_and_changes_nothing(ana: Caller, redaction: dict[str, Any]) -> None:
    problem = await set_policy(ana, expect=422, **redaction)
    assert MAIL not in str(problem)
    assert (await ana.send("GET", "/v1/admin/policy", expect=200))["version"] == 0


async def test_a_brain_that_the_administrator_does_not_read_is_not_found(ana: Caller) -> None:
    bruno = await ana.make_person("Bruno", capabilities=[])
    home = (await bruno.write("Bruno likes tea"))["brain_id"]
    for brain in (home, str(uuid4())):
        assert (await set_policy(ana, expect=404, brains={brain: {}}))["code"] == "not_found"


async def test_versions_are_kept_and_listed(ana: Caller) -> None:
    for action in ("keep", "mask", "replace"):
        await set_policy(ana, actions={"EMAIL_ADDRESS": action})
    page = await ana.send("GET", "/v1/admin/policy/versions?limit=2", expect=200)
    rest = await ana.send("GET", f"/v1/admin/policy/versions?limit=2&cursor={page['next_cursor']}", expect=200)
    listed = [*page["items"], *rest["items"]]
    assert [(p["version"], p["redaction"]["actions"]["EMAIL_ADDRESS"]) for p in listed] == [(3, "replace"), (2, "mask"), (1, "keep")]
    assert {p["created_by"] for p in listed} == {str(ana.subject_id)}
    assert (await ana.send("GET", "/v1/admin/policy?version=2", expect=200))["redaction"] == listed[1]["redaction"]
    assert (await ana.send("GET", "/v1/admin/policy?version=4", expect=404))["code"] == "not_found"


async def test_of_two_that_set_the_same_version_one_is_refused(ana: Caller) -> None:
    assert (await set_policy(ana, actions={"EMAIL_ADDRESS": "keep"}, expected_version=0))["version"] == 1
    problem = await set_policy(ana, expect=409, actions={"EMAIL_ADDRESS": "mask"}, expected_version=0)
    assert problem["code"] == "version_conflict"
    body = {"redaction": {"actions": {}}, "expected_version": 1}
    replies = await asyncio.gather(*(ana.client.put("/v1/admin/policy", json=body, headers=ana.headers) for _ in range(4)))
    assert sorted(reply.status_code for reply in replies) == [200, 409, 409, 409]


async def test_it_is_audited_and_needs_an_administrator(ana: Caller, product: Product) -> None:
    bruno = await ana.make_person("Bruno")
    carla = await ana.make_person("Carla", capabilities=["auditor"])
    assert (await set_policy(bruno, expect=403))["code"] == "access_denied"
    assert (await set_policy(carla, expect=403))["code"] == "access_denied"
    await set_policy(ana, actions={"EMAIL_ADDRESS": "keep"})
    assert (await carla.send("GET", "/v1/admin/policy", expect=200))["version"] == 1
    await bruno.send("GET", "/v1/admin/policy", expect=403)
    events = await product.rows(
        "SELECT object_id, detail FROM mem.audit_events WHERE org_id = :org AND action = 'policy.set'", org=ana.org_id
    )
    assert [(e.object_id, e.detail) for e in events] == [("1", {"version": 1, "actions": 1, "brains": 0, "sections": ["redaction"]})]


async def test_another_org_keeps_its_own(ana: Caller, product: Product) -> None:
    await set_policy(ana, actions={"EMAIL_ADDRESS": "keep"})
    other = await product.make_caller()
    assert await content_of(other, f"Write to {MAIL}") == "Write to [EMAIL_1]"
    assert (await other.send("GET", "/v1/admin/policy", expect=200))["version"] == 0


async def test_names_are_looked_for_only_where_a_policy_does_not_keep_them(ana: Caller) -> None:
    text = "I met Marina Duarte in the harbour of Lisbon, and zé da quitanda was there"
    assert await content_of(ana, text) == text
    await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Zé da Quitanda"})
    await set_policy(ana, actions={"PERSON": "pseudonymise"})
    shown = await content_of(ana, text + " again")
    assert "Marina" not in shown
    assert "quitanda" not in shown, "a subject of the org is known in any case"
    assert "in the harbour of" in shown
    found = await ana.search("where did I meet Marina Duarte?")
    assert "Duarte" not in str(found)
