"""Two jobs for one extraction: a reminder beside one that takes long, another try beside one that waits, a worker that ends meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from memdb.errors import ProviderUnavailable
from memdb.extraction.by_rules import ByRules
from memdb.extraction.extractor import Found
from memdb.extraction.transcript import Transcript
from memdb.jobs import worker
from memdb.jobs.sweep import FORGOTTEN_AFTER, sweep
from memdb.jobs.worker import TRIES, make_app
from memdb.models.memory import Kind
from memdb.storage import queue
from memdb.storage.queue import Task
from tests.integration.sessions.learning import Room, make_room, work
from tests.support.product import Caller, Product

PEANUTS = "Ana is allergic to peanuts."


class Slow:
    """Reads semantic statements only when it is let go, and fails then as often as it is told; the rest as the rules do."""

    def __init__(self, failures: int = 0) -> None:
        self.began, self.go = asyncio.Event(), asyncio.Event()
        self.readings = 0
        self._failures = failures
        self._rules = ByRules()

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        if kind is Kind.SEMANTIC:
            self.readings += 1
            self.began.set()
            await self.go.wait()
            if self.readings <= self._failures:
                raise ProviderUnavailable
        return await self._rules.read(kind, transcript)


@pytest.fixture
async def room(admin: Caller) -> Room:
    """A room whose only snapshot waits to be read, in a database where nothing else does."""
    for left in ("DELETE FROM memdb_jobs.procrastinate_jobs", "DELETE FROM mem.extractions", "UPDATE mem.sessions SET due_at = NULL"):
        await admin.product.rows(left)
    await admin.send("PUT", "/v1/admin/policy", expect=200, json={"memory": {"extraction": {"enabled": ["semantic"]}}})
    room = await make_room(admin, "Ana")
    await room.say(("Ana", "I'm allergic to peanuts."))
    await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    return room


@asynccontextmanager
async def working(product: Product, reader: Slow) -> AsyncIterator[asyncio.Task[None]]:
    """A worker beside the test."""
    task = asyncio.create_task(worker.work(make_app(product.runtime, reader, product.app_url, back_off_s=0)))
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def waiting(product: Product, status: str) -> int:
    """Jobs of extractions in a status."""
    sql = "SELECT count(*) FROM memdb_jobs.procrastinate_jobs WHERE task_name = :task AND status::text = :status"
    return int(await product.value(sql, task=Task.EXTRACT.value, status=status))


async def until_done(room: Room) -> None:
    async with asyncio.timeout(30):
        while await room.contents() != {PEANUTS}:  # noqa: ASYNC110 - the worker has no event for it
            await asyncio.sleep(0.1)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is told to end waits for nothing."""
    monkeypatch.setattr(worker, "GRACE_S", 0.2)


async def test_what_takes_long_is_not_begun_again_beside_it(product: Product, room: Room) -> None:
    reader = Slow()
    async with working(product, reader):
        await reader.began.wait()
        product.clock.ahead += 2 * FORGOTTEN_AFTER
        assert (await sweep(product.runtime)).deferred == 0
        assert await waiting(product, "todo") == 0
        # Nobody takes that long: whoever had it could not say that it had finished.
        aged = "UPDATE memdb_jobs.procrastinate_events SET at = at - make_interval(secs => :age)"
        await product.rows(aged, age=queue.BELIEVED_S + 60)
        await sweep(product.runtime)
        async with asyncio.timeout(30):
            while reader.readings < 2:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.1)
        assert (await sweep(product.runtime)).deferred == 0, "and once is enough"
        reader.go.set()
        await until_done(room)
    (memory,) = await room.memories()
    assert len((await room.agent.history(memory["id"]))["derivations"]) == 1, "two readings, one effect"


async def test_a_failure_beside_a_twin_that_waits_is_counted_and_tried_again(product: Product, room: Room) -> None:
    """The queue's own retry would be refused here, and leave its job as one that is being done for as long as the worker lives."""
    reader = Slow(failures=2)
    async with working(product, reader):
        await reader.began.wait()
        await product.rows(
            "INSERT INTO memdb_jobs.procrastinate_jobs (queue_name, task_name, queueing_lock, args, scheduled_at)"
            " SELECT queue_name, task_name, queueing_lock, args, now() + interval '1 second' FROM memdb_jobs.procrastinate_jobs"
            " WHERE status = 'doing' AND task_name = :task", task=Task.EXTRACT.value,
        )  # fmt: skip
        reader.go.set()
        await until_done(room)
        for status in ("doing", "todo", "failed"):
            assert await waiting(product, status) == 0
    assert reader.readings == 3
    assert await product.value("SELECT attempts FROM mem.extractions WHERE org_id = :org", org=room.agent.org_id) == 2


async def test_what_is_given_up_leaves_no_job_behind(product: Product, room: Room) -> None:
    reader = Slow(failures=TRIES)
    reader.go.set()
    await work(product, reader)
    assert reader.readings == TRIES
    state = "SELECT state, attempts FROM mem.extractions WHERE org_id = :org"
    assert [tuple(row) for row in await product.rows(state, org=room.agent.org_id)] == [("dead", TRIES)]
    assert await product.value("SELECT count(*) FROM memdb_jobs.procrastinate_jobs") == 0


async def test_tries_are_further_and_further_apart(product: Product, room: Room) -> None:
    reader = Slow(failures=TRIES)
    reader.go.set()
    pauses = []
    for _ in range(TRIES - 1):
        await worker.work_off(make_app(product.runtime, reader, product.app_url))
        pauses.append(await product.value("SELECT extract(epoch FROM scheduled_at - now()) FROM memdb_jobs.procrastinate_jobs"))
        await product.rows("UPDATE memdb_jobs.procrastinate_jobs SET scheduled_at = NULL")
    assert [round(float(pause) / 4) * 4 for pause in pauses] == [4, 16, 64, 256]
    assert all(pause < FORGOTTEN_AFTER.total_seconds() for pause in pauses)
    assert await room.contents() == set()


async def test_a_worker_that_is_told_to_end_puts_back_what_it_has_begun(product: Product, room: Room) -> None:
    reader = Slow()
    async with working(product, reader) as ending:
        await reader.began.wait()
        ending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await ending
    assert await room.contents() == set()
    assert (await waiting(product, "todo"), await waiting(product, "aborted"), await waiting(product, "doing")) == (1, 0, 0)
    other = Slow()
    other.go.set()
    async with working(product, other):
        await until_done(room)
