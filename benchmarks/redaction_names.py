"""How well are names of people and places found where a policy asks for it?

    python -m benchmarks.redaction_names --dataset DIR [--half tune|report|all] [--json FILE]

A gold span is found if a mention of its type overlaps it, and *covered* if such mentions leave none of its letters; a mention is right if
it overlaps a gold span of its type. Rules were written looking at the half `tune` only: records are divided by the SHA-256 of their
sentence template, or of their own id where a set has no templates.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.harness import write_json
from governance.redaction.engine import Analyzer
from governance.redaction.entities import LOCATION, PERSON
from governance.redaction.findings import EntityType, Finding
from governance.redaction.names.search import search_names

GOLD: Final[Mapping[str, EntityType]] = {
    "PERSON": PERSON,
    "LOCATION": LOCATION,
    "GPE": LOCATION,
    "ADDRESS": LOCATION,
    "STREET_ADDRESS": LOCATION,
}


def half_of(row: Mapping[str, Any]) -> str:
    """`tune` or `report`."""
    return "report" if hashlib.sha256(str(row.get("template_id", row["id"])).encode()).digest()[0] % 2 else "tune"


def count(rows: Iterator[dict[str, Any]]) -> dict[EntityType, Counter[str]]:
    """Count found, covered and missed gold spans, and right and false mentions, per type."""
    analyzer = Analyzer()
    counts: dict[EntityType, Counter[str]] = {PERSON: Counter(), LOCATION: Counter()}
    for row in rows:
        text = row["text"]
        names = search_names(text, analyzer.find(text))
        for entity, counted in counts.items():
            gold = [(s["start"], s["end"]) for s in row["spans"] if GOLD.get(s["entity"]) == entity]
            own = [name for name in names if name.entity == entity]
            for start, end in gold:
                touching = [name for name in own if name.start < end and start < name.end]
                counted["found" if touching else "missed"] += 1
                counted["covered"] += bool(touching) and _covers(text, start, end, touching)
            for name in own:
                counted["right" if any(name.start < end and start < name.end for start, end in gold) else "false"] += 1
    return counts


def _covers(text: str, start: int, end: int, names: list[Finding]) -> bool:
    return not any(text[i].isalpha() and not any(name.start <= i < name.end for name in names) for i in range(start, end))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def main() -> None:
    """Print one line per type, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--half", choices=("tune", "report", "all"), default="report")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with (options.dataset / "records.jsonl").open(encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if options.half in {"all", half_of(row)}]
    figures = {
        str(entity): {
            "recall": _share(c["found"], c["found"] + c["missed"]),
            "covered": _share(c["covered"], c["found"] + c["missed"]),
            "precision": _share(c["right"], c["right"] + c["false"]),
            "gold": c["found"] + c["missed"],
            "mentions": c["right"] + c["false"],
        }
        for entity, c in count(iter(rows)).items()
    }
    for name, row in figures.items():
        print(f"{options.dataset.name} {options.half} {name}  " + "  ".join(f"{key} {value}" for key, value in row.items()))
    write_json(options.json, dict(figures), {"dataset": options.dataset.name, "half": options.half, "texts": len(rows)})


if __name__ == "__main__":
    main()
