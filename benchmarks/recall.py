"""Does a question find its evidence? Each branch alone, fused, and with each branch left out, through the real engine.

    python -m benchmarks.recall --dataset DIR [--unit turns|observations|sessions] [--split dev|rest|all] [--questions N]
        [--brief] [--weights vector=0.2,lexical=0.8] [--json FILE]

A conversation is a brain, a room or a direct message as well. LoCoMo's adversarial category and questions that nothing answers stay out of
the headline and are shown apart. docs/benchmarks.md says what each figure means.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.asking import BM25, BRANCH_NAMES, FUSED, Asking, depth_of, write
from benchmarks.datasets import load
from benchmarks.documents import APART, Asked, Dataset, sample, split
from benchmarks.figures import MEASURES, bars, mean, score
from benchmarks.harness import open_bench, write_json

WEIGHTED = "weights "
DEADLINE_MS = 30_000
"""Of a branch: quality is measured here, and a busy machine must not take part in it."""
UNRELATED_EVERY = 3
"""Every third question is asked of brains that it is not about."""

Figures = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Row:
    """A question with the figures of each ranking."""

    asked: Asked
    scores: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Result:
    """Rows of all questions that have an answer, in order; shares of questions that get evidence; and what went wrong."""

    rows: list[Row]
    floor: dict[str, float]
    degraded: list[str]
    refused: int


async def measure(dataset: Dataset, unit: str, weights: Sequence[str], *, brief: bool) -> Result:
    """Write the set to a server of its own, and ask. `weights` are fused rankings besides the default one."""
    others = {WEIGHTED + text: _weights(text) for text in weights}
    async with open_bench(branch_deadline_ms=DEADLINE_MS) as bench:
        stored = await write(bench, dataset)
        async with Asking(bench, dataset, stored, depth_of(unit)) as asking:
            rows = []
            # Those of the headline first: the first row tells which rankings there are.
            ordered = sorted((a for a in dataset.questions if a.answerable), key=lambda a: a.category.startswith(APART))
            for asked in track(ordered, description="asking"):
                ranked, relevant = (
                    await asking.rankings(asked, others, brief=brief or asked.category.startswith(APART)),
                    stored.relevant(asked),
                )
                rows.append(Row(asked, {name: score(labels, relevant) for name, labels in ranked.items()}))
            return Result(rows, await _floor(asking, dataset), sorted(set(asking.degraded)), stored.refused)


async def _floor(asking: Asking, dataset: Dataset) -> dict[str, float]:
    """Shares of questions that get any evidence above the floor: answerable ones, the same asked elsewhere, and unanswerable ones."""
    groups = list(dict.fromkeys(asked.brains for asked in dataset.questions))
    answered, unrelated = [], []
    for number, asked in enumerate(dataset.headline[::UNRELATED_EVERY]):
        answered.append(await asking.has_evidence(asked))
        others = [brains for brains in groups if not set(brains) & set(asked.brains)]
        if others:
            unrelated.append(await asking.has_evidence(asked, others[number % len(others)]))
    floor = {"answerable_with_evidence": _share(answered), "answerable_asked": len(answered)}
    if unrelated:
        floor |= {"unrelated_with_evidence": _share(unrelated), "unrelated_asked": len(unrelated)}
    unanswerable = [await asking.has_evidence(asked) for asked in dataset.questions if not asked.answerable]
    if unanswerable:
        floor |= {"unanswerable_without_evidence": round(1 - _share(unanswerable), 4), "unanswerable_asked": len(unanswerable)}
    return floor


def _weights(text: str) -> dict[str, float]:
    """`vector=0.2,lexical=0.8` as weights; a branch that is not named has none."""
    return {name: float(value) for name, _, value in (part.partition("=") for part in text.split(","))}


def _share(values: Sequence[bool]) -> float:
    return round(sum(values) / max(1, len(values)), 4)


def report(dataset: Dataset, unit: str, result: Result) -> tuple[dict[str, object], dict[str, object]]:
    """Headline and the rest of the JSON."""
    counted = {id(asked) for asked in dataset.headline}
    rows = [row for row in result.rows if id(row.asked) in counted]
    scores = {name: [row.scores[name] for row in rows] for name in rows[0].scores} if rows else {}
    figures = {name: mean(found) for name, found in scores.items()}
    categories = {category: _of(result.rows, category) for category in sorted({row.asked.category for row in result.rows})}
    rest: dict[str, object] = {
        "bm25": figures.get(BM25, {}),
        "bars": bars(dataset.name, unit, scores, BRANCH_NAMES) if rows else {},
        "dataset": dataset.name,
        "unit": unit,
        "figures": figures,
        "categories": categories,
        "floor": result.floor,
        "degraded": result.degraded,
        "not_stored": result.refused,
    }
    return {name: figures[FUSED][name] for name in MEASURES} if rows else {}, rest


def _of(rows: Sequence[Row], category: str) -> Figures:
    chosen = [row.scores for row in rows if row.asked.category == category]
    return {name: mean([scores[name] for scores in chosen]) for name in chosen[0]}


def show(rest: Mapping[str, object], console: Console) -> None:
    """Tables for a person."""
    figures, categories = rest["figures"], rest["categories"]
    assert isinstance(figures, dict), "figures of rankings"
    assert isinstance(categories, dict), "figures of categories"
    questions = figures.get(FUSED, {}).get("questions", 0)
    console.print(_table(f"{rest['dataset']}, {rest['unit']}, {questions} questions", "ranking", figures))
    for ranking in (FUSED, BM25):
        by_category = {name: rows[ranking] for name, rows in categories.items()}
        console.print(_table(f"by category, {ranking}", "category", by_category, counts=True))
    for part in ("bars", "floor", "degraded", "not_stored"):
        if rest[part]:
            console.print(f"{part}: {rest[part]}", markup=False)


def _table(title: str, first: str, figures: Mapping[str, Mapping[str, float]], *, counts: bool = False) -> Table:
    table = Table(title=title, title_justify="left", header_style="bold")
    table.add_column(first, no_wrap=True)
    for name in (*MEASURES, *(("questions",) if counts else ())):
        table.add_column(name, justify="right", no_wrap=True)
    for label, row in figures.items():
        table.add_row(label, *(f"{row[name]:.3f}" for name in MEASURES), *((str(row["questions"]),) if counts else ()))
    return table


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--unit", choices=("turns", "observations", "sessions"), default="turns")
    parser.add_argument("--split", choices=("dev", "rest", "all"), default="all", help="the half that weights were chosen on, or the other")
    parser.add_argument("--questions", type=int, default=None, help="about so many, evenly spread; brains that none asks are not written")
    parser.add_argument("--weights", action="append", default=[], metavar="BRANCH=WEIGHT,…", help="a fused ranking with these as well")
    parser.add_argument("--brief", action="store_true", help="no branch is left out, which takes most of the time")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    dataset = sample(split(load(arguments.dataset, arguments.unit), arguments.split), arguments.questions)
    result = asyncio.run(measure(dataset, arguments.unit, arguments.weights, brief=arguments.brief))
    headline, rest = report(dataset, arguments.unit, result)
    show(rest, Console(width=110))
    write_json(arguments.json, headline, {"bm25": rest["bm25"], "bars": rest["bars"], "split": arguments.split} | rest)


if __name__ == "__main__":
    main()
