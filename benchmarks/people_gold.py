"""The gold of a folder of rooms: who reads what, what stands at whose front, which questions are asked of whom. Pure but for the files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.documents import lines
from benchmarks.people_leaks import Guard, Hidden, make_guard
from benchmarks.rooms import ends
from memdb.models.submission import TTL_SECONDS_MAX

Row = Mapping[str, Any]
ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class Gold:
    """Rows of the files. `scopes`: scope -> its readers; `agents`: scope -> agents of its room."""

    people: list[Row]
    memories: dict[str, Row]
    questions: list[Row]
    cards: list[Row]
    negatives: dict[str, Row]
    scopes: dict[str, list[str]]
    agents: dict[str, list[str]]

    def readable(self, audience: Collection[str]) -> frozenset[str]:
        """Scopes that everybody in an audience reads."""
        return frozenset(scope for scope, readers in self.scopes.items() if set(audience) <= set(readers))

    def guard(self, audience: Collection[str], forbidden: Collection[str], statements: Iterable[str], ids: Mapping[str, str]) -> Guard:
        """What an audience may not see: what one of them may not read, what is forbidden by name, what is to be stored nowhere.

        Args:
            audience: who will see the reply.
            forbidden: names of memories.
            statements: names of negatives whose statement may not be shown.
            ids: of the memories that were stored.
        """
        scopes = self.readable(audience)
        hidden: list[Hidden] = []
        shown: list[Hidden] = []
        for name, row in self.memories.items():
            one = Hidden(name, ids.get(name), row["content"], topic_of(row))
            (hidden if name in forbidden or row["scope"] not in scopes else shown).append(one)
        told = [(name, self.negatives[name]["statement"]) for name in statements if self.negatives[name]["never"] == ANY]
        values = [value for row in self.negatives.values() for value in row["must_not_contain"]]
        return make_guard(hidden, shown, told, values)


def read_gold(folder: Path) -> Gold:
    """Read the files of a folder."""
    rooms = list(lines(folder / "rooms.jsonl"))
    return Gold(
        people=list(lines(folder / "people.jsonl")),
        memories={row["memory_id"]: row for row in lines(folder / "memories.jsonl")},
        questions=list(lines(folder / "questions.jsonl")),
        cards=list(lines(folder / "cards.jsonl")),
        negatives={row["negative_id"]: row for row in lines(folder / "negatives.jsonl")},
        scopes={scope["scope"]: scope["readers"] for room in rooms for scope in room["scopes"]},
        agents={s["scope"]: [m["subject_id"] for m in room["members"] if m["role"] == "agent"] for room in rooms for s in room["scopes"]},
    )


def topic_of(row: Row) -> str | None:
    """The attribute as a topic."""
    return None if row["attribute"] is None else str(row["attribute"]).replace("_", "-")


def subject_body(row: Row) -> dict[str, object]:
    """A person, agent or project as the API takes it."""
    handles = [{"platform": handle["platform"], "external_id": handle["external_id"]} for handle in row["handles"]]
    return {"kind": row["kind"], "name": row["name"], "aliases": row["aliases"], "identities": handles}


def labels(row: Row) -> list[tuple[str, str | None]]:
    """Names that it had, and names on platforms."""
    shown = [(label, handle["platform"]) for handle in row["handles"] for label in handle["display_names"]]
    return [(renamed["name"], None) for renamed in row["names"]] + shown


def memory_body(row: Row, subjects: Mapping[str, str], brains: Mapping[str, str], *, placed: bool) -> dict[str, object]:
    """A gold memory as the API takes it. Without `placed` the rules choose between front and drawer."""
    return {
        "content": row["content"],
        "kind": row["kind"],
        "brain_id": brains[row["scope"]],
        "topic": topic_of(row),
        "data": row["data"] or {},
        "about": [subjects[name] for name in row["about"]],
        "said_by": subjects[row["said_by"]],
        "valid_from": _text(ends(row["valid_from"])[0]),
        "valid_to": _text(ends(row["valid_to"])[1]),
        # It is over by `valid_to`; without a time to live none is written.
        "ttl_seconds": TTL_SECONDS_MAX if row["kind"] == "working" else None,
        "placement": row["placement"] if placed else None,
    }


def conflicts(memories: Mapping[str, Row]) -> list[tuple[str, str]]:
    """Pairs that contradict each other, each once."""
    return sorted({(min(name, other), max(name, other)) for name, row in memories.items() for other in row["conflict_with"]})


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
