"""What is left of a person among many memories after they were erased, and how long that took.

    python -m benchmarks.erasure [--memories 100000] [--about 1000] [--json FILE]

A database is filled through the write path: `--memories` in twenty brains, of which `--about` are about one person alone, a tenth as many
about that person and somebody else, and as many that only name them. The person is erased as an administrator would. Then: `memdb forget
--check` with every name, a plain dump searched for them, each old vector searched for exactly, and what others had is counted before and
after. docs/erasure.md says what the figures mean.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from psycopg import sql
from rich.console import Console
from rich.progress import track

from api.cli.loops import run_async
from benchmarks.harness import Bench, open_bench, write_json, writer_of
from benchmarks.synthetic import make_texts
from memdb.directory.authentication import Authenticated
from memdb.directory.labels import ExternalId
from memdb.directory.subjects import SubjectRequest, create_subject
from memdb.embedded.binaries import find_binaries
from memdb.formation.pipeline import form
from memdb.keyring import load
from memdb.lifecycle.erasure.check import check
from memdb.lifecycle.erasure.receipts import is_genuine
from memdb.lifecycle.erasure.requests import forget_subject, look_at_subject
from memdb.lifecycle.erasure.run import run
from memdb.lifecycle.upkeep import run_once
from memdb.models.memory import Kind
from memdb.models.submission import Submission
from memdb.storage.owner import connect
from memdb.storage.spaces import list_spaces, vector_tables
from memdb.storage.subjects import SubjectKind

BRAINS: Final = 20
BATCH: Final = 200
LANES: Final = 3
OTHERS: Final = 40
NAMES: Final = ("Zuleide", "Zuleide Quarentei", "zuquarentei")
GREPPED: Final = ("zuleid", "quarentei")
"""Beginnings of every word by which the person is known, also when it is stemmed."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What was written: the person, the others, and ids of what is about the person alone."""

    who: Authenticated
    person: UUID
    others: Sequence[UUID]


async def measure(count: int, about: int) -> dict[str, Any]:
    """The figures."""
    async with open_bench(embedding_provider="hashing", statement_timeout_ms=60_000) as bench:
        started = time.perf_counter()
        stage = await _write(bench, count, about)
        written_s = time.perf_counter() - started
        vectors = _vectors_of(bench, stage.person)
        before = _counts_of_others(bench, stage)
        started = time.perf_counter()
        look = await look_at_subject(bench.runtime, stage.who, stage.person)
        looked_s = time.perf_counter() - started
        started = time.perf_counter()
        begun = await forget_subject(bench.runtime, stage.who, stage.person)
        inline_s = time.perf_counter() - started
        done = await run(bench.runtime, stage.who.principal.org_id, begun.id)
        erased_s = time.perf_counter() - started
        keyring = load(bench.runtime.settings.data_dir / "secret.key")
        started = time.perf_counter()
        with connect(bench.postgres.owner_url) as conn:
            checked = check(conn, keyring, NAMES, lambda _: None)
        checked_s = time.perf_counter() - started
        after = _counts_of_others(bench, stage)
        return {
            "memories": count,
            "about": about,
            "state": done.state.value,
            "receipt_genuine": done.receipt is not None and is_genuine(done.receipt, keyring),
            "found_by_check": sum(one.rows for one in checked.found),
            "where": [f"{one.table}.{one.column}: {one.rows}" for one in checked.found],
            "found_in_dump": _grep_dump(bench),
            "old_vectors": len(vectors),
            "old_vectors_found": _find_vectors(bench, vectors),
            "others_unchanged": before == after,
            "others": len(before),
            "audit_events_of_erased": _count_events(bench),
            "looked_for": dict(look.counts),
            "counts": dict(done.counts),
            "seconds": {
                "writing": round(written_s, 1), "looking": round(looked_s, 2), "first_reply": round(inline_s, 2),
                "erasing": round(erased_s, 2), "checking": round(checked_s, 2),
            },
        }  # fmt: skip


async def _write(bench: Bench, count: int, about: int) -> Stage:
    who = await bench.enter()
    brains = [await bench.make_brain(f"brain {number}") for number in range(BRAINS)]
    request = SubjectRequest(SubjectKind.PERSON, NAMES[1], [NAMES[0]], [ExternalId("slack", NAMES[2])])
    person = (await create_subject(bench.runtime, who, request)).row.id
    others = [
        (await create_subject(bench.runtime, who, SubjectRequest(SubjectKind.PERSON, f"Person {number}"))).row.id
        for number in range(OTHERS)
    ]
    who = await bench.enter()
    rows = [_row(text.text, place, brains, (person, others), about) for place, text in enumerate(make_texts(count))]
    lanes = [rows[lane * len(rows) // LANES : (lane + 1) * len(rows) // LANES] for lane in range(LANES)]
    for start in track(range(0, len(lanes[-1]) + 1, BATCH), description="writing"):
        await asyncio.gather(*(form(bench.runtime, writer_of(who), part) for lane in lanes if (part := lane[start : start + BATCH])))
    while (await run_once(bench.runtime)).full:
        pass
    return Stage(who, person, others)


def _row(text: str, place: int, brains: Sequence[UUID], people: tuple[UUID, Sequence[UUID]], about: int) -> Submission:
    person, others = people
    brain, other, shared = brains[place % len(brains)], others[place % len(others)], about // 10
    if place < about:
        return Submission(f"{NAMES[0]}: {text}", Kind.SEMANTIC, brain_id=brain, about=(person,), tags=("of-zuleide",))
    if place < about + shared:
        return Submission(f"{NAMES[1]} and a colleague: {text}", Kind.SEMANTIC, brain_id=brain, about=(person, other))
    if place < about + 2 * shared:
        return Submission(f"{text}, says {NAMES[0].upper()}", Kind.SEMANTIC, brain_id=brain, about=(other,))
    return Submission(text, Kind.SEMANTIC, brain_id=brain, about=(other,))


# ------------------------------------------------------------------------------------------------------------------ looked
def _vectors_of(bench: Bench, person: UUID) -> list[str]:
    found: list[str] = []
    with connect(bench.postgres.owner_url) as conn:
        for known in list_spaces(conn):
            statement = sql.SQL(
                "SELECT v.embedding::text FROM mem.{} v JOIN mem.memories m ON m.org_id = v.org_id AND m.id = v.memory_id"
                " WHERE m.about = ARRAY[%s]::uuid[] AND v.field = 'text'"
            ).format(sql.Identifier(vector_tables(known.space.name)[0]))
            found += [row[0] for row in conn.execute(statement, (person,)).fetchall()]
    return found


def _find_vectors(bench: Bench, vectors: Sequence[str]) -> int:
    """How many of the old vectors are still stored, exactly, in any table of vectors."""
    found = 0
    with connect(bench.postgres.owner_url) as conn:
        for known in list_spaces(conn):
            for table in vector_tables(known.space.name):
                statement = sql.SQL("SELECT count(*) FROM mem.{} v WHERE v.embedding::text = ANY (%s)").format(sql.Identifier(table))
                row = conn.execute(statement, (list(vectors),)).fetchone()
                found += 0 if row is None else int(row[0])
    return found


def _counts_of_others(bench: Bench, stage: Stage) -> dict[UUID, int]:
    with connect(bench.postgres.owner_url) as conn:
        rows = conn.execute(
            "SELECT s.id, count(*) FROM mem.memories m CROSS JOIN unnest(m.about) s (id)"
            " WHERE m.status = 'active' AND s.id <> %s GROUP BY s.id",
            (stage.person,),
        ).fetchall()
    return {row[0]: int(row[1]) for row in rows}


def _count_events(bench: Bench) -> int:
    with connect(bench.postgres.owner_url) as conn:
        row = conn.execute("SELECT count(*) FROM mem.audit_events WHERE action = 'memory.erase'").fetchone()
    return 0 if row is None else int(row[0])


def _grep_dump(bench: Bench) -> int:
    """Lines of a plain dump of the whole database that hold the beginning of a name."""
    with tempfile.TemporaryDirectory(prefix="memdb-bench-dump-") as folder:
        file = Path(folder) / "dump.sql"
        subprocess.run([str(find_binaries().pg_dump), f"--file={file}", bench.postgres.owner_url], check=True, capture_output=True)  # noqa: S603 - our own program
        with file.open(encoding="utf-8", errors="replace") as lines:
            return sum(any(name in line.lower() for name in GREPPED) for line in lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--about", type=int, default=1_000, help="of these, about one person alone")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    if not 1 <= arguments.about * 12 // 10 <= arguments.memories:
        parser.error("--about and a fifth more are a part of --memories")
    figures = run_async(measure(arguments.memories, arguments.about))
    names = ("state", "receipt_genuine", "found_by_check", "found_in_dump", "old_vectors_found", "others_unchanged")
    headline: dict[str, object] = {name: figures[name] for name in names}
    write_json(arguments.json, headline, figures)
    Console().print_json(data=figures)


if __name__ == "__main__":
    main()
