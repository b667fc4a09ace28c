"""Jobs: done at least once with the effect of once, given up after several tries, and one that is broken keeps nobody waiting."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from memdb.errors import ProviderUnavailable
from memdb.extraction.by_rules import ByRules
from memdb.extraction.extract import Task, extract
from memdb.extraction.extractor import Found
from memdb.extraction.transcript import Transcript
from memdb.jobs.rescue import rescue
from memdb.jobs.sweep import FORGOTTEN_AFTER, sweep
from memdb.jobs.worker import TRIES, make_app
from memdb.models.memory import Kind
from memdb.storage.queue import Task as QueueTask
from tests.integration.sessions.learning import Room, make_room, work
from tests.support.product import Caller, Json, Product


class Broken:
    """Reads as the rules do, but fails on transcripts that hold a word."""

    def __init__(self, word: str, error: Exception) -> None:
        self._word, self._error = word, error
        self._rules = ByRules()

    def judge(self) -> None:
        return

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        if any(self._word in utterance.text for utterance in transcript.utterances if not utterance.read_only):
            raise self._error
        return await self._rules.read(kind, transcript)


def states(snapshot: Json) -> dict[str, str]:
    return {one["handler"]: one["state"] for one in snapshot["extractions"]}


@pytest.mark.parametrize(("error", "code"), [(ProviderUnavailable(), "provider_unavailable"), (ZeroDivisionError("Ana"), "unexpected")])
async def test_a_poisoned_snapshot_is_given_up_and_the_rest_goes_on(admin: Caller, product: Product, error: Exception, code: str) -> None:
    room = await make_room(admin, "Ana", max_messages=1, overlap=0)
    await room.say(*[("Ana", f"I'm allergic to {food}.") for food in ("peanuts", "poison", "latex")])
    reader = Broken("poison", error)
    for _ in range(TRIES + 1):
        snapshots = await room.learn(reader)
    done = dict.fromkeys(("semantic", "episodic", "procedural", "taxonomic"), "done")
    assert [states(snapshot) for snapshot in snapshots] == [done, dict.fromkeys(done, "dead"), done]
    assert {one["failure"] for one in snapshots[1]["extractions"]} == {code}
    assert await room.contents() == {"Ana is allergic to peanuts.", "Ana is allergic to latex."}
    page = await admin.send("GET", "/v1/admin/jobs", expect=200)
    assert {(job["handler"], job["state"], job["attempts"]) for job in page["items"]} == {(h, "dead", TRIES) for h in done}
    assert "peanuts" not in str(page)
    await room.agent.send("GET", "/v1/admin/jobs", expect=403)
    wanted = {"brain_id": room.brain, "snapshot_id": snapshots[1]["id"], "handler": "semantic"}
    await admin.send("POST", "/v1/admin/jobs:retry", expect=200, json=wanted)
    assert (await admin.send("POST", "/v1/admin/jobs:retry", expect=409, json=wanted))["code"] == "version_conflict"
    await work(product)
    assert "Ana is allergic to poison." in await room.contents()


async def test_two_workers_on_one_snapshot_store_once(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."), ("Ana", "I had my exam yesterday."))
    flushed = await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    (snapshot,) = flushed["snapshots"]
    tasks = [_task(room, snapshot, kind) for kind in (Kind.SEMANTIC, Kind.EPISODIC) for _ in range(4)]
    done = await asyncio.gather(*(extract(product.runtime, ByRules(), task) for task in tasks))
    assert sum(one is not None for one in done) == 2
    before = await room.contents()
    await work(product)
    assert await room.contents() == before, "a job that comes again has nothing to do"
    (allergy,) = [memory for memory in await room.memories() if "peanuts" in memory["content"]]
    assert len((await room.agent.history(allergy["id"]))["derivations"]) == 1


async def test_silence_cuts_a_session_and_a_full_run_does_at_once(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana", max_messages=3, idle_seconds=60)
    await room.say(*[("Ana", f"turn {n}") for n in range(7)])
    await sweep(product.runtime)
    cut = await room.agent.send("GET", f"/v1/sessions/{room.session}/snapshots", expect=200)
    assert [(one["first_position"], one["last_position"], one["cause"]) for one in cut["items"]] == [(0, 2, "size"), (3, 5, "size")]
    await sweep(product.runtime)
    product.clock.ahead += FORGOTTEN_AFTER
    await sweep(product.runtime)
    cut = await room.agent.send("GET", f"/v1/sessions/{room.session}/snapshots", expect=200)
    assert [(one["first_position"], one["last_position"], one["cause"]) for one in cut["items"][2:]] == [(6, 6, "idle")]
    session = await room.agent.send("GET", f"/v1/sessions/{room.session}", expect=200)
    assert (session["turns"], session["open_turns"]) == (7, 0)


async def test_a_job_that_was_lost_is_deferred_again(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."))
    await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    await product.rows("DELETE FROM memdb_jobs.procrastinate_jobs")
    await work(product)
    assert await room.contents() == set()
    product.clock.ahead += 2 * FORGOTTEN_AFTER
    await sweep(product.runtime)
    await work(product)
    assert await room.contents() == {"Ana is allergic to peanuts."}


async def test_what_a_dead_worker_held_is_taken_over_whatever_waits_beside_it(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."))
    await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    # All is in the hands of a worker that is gone: a rescue, a sweep whose next one waits for its lock, and the extractions.
    await product.rows("UPDATE memdb_jobs.procrastinate_jobs SET status = 'doing'")
    for task, status in ((QueueTask.SWEEP, "doing"), (QueueTask.SWEEP, "todo"), (QueueTask.RESCUE, "doing")):
        await product.rows(
            "INSERT INTO memdb_jobs.procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args, status, priority)"
            f" VALUES ('memdb', '{task}', '{task}', '{task}', '{{\"timestamp\": 0}}', '{status}', 1)"
        )
    await work(product)
    assert await room.contents() == set()
    app = make_app(product.runtime, ByRules(), product.app_url, back_off_s=0)
    async with app.open_async():
        assert await rescue(app, 0.0) == 6
    await work(product)
    assert await room.contents() == {"Ana is allergic to peanuts."}
    assert await product.value("SELECT count(*) FROM memdb_jobs.procrastinate_jobs WHERE status IN ('todo', 'doing')") == 0


async def test_a_handler_that_is_switched_off_does_not_read_and_direct_writes_go_on(admin: Caller, product: Product) -> None:
    policy = {"memory": {"extraction": {"enabled": ["episodic"]}}}
    await admin.send("PUT", "/v1/admin/policy", expect=200, json=policy)
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."))
    (snapshot,) = await room.learn()
    assert states(snapshot) == {"episodic": "done"}
    await room.agent.write("Ana is allergic to latex", brain_id=room.brain)
    assert await room.contents() == {"Ana is allergic to latex"}
    stored = await admin.send("GET", "/v1/admin/policy", expect=200)
    assert stored["memory"]["extraction"] == {"enabled": ["episodic"]}


async def test_what_was_deleted_while_a_job_waited_does_not_come_back(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."), ("Ana", "I'm allergic to latex."))
    await room.learn()
    await room.say(("Ana", "I'm allergic to peanuts."), ("Ana", "I'm allergic to soy."))
    await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    (peanuts,) = [memory for memory in await room.memories() if "peanuts" in memory["content"]]
    await room.agent.delete(peanuts["id"])
    await work(product)
    assert await room.contents() == {"Ana is allergic to latex.", "Ana is allergic to soy."}
    assert await product.value("SELECT count(*) FROM mem.forgotten f WHERE f::text LIKE '%peanuts%'") == 0
    await room.say(("Ana", "I'm allergic to peanuts."))
    await room.learn()
    assert "Ana is allergic to peanuts." in await room.contents(), "who says it anew is heard"


async def test_jobs_hold_ids_alone(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "My password is hunter2hunter2 and I'm allergic to peanuts."))
    await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    rows = await product.rows("SELECT args::text FROM memdb_jobs.procrastinate_jobs")
    assert rows
    assert not any("peanuts" in row[0] or "hunter2" in row[0] for row in rows)
    await work(product)


def _task(room: Room, snapshot: Json, kind: Kind) -> Task:
    return Task(room.agent.org_id, UUID(room.brain), UUID(snapshot["id"]), kind)
