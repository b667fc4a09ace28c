"""How long it takes to find what a quarantine selects among many memories, to hold it and to release it.

    python -m benchmarks.quarantine [--memories 10000] [--among 1000000] [--json FILE]

`--memories` are written through the write path into twenty brains; they are held and released chunk by chunk, each with its seals and its
events. Rows of memories, without index and seal, make up `--among`: among them a selection is previewed by writer, by time and by brain.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from psycopg import sql
from rich.console import Console
from rich.progress import track

from api.cli.loops import run_async
from benchmarks.harness import Bench, environment, open_bench, write_json, writer_of
from benchmarks.synthetic import make_texts
from memdb.formation.pipeline import form
from memdb.ids import make_id
from memdb.lifecycle.quarantine import acting
from memdb.lifecycle.quarantine.selection import Selection
from memdb.models.memory import Kind
from memdb.models.submission import Submission
from memdb.storage.owner import connect

if TYPE_CHECKING:
    from memdb.directory.authentication import Authenticated

T = TypeVar("T")
BRAINS: Final = 20
BATCH: Final = 200
STEP_S: Final = 5.0
_COLUMNS: Final = "SELECT column_name FROM information_schema.columns WHERE table_schema = 'mem' AND table_name = 'memories' ORDER BY 1"


@dataclass(slots=True)
class Timed:
    """Seconds of what was measured."""

    seconds: dict[str, float]

    async def of(self, name: str, work: Awaitable[T]) -> T:
        """Measure it; what it gives."""
        started = time.perf_counter()
        result = await work
        self.seconds[name] = round(time.perf_counter() - started, 2)
        return result


async def measure(count: int, among: int) -> dict[str, Any]:
    """The figures."""
    async with open_bench(embedding_provider="hashing", statement_timeout_ms=120_000) as bench:
        who, timed = await bench.enter(), Timed({})
        brains = [await bench.make_brain(f"brain {number}") for number in range(BRAINS)]
        who = await bench.enter()
        rows = [Submission(one.text, Kind.SEMANTIC, brain_id=brains[n % BRAINS]) for n, one in enumerate(make_texts(count))]
        for start in track(range(0, count, BATCH), description="writing"):
            await form(bench.runtime, writer_of(who), rows[start : start + BATCH])
        _clone(bench, who, among - count)
        mine = Selection(writer=who.principal.subject_id)
        now = bench.runtime.clock.now()
        everything = Selection(created_from=now - timedelta(days=1), created_to=now + timedelta(days=1))
        found = await timed.of("preview_by_writer", acting.preview(bench.runtime, who, mine, shown=0))
        every = await timed.of("preview_by_time", acting.preview(bench.runtime, who, everything, shown=0))
        await timed.of("preview_by_brain", acting.preview(bench.runtime, who, Selection(brain_id=brains[0]), shown=0))
        org_id = who.principal.org_id
        action = await timed.of("first_reply", acting.run(bench.runtime, who, mine, expected=found.memories, reason=None))
        held = await timed.of("rest_of_holding", _finish(bench, who, action.id))
        released = await timed.of("first_reply_of_release", acting.release(bench.runtime, who, action.id))
        released = await timed.of("rest_of_releasing", _finish(bench, who, action.id))
        holding = timed.seconds["first_reply"] + timed.seconds["rest_of_holding"]
        releasing = timed.seconds["first_reply_of_release"] + timed.seconds["rest_of_releasing"]
        return {
            "org": str(org_id), "memories": found.memories, "among": every.memories, "held": held.done, "released": released.done,
            "held_per_second": round(held.done / holding), "released_per_second": round(released.done / releasing),
            "chunk": acting.CHUNK, "seconds": timed.seconds, "environment": environment(),
        }  # fmt: skip


async def _finish(bench: Bench, who: Authenticated, action_id: Any) -> Any:  # noqa: ANN401 - an action and its id
    org_id = who.principal.org_id
    while await acting.carry_on(bench.runtime, org_id, action_id, STEP_S):
        pass
    return await acting.get(bench.runtime, who, action_id)


def _clone(bench: Bench, who: Authenticated, count: int) -> None:
    """More rows of memories, written by somebody else; no door serves them, and nothing is held of them."""
    if count <= 0:
        return
    with connect(bench.postgres.owner_url) as conn:
        names = [row[0] for row in conn.execute(_COLUMNS).fetchall()]
        changed = {"id": sql.SQL("gen_random_uuid()"), "duplicate_key": sql.SQL("NULL"), "written_by": sql.Literal(make_id())}
        values = [changed.get(name, sql.SQL("m.") + sql.Identifier(name)) for name in names]
        copy = sql.SQL("INSERT INTO mem.memories ({}) SELECT {} FROM mem.memories m CROSS JOIN generate_series(1, %s) LIMIT %s").format(
            sql.SQL(", ").join(map(sql.Identifier, names)), sql.SQL(", ").join(values)
        )
        there = conn.execute("SELECT count(*) FROM mem.memories WHERE org_id = %s", (who.principal.org_id,)).fetchone()
        conn.execute(copy, (count // max(1, there[0] if there else 1) + 1, count))
        conn.commit()
        conn.autocommit = True
        conn.execute("ANALYZE mem.memories")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--among", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    figures = run_async(measure(arguments.memories, arguments.among))
    headline: dict[str, object] = {name: figures[name] for name in ("held_per_second", "released_per_second", "seconds")}
    write_json(arguments.json, headline, figures)
    Console().print_json(data=figures)


if __name__ == "__main__":
    main()
