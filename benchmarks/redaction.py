"""What does the redactor find, miss and harm, and how long does it take?

    python -m benchmarks.redaction --dataset DIR [--json FILE] [--processes N] [--show N] [--no-speed]

A *leak* is a gold span of a type that the default rules replace, of which 4 or more characters in a row survive (of values without letters:
5 digits in a row, or all of it). *Over-redaction* is the share of the characters outside all gold spans that were replaced. The headline is
over replaced types only; names, places, dates and organisations are kept by default and shown apart. `false_positive_rate` is over hard
negatives. Folders: texts with spans, texts in base64 with one secret each, conversations (no gold: over-redaction only).

`--show N` prints the first N leaks and false mentions with their text: for synthetic sets only.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.harness import write_json
from benchmarks.redaction_figures import Judged, Replaced, by_name, by_type, hard_negatives, headline, leaks
from benchmarks.redaction_sets import Record, load_records
from benchmarks.redaction_speed import KEY, RATIO_BAR, RULES, lines, measure
from governance.redaction.engine import Analyzer
from governance.redaction.findings import Action, RedactedText
from governance.redaction.overlaps import disjoint
from governance.redaction.redactor import Redactor


def judge(records: Iterable[Record]) -> list[Judged]:
    """Redact every text with the default rules, through the only door, and say what was replaced in the original's offsets."""
    analyzer = Analyzer()
    redactor = Redactor(analyzer)
    return [
        Judged(record, _replaced(record.text, redactor.redact(record.text, rules=RULES, key=KEY, field="content"), analyzer))
        for record in records
    ]


def _replaced(text: str, redacted: RedactedText, analyzer: Analyzer) -> tuple[Replaced, ...]:
    """Find the places in the original: those of the first round if they explain the result, else those that do."""
    first = disjoint(analyzer.find(text)) if redacted.redactions else ()
    spans = [(found.start, found.end) for found in first]
    kept = _between(redacted.text, [(r.start, r.end) for r in redacted.redactions])
    if _between(text, spans) != kept or [found.entity for found in first] != [r.entity for r in redacted.redactions]:
        match = re.fullmatch("(.+?)".join(map(re.escape, kept)), text, re.DOTALL)
        assert match is not None, "what stands between two labels stands in the original"
        spans = [match.span(group) for group in range(1, len(kept))]
    both = zip(redacted.redactions, spans, strict=True)
    return tuple(Replaced(r.entity, *span) for r, span in both if r.action is not Action.KEEP)


def _between(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


def _table(title: str, rows: dict[str, dict[str, float | int | None]]) -> None:
    print(f"\n{title}")
    for name, row in rows.items():
        print(f"{name:>34}  " + "  ".join(f"{key} {'-' if value is None else value}" for key, value in row.items()))


def _show(judged: Sequence[Judged], count: int) -> None:
    leaked = [
        f"leak  {j.record.id}  {g.name}  {j.record.text[g.start : g.end]!r} in {j.record.text!r}"
        for j in judged
        for g in j.record.gold
        if g.accepted and leaks(j.record.text, g, j.replaced)
    ]
    false = [
        f"false {j.record.id}  {s.entity}  {j.record.text[s.start : s.end]!r} in {j.record.text!r}"
        for j in judged
        for s in j.replaced
        if not any(s.entity in g.accepted and s.start < g.end and g.start < s.end for g in j.record.gold)
    ]
    print("\n".join(("", *leaked[:count], *false[:count])))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--json", type=Path, default=None)
    parser.add_argument("--processes", type=int, default=2, help="size of the pool that is timed")
    parser.add_argument("--show", type=int, default=0, help="print so many leaks and false mentions; synthetic sets only")
    parser.add_argument("--no-speed", action="store_true", help="leave the timing out")
    arguments = parser.parse_args()
    records = load_records(arguments.dataset)
    judged = judge(records)
    top, negatives = headline(judged), hard_negatives(judged)
    types, names = by_type(judged), by_name(judged)
    print(f"{arguments.dataset.name}: {len(records)} texts")
    for name, value in top.items():
        print(f"{name:>34}  {'-' if value is None else value}")
    _table("by entity type", types)
    _table("by name in the data set", names)
    for name, fired in negatives.items():
        print(f"hard negative {name:>20}  {', '.join(fired) or 'untouched'}")
    _show(judged, arguments.show)
    speed = {} if arguments.no_speed else asyncio.run(measure([record.text for record in records], arguments.processes))
    for line in lines(speed):
        print(line)
    if speed:
        print(f"redact/embed at 200 words is {speed['redact_over_embed_200_words']}, the bar is {RATIO_BAR}")
    rest = {"dataset": arguments.dataset.name, "texts": len(records), "by_type": types, "by_name": names}
    write_json(arguments.json, dict(top), {**rest, "hard_negatives": negatives, "speed": speed})


if __name__ == "__main__":
    main()
