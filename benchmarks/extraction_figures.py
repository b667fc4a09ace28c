"""Figures of extraction: what of the candidates is right, what of the gold was found, whose it is. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from benchmarks.extraction_gold import PERSON, Expected, Rooms, Unwanted
from benchmarks.extraction_match import is_unwanted, says_the_same, take_apart, touches
from memdb.extraction.candidates import Candidate

MUST: Final = "must"
STORABLE: Final = frozenset({"semantic", "episodic", "procedural", "taxonomic"})


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate of a scope; the gold that it says, with the same persons (`same`) or with others (`others`); what it must not say."""

    scope: str
    turn: str
    candidate: Candidate = field(repr=False)
    same: tuple[Expected, ...]
    others: tuple[Expected, ...]
    unwanted: tuple[Unwanted, ...]

    @property
    def right(self) -> bool:
        return any(gold.level == MUST for gold in self.same) and not self.unwanted

    @property
    def small(self) -> bool:
        """Says only what is rewarded and punished neither way."""
        return bool(self.same) and not self.right and not self.unwanted


def judge(candidates: Sequence[tuple[str, str, Candidate]], rooms: Rooms) -> list[Judged]:
    """Compare candidates (scope, name of the first turn, candidate) with the gold of their scope."""
    judged = []
    for scope, turn, candidate in candidates:
        about = frozenset(one for one in candidate.about if rooms.names.get(one, "").startswith(PERSON))
        alike = [gold for gold in rooms.expected if gold.scope == scope and says_the_same(candidate, gold, rooms.called)]
        judged.append(
            Judged(
                scope,
                turn,
                candidate,
                tuple(gold for gold in alike if gold.about == about),
                tuple(gold for gold in alike if gold.about != about and turn in gold.evidence),
                tuple(
                    bad
                    for bad in rooms.unwanted
                    if bad.scope == scope
                    and (
                        is_unwanted(candidate, bad, rooms.called, rooms.names)
                        or (not alike and turn in bad.evidence and touches(candidate, bad))
                    )
                ),
            )
        )
    return judged


def headline(judged: Sequence[Judged], rooms: Rooms) -> dict[str, object]:
    """The four figures that have a bar, and what they are shares of."""
    counted = [one for one in judged if not one.small]
    people = [one for one in judged if one.same or one.others]
    must = [gold for gold in rooms.expected if gold.level == MUST and gold.kind in STORABLE]
    found = _found(judged)
    return {
        "precision": _share(sum(one.right for one in counted), len(counted)),
        "recall": _share(sum(gold.name in found for gold in must), len(must)),
        "person_accuracy": _share(sum(bool(one.same) for one in people), len(people)),
        "negatives_stored": len({bad.name for one in judged for bad in one.unwanted}),
        "candidates": len(judged),
        "neither": len(judged) - len(counted),
        "gold": len(must),
    }


def details(judged: Sequence[Judged], rooms: Rooms) -> dict[str, Any]:
    """By kind, by phenomenon, dates, and what is wrong, by name."""
    found = _found(judged)
    must = [gold for gold in rooms.expected if gold.level == MUST and gold.kind in STORABLE]
    phenomena = sorted({name for gold in must for name in gold.phenomena})
    counted = [one for one in judged if not one.small]
    return {
        "kinds": {
            kind: {
                "precision": _share(
                    sum(one.right for one in counted if one.candidate.kind == kind), sum(one.candidate.kind == kind for one in counted)
                ),
                "candidates": sum(one.candidate.kind == kind for one in judged),
                "recall": _share(sum(gold.name in found for gold in must if gold.kind == kind), sum(gold.kind == kind for gold in must)),
                "gold": sum(gold.kind == kind for gold in must),
            }
            for kind in sorted(STORABLE)
        },
        "recall_by_phenomenon": {
            name: _share(sum(gold.name in found for gold in must if name in gold.phenomena), sum(name in gold.phenomena for gold in must))
            for name in phenomena
        },
        "recall_of_facts_about_people": _share(
            sum(gold.name in found for gold in must if gold.about), sum(bool(gold.about) for gold in must)
        ),
        "kind_right": _share(
            sum(any(g.kind == one.candidate.kind for g in one.same) for one in judged if one.same), sum(bool(one.same) for one in judged)
        ),
        "dates": _dates(judged),
        "rules": dict(Counter(one.candidate.rule for one in judged).most_common()),
        "rules_of_wrong": dict(Counter(one.candidate.rule for one in judged if not one.right and not one.small).most_common()),
        "wrong": [f"{one.turn} {one.candidate.rule}" for one in judged if not one.right and not one.small],
        "wrong_person": [f"{one.turn} {one.candidate.rule}" for one in judged if one.others and not one.same],
        "negatives": sorted({f"{bad.name} ({bad.why}) by {one.turn} {one.candidate.rule}" for one in judged for bad in one.unwanted}),
    }


def _found(judged: Sequence[Judged]) -> frozenset[str]:
    return frozenset(gold.name for one in judged if not one.unwanted for gold in one.same)


def _dates(judged: Sequence[Judged]) -> dict[str, object]:
    """Of the candidates that match a memory with a resolved date: whether they name it."""
    right = asked = named = 0
    for one in judged:
        dated = [gold for gold in one.same if gold.when]
        if not dated or one.candidate.content is None:
            continue
        asked += 1
        days = take_apart(one.candidate.content, one.candidate.rule[:2], ()).days
        named += bool(days)
        right += bool(days) and any(day.startswith(when) or when.startswith(day) for gold in dated for when in gold.when for day in days)
    return {"asked": asked, "named": named, "right": _share(right, asked), "right_of_named": _share(right, named)}


def whose(one: Judged, names: Mapping[UUID, str]) -> str:
    """The subjects of a candidate, as the files call them."""
    return ", ".join(names.get(subject, "?") for subject in one.candidate.about) or "nobody"


def _share(part: int, whole: int) -> float | None:
    """None of nothing."""
    return round(part / whole, 4) if whole else None
