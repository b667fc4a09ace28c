"""What a conversation says is over is a decision like the others: kept with its reason and its turns, counted, shown, made once."""

from __future__ import annotations

from uuid import UUID

import pytest

from memdb.extraction.by_rules import ByRules
from memdb.extraction.extract import Task, extract
from memdb.extraction.extractor import Found
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind
from tests.integration.sessions.learning import Room, make_room, work
from tests.support.product import Caller, Json, Product


class Deaf:
    """Finds nothing, as a later prompt may."""

    def judge(self) -> None:
        return

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        del transcript
        return Found([], f"deaf/{kind.value}")


class Killed(Exception):
    """The worker is gone."""


async def begin(admin: Caller, *, then: str = "I no longer live in Lisbon.") -> tuple[Room, Json, Json, Json]:
    """A room in which Ana tells where she lives, and three days later that she does not: it, the two turns, and the memory."""
    room = await make_room(admin, "Ana")
    (first,) = await room.say(("Ana", "I live in Lisbon."))
    await room.learn()
    (home,) = await room.memories()
    (second,) = await room.say({"text": then, "speaker": {"subject_id": room.people["Ana"]}, "said_at": "2026-11-05T09:00:00Z"})
    return room, first, second, home


def of_semantic(snapshot: Json) -> Json:
    (found,) = [one for one in snapshot["extractions"] if one["handler"] == "semantic"]
    return dict(found)


async def test_the_turn_that_ended_it_stands_beside_the_one_that_told_it(admin: Caller) -> None:
    room, first, second, home = await begin(admin)
    snapshot = (await room.learn())[1]
    counted = of_semantic(snapshot)
    assert (counted["added"], counted["updated"], counted["reinforced"], counted["ended"]) == (0, 0, 0, 1)
    history = await room.agent.history(home["id"])
    assert history["current"]["valid_to"] == "2026-11-05T09:00:00Z"
    assert [(one["action"], one["reason"], one["version"], one["turn_ids"]) for one in history["derivations"]] == [
        ("ADD", "new", 1, [first["id"]]),
        ("END", "no_longer", 2, [second["id"]]),
    ]
    learned = await room.agent.send("GET", f"/v1/sessions/{room.session}/turns/{second['id']}/learned", expect=200)
    assert [(one["memory_id"], one["action"], one["reason"]) for one in learned] == [(home["id"], "END", "no_longer")]
    assert await room.agent.found("where does Ana live?") == []
    assert await room.agent.found("where does Ana live?", valid_at="2026-11-03T09:00:00Z") == ["Ana lives in Lisbon."]


async def test_an_end_is_foretold_and_not_made_twice(admin: Caller, product: Product) -> None:
    room, _, second, home = await begin(admin)
    await admin.send("PUT", "/v1/admin/policy", expect=200, json={"memory": {"extraction": {"enabled": []}}})
    snapshot = (await room.learn())[1]
    await admin.send("PUT", "/v1/admin/policy", expect=200, json={"memory": {"extraction": {"enabled": ["semantic"]}}})
    path = f"/v1/sessions/{room.session}/snapshots/{snapshot['id']}"
    (difference,) = (await room.agent.send("POST", f"{path}:preview", expect=200, json={}))["differences"]
    assert (difference["ended"], difference["added"], difference["removed"]) == ([home["id"]], [], [])
    assert (await room.agent.read(home["id"]))["valid_to"] is None, "nothing has changed"
    for _ in range(2):
        await room.agent.send("POST", f"{path}:extract", expect=202, json={})
        await work(product)
    history = await room.agent.history(home["id"])
    assert [(one["action"], one["turn_ids"]) for one in history["derivations"][1:]] == [("END", [second["id"]])]
    assert len(history["versions"]) == 1
    snapshots = await room.agent.send("GET", f"/v1/sessions/{room.session}/snapshots", expect=200)
    assert of_semantic(snapshots["items"][1])["ended"] == 1
    (difference,) = (await room.agent.send("POST", f"{path}:preview", expect=200, json={}))["differences"]
    assert difference["ended"] == [], "it has ended"


async def test_who_reads_anew_and_hears_no_end_forgets_the_turn_and_leaves_the_memory(admin: Caller, product: Product) -> None:
    room, _, second, home = await begin(admin)
    snapshot = (await room.learn())[1]
    await room.agent.send("POST", f"/v1/sessions/{room.session}/snapshots/{snapshot['id']}:extract", expect=202, json={})
    await work(product, Deaf())
    history = await room.agent.history(home["id"])
    assert [one["action"] for one in history["derivations"]] == ["ADD"]
    assert history["current"]["valid_to"] == "2026-11-05T09:00:00Z", "what had ended is not taken back"
    assert await room.agent.send("GET", f"/v1/sessions/{room.session}/turns/{second['id']}/learned", expect=200) == []


async def test_an_end_before_a_new_beginning_is_not_forgotten_when_it_is_read_anew(admin: Caller, product: Product) -> None:
    room, _, second, home = await begin(admin)
    snapshot = (await room.learn())[1]
    await room.say({"text": "I live in Lisbon.", "speaker": {"subject_id": room.people["Ana"]}, "said_at": "2026-11-09T09:00:00Z"})
    await room.learn()
    await room.agent.send("POST", f"/v1/sessions/{room.session}/snapshots/{snapshot['id']}:extract", expect=202, json={})
    await work(product)
    learned = await room.agent.send("GET", f"/v1/sessions/{room.session}/turns/{second['id']}/learned", expect=200)
    assert [(one["memory_id"], one["action"]) for one in learned] == [(home["id"], "END")]
    assert (await room.agent.read(home["id"]))["valid_to"] is None, "it holds again"


async def test_what_somebody_wrote_and_a_conversation_ended_stays_whatever_is_read_anew(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I live in Lisbon."))
    (first,) = await room.learn()
    (home,) = await room.memories()
    await room.agent.edit(home["id"], tags=["checked"])
    await room.say({"text": "I no longer live in Lisbon.", "speaker": {"subject_id": room.people["Ana"]}})
    second = (await room.learn())[1]
    for snapshot in (first, second):
        await room.agent.send("POST", f"/v1/sessions/{room.session}/snapshots/{snapshot['id']}:extract", expect=202, json={})
    await work(product, Deaf())
    assert (await room.agent.read(home["id"]))["content"] == "Ana lives in Lisbon."


async def test_a_worker_that_dies_after_the_end_leaves_the_turn_that_said_so(
    admin: Caller, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, _, second, home = await begin(admin)
    flushed = await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    task = Task(room.agent.org_id, UUID(room.brain), UUID(flushed["snapshots"][0]["id"]), Kind.SEMANTIC)

    async def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("memdb.extraction.extract.form_authorised", die)
        with pytest.raises(Killed):
            await extract(product.runtime, ByRules(), task)
    before = await room.agent.history(home["id"])
    assert [one["turn_ids"] for one in before["derivations"] if one["action"] == "END"] == [[second["id"]]]
    done = await extract(product.runtime, ByRules(), task)
    assert done is not None
    assert done.ended == 1
    assert await room.agent.history(home["id"]) == before
