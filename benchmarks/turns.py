"""What a turn costs, and whether many of them by several writers all arrive once while the worker and Postgres die in between.

    python -m benchmarks.turns [--turns 100000] [--writers 8] [--rounds 300] [--log FILE] [--json FILE]

Headline: `cost`, p50 of recording one turn over p50 of its redaction and an INSERT by hand (bar 2), and `endured`, true when nothing
was lost, repeated or left (`turns_endurance`). `--turns 0` or `--rounds 0` leaves a part out. `--log` keeps what the worker logs.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from benchmarks.harness import write_json
from benchmarks.turns_cost import measure_cost
from benchmarks.turns_endurance import endure


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=300, help="of the comparison of costs")
    parser.add_argument("--log", type=Path, default=None)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    headline: dict[str, object] = {}
    detail: dict[str, object] = {}
    if arguments.rounds:
        cost = asyncio.run(measure_cost(arguments.rounds))
        detail["cost"] = cost
        headline["cost"] = {size: {name: figures[name] for name in ("ratio", "met")} for size, figures in cost.items()}
        _show("cost, one turn", cost["one"])
        _show("cost, twenty turns", cost["twenty"])
    if arguments.turns:
        with tempfile.TemporaryDirectory(prefix="memdb-bench-log-") as folder:
            endured = asyncio.run(endure(arguments.turns, arguments.writers, arguments.log or Path(folder) / "worker.log"))
        detail["endurance"] = endured
        headline["endured"] = endured["met"]
        _show("endurance", endured)
    write_json(arguments.json, headline, {"detail": detail})


def _show(title: str, figures: dict[str, object]) -> None:
    print(title)
    for name, value in figures.items():
        print(f"{name:>28}  {value}")


if __name__ == "__main__":
    main()
