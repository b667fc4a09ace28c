"""Random requests for brains, members, subjects and keys, each judged against the oracle."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memdb.ids import make_id
from tests.scope.asking import Request, pages
from tests.scope.world import ROLES, marker


# ------------------------------------------------------------------------------------------------------ brains, subjects
async def list_brains(at: Request) -> None:
    kind = at.rng.choice((None, None, "team", "personal"))
    found = await pages(at, "/v1/brains", [("kind", kind)] if kind else [], limit=at.rng.choice((2, 200)))
    if at.exact:
        assert found == sorted(str(b) for b in at.brains if kind is None or at.world.oracle.brain_kinds[b] == kind)
    assert {UUID(b) for b in found} <= at.brains.keys()


async def read_brain(at: Request) -> None:
    brain_id, tail = at.any_brain(), at.rng.choice(("", "/members"))
    reply = await at.send("GET", f"/v1/brains/{brain_id}{tail}")
    if at.exact:
        at.expect(reply, 200 if brain_id in at.brains else 404)
    if brain_id not in at.brains:
        await at.compare(reply, "GET", f"/v1/brains/{make_id()}{tail}")
    elif tail and reply.status_code == 200 and at.exact:
        assert {UUID(i["subject_id"]) for i in reply.json()["items"]} == at.world.oracle.members[brain_id].keys()


async def change_members(at: Request) -> None:
    brain_id, subject_id = at.any_brain(), at.any_subject()
    method, path, body = at.rng.choice(
        (
            ("POST", "/members", {"subject_id": str(subject_id), "role": at.rng.choice(ROLES)}),
            ("PATCH", f"/members/{subject_id}", {"role": at.rng.choice(ROLES)}),
            ("DELETE", f"/members/{subject_id}", None),
        )
    )
    reply = await at.send(method, f"/v1/brains/{brain_id}{path}", json=body)
    allowed = {200, 201, 204, 404, 409, 422} if at.may(brain_id, "admin") else {403}
    at.expect(reply, allowed if brain_id in at.brains else {404})
    if brain_id not in at.brains:
        await at.compare(reply, method, f"/v1/brains/{make_id()}{path}", json=body)
    elif at.world.oracle.subjects[subject_id] != at.org_id and at.may(brain_id, "admin"):
        other = str(make_id())
        await at.compare(
            reply,
            method,
            f"/v1/brains/{brain_id}{path.replace(str(subject_id), other)}",
            json=body and {**body, **({"subject_id": other} if method == "POST" else {})},
        )
    at.world.reload()


async def make_brain(at: Request) -> None:
    subject_id = at.any_subject()
    body: dict[str, Any] = {"kind": "room", "name": "Lounge", "members": [{"subject_id": str(subject_id), "role": "reader"}]}
    reply = await at.send("POST", "/v1/brains", json=body)
    if at.world.oracle.subjects[subject_id] != at.org_id:
        at.expect(reply, {403, 404})
        await at.compare(reply, "POST", "/v1/brains", json=body | {"members": [{"subject_id": str(make_id()), "role": "reader"}]})
    at.world.reload()


async def list_subjects(at: Request) -> None:
    found = await pages(at, "/v1/subjects", [], limit=at.rng.choice((4, 200)), editor=at.editor)
    mine = {s for s, org in at.world.oracle.subjects.items() if org == at.org_id}
    assert {UUID(s) for s in found} <= mine
    if at.exact:
        assert found == sorted(map(str, mine))


async def read_subject(at: Request) -> None:
    subject_id, tail = at.any_subject(), at.rng.choice(("", "/members"))
    reply = await at.send("GET", f"/v1/subjects/{subject_id}{tail}", editor=at.editor)
    own = at.world.oracle.subjects[subject_id] == at.org_id
    at.expect(reply, {200, 422} if own else 404)
    if not own:
        await at.compare(reply, "GET", f"/v1/subjects/{make_id()}{tail}")


async def look_up(at: Request) -> None:
    external, subject_id = at.rng.choice(sorted(at.world.external.items()))
    reply = await at.send("POST", "/v1/subjects:lookup", json={"platform": "chat", "external_id": external}, editor=at.editor)
    own = at.world.oracle.subjects[subject_id] == at.org_id
    at.expect(reply, 200 if own else 404)
    if not own:
        await at.compare(reply, "POST", "/v1/subjects:lookup", json={"platform": "chat", "external_id": f"u{marker()}"})


async def change_subject(at: Request) -> None:
    subject_id, other = at.any_subject(), at.any_subject()
    path, body = at.rng.choice(
        (
            ("/aliases", {"alias": marker().capitalize()}),
            ("/aliases", {"alias": marker().capitalize(), "platform": "chat", "brain_id": str(at.any_brain())}),
            ("/members", {"subject_id": str(other)}),
            ("/identities", {"platform": "mail", "external_id": marker()}),
        )
    )
    reply = await at.send("POST", f"/v1/subjects/{subject_id}{path}", json=body, editor=at.editor)
    if at.world.oracle.subjects[subject_id] != at.org_id:
        at.expect(reply, {403, 404})
        await at.compare(reply, "POST", f"/v1/subjects/{make_id()}{path}", json=body)
    elif path == "/members" and at.world.oracle.subjects[other] != at.org_id:
        at.expect(reply, {403, 404, 422})
        await at.compare(reply, "POST", f"/v1/subjects/{subject_id}{path}", json={"subject_id": str(make_id())})
    at.world.reload()


async def resolve(at: Request) -> None:
    """A name of anybody, in the org or in a brain: whoever is of another org, or a brain that is not read, is not there."""
    subject_id, brain_id = at.any_subject(), at.rng.choice((None, at.any_brain()))
    words = sorted(at.world.oracle.subject_words[subject_id])
    body = {"name": at.rng.choice(words) if words else marker()} | ({} if brain_id is None else {"brain_id": str(brain_id)})
    reply = await at.send("POST", "/v1/subjects:resolve", json=body, editor=at.editor)
    if brain_id is not None and brain_id not in at.brains and at.exact:
        at.expect(reply, 404)
        await at.compare(reply, "POST", "/v1/subjects:resolve", json=body | {"brain_id": str(make_id())})
    if reply.status_code != 200:
        return
    found, candidates = reply.json()["subject"], reply.json()["candidates"]
    shown = {UUID(found["id"])} if found else {UUID(c["subject_id"]) for c in candidates}
    assert all(at.world.oracle.subjects[s] == at.org_id for s in shown)
    told = {UUID(b["id"]) for c in candidates for b in c["tells_apart"]["brains"]}
    told |= {UUID(s["brain_id"]) for c in candidates for s in c["tells_apart"]["seen"] if s["brain_id"]}
    assert told <= at.brains.keys()
    if brain_id is None and words and at.world.oracle.subjects[subject_id] == at.org_id and at.exact:
        assert subject_id in shown


async def merge(at: Request) -> None:
    """A merge within the org is undone at once, so that the oracle need not follow it."""
    one, two = at.any_subject(), at.any_subject()
    path = f"/v1/subjects/{one}:merge"
    reply = await at.send("POST", path, json={"into_id": str(two)}, editor=at.editor)
    orgs = {at.world.oracle.subjects[s] for s in (one, two)}
    admin = "admin" in at.world.oracle.capabilities(at.caller)
    at.expect(reply, (({200, 422} if orgs == {at.org_id} else {404, 422}) if admin else 403))
    if admin and at.exact and one != two and at.world.oracle.subjects[two] != at.org_id:
        await at.compare(reply, "POST", path, json={"into_id": str(make_id())})
    if reply.status_code == 200:
        at.expect(await at.send("POST", f"/v1/subjects/{one}:split", editor=at.editor), 200)


# ---------------------------------------------------------------------------------------------------------------- keys
async def list_keys(at: Request) -> None:
    subject_id = at.any_subject()
    if "admin" not in at.world.oracle.capabilities(at.caller):
        reply = await at.send("GET", "/v1/admin/keys")
        assert reply.status_code == 403
        return
    known = at.world.oracle.keys.values()
    found = await pages(at, "/v1/admin/keys", [], limit=at.rng.choice((3, 200)), editor=True, brains=at.world.oracle.brains)
    assert set(found) <= {k.id for k in known if k.org_id == at.org_id}
    reply = await at.send("GET", "/v1/admin/keys", params={"subject_id": str(subject_id)}, editor=True, brains=at.world.oracle.brains)
    assert {k["id"] for k in reply.json()["items"]} <= {k.id for k in known if k.org_id == at.org_id and k.subject_id == subject_id}
    if at.exact:
        assert found == sorted(k.id for k in known if k.org_id == at.org_id)


async def change_keys(at: Request) -> None:
    foreign = at.rng.choice([c for c in at.world.callers if c.org_id != at.org_id])
    reply = await at.send("DELETE", f"/v1/admin/keys/{foreign.key_id}")
    at.expect(reply, {403, 404})
    await at.compare(reply, "DELETE", "/v1/admin/keys/zzzz2222yyyy")
    subject_id = at.any_subject()
    if at.world.oracle.subjects[subject_id] != at.org_id:
        body = {"subject_id": str(subject_id), "writer_label": "x", "max_role": "reader", "trust": "tool"}
        reply = await at.send("POST", "/v1/admin/keys", json=body)
        at.expect(reply, {403, 404})
        await at.compare(reply, "POST", "/v1/admin/keys", json=body | {"subject_id": str(make_id())})
    at.world.reload()
