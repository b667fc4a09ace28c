"""Folders of rooms: many people and agents, a scope for each room and each direct message, questions put to an audience.

Visible fields of turns are written alone; everything else in such a folder is gold. A scope is a brain.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.documents import Asked, Document, lines, moment
from memdb.models.memory import Kind
from memdb.models.submission import TTL_SECONDS_MAX, Source, SourceKind, Submission

PRIVATE = "private"


def read_rooms(folder: Path, unit: str) -> tuple[list[Document], list[Asked]]:
    """Documents in order of time, and the questions.

    Unit turns: evidence turns are relevant. Unit sessions: their sessions are. Unit observations: the gold memories are written, with what
    is known of when they held, and the expected ones are relevant; a question about an earlier day asks what was true then. Questions about
    what was *known* at an earlier time are left out of observations: everything is written now.
    """
    observations = unit == "observations"
    documents = list(_memories(folder) if observations else _turns(folder, unit))
    labels = {document.id: document.label for document in documents}
    readers = {s["scope"]: frozenset(s["readers"]) for room in lines(folder / "rooms.jsonl") for s in room["scopes"]}
    asked = []
    for row in lines(folder / "questions.jsonl"):
        if observations and row["axis"] == "known":
            continue
        expected = row["expected_memories"] if observations else row["expected_evidence"]
        relevant = frozenset(labels[name] for name in expected if name in labels)
        if not row["answerable"] or relevant:
            at = ends(row["as_of"])[0] if observations and row["axis"] == "valid" else None
            asked.append(Asked(_scopes(row, readers), row["question"], relevant, row["category"], row["room_id"], at, row["answerable"]))
    return documents, asked


def _scopes(row: dict[str, Any], readers: dict[str, frozenset[str]]) -> tuple[str, ...]:
    """Where the answer may come from: the scope it is asked in; asked of the agent alone, all that everybody in the audience reads."""
    if row["asked_in"] != PRIVATE:
        return (row["asked_in"],)
    return tuple(sorted(scope for scope, allowed in readers.items() if allowed >= set(row["audience"])))


def _turns(folder: Path, unit: str) -> Iterator[Document]:
    started = {row["session_id"]: moment(row["started_at"]) for row in lines(folder / "sessions.jsonl")}
    for row in sorted(lines(folder / "turns.jsonl"), key=lambda row: (datetime.fromisoformat(row["ts"]), row["session_id"], row["n"])):
        if not row["text"].strip():
            continue
        source = Source(
            kind=SourceKind.TOOL if row["role"] == "tool" else None,
            episode=row["session_id"],
            started_at=started[row["session_id"]],
            position=row["n"],
            speaker=row["display_name"],
            said_at=moment(row["ts"]),
        )
        label = row["session_id"] if unit == "sessions" else row["turn_id"]
        yield Document(row["turn_id"], row["scope"], Submission(content=row["text"], kind=Kind.EPISODIC, source=source), label)


def _memories(folder: Path) -> Iterator[Document]:
    for row in lines(folder / "memories.jsonl"):
        kind = Kind(row["kind"])
        submission = Submission(
            content=row["content"],
            kind=kind,
            valid_from=ends(row["valid_from"])[0],
            valid_to=ends(row["valid_to"])[1],
            # It is over by `valid_to`; without a time to live none is written.
            ttl_seconds=TTL_SECONDS_MAX if kind is Kind.WORKING else None,
        )
        yield Document(row["memory_id"], row["scope"], submission, row["memory_id"])


def ends(text: str | None) -> tuple[datetime | None, datetime | None]:
    """Start and end of an ISO date of any precision, the end exclusive; a time is a point."""
    if text is None:
        return None, None
    if "T" in text:
        at = moment(text)
        return at, at
    parts = [int(part) for part in text.split("-")]
    year, month, day = (*parts, 1, 1)[:3]
    start = date(year, month, day)
    if len(parts) == 1:
        end = date(year + 1, 1, 1)
    elif len(parts) == 2:
        end = (start + timedelta(days=31)).replace(day=1)
    else:
        end = start + timedelta(days=1)
    return _midnight(start), _midnight(end)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
