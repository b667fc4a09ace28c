"""Whether two statements say the same, decided without a language model: what is merged wrongly, and what share of duplicates is found.

    python -m benchmarks.reconcile [--pairs DIR] [--longmemeval DIR] [--json FILE]

The minimal pairs and the clear duplicates of the tests are measured always; pairs with a human score with --pairs; the old and the new
statement of knowledge that was updated with --longmemeval. Each is decided twice: by the canonical text alone, as before, and by meaning.
Then which of them would be linked as similar. docs/benchmarks.md says what each figure means.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.documents import lines
from benchmarks.harness import write_json
from benchmarks.reconcile_near import least_bound, measure_near, shares, show_near, similarities
from memdb.formation.neighbours import SIMILARITY_MIN
from memdb.text.meaning import meaning_of, statement_of

TABLES: Final = Path(__file__).parents[1] / "tests" / "unit" / "memdb" / "text"
RULES: Final[Mapping[str, Callable[[str], object]]] = MappingProxyType({"text": statement_of, "meaning": meaning_of})
UPDATED: Final = "knowledge_update"
ADD, REINFORCE = "ADD", "REINFORCE"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements and what should become of the second: ADD, GREY (not scored) or REINFORCE; `group` is a language and a set."""

    id: str
    group: str
    one: str
    other: str
    expected: str


def minimal_pairs() -> list[Pair]:
    """Statements that differ in one word or in the order of two, of the tests."""
    rows = lines(TABLES / "minimal_pairs.jsonl")
    return [Pair(f"minimal-{n}-{r['changed']}", f"minimal {r['lang']}", r["a"], r["b"], ADD) for n, r in enumerate(rows, 1)]


def clear_duplicates() -> list[Pair]:
    """Statements that say the same beyond doubt, of the tests; those that the rules are known to miss are among them."""
    rows = lines(TABLES / "duplicates.jsonl")
    return [Pair(f"duplicate-{n}-{r['differs']}", f"duplicates {r['lang']}", r["a"], r["b"], REINFORCE) for n, r in enumerate(rows, 1)]


def scored_pairs(folder: Path) -> list[Pair]:
    """Pairs that people scored from 0 to 5, read as ADD, GREY and REINFORCE."""
    return [Pair(r["id"], f"{folder.name} {r['lang']}", r["a"], r["b"], r["expected"]) for r in lines(folder / "pairs.jsonl")]


def updated_pairs(folder: Path) -> list[Pair]:
    """Every two evidence turns of a question about what has changed; a question with one labelled turn has no pair."""
    texts = {
        (conversation["conv_id"], turn["turn_id"]): turn["text"]
        for conversation in lines(folder / "conversations.jsonl")
        for session in conversation["sessions"]
        for turn in session["turns"]
    }
    found = []
    for row in lines(folder / "questions.jsonl"):
        if row["category"] == UPDATED:
            for one, other in combinations(row["evidence"], 2):
                pair = (texts[row["conv_id"], one], texts[row["conv_id"], other])
                found.append(Pair(f"{row['qid']}: {one}, {other}", f"{folder.name} updates", *pair, ADD))
    return found


def confusion(pairs: Iterable[Pair], rule: Callable[[str], object]) -> dict[str, dict[str, Counter[str]]]:
    """Group -> expected -> how often the second statement of a pair is an ADD and how often a REINFORCE."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for pair in pairs:
        decided = REINFORCE if rule(pair.one) == rule(pair.other) else ADD
        found.setdefault(pair.group, {}).setdefault(pair.expected, Counter({ADD: 0, REINFORCE: 0}))[decided] += 1
    return found


def wrong_merges(pairs: Iterable[Pair], rule: Callable[[str], object]) -> list[str]:
    """Ids of pairs that should stay two and would become one, in their order."""
    return [pair.id for pair in pairs if pair.expected == ADD and rule(pair.one) == rule(pair.other)]


def share_reinforced(pairs: Iterable[Pair], rule: Callable[[str], object]) -> float | None:
    """Of the pairs that should be one, how many are: 0..1, four places; None of none."""
    same = [rule(pair.one) == rule(pair.other) for pair in pairs if pair.expected == REINFORCE]
    return round(sum(same) / len(same), 4) if same else None


def measure(sets: Mapping[str, Sequence[Pair]]) -> tuple[dict[str, object], dict[str, object]]:
    """The figures with a bar and the shares, and everything else.

    Args:
        sets: pairs by a short name; one without pairs was not measured.
    """
    every = [pair for pairs in sets.values() for pair in pairs]
    wrong = wrong_merges(every, RULES["meaning"])
    headline: dict[str, object] = {"wrong_merges": len(wrong)}
    for name, pairs in sets.items():
        if any(pair.expected == ADD for pair in pairs):
            headline[f"wrong_merges_{name}"] = len(wrong_merges(pairs, RULES["meaning"]))
        for rule in RULES:
            if (share := share_reinforced(pairs, RULES[rule])) is not None:
                headline[f"reinforced_{name}_by_{rule}"] = share
    rest: dict[str, object] = {
        "bars": {"wrong_merges": {"value": len(wrong), "most": 0, "met": not wrong}},
        "wrong": wrong,
        "wrong_by_text": wrong_merges(every, RULES["text"]),
        "confusion": {name: confusion(every, rule) for name, rule in RULES.items()},
        "merged": [pair.id for pair in every if pair.expected != ADD and meaning_of(pair.one) == meaning_of(pair.other)],
        "pairs": {name: len(pairs) for name, pairs in sets.items()},
    }
    return headline, rest


def show(pairs: Sequence[Pair], headline: Mapping[str, object], wrong: Sequence[str], console: Console) -> None:
    """Tables for a person."""
    by_text, by_meaning = confusion(pairs, RULES["text"]), confusion(pairs, RULES["meaning"])
    table = Table(title="expected against decided", title_justify="left", header_style="bold")
    for column in ("set", "expected", "pairs", "ADD", "REINFORCE", "REINFORCE by text alone"):
        table.add_column(column, justify="left" if column in {"set", "expected"} else "right", no_wrap=True)
    for group, rows in by_meaning.items():
        for expected, decided in sorted(rows.items()):
            before = by_text[group][expected][REINFORCE]
            table.add_row(group, expected, *(str(n) for n in (decided.total(), decided[ADD], decided[REINFORCE], before)))
    console.print(table)
    for name, value in headline.items():
        console.print(f"{name}: {value}", markup=False)
    console.print(f"wrong merges: {', '.join(wrong) or 'none'}", markup=False)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, default=None, help="a folder of scored pairs")
    parser.add_argument("--longmemeval", type=Path, default=None, help="a folder of conversations with knowledge that was updated")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    sets = {"minimal": minimal_pairs(), "duplicates": clear_duplicates()}
    if arguments.pairs:
        sets["scored"] = scored_pairs(arguments.pairs)
    if arguments.longmemeval:
        sets["updates"] = updated_pairs(arguments.longmemeval)
    headline, rest = measure(sets)
    alike = {name: asyncio.run(similarities(pairs)) for name, pairs in sets.items()}
    headline |= measure_near(sets, alike)
    every, console = [pair for pairs in sets.values() for pair in pairs], Console(width=120)
    table = shares(every, [one for found in alike.values() for one in found])
    rest |= {"similar": table, "similarity_min": SIMILARITY_MIN}
    if "scored" in sets:
        rest["least_bound_scored"] = least_bound(sets["scored"], alike["scored"])
    show(every, headline, wrong_merges(every, RULES["meaning"]), console)
    show_near(table, console)
    write_json(arguments.json, headline, rest)


if __name__ == "__main__":
    main()
