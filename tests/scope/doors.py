"""Random requests through every door, each judged against the oracle."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from memdb.ids import make_id
from tests.scope.model import STRENGTH, Caller, Memory, words
from tests.scope.world import COMMON, KINDS, ROLES, World, marker, memory_body

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from random import Random

    import httpx

    Visit = Callable[["Request"], Awaitable[None]]


@dataclass(slots=True)
class Request:
    """Who is at the door of which world; `brains` is what that caller reads, with roles."""

    world: World
    rng: Random
    caller: Caller
    brains: dict[UUID, str]
    exact: bool
    log: list[str] = field(default_factory=list)

    @property
    def org_id(self) -> UUID:
        return self.caller.org_id

    @property
    def editor(self) -> bool:
        return bool(self.world.oracle.capabilities(self.caller) & {"admin", "loader"})

    async def send(self, method: str, path: str, *, brains: Iterable[UUID] | None = None, editor: bool = False, **options: Any) -> httpx.Response:
        """Send it, and look for anything foreign in the reply; `brains` None: all that the caller reads."""
        reply = await self.world.call(self.caller, method, path, **options)
        self.log.append(f"{method} {path} {options} -> {reply.status_code}")
        text = spelled_out(reply)
        leaked = self.world.oracle.find_leaks(text, self.org_id, self.brains if brains is None else brains, editor=editor)
        assert not leaked, f"{self.log[-1]} shows {leaked}: {reply.text}"
        return reply

    async def compare(self, known: httpx.Response, method: str, path: str, **options: Any) -> None:
        """What may not be seen is answered like what does not exist, byte for byte."""
        unknown = await self.world.call(self.caller, method, path, **options)
        assert told(known) == told(unknown), f"{self.log[-1]} differs from an unknown one: {known.text} {unknown.text}"

    def any_memory(self) -> Memory:
        """Of this world; those that the caller may read come more often."""
        here = [m for m in self.world.oracle.memories.values() if m.org_id in self.world.admins]
        near = [m for m in here if m.brain_id in self.brains]
        return self.rng.choice(near if near and self.rng.random() < 0.5 else here)

    def any_brain(self) -> UUID:
        near = self.brains and self.rng.random() < 0.5
        return self.rng.choice(list(self.brains) if near else [b for b, org in self.world.oracle.brains.items() if org in self.world.admins])

    def any_subject(self) -> UUID:
        return self.rng.choice([s for s, org in self.world.oracle.subjects.items() if org in self.world.admins])

    def may(self, brain_id: UUID, role: str) -> bool:
        return brain_id in self.brains and STRENGTH[self.brains[brain_id]] >= STRENGTH[role]

    def expect(self, reply: httpx.Response, status: int | set[int]) -> None:
        wanted = status if isinstance(status, set) else {status}
        if self.exact:
            assert reply.status_code in wanted, f"{self.log[-1]}, expected {wanted}: {reply.text}"
        elif min(wanted) >= 400 and not self.log[-1].startswith(("GET ", "POST /v1/memories/search ")):
            # Without its predicates a read answers with whatever the caller may read; a change has to be refused.
            assert reply.status_code >= 400, f"{self.log[-1]} succeeded: {reply.text}"


def told(reply: httpx.Response) -> tuple[int, str, bytes]:
    """What a caller learns from a reply; request ids are equal already."""
    return reply.status_code, reply.headers.get("content-type", ""), reply.content


def spelled_out(reply: httpx.Response) -> str:
    """Body and headers, cursors decoded: they hold the id that a page ended with."""
    cursors = [base64.urlsafe_b64decode(c + "=" * (-len(c) % 4)).decode("latin-1") for c in re.findall(r'"next_cursor":"([^"]+)"', reply.text)]
    return "\n".join([reply.text, *cursors, *(f"{k}: {v}" for k, v in reply.headers.items())])


# ------------------------------------------------------------------------------------------------------------- memories
async def read_memory(at: Request) -> None:
    memory, tail = at.any_memory(), at.rng.choice(("", "/history"))
    seen = memory.served and memory.brain_id in at.brains
    reply = await at.send("GET", f"/v1/memories/{memory.id}{tail}")
    at.expect(reply, 200 if seen else 404)
    if not seen:
        await at.compare(reply, "GET", f"/v1/memories/{make_id()}{tail}")


async def edit_memory(at: Request) -> None:
    memory = at.any_memory()
    body = at.rng.choice(({"tags": ["edited"]}, {"content": f"The {at.rng.choice(COMMON)} is now {marker()}"}, {"expected_version": 7, "topic": "else"}))
    seen = memory.served and memory.brain_id in at.brains
    reply = await at.send("PATCH", f"/v1/memories/{memory.id}", json=body)
    allowed = {200, 409, 422} if at.may(memory.brain_id, "writer") else {403}
    at.expect(reply, allowed if seen else {404})
    if not seen:
        await at.compare(reply, "PATCH", f"/v1/memories/{make_id()}", json=body)
    at.world.reload()


async def delete_memory(at: Request) -> None:
    memory = at.any_memory()
    tail = at.rng.choice(("", "?expected_version=9"))
    seen = memory.served and memory.brain_id in at.brains
    reply = await at.send("DELETE", f"/v1/memories/{memory.id}{tail}")
    at.expect(reply, ({204, 409} if at.may(memory.brain_id, "writer") else {403}) if seen else {404})
    if not seen:
        await at.compare(reply, "DELETE", f"/v1/memories/{make_id()}{tail}")
    at.world.reload()


async def write_memory(at: Request) -> None:
    brain_id = at.any_brain()
    body = memory_body(at.world, at.rng, brain_id, at.org_id)
    if at.rng.random() < 0.2:
        body["about"] = [str(at.any_subject())]
    foreign = [s for s in [*body["about"], body.get("said_by")] if s and at.world.oracle.subjects[UUID(s)] != at.org_id]
    # The words of the reply are the caller's own: it sends them.
    options: dict[str, Any] = {"json": body}
    if at.rng.random() < 0.3:
        options["headers"] = {"Idempotency-Key": f"write-{marker()}"}
    reply = await at.send("POST", "/v1/memories", **options)
    at.expect(reply, (({422} if foreign else {201}) if at.may(brain_id, "writer") else {403}) if brain_id in at.brains else {404})
    if brain_id not in at.brains:
        await at.compare(reply, "POST", "/v1/memories", **(options | {"json": body | {"brain_id": str(make_id())}}))
    elif foreign and at.may(brain_id, "writer"):
        await at.compare(reply, "POST", "/v1/memories", json=body | {"about": [str(make_id())]})
    at.world.reload()


async def write_batch(at: Request) -> None:
    brains = [at.any_brain() for _ in range(3)]
    bodies = [memory_body(at.world, at.rng, b, at.org_id) for b in brains]
    reply = await at.send("POST", "/v1/memories:batch", content="\n".join(map(json.dumps, bodies)))
    at.expect(reply, 200)
    if reply.status_code == 200:
        for brain_id, item in zip(brains, reply.json()["results"], strict=True):
            assert (item["error"] is None) == at.may(brain_id, "writer"), (at.log[-1], item)
            if item["error"] is not None and at.exact:
                assert item["error"]["status"] == (403 if brain_id in at.brains else 404)
    at.world.reload()


async def list_memories(at: Request) -> None:
    rng, wanted, query = at.rng, at.world.oracle.visible(at.brains), list[tuple[str, str]]()
    if rng.random() < 0.3:
        kinds = rng.sample(KINDS, 2)
        query += [("kind", k) for k in kinds]
        wanted = [m for m in wanted if m.kind in kinds]
    if rng.random() < 0.3:
        about = at.any_subject()
        query.append(("about", str(about)))
        wanted = [m for m in wanted if about in m.about]
    if rng.random() < 0.2:
        said_by = at.any_subject()
        query.append(("said_by", str(said_by)))
        wanted = [m for m in wanted if m.said_by == said_by]
    if rng.random() < 0.3:
        topic = rng.choice(("clients", at.any_memory().topic or "none"))
        query.append(("topic", topic))
        wanted = [m for m in wanted if m.topic is not None and (m.topic == topic or m.topic.startswith(topic + "/"))]
    if rng.random() < 0.3:
        tag = rng.choice(("shared", *at.any_memory().tags))
        query.append(("tag", tag))
        wanted = [m for m in wanted if tag in m.tags]
    if rng.random() < 0.2:
        query.append(("created_to", at.world.stage.clock.now().isoformat()))
        wanted = [m for m in wanted if m.created_at < at.world.stage.clock.now()]
    brains = None
    if rng.random() < 0.3:
        brain_id = at.any_brain()
        query.append(("brain_id", str(brain_id)))
        wanted = [m for m in wanted if m.brain_id == brain_id]
        brains = {brain_id} & at.brains.keys() if at.exact else None  # the filter is one of the predicates that are gone
        if brain_id not in at.brains:
            reply = await at.send("GET", "/v1/memories", params=query)
            at.expect(reply, 404)
            await at.compare(reply, "GET", "/v1/memories", params=[*query[:-1], ("brain_id", str(make_id()))])
            return
    found = await pages(at, "/v1/memories", query, limit=rng.choice((3, 200)), brains=brains)
    if at.exact:
        assert found == [str(m.id) for m in sorted(wanted, key=lambda m: m.id.int, reverse=True)], at.log[-1]
    else:
        assert set(found) <= {str(m.id) for m in wanted} | ({str(m.id) for m in at.world.oracle.visible(at.brains)}), at.log[-1]


async def pages(
    at: Request, path: str, query: list[tuple[str, str]], *, limit: int, brains: Iterable[UUID] | None = None, name: str = "id", editor: bool = False
) -> list[str]:
    """Ids on all pages of a list, in order."""
    found: list[str] = []
    cursor: str | None = None
    for _ in range(100):
        more = [("cursor", cursor)] if cursor else []
        reply = await at.send("GET", path, params=[*query, ("limit", str(limit)), *more], brains=brains, editor=editor)
        assert reply.status_code == 200, (at.log[-1], reply.text)
        body = reply.json()
        found += [item[name] for item in body["items"]]
        cursor = body["next_cursor"]
        if cursor is None or not at.exact:
            break
    return found


# --------------------------------------------------------------------------------------------------------------- search
async def search(at: Request) -> None:
    rng, oracle = at.rng, at.world.oracle
    target = at.any_memory()
    word = rng.choice(sorted(oracle.tokens[target.id]) or ["nothing"])
    body: dict[str, Any] = {"query": rng.choice((word, f"what do we know about Charlie and {word}", rng.choice(COMMON))), "limit": rng.choice((5, 100))}
    body["min_score"] = 0.0
    brains = set(at.brains)
    narrowed = rng.random() < 0.6
    if narrowed:
        _narrow(at, body, target)
        if "audience" in body:
            brains &= oracle.audience(at.org_id, map(UUID, body["audience"]))
    unreadable = [b for b in body.get("brains", []) if UUID(b) not in at.brains]
    if "brains" in body:
        brains &= {UUID(b) for b in body["brains"]}
    reply = await at.send("POST", "/v1/memories/search", json=body, brains=brains)
    if unreadable:
        at.expect(reply, 404)
        if reply.status_code == 404 or not at.exact:
            other = [b if UUID(b) in at.brains else str(make_id()) for b in body["brains"]]
            unknown = await at.world.call(at.caller, "POST", "/v1/memories/search", json=body | {"brains": other})
            assert steady(reply) == steady(unknown), at.log[-1]
        return
    at.expect(reply, 200)
    found = {UUID(e["memory"]["id"]) for e in reply.json()["evidence"]}
    assert found <= {m.id for m in oracle.visible(brains)}, at.log[-1]
    _check_filters(oracle.memories, body, found)
    current = words(*(str(e) for e in reply.json()["evidence"]))
    if at.exact and not narrowed and target.served and target.brain_id in brains and body["query"] != word and word in current:
        assert target.id in found


def _narrow(at: Request, body: dict[str, Any], target: Memory) -> None:
    rng, oracle = at.rng, at.world.oracle
    now = at.world.stage.clock.now()
    filters: dict[str, Any] = {
        "kinds": rng.sample(KINDS, 3),
        "brains": sorted({str(at.any_brain()), str(rng.choice(list(at.brains) or [make_id()]))}),
        "about": [str(at.any_subject()), str(at.any_subject())],
        "said_by": str(at.any_subject()),
        "audience": [str(s) for s in rng.sample([*[at.any_subject() for _ in range(3)], make_id()], rng.randint(1, 2))],
        "topic": rng.choice(("clients", target.topic or "none")),
        "tags": [rng.choice(("shared", *target.tags))],
        "data": {"ticket": rng.choice(sorted(oracle.tokens[target.id]) or ["none"])},
        "created_from": (now - timedelta(days=1)).isoformat(),
        "created_to": (now + timedelta(days=1)).isoformat(),
        "valid_at": (now - timedelta(seconds=60)).isoformat(),
        "as_of": (now - timedelta(seconds=rng.choice((60, 86_400)))).isoformat(),
        "weights": rng.choice(({"vector": 1.0}, {"lexical": 1.0})),
        "token_budget": 500,
    }
    for name in rng.sample(sorted(filters), rng.randint(1, 3)):
        body[name] = filters[name]


def _check_filters(memories: dict[UUID, Memory], body: dict[str, Any], found: set[UUID]) -> None:
    """Current rows keep what was asked for; a version shown for the past may have had other tags."""
    if "as_of" in body or "valid_at" in body:
        return
    for memory in (memories[i] for i in found):
        assert memory.kind in body.get("kinds", [memory.kind])
        assert not body.get("about") or {str(a) for a in memory.about} & set(body["about"])
        assert body.get("said_by") in {None, str(memory.said_by)}
        assert set(body.get("tags", [])) <= memory.tags


def steady(reply: httpx.Response) -> Any:
    """A reply to a search without what no two have in common: the recall's id and how long things took."""
    body = reply.json()
    if "timings_ms" in body:
        body |= {"recall_id": None, "timings_ms": sorted(body["timings_ms"])}
    return reply.status_code, body


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
        await at.compare(reply, method, f"/v1/brains/{brain_id}{path.replace(str(subject_id), other)}", json=body and {**body, **({"subject_id": other} if method == "POST" else {})})
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
        (("/aliases", {"alias": marker().capitalize()}), ("/members", {"subject_id": str(other)}), ("/identities", {"platform": "mail", "external_id": marker()}))
    )
    reply = await at.send("POST", f"/v1/subjects/{subject_id}{path}", json=body, editor=at.editor)
    if at.world.oracle.subjects[subject_id] != at.org_id:
        at.expect(reply, {403, 404})
        await at.compare(reply, "POST", f"/v1/subjects/{make_id()}{path}", json=body)
    elif path == "/members" and at.world.oracle.subjects[other] != at.org_id:
        at.expect(reply, {403, 404, 422})
        await at.compare(reply, "POST", f"/v1/subjects/{subject_id}{path}", json={"subject_id": str(make_id())})
    at.world.reload()


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


DOORS: tuple[Visit, ...] = (
    read_memory, edit_memory, delete_memory, write_memory, write_batch, list_memories, search, list_brains, read_brain, change_members, make_brain,
    list_subjects, read_subject, look_up, change_subject, list_keys, change_keys,
)  # fmt: skip
WEIGHTS = (3, 2, 1, 2, 1, 3, 8, 1, 2, 2, 1, 1, 2, 1, 1, 1, 1)


async def visit(world: World, rng: Random, visits: int) -> list[str]:
    """Random callers at random doors; what they did, for the message of a failure."""
    log: list[str] = []
    for _ in range(visits):
        caller = rng.choice(world.callers)
        rights = world.oracle.rights(caller)
        if isinstance(rights, int):
            await _refused(world, rng, caller, rights)
            continue
        door = rng.choices(DOORS, WEIGHTS)[0]
        at = Request(world, rng, caller, rights, exact=world.stage.mode != "policies", log=log)
        await door(at)
    return log


async def _refused(world: World, rng: Random, caller: Caller, status: int) -> None:
    """A dead key is like an unknown one, and one that may not act for somebody does not learn whether there is such a somebody."""
    path = rng.choice(("/v1/memories", "/v1/brains", f"/v1/memories/{rng.choice([m.id for m in world.oracle.memories.values() if m.org_id in world.admins])}"))
    reply = await world.call(caller, "GET", path)
    assert reply.status_code == status, (caller, path, reply.text)
    if status == 401:
        head, _, secret = caller.key_text.rpartition("_")
        other = Caller(f"{head.rpartition('_')[0]}_zzzz2222yyyy_{secret}", "zzzz2222yyyy", caller.org_id)
    else:
        other = Caller(caller.key_text, caller.key_id, caller.org_id, make_id())
    assert told(reply) == told(await world.call(other, "GET", path))
