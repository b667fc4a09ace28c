"""What is learned from talk: candidates of the four handlers against the gold of a folder of rooms.

    python -m benchmarks.extraction --dataset DIR [--rooms r01,r02] [--model NAME --base-url URL] [--json FILE] [--show]

docs/benchmarks.md says what each figure means. With `--model` a language model reads instead of the rules; its other settings are those of
the product. Another source of candidates is measured by `run` with its own handlers.
"""

from __future__ import annotations

import argparse
import inspect
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from api.cli.loops import run_async
from api.container import close_learner, make_learner
from benchmarks.extraction_figures import Judged, details, headline, judge, whose
from benchmarks.extraction_gold import Rooms, read
from benchmarks.harness import write_json
from memdb.config import load_settings
from memdb.errors import ProviderError
from memdb.extraction.candidates import Candidate
from memdb.extraction.extractor import Extractor
from memdb.extraction.rules.registry import BY_KIND
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind
from memdb.providers.chat.base import Spent

Handlers = Mapping[Kind, Callable[[Transcript], list[Candidate] | Awaitable[list[Candidate]]]]
BARS: Mapping[str, Mapping[str, float]] = {
    "precision": {"least": 0.9},
    "person_accuracy": {"least": 0.98},
    "negatives_stored": {"most": 0},
}


async def run(rooms: Rooms, handlers: Handlers) -> list[Judged]:
    """Let each handler read each transcript, and compare what it proposes with the gold."""
    found: list[tuple[str, str, Candidate]] = []
    for cut in rooms.cuts:
        for handler in handlers.values():
            proposed = handler(cut.transcript)
            candidates = await proposed if inspect.isawaitable(proposed) else proposed
            found += [(cut.scope, cut.turn_ids[one.evidence[0]], one) for one in candidates]
    return judge(found, rooms)


class Model:
    """The handlers of a language model, and what became of its answers: tokens, and transcripts that it failed on."""

    def __init__(self, learner: Extractor) -> None:
        """Take what reads."""
        self._learner = learner
        self.counts: Counter[str] = Counter()

    @property
    def handlers(self) -> Handlers:
        """One for each kind that is learned."""
        return {kind: partial(self._read, kind) for kind in BY_KIND}

    async def _read(self, kind: Kind, transcript: Transcript) -> list[Candidate]:
        try:
            found = await self._learner.read(kind, transcript)
        except ProviderError as error:
            self.counts.update({"failed": 1, error.code: 1} | asdict(Spent.of(error)))
            return []
        spent = {"tokens_in": found.tokens_in, "tokens_out": found.tokens_out, "cost_micros": found.cost_micros}
        self.counts.update({"read": 1, "refused": found.refused} | spent)
        return list(found.candidates)


async def run_model(rooms: Rooms, name: str, base_url: str | None) -> tuple[list[Judged], Mapping[str, int]]:
    """As `run`, by a language model; and the counts of `Model`."""
    learner = make_learner(load_settings(extraction_model=name, extraction_base_url=base_url))
    model = Model(learner)
    try:
        return await run(rooms, model.handlers), model.counts
    finally:
        await close_learner(learner)


def bars(figures: Mapping[str, object]) -> dict[str, object]:
    """What is asked of the figures, with `met`."""
    found: dict[str, object] = {}
    for name, bar in BARS.items():
        value = figures[name]
        if isinstance(value, (int, float)):
            found[name] = {"value": value, **bar, "met": bar.get("least", value) <= value <= bar.get("most", value)}
    return found


def show(figures: Mapping[str, object], rest: Mapping[str, Any], console: Console) -> None:
    """Tables for a person."""
    table = Table(title="extraction", title_justify="left", header_style="bold")
    for column in ("figure", "value", "bar"):
        table.add_column(column, justify="left" if column == "figure" else "right", no_wrap=True)
    for name, value in figures.items():
        bar = "".join(f"{'at least' if side == 'least' else 'at most'} {limit:g}" for side, limit in BARS.get(name, {}).items())
        table.add_row(name, "-" if value is None else f"{value:g}" if isinstance(value, (int, float)) else str(value), bar)
    console.print(table)
    kinds = Table(header_style="bold")
    for column in ("kind", "candidates", "precision", "gold", "recall"):
        kinds.add_column(column, justify="left" if column == "kind" else "right")
    for kind, row in rest["kinds"].items():
        kinds.add_row(kind, *("-" if row[name] is None else f"{row[name]:g}" for name in ("candidates", "precision", "gold", "recall")))
    console.print(kinds)
    for name in ("wrong", "wrong_person", "negatives"):
        console.print(f"{name}: {'; '.join(rest[name]) or 'none'}", markup=False)


def show_each(judged: list[Judged], rooms: Rooms, console: Console) -> None:
    """Every candidate with its verdict. Prints what was said."""
    for one in judged:
        verdict = "right" if one.right else "small" if one.small else "NEGATIVE" if one.unwanted else "PERSON" if one.others else "WRONG"
        text = one.candidate.content or f"over: {[(end.attribute, end.value) for end in one.candidate.ends]}"
        gold = ", ".join(gold.name for gold in one.same) or ", ".join(bad.name for bad in one.unwanted)
        console.print(
            f"{verdict:8} {one.turn} {one.candidate.rule} [{whose(one, rooms.names)}] {text} | {gold}", markup=False, highlight=False
        )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, required=True, help="a folder of rooms")
    parser.add_argument("--rooms", default=None, help="only these, with commas between them")
    parser.add_argument("--json", type=Path, default=None)
    parser.add_argument("--show", action="store_true", help="print every candidate with its verdict")
    parser.add_argument("--model", default=None, help="a language model that reads instead of the rules")
    parser.add_argument("--base-url", default=None, help="its OpenAI-compatible address")
    arguments = parser.parse_args()
    rooms = read(arguments.dataset, frozenset(arguments.rooms.split(",")) if arguments.rooms else None)
    counts: Mapping[str, int] = {}
    if arguments.model is None:
        judged = run_async(run(rooms, BY_KIND))
    else:
        judged, counts = run_async(run_model(rooms, arguments.model, arguments.base_url))
    figures, rest, console = headline(judged, rooms), details(judged, rooms), Console(width=140)
    show(figures, rest, console)
    if counts:
        rest |= {"model": dict(counts)}
        console.print("; ".join(f"{name}: {count}" for name, count in counts.items()), markup=False)
    if arguments.show:
        show_each(judged, rooms, console)
    write_json(arguments.json, figures, {"bars": bars(figures), **rest})


if __name__ == "__main__":
    main()
