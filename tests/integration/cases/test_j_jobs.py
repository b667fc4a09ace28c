"""Cases of concurrency, pools, jobs and the event loop while conversations are learned from, by their number.

B115 (a killed worker) is in ../cli/test_worker.py and ../sessions/test_jobs.py as well, B121 (two migrations at once) in ../schema, and
B113 without conversations in ../formation.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest

from api.container import build_runtime, close_runtime
from memdb.extraction.by_model import ByModel
from memdb.extraction.by_rules import ByRules
from memdb.extraction.extract import Task, extract
from memdb.extraction.extractor import Found
from memdb.extraction.transcript import Transcript
from memdb.jobs.worker import TRIES
from memdb.models.memory import Kind
from memdb.providers.embedding.base import Embedded
from tests.integration.sessions.learning import Room, make_room, work
from tests.support.product import Caller, Json, Product, WatchedEmbedder
from tests.support.scripted_model import Answer, ScriptedModel, refusal

FOODS = ("peanuts", "shrimp", "soy", "milk", "eggs", "latex", "wheat", "fish", "sesame", "celery")


@pytest.fixture
async def second(product: Product) -> AsyncIterator[Product]:
    """Another server over the same database, with a pool of five."""
    settings = product.runtime.settings.model_copy(update={"pool_size": 5})
    runtime = await build_runtime(settings, app_url=product.app_url, keyring=product.runtime.keyring, clock=product.clock)
    yield replace(product, runtime=runtime)
    await close_runtime(runtime)


async def flushed(room: Room) -> list[Task]:
    """What waits to be read of a session whose open turns are cut now."""
    answer = await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    return [Task(room.agent.org_id, UUID(room.brain), UUID(one["id"]), Kind.SEMANTIC) for one in answer["snapshots"]]


def allergies(body: dict[str, Any]) -> str:
    """An honest model."""
    asked = json.loads(body["messages"][1]["content"])
    names = {one["p"]: one["name"] for one in asked["people"]}
    told = [(turn, turn["text"].split()[-1].rstrip(".")) for turn in asked["turns"] if not turn["context"]]
    return json.dumps(
        {
            "items": [
                {"content": f"{names[turn['p']]} is allergic to {food}.", "about": [turn["p"]], "evidence": [turn["n"]], "quote": food}
                for turn, food in told
            ]
        }
    )


# ------------------------------------------------------------------------------------------------------------- B108, B110
class Thinking:
    """Reads as the rules do, once it is told to; knows how many wait for that."""

    def __init__(self) -> None:
        self.go, self.waiting = asyncio.Event(), asyncio.Semaphore(0)
        self._rules = ByRules()

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        self.waiting.release()
        await self.go.wait()
        return await self._rules.read(kind, transcript)


async def test_b108_while_models_think_nobody_holds_a_connection_and_the_rest_is_answered(admin: Caller, second: Product) -> None:
    people = [f"Guest{letter}" for letter in "abcdefghijklmnopqrst"]
    room = await make_room(admin, *people, max_messages=1, overlap=0)
    here, reader = admin.through(second.runtime), Thinking()
    await room.say(*((name, f"I'm allergic to {FOODS[n % 10]}.") for n, name in enumerate(people)))
    learning = asyncio.gather(*(extract(second.runtime, reader, task) for task in await flushed(room)))
    for _ in people:
        await reader.waiting.acquire()
    assert second.runtime.database.checked_out == 0
    with psycopg.connect(second.superuser_url) as conn:
        idle = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
        assert conn.execute(idle).fetchone() == (0,)
    assert (await here.client.get("/healthz")).status_code == 200
    await here.search("who is allergic to what?")
    reader.go.set()
    assert all(one is not None for one in await learning), "twenty on a pool of five"
    assert len(await room.memories()) == 20


async def test_b110_connections_that_died_while_a_model_thought_are_replaced(
    admin: Caller, second: Product, model: ScriptedModel, learner: ByModel
) -> None:
    room = await make_room(admin, "Ana", max_messages=1, overlap=0)

    def cut() -> None:
        with psycopg.connect(second.superuser_url, autocommit=True) as conn:
            theirs = "usename = 'memdb_app' AND datname = current_database() AND application_name NOT LIKE 'procrastinate%'"
            conn.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {theirs}")

    home: Json = {"about": [1], "attribute": "home", "single": True, "evidence": [1]}
    told: list[tuple[str, Json]] = [
        ("I live in Porto.", home | {"content": "Ana lives in Porto.", "value": "Porto", "quote": "I live in Porto"}),
        ("I live in Lisbon.", home | {"content": "Ana lives in Lisbon.", "value": "Lisbon", "quote": "I live in Lisbon"}),
        ("I left Lisbon for good.", home | {"content": None, "ends": [{"attribute": "home"}], "quote": "I left Lisbon"}),
    ]
    found = []
    for day, (text, item) in enumerate(told, 2):
        model.otherwise = json.dumps({"items": [item]})
        model.watch = cut
        await room.say({"text": text, "speaker": {"subject_id": room.people["Ana"]}, "said_at": f"2026-11-0{day}T09:00:00Z"})
        (task,) = await flushed(room)
        assert await extract(second.runtime, learner, task) is not None
        found.append(await room.agent.found("where does Ana live?"))
    assert found == [["Ana lives in Porto."], ["Ana lives in Lisbon."], []]


# ------------------------------------------------------------------------------------------------------------------ B112
async def test_b112_reading_and_embedding_leave_the_event_loop_alone(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana", max_messages=40, overlap=0)
    hostile = ("a" * 20_000 + "@", "I'm allergic to " * 900, '"I live in ' * 1_500, "remember that " * 1_000)
    for text in hostile:
        await room.say(*[("Ana", text)] * 5)
    await room.say(*(("Ana", f"I'm allergic to {food}.") for food in FOODS))
    tasks = await flushed(room)
    gaps: list[float] = []
    loop = asyncio.get_running_loop()

    async def beat() -> None:
        while True:
            begin = loop.time()
            await asyncio.sleep(0.005)
            gaps.append(loop.time() - begin)

    beating = asyncio.create_task(beat())
    begin = loop.time()
    for task in tasks:
        await extract(product.runtime, ByRules(), task)
    took = loop.time() - begin
    beating.cancel()
    assert len(await room.memories()) == len(FOODS)
    assert max(gaps) < max(took / 3, 0.2), (max(gaps), took)


# ------------------------------------------------------------------------------------------------------------------ B113
async def test_b113_conversations_that_name_the_same_things_in_any_order_lose_nothing(
    admin: Caller, product: Product, model: ScriptedModel
) -> None:
    room = await make_room(admin, "Ana", max_messages=1, overlap=0)
    places = ("Zanzibar", "Madagascar", "Mauritius", "Comoros", "Seychelles", "Mayotte", "Reunion", "Rodrigues", "Pemba", "Mafia")
    order = random.Random(5)

    def travels(body: dict[str, Any]) -> str:
        (turn,) = json.loads(body["messages"][1]["content"])["turns"]
        contents = [f"Ana saw {' and '.join(order.sample(places, 4))} on trip {turn['text'].split()[-1]} leg {leg}" for leg in range(4)]
        return json.dumps({"items": [{"content": c, "about": [1], "evidence": [1], "quote": turn["text"]} for c in contents]})

    model.otherwise = travels
    reader = ByModel(model.make(timeout_s=60.0))
    for start in range(0, 24, 8):
        await room.say(*(("Ana", f"trip {n}") for n in range(start, start + 8)))
    await flushed(room)
    gone: set[str] = set()

    async def disturb() -> None:
        while len(gone) < 6:
            for memory in (await room.memories())[:2]:
                if memory["id"] not in gone and len(gone) < 6:
                    await room.agent.edit(memory["id"], content=f"{memory['content']} {' and '.join(order.sample(places, 3))}")
                    await room.agent.delete(memory["id"])
                    gone.add(memory["id"])
            await asyncio.sleep(0)

    await asyncio.gather(disturb(), *(work(product, reader) for _ in range(8)))
    await work(product, reader)  # what was put back for another try when nobody looked any more
    await reader.aclose()
    counted = await product.rows("SELECT state, sum(added) FROM mem.extractions WHERE org_id = :org GROUP BY state", org=admin.org_id)
    assert [tuple(row) for row in counted] == [("done", 4 * 24)]
    assert len(await room.memories()) == 4 * 24 - len(gone)
    dangling = (
        "SELECT count(*) FROM mem.memory_entities e LEFT JOIN mem.memories m ON m.org_id = e.org_id AND m.id = e.memory_id"
        " WHERE e.org_id = :org AND (m.id IS NULL OR m.status = 'deleted')"
    )
    assert await product.value(dangling, org=admin.org_id) == 0


# ------------------------------------------------------------------------------------------------------------- B115, B117
class Stuck(WatchedEmbedder):
    """Hangs in the middle of embedding."""

    began: asyncio.Event

    async def embed_documents(self, texts: Any) -> list[Embedded]:
        self.began.set()
        await asyncio.Event().wait()
        return await super().embed_documents(texts)


async def test_b115_what_was_cut_off_while_it_embedded_or_after_it_was_stored_has_its_effect_once(admin: Caller, product: Product) -> None:
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."))
    jobs = "SELECT queue_name, task_name, queueing_lock, args FROM memdb_jobs.procrastinate_jobs WHERE task_name LIKE '%extract%'"
    (task,) = await flushed(room)
    before = await product.rows(jobs)
    assert len(before) == 1
    stuck = Stuck(product.runtime.embedder)
    stuck.began = asyncio.Event()
    cut_off = asyncio.create_task(extract(replace(product.runtime, embedder=stuck), ByRules(), task))
    await stuck.began.wait()
    cut_off.cancel()
    with suppress(asyncio.CancelledError):
        await cut_off
    assert await room.contents() == set()
    await work(product)
    # Stored, but whoever did it died before the queue knew: the job comes once more.
    again = (
        "INSERT INTO memdb_jobs.procrastinate_jobs (queue_name, task_name, queueing_lock, args)"
        " VALUES (:queue, :task, :lock, CAST(:args AS jsonb))"
    )
    (job,) = before
    await product.rows(again, queue=job[0], task=job[1], lock=job[2], args=json.dumps(job[3]))
    await work(product)
    (memory,) = await room.memories()
    assert [one["action"] for one in (await room.agent.history(memory["id"]))["derivations"]] == ["ADD"]
    assert await product.value("SELECT reinforced FROM mem.memory_stats WHERE org_id = :org", org=admin.org_id) == 0
    assert await product.value("SELECT count(*) FROM memdb_jobs.procrastinate_jobs") == 0


async def test_b117_of_ten_snapshots_the_broken_third_is_given_up_and_the_rest_learned(
    admin: Caller, model: ScriptedModel, learner: ByModel
) -> None:
    room = await make_room(admin, "Ana", max_messages=1, overlap=0)

    def answer(body: dict[str, Any]) -> Answer | str:
        return refusal(500) if FOODS[2] in body["messages"][1]["content"] else allergies(body)

    model.otherwise = answer
    await room.say(*(("Ana", f"I'm allergic to {food}.") for food in FOODS))
    snapshots = await room.learn(learner)
    states = [(one["state"], one["attempts"], one["failure"]) for snapshot in snapshots for one in snapshot["extractions"]]
    assert states[2] == ("dead", TRIES, "provider_unavailable")
    assert states[:2] + states[3:] == [("done", 0, None)] * 9
    assert await room.contents() == {f"Ana is allergic to {food}." for food in FOODS if food != FOODS[2]}
    page = await admin.send("GET", "/v1/admin/jobs", expect=200)
    assert [(job["state"], job["failure"]) for job in page["items"]] == [("dead", "provider_unavailable")]


# ------------------------------------------------------------------------------------------------------------------ B121
async def test_b121_two_servers_over_one_database_lose_and_repeat_nothing(admin: Caller, product: Product, second: Product) -> None:
    room = await make_room(admin, "Ana")
    servers = (room.agent, room.agent.through(second.runtime))
    path = f"/v1/sessions/{room.session}/turns"

    def turn(n: int) -> Json:
        speaker = {"subject_id": room.people["Ana"]}
        return {"turns": [{"text": f"I'm allergic to {FOODS[n]}.", "client_turn_id": f"t{n}", "speaker": speaker}]}

    await asyncio.gather(*(who.send("POST", path, expect=201, json=turn(n)) for n in range(10) for who in servers))
    page = await room.agent.send("GET", path, expect=200, params={"limit": 200})
    assert [one["position"] for one in page["items"]] == list(range(10))
    writes = [who.write(f"Ana eats no {food}", brain_id=room.brain) for food in FOODS[:3] for who in servers]
    receipts = await asyncio.gather(*writes, *(who.send("POST", f"/v1/sessions/{room.session}:flush", expect=200) for who in servers))
    assert len({one["id"] for one in receipts[:6]}) == 3
    assert sum(len(one["snapshots"]) for one in receipts[6:]) == 1, "what one has cut the other has not"
    await asyncio.gather(work(product), work(second))
    assert await room.contents() == {f"Ana is allergic to {food}." for food in FOODS} | {f"Ana eats no {food}" for food in FOODS[:3]}
