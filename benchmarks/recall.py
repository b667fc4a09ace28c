"""Does a question find its evidence? Each branch alone, and fused, through the real engine on an embedded server of its own.

    python -m benchmarks.recall --dataset DIR [--unit turns|observations] [--vector-weight 0.4] [--questions N] [--json FILE]

A conversation is a brain. The adversarial category of LoCoMo, whose questions have no answer, stays out of the headline and is shown apart.
`unrelated` asks the questions of one brain of another one: what share gets any evidence at all, against the share of answerable questions
that lose all of theirs to the floor.
"""

from __future__ import annotations

import argparse
import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from benchmarks.datasets import Asked, Dataset, load
from benchmarks.harness import Bench, open_bench, reader_of, write_json, writer_of
from memdb.formation.pipeline import form
from memdb.formation.stages import Receipt
from memdb.lifecycle.upkeep import run_once
from retrieval.branches.registry import BRANCHES
from retrieval.engine import Reader, recall
from retrieval.query import RecallRequest

BATCH = 200
DEPTH = 20
APART = "adversarial"


async def measure(dataset: Dataset, weights: Mapping[str, Mapping[str, float] | None]) -> dict[str, dict[str, float]]:
    """Figures by ranking: each branch alone and each set of weights."""
    async with open_bench() as bench:
        brains, names = await _write(bench, dataset)
        reader = reader_of(await bench.enter())
        figures = {}
        for label, chosen in weights.items():
            rows = [await _ask(bench, reader, brains, names, asked, chosen) for asked in dataset.questions if asked.category != APART]
            figures[label] = _mean(rows)
        apart = [asked for asked in dataset.questions if asked.category == APART]
        if apart:
            figures[f"fused, {APART}"] = _mean([await _ask(bench, reader, brains, names, asked, None) for asked in apart])
        figures["floor"] = await _floor(bench, reader, brains, dataset)
        return figures


async def _write(bench: Bench, dataset: Dataset) -> tuple[dict[str, UUID], dict[UUID, str]]:
    brains = {brain: await bench.make_brain(f"brain {n}") for n, brain in enumerate(dict.fromkeys(d.brain for d in dataset.documents))}
    writer, names = writer_of(await bench.enter()), {}
    for start in range(0, len(dataset.documents), BATCH):
        part = dataset.documents[start : start + BATCH]
        outcomes = (await form(bench.runtime, writer, [replace(d.submission, brain_id=brains[d.brain]) for d in part])).outcomes
        for document, outcome in zip(part, outcomes, strict=True):
            if isinstance(outcome, Receipt):
                names[outcome.id] = document.id
            else:
                print(f"not stored: {document.id}: {outcome.code}")
    await run_once(bench.runtime)
    return brains, names


async def _ask(
    bench: Bench, reader: Reader, brains: Mapping[str, UUID], names: Mapping[UUID, str], asked: Asked, weights: Mapping[str, float] | None
) -> dict[str, float]:
    request = RecallRequest(asked.text, brains=frozenset({brains[asked.brain]}), limit=DEPTH, min_score=0.0, weights=weights)
    answer = await recall(bench.runtime, reader, request)
    return score([names[e.memory.id] in asked.relevant for e in answer.evidence], len(asked.relevant))


def score(found: Sequence[bool], relevant: int) -> dict[str, float]:
    """Figures of one ranking: `found[i]` says whether rank i + 1 is relevant."""
    gain = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(found[:10], 1) if hit)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(relevant, 10) + 1))
    return {
        "recall@5": sum(found[:5]) / relevant,
        "recall@10": sum(found[:10]) / relevant,
        "recall@20": sum(found[:20]) / relevant,
        "hit@10": float(any(found[:10])),
        "mrr": next((1 / rank for rank, hit in enumerate(found, 1) if hit), 0.0),
        "ndcg@10": gain / ideal,
    }


async def _floor(bench: Bench, reader: Reader, brains: Mapping[str, UUID], dataset: Dataset) -> dict[str, float]:
    asked = [a for a in dataset.questions if a.category != APART][::3]
    others = list(brains)
    answered = unrelated = 0
    for number, question in enumerate(asked):
        answered += bool((await _plain(bench, reader, question.text, brains[question.brain])).evidence)
        if len(others) > 1:
            elsewhere = next(b for b in others[number % len(others) :] + others if b != question.brain)
            unrelated += bool((await _plain(bench, reader, question.text, brains[elsewhere])).evidence)
    return {"answerable_with_evidence": answered / len(asked), "unrelated_with_evidence": unrelated / len(asked)}


async def _plain(bench: Bench, reader: Reader, text: str, brain: UUID):  # type: ignore[no-untyped-def]  # noqa: ANN202 - a Recall
    return await recall(bench.runtime, reader, RecallRequest(text, brains=frozenset({brain})))


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: round(sum(row[name] for row in rows) / len(rows), 4) for name in rows[0]} | {"questions": len(rows)}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--unit", choices=("turns", "observations"), default="turns")
    parser.add_argument("--questions", type=int, default=None, help="only every so many, to so many")
    parser.add_argument("--vector-weight", type=float, action="append", default=[], help="also this weight against the rest for words")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    dataset = load(arguments.dataset, arguments.unit)
    if arguments.questions is not None:
        step = max(1, len(dataset.questions) // arguments.questions)
        dataset = replace(dataset, questions=dataset.questions[::step])
    weights: dict[str, Mapping[str, float] | None] = {branch.name: {branch.name: 1.0} for branch in BRANCHES}
    weights |= {f"vector {w}": {"vector": w, "lexical": 1 - w} for w in arguments.vector_weight}
    weights["fused"] = None
    figures = asyncio.run(measure(dataset, weights))
    for label, row in figures.items():
        print(f"{label:>20}  " + "  ".join(f"{name} {value:.3f}" for name, value in row.items()))
    write_json(arguments.json, dict(figures["fused"]), {"dataset": dataset.name, "unit": arguments.unit, "figures": figures})


if __name__ == "__main__":
    main()
