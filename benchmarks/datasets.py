"""Data set folders as documents and questions. Nothing of them is copied; a path says where they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.documents import Asked, Dataset, Document, lines, moment
from benchmarks.rooms import read_rooms
from memdb.models.memory import Kind
from memdb.models.submission import Source, Submission

SESSIONS = "sessions"


def load(folder: Path, unit: str) -> Dataset:
    """Read a folder by the shape of its files.

    Args:
        folder: holds conversations.jsonl and questions.jsonl; or rooms.jsonl and its companions; or corpus.jsonl, queries.jsonl and
            qrels.jsonl.
        unit: turns, observations, or sessions (turns are written, questions name their sessions); a corpus has documents only.
    """
    if (folder / "corpus.jsonl").exists():
        return Dataset(folder.name, *_corpus(folder))
    if (folder / "rooms.jsonl").exists():
        return Dataset(folder.name, *read_rooms(folder, unit))
    documents = list(_observations(folder) if unit == "observations" else _turns(folder, unit))
    return Dataset(folder.name, documents, list(_questions(folder, documents, unit)))


def _corpus(folder: Path) -> tuple[list[Document], list[Asked]]:
    documents = [
        Document(row["doc_id"], folder.name, Submission(content=row["text"], kind=Kind.SEMANTIC), row["doc_id"])
        for row in lines(folder / "corpus.jsonl")
    ]
    relevant: dict[str, set[str]] = {}
    for row in lines(folder / "qrels.jsonl"):
        relevant.setdefault(row["qid"], set()).add(row["doc_id"])
    asked = [
        Asked((folder.name,), row["text"], frozenset(relevant[row["qid"]]), "all", folder.name)
        for row in lines(folder / "queries.jsonl")
        if row["qid"] in relevant
    ]
    return documents, asked


def _turns(folder: Path, unit: str) -> Iterator[Document]:
    for conversation in lines(folder / "conversations.jsonl"):
        brain = conversation["conv_id"]
        for session in conversation.get("sessions", [conversation]):  # a meeting is one session
            episode = session.get("session_id", "meeting")
            for position, turn in enumerate(session["turns"]):
                submission = _turn(f"{brain}-{episode}", position, turn, session.get("ts"))
                if submission is not None:
                    name = f"{brain}/{turn['turn_id']}"
                    yield Document(name, brain, submission, f"{brain}/{episode}" if unit == SESSIONS else name)


def _turn(episode: str, position: int, turn: dict[str, Any], started: str | None) -> Submission | None:
    content = turn["text"] + (f" [image: {turn['image_caption']}]" if turn.get("image_caption") else "")
    if not content.strip():
        return None
    at = moment(started)
    source = Source(episode=episode, started_at=at, position=position, speaker=turn["speaker"], said_at=at)
    return Submission(content=content, kind=Kind.EPISODIC, source=source)


def _observations(folder: Path) -> Iterator[Document]:
    for number, row in enumerate(lines(folder / "observations.jsonl")):
        name = f"{row['conv_id']}/{'|'.join(row['evidence'])}#{number}"
        yield Document(name, row["conv_id"], Submission(content=row["memory"], kind=Kind.SEMANTIC), name)


def _questions(folder: Path, documents: list[Document], unit: str) -> Iterator[Asked]:
    field, named = ("evidence_sessions", _by_label(documents)) if unit == SESSIONS else ("evidence", _by_turn(documents))
    for row in lines(folder / "questions.jsonl"):
        brain = row["conv_id"]
        wanted = {label for part in row.get(field, []) for label in named.get(f"{brain}/{part}", ())}
        if wanted:
            yield Asked((brain,), row["question"], frozenset(wanted), row.get("category", "all"), brain)


def _by_label(documents: list[Document]) -> dict[str, set[str]]:
    return {document.label: {document.label} for document in documents}


def _by_turn(documents: list[Document]) -> dict[str, set[str]]:
    """Labels by turn: a turn names itself, an observation the turns that it was made of."""
    by_turn: dict[str, set[str]] = {}
    for document in documents:
        brain, _, evidence = document.id.partition("/")
        for turn in evidence.partition("#")[0].split("|"):
            by_turn.setdefault(f"{brain}/{turn}", set()).add(document.label)
    return by_turn
