"""What redaction did to texts with gold spans, in numbers. Pure: texts, gold and findings in, figures out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.redaction_sets import SECRETS, Gold, Record
from governance.redaction.findings import EntityType

CHARACTERS_LEAKED: Final = 4
DIGITS_LEAKED: Final = 5
BETA_SQUARED: Final = 4  # F2: recall counts more than precision


@dataclass(frozen=True, slots=True)
class Replaced:
    """A mention that was replaced: its type and its place in the original text, in code points, end exclusive."""

    entity: EntityType
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A record and what was replaced in it, disjoint and in order of place."""

    record: Record
    replaced: tuple[Replaced, ...]


def survivors(text: str, gold: Gold, replaced: Iterable[Replaced]) -> list[str]:
    """The pieces of a gold span that no replacement touched, in order."""
    pieces, position = [], gold.start
    for span in replaced:
        if span.end <= position or span.start >= gold.end:
            continue
        pieces.append(text[position : max(position, span.start)])
        position = span.end
    pieces.append(text[position : max(position, gold.end)])
    return [piece for piece in pieces if piece]


def leaks(text: str, gold: Gold, replaced: Iterable[Replaced]) -> bool:
    """Whether so much of a gold span survives that it counts as a leak.

    Identifiers (values without letters) leak with 5 digits that follow each other with nothing but separators between them, everything
    else with 4 characters; a value that survives as a whole leaks however short it is.
    """
    value = text[gold.start : gold.end]
    pieces = survivors(text, gold, replaced)
    if any(char.isalpha() for char in value):
        return any(len(piece) >= min(CHARACTERS_LEAKED, len(value)) for piece in pieces)
    return any(sum(char.isdigit() for char in piece) >= DIGITS_LEAKED or piece == value for piece in pieces)


def headline(judged: Sequence[Judged]) -> dict[str, float | None]:
    """The three figures; None where a set has nothing to take one from."""
    wanted = [(j, gold) for j in judged for gold in j.record.gold if gold.accepted]
    negatives = [j for j in judged if j.record.hard_negative]
    outside, harmed = 0, 0
    for j in judged:
        inside = {i for gold in j.record.gold for i in range(gold.start, gold.end)}
        outside += len(j.record.text) - len(inside)
        harmed += sum(i not in inside for span in j.replaced for i in range(span.start, span.end))
    return {
        "leak_rate": _share(sum(leaks(j.record.text, gold, j.replaced) for j, gold in wanted), len(wanted)),
        "over_redaction": _share(harmed, outside),
        "false_positive_rate": _share(sum(bool(j.replaced) for j in negatives), len(negatives)),
    }


def by_type(judged: Sequence[Judged]) -> dict[str, dict[str, float | int | None]]:
    """Precision, recall and F2 per entity type of ours and language, as `TYPE lang`.

    A gold span is found if a mention of an accepted type overlaps it and mentions of those types leave no leak of it; it counts for the
    type that was found, else for the first that it accepts. A mention that overlaps no gold span that accepts its type is a false one.
    Secrets are one row: which of the kinds a token is given does not matter.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for j in judged:
        for gold in j.record.gold:
            if gold.accepted:
                own = _own(gold, j.replaced)
                found = bool(own) and not leaks(j.record.text, gold, own)
                counts[_row(own[0].entity if own else min(gold.accepted), j.record.lang)]["found" if found else "missed"] += 1
        for span in j.replaced:
            if not any(span in _own(gold, j.replaced) for gold in j.record.gold):
                counts[_row(span.entity, j.record.lang)]["false"] += 1
    return {name: _figures(counts[name]) for name in sorted(counts)}


def by_name(judged: Sequence[Judged]) -> dict[str, dict[str, float | int | None]]:
    """Recall by type and leak rate per entity name of the data set and language, kept ones too (there the leak rate is what stays)."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for j in judged:
        for gold in j.record.gold:
            own = _own(gold, j.replaced)
            row = counts[f"{gold.name} {j.record.lang}" + ("" if gold.accepted else " (kept)")]
            row["spans"] += 1
            row["found"] += bool(own) and not leaks(j.record.text, gold, own)
            row["leaked"] += leaks(j.record.text, gold, j.replaced)
    return {
        name: {"spans": row["spans"], "recall": _share(row["found"], row["spans"]), "leak_rate": _share(row["leaked"], row["spans"])}
        for name, row in sorted(counts.items())
    }


def hard_negatives(judged: Sequence[Judged]) -> dict[str, list[str]]:
    """Each hard negative by id, and the types that fired in it."""
    return {j.record.id: [str(span.entity) for span in j.replaced] for j in judged if j.record.hard_negative}


def _own(gold: Gold, replaced: Iterable[Replaced]) -> list[Replaced]:
    return [span for span in replaced if span.entity in gold.accepted and span.start < gold.end and gold.start < span.end]


def _row(entity: EntityType, lang: str) -> str:
    return f"{'SECRET' if entity in SECRETS else entity} {lang}"


def _figures(count: Mapping[str, int]) -> dict[str, float | int | None]:
    found, missed, false = count["found"], count["missed"], count["false"]
    precision, recall = _share(found, found + false), _share(found, found + missed)
    f2 = _share((1 + BETA_SQUARED) * found, (1 + BETA_SQUARED) * found + BETA_SQUARED * missed + false)
    return {"precision": precision, "recall": recall, "f2": f2, "found": found, "missed": missed, "false": false}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
