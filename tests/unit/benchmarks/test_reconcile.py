"""The figures of the reconcile benchmark, and that its tables are within reach."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.reconcile import Pair, clear_duplicates, confusion, measure, minimal_pairs, scored_pairs, updated_pairs, wrong_merges

PAIRS = [
    Pair("same", "toy en", "Ana isn't here", "Ana is not here", "REINFORCE"),
    Pair("missed", "toy en", "Ana is away", "Ana is not here", "REINFORCE"),
    Pair("wrong", "toy en", "Ana isn't here.", "ana is not here", "ADD"),
    Pair("two", "toy pt", "Ana tem dois", "Ana tem três", "ADD"),
]


def test_figures() -> None:
    headline, rest = measure({"toy": PAIRS})
    assert headline == {"wrong_merges": 1, "wrong_merges_toy": 1, "reinforced_toy_by_text": 0.0, "reinforced_toy_by_meaning": 0.5}
    assert (rest["wrong"], rest["wrong_by_text"], rest["merged"]) == (["wrong"], [], ["same"])
    assert confusion(PAIRS, str.lower)["toy en"] == {"REINFORCE": {"ADD": 2, "REINFORCE": 0}, "ADD": {"ADD": 1, "REINFORCE": 0}}


def test_no_minimal_pair_is_merged() -> None:
    assert len(minimal_pairs()) >= 200
    assert not wrong_merges(minimal_pairs(), str.lower)
    headline, _ = measure({"minimal": minimal_pairs(), "duplicates": clear_duplicates()})
    assert headline["wrong_merges"] == 0


def test_sets_are_read(tmp_path: Path) -> None:
    def write(name: str, *rows: object) -> None:
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    write("pairs.jsonl", {"id": "p1", "lang": "en", "a": "x", "b": "y", "score": 5.0, "expected": "REINFORCE", "split": "public"})
    turns = [{"turn_id": f"t{n}", "speaker": "user", "text": f"my best is {n}"} for n in range(3)]
    write("conversations.jsonl", {"conv_id": "c", "sessions": [{"session_id": "s", "turns": turns}]})
    asked = {"conv_id": "c", "question": "?", "evidence": ["t0", "t2"]}
    write("questions.jsonl", asked | {"qid": "q1", "category": "knowledge_update"}, asked | {"qid": "q2", "category": "single_session"})
    assert scored_pairs(tmp_path) == [Pair("p1", f"{tmp_path.name} en", "x", "y", "REINFORCE")]
    assert updated_pairs(tmp_path) == [Pair("q1: t0, t2", f"{tmp_path.name} updates", "my best is 0", "my best is 2", "ADD")]
