"""People in rooms: what leaks, whether fronts are as given, whether questions find their memory, and how long cards and greps take.

    python -m benchmarks.people [--dataset DIR] [--locomo DIR] [--memories 100000] [--notes 10000] [--json FILE]

A part runs when its set is given: rooms with --dataset, isolation with --locomo, speed unless --memories is 0. docs/benchmarks.md says
what each figure means.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from api.cli.loops import run_async
from benchmarks.harness import write_json
from benchmarks.people_isolation import measure_isolation
from benchmarks.people_rooms import measure_rooms
from benchmarks.people_speed import BY_KEY_BAR, LIKE_BAR, measure_speed, worst

HIT_BAR = 0.9
BARS: Mapping[str, Mapping[str, float]] = {
    "leaks": {"most": 0},
    "fronts_exact": {"least": 1.0},
    "hit5_who_audience": {"least": HIT_BAR},
    "foreign_in_first_ten": {"most": 0},
    "card_over_by_key": {"most": BY_KEY_BAR},
    "topic_over_by_key": {"most": BY_KEY_BAR},
    "unit_over_by_key": {"most": BY_KEY_BAR},
    "grep_over_like": {"most": LIKE_BAR},
}


def headline(rooms: Mapping[str, Any] | None, isolation: Mapping[str, Any] | None, speed: dict[str, Any] | None) -> dict[str, object]:
    """The figures that have a bar, and some beside them; None of what was not measured."""
    figures: dict[str, object] = dict.fromkeys(
        (
            "leaks", "fronts_exact", "front_precision", "front_recall", "hit5_who_audience", "hit5_who_audience_without_floor",
            "drawer_topic_named", "foreign_in_first_ten", "card_over_by_key", "topic_over_by_key", "unit_over_by_key", "grep_over_like",
        )
    )  # fmt: skip
    if rooms is not None:
        figures |= {
            "leaks": len(rooms["leaks"]),
            "fronts_exact": rooms["fronts_given"]["fronts_exact"],
            "front_precision": rooms["fronts_by_rules"]["precision"],
            "front_recall": rooms["fronts_by_rules"]["recall"],
            "hit5_who_audience": rooms["questions"]["who_and_audience"]["hit@5"],
            "hit5_who_audience_without_floor": rooms["questions_without_floor"]["who_and_audience"]["hit@5"],
            "drawer_topic_named": rooms["drawer_topic_named"],
        }
    parts = ([] if rooms is None else [rooms["isolation"]]) + ([] if isolation is None else list(isolation["ways"].values()))
    if parts:
        figures["foreign_in_first_ten"] = sum(part["foreign_in_first_ten"] for part in parts)
    if speed is not None:
        figures |= {f"{name}_over_by_key": worst(speed, name) for name in ("card", "topic", "unit")}
        figures["grep_over_like"] = worst(speed, "grep")
    return figures


def bars(figures: Mapping[str, object]) -> dict[str, object]:
    """What is asked of the figures that were measured, with `met`."""
    found: dict[str, object] = {}
    for name, bar in BARS.items():
        value = figures[name]
        if isinstance(value, (int, float)):
            found[name] = {"value": value, **bar, "met": bar.get("least", value) <= value <= bar.get("most", value)}
    return found


def show(figures: Mapping[str, object], measured: Mapping[str, object], console: Console) -> None:
    """A table for a person."""
    table = Table(title="people", title_justify="left", header_style="bold")
    for column in ("figure", "value", "bar"):
        table.add_column(column, justify="left" if column == "figure" else "right", no_wrap=True)
    for name, value in figures.items():
        bar = "".join(f"{'at least' if side == 'least' else 'at most'} {limit:g}" for side, limit in BARS.get(name, {}).items())
        table.add_row(name, "not measured" if value is None else f"{value:g}" if isinstance(value, (int, float)) else str(value), bar)
    console.print(table)
    missed = [name for name, bar in measured.items() if isinstance(bar, dict) and not bar["met"]]
    console.print(f"missed: {', '.join(missed) or 'none'}", markup=False)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, default=None, help="a folder of rooms")
    parser.add_argument("--locomo", type=Path, default=None, help="a folder of conversations with observations")
    parser.add_argument("--memories", type=int, default=100_000, help="for the speed; 0 leaves it out")
    parser.add_argument("--notes", type=int, default=10_000, help="of these, about one subject")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    if not 0 <= arguments.notes <= arguments.memories and arguments.memories:
        parser.error("--notes is a part of --memories")
    rooms = run_async(measure_rooms(arguments.dataset)) if arguments.dataset else None
    isolation = run_async(measure_isolation(arguments.locomo)) if arguments.locomo else None
    speed = run_async(measure_speed(arguments.memories, arguments.notes)) if arguments.memories else None
    figures = headline(rooms, isolation, speed)
    measured = bars(figures)
    show(figures, measured, Console(width=110))
    write_json(arguments.json, figures, {"bars": measured, "rooms": rooms, "isolation": isolation, "speed": speed})


if __name__ == "__main__":
    main()
