"""The credential: where it is looked for, when it is refused, whom it acts for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from memdb.storage.database import Database, Identity
from tests.integration.conftest import Org, SteppingClock

WRONG_SECRET = "A" * 43


async def make_person(client: httpx.AsyncClient, org: Org, name: str, **more: Any) -> dict[str, Any]:
    reply = await client.post("/v1/subjects", headers=org.headers, json={"kind": "person", "name": name, **more})
    assert reply.status_code == 201, reply.text
    return dict(reply.json())


async def make_key(client: httpx.AsyncClient, org: Org, subject_id: str, **more: Any) -> dict[str, Any]:
    body = {"subject_id": subject_id, "writer_label": "bot", "max_role": "admin", "trust": "agent", "reason": "tests", **more}
    reply = await client.post("/v1/admin/keys", headers=org.headers, json=body)
    assert reply.status_code == 201, reply.text
    return dict(reply.json())


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


async def test_a_key_is_taken_from_either_header(client: httpx.AsyncClient, org: Org) -> None:
    for headers in (org.headers, {"X-API-Key": org.key}, {**org.headers, "X-API-Key": org.key}):
        assert (await client.get("/v1/brains", headers=headers)).status_code == 200


async def test_every_unusable_credential_gets_the_same_answer(client: httpx.AsyncClient, org: Org) -> None:
    _, name, key_id, secret = org.key.split("_", 3)
    bad = [
        f"memdb_nobody_{key_id}_{secret}",
        f"memdb_{name}_zzzz2222yyyy_{secret}",
        f"memdb_{name}_{key_id}_{WRONG_SECRET}",
        f"memdb_{name}_{key_id}_{secret[:-1]}",
        f"{name}' OR '1'='1",
        "é",
    ]
    answers = set()
    for key in bad:
        reply = await client.get("/v1/brains", headers=[(b"X-API-Key", key.encode())])
        assert reply.status_code == 401
        assert reply.headers["WWW-Authenticate"] == "Bearer"
        answers.add((reply.json()["code"], reply.json()["detail"]))
    assert len(answers) == 1
    assert answers.pop()[0] == "unauthenticated"


async def test_a_missing_key_two_keys_and_another_scheme_are_refused(client: httpx.AsyncClient, org: Org, other_org: Org) -> None:
    assert (await client.get("/v1/brains")).status_code == 401
    assert (await client.get("/v1/brains", headers={**org.headers, "X-API-Key": other_org.key})).status_code == 401
    assert (await client.get("/v1/brains", headers={"Authorization": f"Basic {org.key}"})).status_code == 401


async def test_a_stranger_is_refused_before_the_body_is_looked_at(client: httpx.AsyncClient) -> None:
    reply = await client.post("/v1/brains", content=b"{ not json", headers={"Content-Type": "application/json"})
    assert reply.status_code == 401


async def test_a_revoked_key_is_refused_by_the_next_request(client: httpx.AsyncClient, org: Org) -> None:
    ana = await make_person(client, org, "Ana")
    key = await make_key(client, org, ana["id"])
    assert (await client.get("/v1/brains", headers=bearer(key["key"]))).status_code == 200
    assert (await client.delete(f"/v1/admin/keys/{key['id']}", headers=org.headers)).status_code == 204
    assert (await client.get("/v1/brains", headers=bearer(key["key"]))).status_code == 401


async def test_an_expired_key_is_refused(client: httpx.AsyncClient, org: Org, clock: SteppingClock) -> None:
    ana = await make_person(client, org, "Ana")
    key = await make_key(client, org, ana["id"], expires_at=(clock.now() + timedelta(hours=1)).isoformat())
    assert (await client.get("/v1/brains", headers=bearer(key["key"]))).status_code == 200
    clock.ahead = timedelta(hours=1)
    assert (await client.get("/v1/brains", headers=bearer(key["key"]))).status_code == 401


async def test_keys_of_two_orgs_do_not_meet(client: httpx.AsyncClient, org: Org, other_org: Org) -> None:
    ana = await make_person(client, org, "Ana")
    brain = (await client.post("/v1/brains", headers=org.headers, json={"kind": "room", "name": "R"})).json()
    other = other_org.headers
    for method, path, body in [
        ("GET", f"/v1/subjects/{ana['id']}", None),
        ("GET", f"/v1/brains/{brain['id']}", None),
        ("GET", f"/v1/brains/{brain['id']}/members", None),
        ("POST", f"/v1/brains/{brain['id']}/members", {"subject_id": ana["id"], "role": "reader"}),
        ("DELETE", f"/v1/admin/keys/{org.created.key.key_id}", None),
    ]:
        reply = await client.request(method, path, headers=other, json=body)
        assert (method, path, reply.status_code) == (method, path, 404)
    seen = (await client.get("/v1/subjects", headers=other)).text + (await client.get("/v1/brains", headers=other)).text
    assert str(org.id) not in seen
    assert ana["id"] not in seen


async def test_a_service_acts_for_a_listed_subject_with_that_subjects_reach(client: httpx.AsyncClient, org: Org) -> None:
    ana = await make_person(client, org, "Ana", identities=[{"platform": "whatsapp", "external_id": "+5511987654321"}])
    bruno = await make_person(client, org, "Bruno")
    bot = (await client.post("/v1/subjects", headers=org.headers, json={"kind": "service", "name": "Bridge"})).json()
    granted = {"capabilities": ["act_as", "admin"], "act_as_subjects": [ana["id"]]}
    key = await make_key(client, org, bot["id"], **granted)
    for named in (ana["id"], "whatsapp:+5511987654321"):
        headers = {**bearer(key["key"]), "Memdb-Act-As": named}
        seen = {b["id"] for b in (await client.get("/v1/brains", headers=headers)).json()["items"]}
        assert ana["home_brain_id"] in seen
        assert bot["home_brain_id"] not in seen
        # Capabilities of the key are not inherited.
        assert (await client.get("/v1/admin/keys", headers=headers)).status_code == 403
    for named in (bruno["id"], "whatsapp:+5511900000000", "nobody", "", str(org.id), "whatsapp:\x7f"):
        reply = await client.get("/v1/brains", headers={**bearer(key["key"]), "Memdb-Act-As": named})
        assert (reply.status_code, reply.json()["code"]) == (403, "access_denied")


@pytest.mark.parametrize("granted", [{"capabilities": ["act_as"]}, {}])
async def test_acting_through_a_brain_reaches_that_brain_alone(client: httpx.AsyncClient, org: Org, granted: dict[str, Any]) -> None:
    ana = await make_person(client, org, "Ana")
    bot = (await client.post("/v1/subjects", headers=org.headers, json={"kind": "service", "name": "Bridge"})).json()
    room = (await client.post(
        "/v1/brains", headers=org.headers, json={"kind": "room", "name": "R", "members": [{"subject_id": ana["id"], "role": "writer"}]}
    )).json()  # fmt: skip
    if not granted:
        refused = await client.post(
            "/v1/admin/keys",
            headers=org.headers,
            json={"subject_id": bot["id"], "writer_label": "b", "max_role": "writer", "trust": "agent", "act_as_brains": [room["id"]]},
        )
        assert refused.status_code == 422
        return
    key = await make_key(client, org, bot["id"], act_as_brains=[room["id"]], **granted)
    headers = {**bearer(key["key"]), "Memdb-Act-As": ana["id"]}
    assert [b["id"] for b in (await client.get("/v1/brains", headers=headers)).json()["items"]] == [room["id"]]
    assert (await client.get(f"/v1/brains/{ana['home_brain_id']}", headers=headers)).status_code == 404


async def test_a_refused_impersonation_is_in_the_audit(client: httpx.AsyncClient, org: Org, owner: Database) -> None:
    ana = await make_person(client, org, "Ana")
    headers = {**org.headers, "Memdb-Act-As": ana["id"], "X-Request-Id": "req-act-1"}
    assert (await client.get("/v1/brains", headers=headers)).status_code == 403
    query = text("SELECT actor_key, object_id, request_id FROM mem.audit_events WHERE org_id = :org AND action = 'act_as.refused'")
    async with owner.read(Identity(org.id)) as conn:
        rows = (await conn.execute(query, {"org": org.id})).all()
    assert [tuple(r) for r in rows] == [(org.created.key.key_id, ana["id"], "req-act-1")]


async def test_a_key_grants_no_more_than_it_has(client: httpx.AsyncClient, org: Org) -> None:
    ana = await make_person(client, org, "Ana")
    limited = await make_key(
        client, org, ana["id"], capabilities=["admin"], trust="member", max_role="writer", brains=[ana["home_brain_id"]]
    )
    base = {
        "subject_id": ana["id"],
        "writer_label": "x",
        "max_role": "reader",
        "trust": "tool",
        "brains": [ana["home_brain_id"]],
        "reason": "x",
    }
    headers = bearer(limited["key"])
    assert (await client.post("/v1/admin/keys", headers=headers, json=base)).status_code == 201
    for wider in (
        {"capabilities": ["auditor"]},
        {"trust": "admin"},
        {"max_role": "admin"},
        {"brains": None},
        {"brains": [str(org.created.brain_id)]},
    ):
        reply = await client.post("/v1/admin/keys", headers=headers, json={**base, **wider})
        assert (wider, reply.status_code, reply.json()["code"]) == (wider, 403, "access_denied")


async def test_listing_keys_shows_no_secret(client: httpx.AsyncClient, org: Org) -> None:
    reply = await client.get("/v1/admin/keys", headers=org.headers)
    assert org.created.key.key_id in reply.text
    assert org.key.split("_", 3)[3] not in reply.text
    assert org.created.key.sha256.hex() not in reply.text
