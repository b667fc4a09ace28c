"""Random requests for conversations, each judged against the oracle: whoever reads a brain reads its sessions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memdb.ids import make_id
from tests.scope.asking import Request
from tests.scope.world import COMMON, marker


def any_session(at: Request) -> UUID | None:
    here = [s for s in at.world.oracle.said if at.world.oracle.brains[at.world.oracle.other_ids[s]] in at.world.admins]
    return at.rng.choice(here) if here else None


async def begin_session(at: Request) -> None:
    brain_id = at.any_brain()
    body: dict[str, Any] = {"brain_id": str(brain_id), "title": f"The {at.rng.choice(COMMON)} of {marker()}", "max_messages": 3}
    reply = await at.send("POST", "/v1/sessions", json=body)
    at.expect(reply, ({201} if at.may(brain_id, "writer") else {403}) if brain_id in at.brains else {404})
    if brain_id not in at.brains:
        await at.compare(reply, "POST", "/v1/sessions", json=body | {"brain_id": str(make_id())})
    elif reply.status_code == 201:
        turns = [{"text": f"{marker()} keeps the {at.rng.choice(COMMON)}"} for _ in range(at.rng.randint(1, 4))]
        said = await at.world.call(at.caller, "POST", f"/v1/sessions/{reply.json()['id']}/turns", json={"turns": turns})
        assert said.status_code == 201, said.text
    at.world.reload()


async def say(at: Request) -> None:
    session_id = any_session(at)
    if session_id is None:
        return
    brain_id = at.world.oracle.other_ids[session_id]
    body: dict[str, Any] = {"turns": [{"text": f"{marker()} was in the {at.rng.choice(COMMON)}", "client_turn_id": marker()}]}
    reply = await at.send("POST", f"/v1/sessions/{session_id}/turns", json=body)
    at.expect(reply, ({201, 409} if at.may(brain_id, "writer") else {403}) if brain_id in at.brains else {404})
    if brain_id not in at.brains:
        await at.compare(reply, "POST", f"/v1/sessions/{make_id()}/turns", json=body)
    at.world.reload()


async def read_session(at: Request) -> None:
    session_id = any_session(at)
    if session_id is None:
        return
    seen = at.world.oracle.other_ids[session_id] in at.brains
    tail = at.rng.choice(("", "/turns", "/snapshots", f"/turns/{make_id()}/learned"))
    reply = await at.send("GET", f"/v1/sessions/{session_id}{tail}")
    at.expect(reply, 200 if seen and not tail.endswith("learned") else 404)
    if not seen:
        await at.compare(reply, "GET", f"/v1/sessions/{make_id()}{tail}")


async def list_sessions(at: Request) -> None:
    brain_id = at.any_brain() if at.rng.random() < 0.5 else None
    query = {"limit": 200} | ({} if brain_id is None else {"brain_id": str(brain_id)})
    reply = await at.send("GET", "/v1/sessions", params=query)
    at.expect(reply, 200 if brain_id is None or brain_id in at.brains else 404)
    if reply.status_code == 200 and at.exact:
        wanted = {s for s in at.world.oracle.said if at.world.oracle.other_ids[s] in (at.brains if brain_id is None else {brain_id})}
        assert {UUID(one["id"]) for one in reply.json()["items"]} == wanted


async def cut_session(at: Request) -> None:
    session_id = any_session(at)
    if session_id is None:
        return
    brain_id, verb = at.world.oracle.other_ids[session_id], at.rng.choice(("flush", "flush", "close"))
    reply = await at.send("POST", f"/v1/sessions/{session_id}:{verb}")
    at.expect(reply, ({200} if at.may(brain_id, "writer") else {403}) if brain_id in at.brains else {404})
    if brain_id not in at.brains:
        await at.compare(reply, "POST", f"/v1/sessions/{make_id()}:{verb}")


async def ask_in_session(at: Request) -> None:
    """A search and a context in a conversation draw on what everybody in it may read."""
    session_id = any_session(at)
    if session_id is None:
        return
    oracle = at.world.oracle
    brain_id = oracle.other_ids[session_id]
    seen = brain_id in at.brains
    everybody = [
        s
        for s, org in oracle.subjects.items()
        if org == at.org_id and oracle.subject_kinds[s] in {"person", "org"} and brain_id in oracle.reach(org, s)
    ]
    shared = at.brains.keys() & (oracle.audience(at.org_id, everybody) if everybody else set(at.brains)) if at.exact else at.brains.keys()
    question = f"who keeps the {at.rng.choice(COMMON)}?"
    if at.rng.random() < 0.5:
        body: dict[str, Any] = {"query": question, "session_id": str(session_id), "token_budget": 500, "min_score": 0.0}
        reply = await at.send("POST", "/v1/memories/search", brains=shared if seen else (), json=body)
        at.expect(reply, 200 if seen else 404)
        return
    reply = await at.send(
        "POST", f"/v1/sessions/{session_id}/context", brains={*shared, brain_id} if seen else (), json={"query": question}
    )
    at.expect(reply, 200 if seen else 404)
    if not seen:
        await at.compare(reply, "POST", f"/v1/sessions/{make_id()}/context", json={"query": question})


async def see_learning(at: Request) -> None:
    """Counts of the caller's org alone, for who administers it."""
    reply = await at.send("GET", "/v1/admin/extraction")
    at.expect(reply, 200 if at.world.oracle.capabilities(at.caller) & {"admin", "auditor"} else 403)
    if reply.status_code == 200:
        assert reply.json()["policy_version"] == 0, "no org of this world has set a policy"
