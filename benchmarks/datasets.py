"""Data set folders as (documents, questions). Nothing of them is copied; a path says where they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memdb.models.memory import Kind
from memdb.models.submission import Source, Submission


@dataclass(frozen=True, slots=True)
class Document:
    """A memory to write: `id` is what questions name, `brain` groups those that are searched together."""

    id: str
    brain: str
    submission: Submission


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the documents that answer it, and its category."""

    brain: str
    text: str
    relevant: frozenset[str]
    category: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents in the order in which they were said, and questions that have an answer among them."""

    name: str
    documents: list[Document]
    questions: list[Asked]


def load(folder: Path, unit: str) -> Dataset:
    """Read a folder by the shape of its files.

    Args:
        folder: holds conversations.jsonl and questions.jsonl, or corpus.jsonl, queries.jsonl and qrels.jsonl.
        unit: turns or observations; a corpus has documents only.
    """
    if (folder / "corpus.jsonl").exists():
        return Dataset(folder.name, *_corpus(folder))
    turns = list(_turns(folder))
    documents = turns if unit == "turns" else list(_observations(folder))
    return Dataset(folder.name, documents, list(_questions(folder, {d.id for d in documents}, documents)))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _corpus(folder: Path) -> tuple[list[Document], list[Asked]]:
    documents = [
        Document(row["doc_id"], folder.name, Submission(content=row["text"], kind=Kind.SEMANTIC)) for row in _lines(folder / "corpus.jsonl")
    ]
    relevant: dict[str, set[str]] = {}
    for row in _lines(folder / "qrels.jsonl"):
        relevant.setdefault(row["qid"], set()).add(row["doc_id"])
    asked = [
        Asked(folder.name, row["text"], frozenset(relevant[row["qid"]]), "all")
        for row in _lines(folder / "queries.jsonl")
        if row["qid"] in relevant
    ]
    return documents, asked


def _turns(folder: Path) -> Iterator[Document]:
    for conversation in _lines(folder / "conversations.jsonl"):
        for session in conversation.get("sessions", []):
            started = _moment(session.get("ts"))
            for position, turn in enumerate(session["turns"]):
                caption = f" [image: {turn['image_caption']}]" if turn.get("image_caption") else ""
                if not (turn["text"] + caption).strip():
                    continue
                source = Source(
                    episode=f"{conversation['conv_id']}-{session['session_id']}",
                    started_at=started,
                    position=position,
                    speaker=turn["speaker"],
                    said_at=started,
                )
                submission = Submission(content=turn["text"] + caption, kind=Kind.EPISODIC, source=source)
                yield Document(f"{conversation['conv_id']}/{turn['turn_id']}", conversation["conv_id"], submission)


def _observations(folder: Path) -> Iterator[Document]:
    for number, row in enumerate(_lines(folder / "observations.jsonl")):
        name = f"{row['conv_id']}/{'|'.join(row['evidence'])}#{number}"
        yield Document(name, row["conv_id"], Submission(content=row["memory"], kind=Kind.EPISODIC))


def _questions(folder: Path, known: set[str], documents: list[Document]) -> Iterator[Asked]:
    by_turn: dict[str, set[str]] = {}
    for document in documents:
        brain, _, evidence = document.id.partition("/")
        for turn in evidence.partition("#")[0].split("|"):
            by_turn.setdefault(f"{brain}/{turn}", set()).add(document.id)
    for row in _lines(folder / "questions.jsonl"):
        wanted = {d for turn in row.get("evidence", []) for d in by_turn.get(f"{row['conv_id']}/{turn}", ())}
        if wanted & known:
            yield Asked(row["conv_id"], row["question"], frozenset(wanted), row.get("category", "all"))


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
