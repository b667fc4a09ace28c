from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.datasets import load
from benchmarks.documents import Asked, Dataset, Document, sample, split
from memdb.models.memory import Kind
from memdb.models.submission import SourceKind, Submission


def write(folder: Path, **files: list[dict[str, Any]]) -> None:
    for name, rows in files.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def turn(number: object, text: str, **more: str) -> dict[str, Any]:
    return {"turn_id": number, "speaker": "Ana", "text": text, **more}


def question(text: str, **more: Any) -> dict[str, Any]:
    return {"conv_id": "conv-1", "question": text, "category": "single", **more}


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    sessions = [
        {"session_id": "S1", "ts": "2024-01-02T10:00:00", "turns": [turn("D1:1", "hello"), turn("D1:2", "", image_caption="a dog")]},
        {"session_id": "S2", "ts": "2024-01-03T10:00:00", "turns": [turn("D2:1", "bye"), turn("D2:2", " ")]},
    ]
    questions = [
        question("who says hello?", evidence=["D1:1"], evidence_sessions=["S1"]),
        question("what is in the picture?", evidence=["D1:2", "D2:1"], evidence_sessions=["S1", "S2"], category="adversarial_unanswerable"),
        question("only the session is known", evidence=[], evidence_sessions=["S2"]),
    ]
    observations = [
        {"conv_id": "conv-1", "memory": "Ana greets", "evidence": ["D1:1", "D2:1"]},
        {"conv_id": "conv-1", "memory": "Ana has a dog", "evidence": ["D1:2"]},
    ]
    write(tmp_path, conversations=[{"conv_id": "conv-1", "sessions": sessions}], questions=questions, observations=observations)
    return tmp_path


def test_turns_of_conversations(talk: Path) -> None:
    dataset = load(talk, "turns")
    assert [(d.id, d.label, d.submission.content) for d in dataset.documents] == [
        ("conv-1/D1:1", "conv-1/D1:1", "hello"),
        ("conv-1/D1:2", "conv-1/D1:2", " [image: a dog]"),
        ("conv-1/D2:1", "conv-1/D2:1", "bye"),
    ]
    source = dataset.documents[1].submission.source
    assert source is not None
    assert (source.episode, source.position, source.speaker) == ("conv-1-S1", 1, "Ana")
    assert source.said_at == datetime(2024, 1, 2, 10, tzinfo=UTC)
    assert [a.relevant for a in dataset.questions] == [{"conv-1/D1:1"}, {"conv-1/D1:2", "conv-1/D2:1"}]
    assert [a.text for a in dataset.headline] == ["who says hello?"]


def test_sessions_write_turns_and_ask_for_their_sessions(talk: Path) -> None:
    dataset = load(talk, "sessions")
    assert [(d.id, d.label) for d in dataset.documents] == [
        ("conv-1/D1:1", "conv-1/S1"),
        ("conv-1/D1:2", "conv-1/S1"),
        ("conv-1/D2:1", "conv-1/S2"),
    ]
    assert [a.relevant for a in dataset.questions] == [{"conv-1/S1"}, {"conv-1/S1", "conv-1/S2"}, {"conv-1/S2"}]


def test_observations_answer_by_the_turns_they_come_from(talk: Path) -> None:
    dataset = load(talk, "observations")
    first, second = (d.id for d in dataset.documents)
    assert [a.relevant for a in dataset.questions] == [{first}, {first, second}]


def test_a_meeting_is_one_session(tmp_path: Path) -> None:
    write(tmp_path, conversations=[{"conv_id": "m", "turns": [turn(0, "one"), turn(1, "two")]}])
    write(tmp_path, questions=[{"conv_id": "m", "question": "two?", "category": "specific", "evidence": [1]}])
    dataset = load(tmp_path, "turns")
    assert [d.id for d in dataset.documents] == ["m/0", "m/1"]
    assert dataset.questions[0].relevant == {"m/1"}


def test_corpus_keeps_questions_that_have_a_paragraph(tmp_path: Path) -> None:
    write(tmp_path, corpus=[{"doc_id": "p0", "text": "um"}, {"doc_id": "p1", "text": "dois"}])
    write(tmp_path, queries=[{"qid": "a", "text": "qual?"}, {"qid": "b", "text": "nada?"}], qrels=[{"qid": "a", "doc_id": "p1", "rel": 1}])
    dataset = load(tmp_path, "turns")
    assert [(a.text, a.relevant) for a in dataset.questions] == [("qual?", frozenset({"p1"}))]
    assert {d.submission.kind for d in dataset.documents} == {Kind.SEMANTIC}


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    scopes = [{"scope": "r1", "kind": "room", "readers": ["ana", "bo"]}, {"scope": "r1-dm", "kind": "dm", "readers": ["ana"]}]
    turns = [
        {"turn_id": "t2", "session_id": "s1", "scope": "r1", "n": 2, "ts": "2026-03-01T10:00:00-03:00", "role": "tool", "text": "12 open"},
        {
            "turn_id": "t1",
            "session_id": "s1",
            "scope": "r1",
            "n": 1,
            "ts": "2026-03-01T12:59:00+00:00",
            "role": "user",
            "text": "how many?",
        },
        {"turn_id": "d1", "session_id": "s2", "scope": "r1-dm", "n": 1, "ts": "2026-03-02T10:00:00Z", "role": "user", "text": "a secret"},
    ]
    memory = {"scope": "r1", "kind": "semantic", "valid_from": "2026-01", "valid_to": "2026-02"}
    memories = [
        {"memory_id": "m1", "content": "twelve are open", **memory},
        {
            "memory_id": "m2",
            "content": "back at four",
            **memory,
            "kind": "working",
            "valid_from": "2025",
            "valid_to": "2026-03-01T16:00:00Z",
        },
    ]
    asked = {"room_id": "r1", "audience": ["ana"], "category": "single", "as_of": None, "axis": None, "answerable": True}
    questions = [
        {**asked, "asked_in": "r1", "question": "how many?", "expected_evidence": ["t1", "t2"], "expected_memories": ["m1"]},
        {**asked, "asked_in": "private", "question": "all?", "expected_evidence": ["t1", "d1"], "expected_memories": ["m1"]},
        {**asked, "asked_in": "r1", "question": "never?", "expected_evidence": [], "expected_memories": [], "answerable": False},
        {**asked, "asked_in": "r1", "question": "then?", "expected_evidence": ["t1"], "expected_memories": ["m2"], "as_of": "2026-02-01", "axis": "valid"},
        {**asked, "asked_in": "r1", "question": "known?", "expected_evidence": ["t1"], "expected_memories": ["m2"], "as_of": "2026-02-01", "axis": "known"},
    ]  # fmt: skip
    sessions = [{"session_id": name, "started_at": "2026-03-01T09:00:00-03:00"} for name in ("s1", "s2")]
    named = [{"display_name": "Ana", **row} for row in turns]
    write(tmp_path, rooms=[{"room_id": "r1", "scopes": scopes}], turns=named, sessions=sessions, memories=memories, questions=questions)
    return tmp_path


def test_turns_of_rooms_come_in_order_of_time_and_a_scope_is_a_brain(rooms: Path) -> None:
    dataset = load(rooms, "turns")
    assert [(d.id, d.brain) for d in dataset.documents] == [("t1", "r1"), ("t2", "r1"), ("d1", "r1-dm")]
    sources = [d.submission.source for d in dataset.documents]
    assert [source.kind for source in sources if source is not None] == [None, SourceKind.TOOL, None]


def test_questions_of_rooms_search_what_their_audience_reads(rooms: Path) -> None:
    dataset = load(rooms, "turns")
    assert [(a.text, a.brains, a.relevant) for a in dataset.questions[:2]] == [
        ("how many?", ("r1",), frozenset({"t1", "t2"})),
        ("all?", ("r1", "r1-dm"), frozenset({"t1", "d1"})),
    ]
    assert [a.text for a in dataset.questions if not a.answerable] == ["never?"]
    assert [a.text for a in dataset.headline] == ["how many?", "all?", "then?", "known?"]
    assert load(rooms, "sessions").questions[1].relevant == {"s1", "s2"}


def test_memories_of_rooms_hold_when_they_held(rooms: Path) -> None:
    dataset = load(rooms, "observations")
    first, second = (d.submission for d in dataset.documents)
    assert (first.valid_from, first.valid_to) == (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC))
    assert (second.valid_from, second.valid_to) == (datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 3, 1, 16, tzinfo=UTC))
    assert (first.ttl_seconds is None, second.ttl_seconds is None) == (True, False)
    assert {a.text: a.valid_at for a in dataset.questions} == {
        "how many?": None, "all?": None, "never?": None, "then?": datetime(2026, 2, 1, tzinfo=UTC),
    }  # fmt: skip


def made(*groups: str) -> Dataset:
    documents = [Document(name, name, Submission("x", Kind.SEMANTIC), name) for name in dict.fromkeys(groups)]
    return Dataset("made", documents, [Asked((g,), f"{g} {n}", frozenset({g}), "all", g) for n, g in enumerate(groups)])


@pytest.mark.parametrize(
    ("groups", "dev"),
    [
        (("conv-26", "conv-42", "conv-44", "conv-48", "conv-50"), {"conv-26", "conv-42", "conv-44"}),
        (("b", "d", "a", "c"), {"a", "c"}),
    ],
)
def test_split_keeps_groups_together_and_loses_none(groups: tuple[str, ...], dev: set[str]) -> None:
    dataset = made(*groups)
    assert {a.group for a in split(dataset, "dev").questions} == dev
    assert {a.group for a in split(dataset, "rest").questions} == set(groups) - dev
    assert {d.brain for d in split(dataset, "dev").documents} == dev
    assert split(dataset, "all") is dataset


def test_one_group_is_split_by_question() -> None:
    dataset = made("a", "a", "a")
    assert [a.text for a in split(dataset, "dev").questions] == ["a 0", "a 2"]
    assert [a.text for a in split(dataset, "rest").questions] == ["a 1"]


def test_sample_is_spread_and_writes_what_is_searched() -> None:
    dataset = made("a", "b", "c", "d")
    assert [a.group for a in sample(dataset, 2).questions] == ["a", "c"]
    assert [d.id for d in sample(dataset, 2).documents] == ["a", "c"]
    assert sample(dataset, None) is dataset
