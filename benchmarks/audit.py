"""What the audit costs: its share of a write, how fast events are sealed, how fast and in how much memory everything is verified.

    python -m benchmarks.audit [--writes 200] [--events 20000] [--memories 2000 8000] [--json FILE]

Headline: `share_of_write`, the median write with seals and events less the median write without them, over the former (bar: at most 0.15);
`share_of_batch`, the same for batches of 100; `sealed_per_second` (bar: at least 1,000); `verify_peak_mb` for each number of memories, of a
process of its own: it must not grow with them. The product has no switch for any of this: its functions are replaced in this process, for
every other write, so that whatever else the machine does meanwhile weighs on both alike.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest import mock

from benchmarks.harness import Bench, open_bench, write_json, writer_of
from benchmarks.write_path import NAMES, SENTENCES
from governance.audit import OWNER, AuditEvent
from memdb.auditing.heads import path_of, read_head
from memdb.auditing.sealing import Sealer, seal_org
from memdb.auditing.verifying import verify_org
from memdb.formation.pipeline import form
from memdb.ids import make_id
from memdb.keyring import load
from memdb.models.memory import Kind
from memdb.models.submission import Submission
from memdb.storage.audit import Auditor, record_all
from memdb.storage.database import Identity
from memdb.storage.evidence import list_orgs
from memdb.storage.owner import connect

WARM_UP = 30
BATCH = 100
BATCHES = 20
URL = "BENCH_OWNER_URL"
CONSTANT = b"\0" * 32


async def _nothing(_conn: object, _events: object) -> None:
    return


def _unsealed(event: AuditEvent, **_: object) -> AuditEvent:
    return replace(event, mac_key_id="none", digest=CONSTANT)


@contextmanager
def without_audit() -> Iterator[None]:
    """Writes without seals and without events, until the block ends."""
    seals = {name: lambda *_: CONSTANT for name in ("seal_words", "seal_context", "seal_vector")}
    with ExitStack() as stack:
        for name, constant in seals.items():
            stack.enter_context(mock.patch(f"memdb.storage.memories.{name}", constant))
        for where in ("memdb.storage.memories", "memdb.formation.work"):
            stack.enter_context(mock.patch(f"{where}.make_seals", return_value=("none", CONSTANT, CONSTANT)))
        stack.enter_context(mock.patch("memdb.storage.memories.event_row", return_value={"org_id": None}))
        stack.enter_context(mock.patch("memdb.storage.audit.seal", _unsealed))
        stack.enter_context(mock.patch("memdb.storage.audit.record_all", _nothing))
        yield


async def measure_share(bench: Bench, writes: int, size: int) -> float:
    """The share of seals and events in what writes of `size` memories take by their own stage timings."""
    brain = await bench.make_brain(f"share-{size}")
    writer = writer_of(await bench.enter())
    took: dict[bool, list[float]] = {True: [], False: []}
    for n in range(2 * writes + WARM_UP):
        audited = n % 2 == 0
        texts = [_text(n * size + k) for k in range(size)]
        batch = [Submission(text, Kind.EPISODIC, brain_id=brain) for text in texts]
        with ExitStack() as stack:
            if not audited:
                stack.enter_context(without_audit())
            timings = (await form(bench.runtime, writer, batch)).timings_ms
        if n >= WARM_UP:
            took[audited].append(sum(timings.values()))
    with_audit, without = (statistics.median(took[audited]) for audited in (True, False))
    print(f"{size:>6} memories a write: {with_audit:.2f} ms with, {without:.2f} ms without")
    return round(max(0.0, 1 - without / with_audit), 3)


def _text(n: int) -> str:
    return SENTENCES[n % len(SENTENCES)].format(name=NAMES[n % len(NAMES)], n=n)


async def measure_sealing(bench: Bench, count: int) -> float:
    """Events a second that the sealer gives their places, heads included."""
    org_id = (await bench.enter()).principal.org_id
    by = Sealer.of(bench.runtime)
    await _seal_all(by, bench)
    auditor = Auditor(bench.runtime.keyring, org_id, OWNER, at=bench.runtime.clock.now(), request_id=None)
    for _ in range(count // 1_000):
        events = [auditor.event("memory.confirm", ("memory", make_id()), commitment=CONSTANT) for _ in range(1_000)]
        async with bench.runtime.database.write(Identity(org_id)) as conn:
            await record_all(conn, events)
    began = time.perf_counter()
    done = await _seal_all(by, bench)
    return round(done / (time.perf_counter() - began))


async def _seal_all(by: Sealer, bench: Bench) -> int:
    org_id, done, more = (await bench.enter()).principal.org_id, 0, True
    while more:
        sealed = await seal_org(by, org_id)
        done, more = done + sealed.events, sealed.more
    return done


async def load_memories(bench: Bench, total: int, brain: str) -> None:
    """Write memories in batches of 500 into a brain of their own."""
    brain_id = await bench.make_brain(brain)
    writer = writer_of(await bench.enter())
    for first in range(0, total, 500):
        some = [Submission(_text(n), Kind.EPISODIC, brain_id=brain_id) for n in range(first, min(total, first + 500))]
        await form(bench.runtime, writer, some)


def verify_apart(bench: Bench) -> dict[str, float]:
    """What a process of its own says of verifying everything that there is."""
    data_dir = bench.runtime.settings.data_dir
    command = [sys.executable, "-m", "benchmarks.audit", "--verify", str(data_dir)]
    known = {**os.environ, URL: bench.postgres.owner_url}  # holds a password, so that it is no argument
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=known)  # noqa: S603 - this module itself
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def verify(url: str, data_dir: Path) -> None:
    """Verify the one org of a database; the figures as one line of JSON."""
    ring = load(data_dir / "secret.key")
    with connect(url) as conn:
        (org,) = list_orgs(conn)
        began = time.perf_counter()
        report = verify_org(conn, ring, org, read_head(path_of(data_dir / "heads", org[1]), ring), lambda _steps: None)
        seconds = time.perf_counter() - began
    if not report.intact:
        print(*report.first, sep="\n", file=sys.stderr)
        raise SystemExit(1)
    records = report.memories + report.events + report.vectors
    print(
        json.dumps(
            {
                "memories": report.memories,
                "records_per_s": round(records / seconds),
                "seconds": round(seconds, 2),
                "peak_mb": _peak_mb(),
            }
        )
    )


def _peak_mb() -> float:
    # Not getrusage: what that says begins with the process that started this one.
    (peak,) = re.findall(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(encoding="ascii"), re.MULTILINE)
    return round(int(peak) / 1024, 1)


async def measure(writes: int, events: int, memories: Sequence[int]) -> dict[str, object]:
    """All of it, each part in a database of its own."""
    result: dict[str, object] = {}
    async with open_bench() as bench:
        result["share_of_write"] = await measure_share(bench, writes, 1)
        result["share_of_batch"] = await measure_share(bench, BATCHES, BATCH)
    async with open_bench() as bench:
        result["sealed_per_second"] = await measure_sealing(bench, events)
    verified = []
    async with open_bench() as bench:
        there = 0
        for total in sorted(memories):
            await load_memories(bench, total - there, f"of-{total}")
            there = total
            await _seal_all(Sealer.of(bench.runtime), bench)
            verified.append(await asyncio.to_thread(verify_apart, bench))
            print(f"verified: {verified[-1]}")
    return result | {"verify": verified, "verify_peak_mb": [one["peak_mb"] for one in verified]}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writes", type=int, default=200)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--memories", type=int, nargs="+", default=[2_000, 8_000])
    parser.add_argument("--verify", type=Path, metavar="DIR", default=None, help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    if arguments.verify is not None:
        verify(os.environ[URL], arguments.verify)
        return
    result = asyncio.run(measure(arguments.writes, arguments.events, arguments.memories))
    for name, value in result.items():
        print(f"{name:>20}  {value}")
    names = ("share_of_write", "share_of_batch", "sealed_per_second", "verify_peak_mb")
    write_json(arguments.json, {name: result[name] for name in names}, result)


if __name__ == "__main__":
    main()
