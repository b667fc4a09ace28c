"""Which kinds are learned: from when a change is in force, what becomes of what waits, and what an admin is told."""

from __future__ import annotations

from memdb.extraction.by_rules import ByRules
from memdb.extraction.extractor import Found
from memdb.extraction.transcript import Transcript
from memdb.jobs.outcome import Outcome, Tried
from memdb.jobs.worker import make_app, work_off
from memdb.models.memory import Kind
from memdb.storage.queue import Task as QueueTask
from tests.integration.sessions.learning import Room, make_room, work
from tests.support.product import Caller, Json, Product

ALL = ["semantic", "episodic", "procedural", "taxonomic"]


async def switch(admin: Caller, enabled: list[str] | None) -> int:
    """Let the org learn these; the version that says so."""
    set_ = await admin.send("PUT", "/v1/admin/policy", expect=200, json={"memory": {"extraction": {"enabled": enabled}}})
    return int(set_["version"])


async def status(admin: Caller) -> Json:
    found: Json = await admin.send("GET", "/v1/admin/extraction", expect=200)
    return found


async def snapshots(room: Room) -> list[dict[str, tuple[str, str | None]]]:
    """State and code of each handler, for each snapshot."""
    page = await room.agent.send("GET", f"/v1/sessions/{room.session}/snapshots", expect=200)
    return [{one["handler"]: (one["state"], one["failure"]) for one in snapshot["extractions"]} for snapshot in page["items"]]


class Switching:
    """Reads as the rules do, and switches everything off while it is at it."""

    def __init__(self, admin: Caller) -> None:
        self._admin = admin

    def judge(self) -> None:
        return

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        found = await ByRules().read(kind, transcript)
        await switch(self._admin, [])
        return Found(found.candidates, found.extractor, tokens_in=10, tokens_out=2)


async def test_what_waits_for_a_handler_that_is_off_is_let_go_and_says_so(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    (said,) = await room.say(("Ana", "I'm allergic to peanuts."))
    await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    await switch(admin, ["episodic"])
    assert (await status(admin))["waiting"] == dict.fromkeys(ALL, 1)
    tried: list[Tried] = []
    await work_off(make_app(product.runtime, ByRules(), product.app_url, tell=tried.append))
    off = ("done", "switched_off")
    assert await snapshots(room) == [{"semantic": off, "episodic": ("done", None), "procedural": off, "taxonomic": off}]
    assert {one.handler.value: one.outcome for one in tried} == dict.fromkeys(ALL, Outcome.SWITCHED_OFF) | {"episodic": Outcome.DONE}
    assert await room.contents() == set()
    assert (await room.agent.write("Ana is allergic to latex", brain_id=room.brain))["action"] == "ADD", "direct writes go on"
    learned = await room.agent.send("GET", f"/v1/sessions/{room.session}/turns/{said['id']}/learned", expect=200)
    assert learned == []
    assert (await admin.send("GET", "/v1/admin/jobs", expect=200, params={"state": "waiting"}))["items"] == []
    await switch(admin, ["semantic"])
    await work(product)
    assert await room.contents() == {"Ana is allergic to latex"}, "it is read when somebody asks for it, not of itself"
    (snapshot,) = (await room.agent.send("GET", f"/v1/sessions/{room.session}/snapshots", expect=200))["items"]
    await room.agent.send("POST", f"/v1/sessions/{room.session}/snapshots/{snapshot['id']}:extract", expect=202, json={})
    await work(product)
    assert await room.contents() == {"Ana is allergic to latex", "Ana is allergic to peanuts."}


async def test_what_is_switched_off_while_it_is_read_is_thrown_away_and_its_cost_kept(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."))
    await room.learn(Switching(admin))
    assert await room.contents() == set()
    (found,) = await snapshots(room)
    assert set(found.values()) == {("done", "switched_off")}
    spent = "SELECT sum(tokens_in)::int FROM mem.extractions WHERE session_id = CAST(:id AS uuid)"
    assert await product.value(spent, id=room.session) in range(10, 41)


async def test_what_an_earlier_reading_had_made_stays_when_the_handler_is_off(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."))
    (snapshot,) = await room.learn()
    await room.agent.send("POST", f"/v1/sessions/{room.session}/snapshots/{snapshot['id']}:extract", expect=202, json={})
    await switch(admin, [])
    await work(product)
    assert await room.contents() == {"Ana is allergic to peanuts."}
    (memory,) = await room.memories()
    assert [one["action"] for one in (await room.agent.history(memory["id"]))["derivations"]] == ["ADD"]


async def test_the_next_snapshot_is_cut_for_what_is_on_then(admin: Caller) -> None:
    room = await make_room(admin, "Ana")
    for enabled in (["semantic"], [], ["semantic", "taxonomic"], None):
        await switch(admin, enabled)
        await room.say(("Ana", "hello"))
        await room.learn()
    assert [sorted(one) for one in await snapshots(room)] == [["semantic"], [], ["semantic", "taxonomic"], sorted(ALL)]


async def test_an_admin_is_told_what_is_learned_and_where_that_comes_from(admin: Caller) -> None:
    assert await status(admin) == {
        "enabled": ALL, "origin": "default", "policy_version": 0, "policy_set_at": None, "waiting": {}, "in_force": True,
        "worker_alive": False,
    }  # fmt: skip
    version = await switch(admin, ["taxonomic", "semantic"])
    found = await status(admin)
    assert (found["enabled"], found["origin"], found["policy_version"]) == (["semantic", "taxonomic"], "policy", version)
    assert found["policy_set_at"] is not None
    await switch(admin, None)
    found = await status(admin)
    assert (found["enabled"], found["origin"], found["policy_version"]) == (ALL, "default", version + 1)


async def test_it_is_in_force_when_no_living_worker_has_in_hand_what_is_off(admin: Caller, product: Product) -> None:
    room, other = await make_room(admin, "Ana"), await product.make_caller()
    await room.say(("Ana", "I'm allergic to peanuts."))
    await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    (worker,) = await product.rows("INSERT INTO memdb_jobs.procrastinate_workers DEFAULT VALUES RETURNING id")
    taken = (
        "UPDATE memdb_jobs.procrastinate_jobs SET status = 'doing', worker_id = :worker"
        " WHERE task_name = :task AND args ->> 'org_id' = :org AND args ->> 'handler' = 'semantic'"
    )
    await product.rows(taken, worker=worker[0], task=QueueTask.EXTRACT.value, org=str(admin.org_id))
    assert [(await status(admin))[name] for name in ("in_force", "worker_alive")] == [True, True], "it may do what is on"
    await switch(admin, ["episodic"])
    await switch(other, ["episodic"])
    assert not (await status(admin))["in_force"]
    assert (await status(other))["in_force"], "what is in hand is of another org"
    late = "UPDATE memdb_jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 minute' WHERE id = :worker"
    await product.rows(late, worker=worker[0])
    assert [(await status(admin))[name] for name in ("in_force", "worker_alive")] == [True, False], "who is dead stores nothing"
    await product.rows("UPDATE memdb_jobs.procrastinate_jobs SET status = 'todo', worker_id = NULL WHERE status = 'doing'")
    await product.rows("DELETE FROM memdb_jobs.procrastinate_workers WHERE id = :worker", worker=worker[0])
    await work(product)


async def test_only_an_admin_or_an_auditor_asks_and_of_their_own_org(admin: Caller, product: Product) -> None:
    room, other = await make_room(admin, "Ana"), await product.make_caller()
    await room.say(("Ana", "I'm allergic to peanuts."))
    await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    assert (await room.agent.send("GET", "/v1/admin/extraction", expect=403))["code"] == "access_denied"
    await switch(admin, ["semantic"])
    told = await status(other)
    assert (told["waiting"], told["policy_version"], told["enabled"]) == ({}, 0, ALL)
    await work(product)
