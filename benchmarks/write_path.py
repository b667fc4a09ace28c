"""What a write of one short memory costs beside redacting and embedding it, by its own stage timings.

    python -m benchmarks.write_path [--writes 300] [--json FILE]

Headline: `write_over_redact_embed`, the median over writes of total / (redact + embed). The bar is 3.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from pathlib import Path

from benchmarks.harness import open_bench, percentile, write_json, writer_of
from memdb.formation.pipeline import form
from memdb.models.memory import Kind
from memdb.models.submission import Submission

SENTENCES = (
    "{name} prefers tea number {n} in the evening after a long walk along the river",
    "The service number {n} of {name} listens on a port that the platform team chose",
    "{name} mudou a reunião {n} para a tarde porque o cliente de São Paulo pediu",
)
NAMES = ("Ana", "Bruno", "Carla", "Diego", "Elisa", "Farid")
WARM_UP = 30


async def measure(writes: int) -> dict[str, object]:
    """Write one memory after the other, and keep what each stage took."""
    ratios, totals, stages = [], [], []
    async with open_bench() as bench:
        writer = writer_of(await bench.enter())
        for n in range(writes + WARM_UP):
            text = SENTENCES[n % len(SENTENCES)].format(name=NAMES[n % len(NAMES)], n=n)
            took = (await form(bench.runtime, writer, [Submission(text, Kind.SEMANTIC)])).timings_ms
            if n >= WARM_UP:
                total = sum(took.values())
                totals.append(total)
                stages.append(took)
                ratios.append(total / (took["redact"] + took["embed"]))
    return {
        "write_over_redact_embed": round(statistics.median(ratios), 2),
        "p95_ratio": round(percentile(ratios, 0.95), 2),
        "total_ms_p50": round(statistics.median(totals), 2),
        "total_ms_p95": round(percentile(totals, 0.95), 2),
        "stages_ms_p50": {name: round(statistics.median(s[name] for s in stages), 2) for name in stages[0]},
        "writes": writes,
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writes", type=int, default=300)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    result = asyncio.run(measure(arguments.writes))
    for name, value in result.items():
        print(f"{name:>26}  {value}")
    write_json(arguments.json, {"write_over_redact_embed": result["write_over_redact_embed"]}, {"detail": result})


if __name__ == "__main__":
    main()
