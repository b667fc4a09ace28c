"""How long a recall takes: the engine in process and over HTTP, against the least that two branches can do (sql/baseline_two.sql).

    python -m benchmarks.latency [--memories 10000] [--brains 20] [--questions 100] [--dataset DIR] [--json FILE]

Texts come from a seeded generator, or from DIR (its turns or documents, repeated with variations). Engine, baseline and HTTP answer each
question in turn, in changing order, in one run; embedding is left out of the first comparison and shown. Headline: p50 of the engine over
p50 of the baseline, and p50 of HTTP minus p50 in process, both in the scope where they are worse.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from rich.console import Console
from rich.progress import track
from rich.table import Table

from api.cli.loops import run_async
from benchmarks.baseline_two import Near, calibrate, search
from benchmarks.datasets import load
from benchmarks.harness import Bench, open_bench, percentile, reader_of, write_json, writer_of
from benchmarks.serving import Client, served
from benchmarks.synthetic import Said, make_texts, submissions, vary_texts
from governance.scopes import readable_by
from memdb.formation.pipeline import form
from memdb.lifecycle.upkeep import run_once
from memdb.models.submission import Submission
from memdb.providers.embedding.base import Vector
from retrieval.engine import Reader, recall
from retrieval.query import RecallRequest

BATCH = 200
WARM_UP = 20
CALIBRATED = 50
ENGINE_BAR, HTTP_BAR_MS = 3.0, 3.0
HTTP_PARTS = ("http_outside_engine_ms", "http_empty_request_ms", "authentication_ms")


@dataclass(frozen=True, slots=True)
class Put:
    """A question with its vector, the brains that it is put to, and how the baseline compares vectors there."""

    text: str
    vector: Vector
    brains: frozenset[UUID]
    near: Near


@dataclass(slots=True)
class Taken:
    """Milliseconds by question. `engine` is without embedding, `whole` with it; `outside`: HTTP beside the engine's own total.

    Two parts of that: `empty` is a request that does nothing, `log_in` what it takes to authenticate.
    """

    engine: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    baseline: list[float] = field(default_factory=list)
    http: list[float] = field(default_factory=list)
    outside: list[float] = field(default_factory=list)
    empty: list[float] = field(default_factory=list)
    log_in: list[float] = field(default_factory=list)
    steps: list[Mapping[str, float]] = field(default_factory=list)
    degraded: int = 0


@dataclass(frozen=True, slots=True)
class Contest:
    """The three that answer."""

    bench: Bench
    reader: Reader
    client: Client

    async def ask(self, put: Put, turn: int, taken: Taken) -> None:
        """Let all three answer, each first in its turn."""
        contestants = (self._engine, self._baseline, self._http)
        for place in range(len(contestants)):
            await contestants[(turn + place) % len(contestants)](put, taken)

    async def _engine(self, put: Put, taken: Taken) -> None:
        started = time.perf_counter()
        answer = await recall(self.bench.runtime, self.reader, RecallRequest(put.text, brains=put.brains))
        whole = (time.perf_counter() - started) * 1000
        taken.whole.append(whole)
        taken.engine.append(whole - answer.timings_ms["embed"])
        taken.steps.append(answer.timings_ms)
        taken.degraded += bool(answer.degraded)

    async def _baseline(self, put: Put, taken: Taken) -> None:
        started = time.perf_counter()
        scope = readable_by(self.reader.principal, self.reader.access).narrow(put.brains)
        await search(self.bench, self.reader.principal, scope, put.near, (put.text, put.vector))
        taken.baseline.append((time.perf_counter() - started) * 1000)

    async def _http(self, put: Put, taken: Taken) -> None:
        body = {"query": put.text, "brains": [str(brain) for brain in put.brains]}
        started = time.perf_counter()
        reply = await self.client.post("/v1/memories/search", json=body)
        answer = reply.json()
        took = (time.perf_counter() - started) * 1000
        reply.raise_for_status()
        taken.http.append(took)
        taken.outside.append(took - answer["timings_ms"]["total"])
        started = time.perf_counter()
        await self.client.get("/healthz")
        between = time.perf_counter()
        await self.bench.enter()
        taken.empty.append((between - started) * 1000)
        taken.log_in.append((time.perf_counter() - between) * 1000)


async def measure(said: Sequence[Said], brains: int, questions: int) -> dict[str, dict[str, Any]]:
    """Figures by scope: one brain, and all of them."""
    async with open_bench(statement_timeout_ms=60_000) as bench:  # batches into tables that Postgres knows nothing of yet
        ids = [await bench.make_brain(f"brain {n}") for n in range(brains)]
        await _write(bench, said, ids)
        reader = reader_of(await bench.enter())
        share = -(-len(said) // brains)
        step = max(1, len(said) // (questions + WARM_UP))
        chosen = [(item.question, ids[number // share]) for number, item in list(enumerate(said))[::step]][: questions + WARM_UP]
        vectors = [e.vector for e in await bench.runtime.embedder.embed_queries([text for text, _ in chosen])]
        scopes: dict[str, list[Put]] = {}
        for name, size in (("one brain", share), ("all brains", len(said))):
            wanted = [frozenset({brain} if name == "one brain" else ids) for _, brain in chosen]
            scope = readable_by(reader.principal, reader.access).narrow(wanted[0])
            near = await calibrate(bench, reader.principal, scope, vectors[:CALIBRATED], size)
            scopes[name] = [Put(text, v, w, near) for (text, _), v, w in zip(chosen, vectors, wanted, strict=True)]
        async with served(bench) as client:
            return {name: await _contest(Contest(bench, reader, client), puts, name) for name, puts in scopes.items()}


async def _write(bench: Bench, said: Sequence[Said], ids: Sequence[UUID]) -> None:
    writer = writer_of(await bench.enter())
    rows = list(submissions(said, len(ids)))
    for start in track(range(0, len(rows), BATCH), description="writing"):
        await form(bench.runtime, writer, [_in(ids[brain], submission) for brain, submission in rows[start : start + BATCH]])
    while (await run_once(bench.runtime)).full:
        pass  # as a server does: what is not folded into the statistics yet is read by each search


def _in(brain: UUID, submission: Submission) -> Submission:
    return Submission(submission.content, submission.kind, brain_id=brain, source=submission.source)


async def _contest(contest: Contest, puts: Sequence[Put], name: str) -> dict[str, Any]:
    warm, taken = Taken(), Taken()
    for turn, put in enumerate(track(puts, description=name)):
        await contest.ask(put, turn, warm if turn < WARM_UP else taken)
    engine, baseline = percentile(taken.engine, 0.5), percentile(taken.baseline, 0.5)
    return {
        "engine_over_baseline_two": round(engine / baseline, 3),
        "http_extra_ms": round(percentile(taken.http, 0.5) - percentile(taken.whole, 0.5), 3),
        "http_outside_engine_ms": _spread(taken.outside),
        "http_empty_request_ms": _spread(taken.empty),
        "authentication_ms": _spread(taken.log_in),
        "engine_ms": _spread(taken.engine),
        "baseline_two_ms": _spread(taken.baseline),
        "engine_with_embedding_ms": _spread(taken.whole),
        "http_ms": _spread(taken.http),
        "steps_ms_p50": {step: _ms(percentile([s.get(step, 0.0) for s in taken.steps], 0.5)) for step in taken.steps[0]},
        "baseline_near": "exact" if puts[0].near.ef_search is None else f"index, ef_search {puts[0].near.ef_search}",
        "baseline_near_recall@10": puts[0].near.recall,
        "degraded": taken.degraded,
        "questions": len(taken.engine),
        "brains": len(puts[0].brains),
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {f"p{round(share * 100)}": _ms(percentile(values, share)) for share in (0.5, 0.9, 0.99)}


def _ms(value: float) -> float:
    return round(value, 2)


def headline(scopes: Mapping[str, Mapping[str, Any]]) -> dict[str, object]:
    """The worse of the scopes, of each figure."""
    return {name: max(figures[name] for figures in scopes.values()) for name in ("engine_over_baseline_two", "http_extra_ms")}


def show(scopes: Mapping[str, Mapping[str, Any]], console: Console) -> None:
    """Tables for a person."""
    for name, figures in scopes.items():
        title = f"{name}: {figures['questions']} questions, baseline vectors {figures['baseline_near']}"
        table = Table(title=title, title_justify="left", header_style="bold")
        for column in ("ms", "p50", "p90", "p99"):
            table.add_column(column, justify="left" if column == "ms" else "right")
        for row in ("engine_ms", "baseline_two_ms", "engine_with_embedding_ms", "http_ms", *HTTP_PARTS):
            table.add_row(row.removesuffix("_ms").replace("_", " "), *(f"{figures[row][p]:.1f}" for p in ("p50", "p90", "p99")))
        console.print(table)
        console.print("steps, p50 ms: " + "  ".join(f"{step} {value:.1f}" for step, value in figures["steps_ms_p50"].items()))
        console.print(f"engine / baseline {figures['engine_over_baseline_two']:.2f} (bar {ENGINE_BAR:g})", highlight=False)
        console.print(f"HTTP adds {figures['http_extra_ms']:.2f} ms (bar {HTTP_BAR_MS:g})\n", highlight=False)


def _texts(folder: Path | None, count: int) -> list[Said]:
    if folder is None:
        return make_texts(count)
    dataset = load(folder, "turns")
    return vary_texts([d.submission.content for d in dataset.documents], [a.text for a in dataset.questions], count)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--brains", type=int, default=20)
    parser.add_argument("--questions", type=int, default=100, help="of each scope, after 20 for warming up")
    parser.add_argument("--dataset", type=Path, default=None, help="take texts and questions from this folder")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    texts = "generated" if arguments.dataset is None else f"{arguments.dataset.name}, varied"
    scopes = run_async(measure(_texts(arguments.dataset, arguments.memories), arguments.brains, arguments.questions))
    show(scopes, Console(width=110))
    sizes = {"memories": arguments.memories, "brains": arguments.brains, "texts": texts}
    write_json(arguments.json, headline(scopes), {"bars": {"engine": ENGINE_BAR, "http_ms": HTTP_BAR_MS}, **sizes, "scopes": scopes})


if __name__ == "__main__":
    main()
