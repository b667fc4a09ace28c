"""What the events of reads cost: the latency of reads over HTTP with and without, and how long it takes to find who read a memory.

    python -m benchmarks.reads [--reads 400] [--events 100000] [--json FILE]

Headline: `read_ratio` and `list_ratio`, the median of `GET /v1/memories/{id}` and of a page of 50 with their event over the median without
it, and `find_ms`, what it takes to look through so many events of pages of 50 for who read a memory. The product has no switch for it: its
function is replaced in this process, for every other request, so that whatever else the machine does meanwhile weighs on both alike.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from unittest import mock

import httpx

from api.app import create_app
from api.logging import configure
from benchmarks.harness import Bench, open_bench, write_json, writer_of
from benchmarks.write_path import NAMES, SENTENCES
from governance.audit import actor_of
from memdb.auditing.reading import Read, Reading, Reads
from memdb.formation.pipeline import form
from memdb.ids import make_id
from memdb.models.memory import Kind
from memdb.models.submission import Submission
from memdb.runtime import Runtime
from memdb.storage.audit import Auditor, record_all
from memdb.storage.database import Identity, identity_of

WARM_UP = 40
MEMORIES = 500
PAGE = 50


@asynccontextmanager
async def _unaudited(runtime: Runtime, by: Reads, *, one_plan: bool = False) -> AsyncIterator[Reading]:
    """As `reading` without its event, in the read-only transaction that it would be."""
    del one_plan
    auditor = Auditor(runtime.keyring, by.principal.org_id, actor_of(by.principal), at=runtime.clock.now(), request_id=None)
    async with runtime.database.read(identity_of(by.principal)) as conn:
        with mock.patch.object(Reading, "tell", return_value=None):
            yield Reading(conn, auditor)


async def measure(client: httpx.AsyncClient, paths: list[str], count: int, headers: dict[str, str]) -> dict[bool, float]:
    """Median milliseconds of GETs, with events and without."""
    took: dict[bool, list[float]] = {True: [], False: []}
    for n in range(2 * count + WARM_UP):
        audited = n % 2 == 0
        with ExitStack() as stack:
            if not audited:
                for where in ("memdb.lifecycle.conflicts", "api.routes.memories"):
                    stack.enter_context(mock.patch(f"{where}.reading", _unaudited))
            began = time.perf_counter()
            (await client.get(paths[n % len(paths)], headers=headers)).raise_for_status()
            if n >= WARM_UP:
                took[audited].append(1_000 * (time.perf_counter() - began))
    return {audited: statistics.median(values) for audited, values in took.items()}


async def write_memories(bench: Bench) -> list[str]:
    """Ids of memories in a room."""
    brain = await bench.make_brain("read")
    texts = [SENTENCES[n % len(SENTENCES)].format(name=NAMES[n % len(NAMES)], n=n) for n in range(MEMORIES)]
    writer, ids = writer_of(await bench.enter()), list[str]()
    for start in range(0, MEMORIES, 50):
        some = [Submission(text, Kind.EPISODIC, brain_id=brain) for text in texts[start : start + 50]]
        ids += [str(getattr(outcome, "id", "")) for outcome in (await form(bench.runtime, writer, some)).outcomes]
    return ids


async def record_reads(bench: Bench, count: int) -> None:
    """Events of pages, each of other memories."""
    principal = (await bench.enter()).principal
    auditor = Auditor(bench.runtime.keyring, principal.org_id, actor_of(principal), at=bench.runtime.clock.now(), request_id=None)
    for _ in range(count // 1_000):
        events = [
            auditor.event(Read.LIST, ("org", principal.org_id), detail={"memories": [make_id() for _ in range(PAGE)]}) for _ in range(1_000)
        ]
        async with bench.runtime.database.write(Identity(principal.org_id)) as conn:
            await record_all(conn, events)


async def find_ms(client: httpx.AsyncClient, memory_id: str, headers: dict[str, str]) -> float:
    """The median of some looks for who read a memory, in milliseconds."""
    took = []
    for _ in range(7):
        began = time.perf_counter()
        reply = await client.get(f"/v1/admin/audit/reads/{memory_id}", headers=headers)
        reply.raise_for_status()
        took.append(1_000 * (time.perf_counter() - began))
    return statistics.median(took)


async def run(reads: int, events: int) -> dict[str, object]:
    """All of it."""
    configure("error", "json")
    async with open_bench(key_requests_per_minute=0, org_requests_per_minute=0) as bench:
        headers = {"Authorization": f"Bearer {bench.key}"}
        transport = httpx.ASGITransport(app=create_app(bench.runtime))
        async with httpx.AsyncClient(transport=transport, base_url="http://memdb.example") as client:
            ids = await write_memories(bench)
            one = await measure(client, [f"/v1/memories/{one}" for one in ids], reads, headers)
            page = await measure(client, [f"/v1/memories?limit={PAGE}"], reads, headers)
            await record_reads(bench, events)
            found = await find_ms(client, ids[0], headers)
    result: dict[str, object] = {"read_ratio": round(one[True] / one[False], 3), "list_ratio": round(page[True] / page[False], 3)}
    for name, medians in (("read", one), ("list", page)):
        result |= {f"{name}_ms": round(medians[True], 2), f"{name}_without_ms": round(medians[False], 2)}
    return result | {"find_ms": round(found, 1), "events": events}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reads", type=int, default=400)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    result = asyncio.run(run(arguments.reads, arguments.events))
    for name, value in result.items():
        print(f"{name}: {value}")
    headline = {name: result[name] for name in ("read_ratio", "list_ratio", "find_ms")}
    write_json(arguments.json, headline, {"result": result})


if __name__ == "__main__":
    main()
