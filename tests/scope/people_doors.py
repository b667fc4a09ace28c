"""Random requests for cards, drawers and folders, each judged against the oracle."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from memdb.ids import make_id
from tests.scope.asking import Request
from tests.scope.world import COMMON


async def open_folder(at: Request) -> None:
    """The card, the notes, or a grep of anybody, for the caller or for an audience, of all brains or of one."""
    rng, oracle = at.rng, at.world.oracle
    subject_id, door = at.any_subject(), rng.choice(("card", "notes.md", "drawer:grep"))
    near = [m for m in oracle.visible(at.brains) if m.about]
    if near and rng.random() < 0.7:
        subject_id = rng.choice(sorted(rng.choice(near).about))
    brains, narrowed = set(at.brains), dict[str, list[str]]()
    if rng.random() < 0.4:
        narrowed["audience"] = [str(s) for s in rng.sample([*[at.any_subject() for _ in range(3)], make_id()], rng.randint(1, 2))]
        brains &= oracle.audience(at.org_id, map(UUID, narrowed["audience"]))
    if rng.random() < 0.3:
        narrowed["brains"] = [str(at.any_brain())]
        brains &= {UUID(narrowed["brains"][0])}
    path, options = f"/v1/subjects/{subject_id}/{door}", _options(at, door, narrowed)
    method = "POST" if door == "drawer:grep" else "GET"
    reply = await at.send(method, path, brains=brains, **options)
    if "brains" in narrowed and UUID(narrowed["brains"][0]) not in at.brains:
        at.expect(reply, 404)
        if at.exact:
            await at.compare(reply, method, path, **_options(at, door, narrowed | {"brains": [str(make_id())]}, like=options))
        return
    if oracle.subjects[subject_id] != at.org_id:
        at.expect(reply, 404)
        await at.compare(reply, method, f"/v1/subjects/{make_id()}/{door}", **options)
        return
    at.expect(reply, 200)
    allowed = {str(m.id) for m in oracle.visible(brains) if subject_id in m.about}
    if door == "card":
        shown = reply.json()
        assert {entry["memory"]["id"] for entry in shown["front"]} <= allowed, at.log[-1]
        assert len(shown["front"]) + shown["drawer"]["count"] <= len(allowed), at.log[-1]
    elif door == "drawer:grep":
        found = reply.json()
        assert {line["memory_id"] for line in found["lines"]} <= allowed, at.log[-1]
        assert found["searched"] <= len(allowed), at.log[-1]
    else:
        first, *_ = reply.text.splitlines()
        count = int(first.rpartition("memories: ")[2].split()[0])
        assert count <= len(allowed), at.log[-1]
        assert sum(f"<!-- {memory_id} -->" in reply.text for memory_id in allowed) == count


def _options(at: Request, door: str, narrowed: dict[str, list[str]], *, like: dict[str, Any] | None = None) -> dict[str, Any]:
    if door == "drawer:grep":
        pattern = at.rng.choice((*COMMON, "x", ".")) if like is None else like["json"]["pattern"]
        return {"json": {"pattern": pattern, "regex": pattern == ".", "placement": "all", "limit": 200} | narrowed}
    query = [("audience", s) for s in narrowed.get("audience", ())] + [("brain_id", b) for b in narrowed.get("brains", ())]
    return {"params": query}
