"""How candidates are compared with the gold of a folder of rooms."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from benchmarks.extraction import bars, run, run_model
from benchmarks.extraction_figures import Judged, details, headline, judge
from benchmarks.extraction_gold import TURNS, Expected, Rooms, Unwanted, read, subject_of
from benchmarks.extraction_match import is_unwanted, says_the_same
from memdb.extraction.candidates import Candidate, Ended
from memdb.extraction.rules.registry import BY_KIND
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind
from tests.support.scripted_model import ScriptedModel, refusal

ANA, BIA = subject_of("p-ana"), subject_of("p-bia")
CALLED = {ANA: frozenset({"ana"}), BIA: frozenset({"bia"})}
NAMES = {ANA: "p-ana", BIA: "p-bia"}


def candidate(content: str | None, *about: UUID, **given: Any) -> Candidate:
    fixed: dict[str, Any] = {"kind": Kind.SEMANTIC, "said_by": ANA, "evidence": (1,), "quote": "x", "rule": "en-test"}
    return Candidate(content=content, about=about or (ANA,), **(fixed | given))


def gold(text: str, **given: Any) -> Expected:
    fixed: dict[str, Any] = {
        "name": "m-1", "level": "must", "kind": "semantic", "scope": "r", "lang": "en", "about": frozenset({ANA}), "days": frozenset(),
        "when": frozenset(), "valid_from": None, "over": False, "evidence": frozenset({"t1"}), "phenomena": (),
    }  # fmt: skip
    return Expected(text=text, **(fixed | given))


def negative(text: str, **given: Any) -> Unwanted:
    fixed: dict[str, Any] = {
        "name": "n-1",
        "why": "joke",
        "scope": "r",
        "lang": "en",
        "about": frozenset({ANA}),
        "evidence": frozenset({"t1"}),
        "strings": (),
    }
    return Unwanted(text=text, **(fixed | given))


def rooms(expected: list[Expected], unwanted: list[Unwanted] | None = None) -> Rooms:
    return Rooms([], expected, unwanted or [], CALLED, NAMES)


@pytest.mark.parametrize(
    ("said", "memory", "same"),
    [
        ("Ana is allergic to peanuts.", "Ana is severely allergic to peanuts, also traces.", True),
        ("Ana is allergic to cats.", "Ana is severely allergic to peanuts.", True),  # half of the words are there
        ("Ana lives in Porto.", "Ana works in Porto.", True),  # so does this: the limit of comparing without a judge
        ("Ana lives in Porto.", "Ana lives in Lisbon.", False),
        ("Ana pays 40 euros.", "Ana pays 50 euros.", False),
        ("Ana is not vegan.", "Ana is vegan.", False),
        ("Ana has an exam on 29 February 2024.", "Ana has an exam on 28 February 2024.", False),
        ("Ana has an exam on 29 February 2024.", "Ana has an exam on 29 February 2024 at noon.", True),
    ],
)
def test_words_numbers_days_and_names_decide(said: str, memory: str, same: bool) -> None:
    assert says_the_same(candidate(said), gold(memory), CALLED) is same


def test_days_of_the_gold_count() -> None:
    assert says_the_same(candidate("Ana has an exam on 29 February 2024."), gold("Ana has an exam", days=frozenset({"2024-02-29"})), CALLED)
    assert says_the_same(candidate("Ana moved to Porto in 2024."), gold("Ana moved to Porto", days=frozenset({"2024-02"})), CALLED)


def test_what_is_over_matches_what_is_over() -> None:
    ended = candidate(None, ends=(Ended("work/employer", "Orion"),))
    assert says_the_same(ended, gold("Ana no longer works at Orion."), CALLED)
    assert says_the_same(ended, gold("Ana works at Orion.", over=True), CALLED)
    assert not says_the_same(ended, gold("Ana works at Orion."), CALLED)
    assert not says_the_same(ended, gold("Ana no longer works at Vega."), CALLED)


def test_negatives_are_found_by_statement_and_by_string() -> None:
    bad = negative("Ana is selling the cat.")
    assert is_unwanted(candidate("Ana is selling the cat."), bad, CALLED, NAMES)
    assert not is_unwanted(candidate("Ana is not selling the cat."), bad, CALLED, NAMES)
    assert not is_unwanted(candidate("Ana is selling the cat.", BIA), bad, CALLED, NAMES)
    secret = negative("The password in clear text.", about=frozenset(), strings=("s3cret",))
    assert is_unwanted(candidate("The wifi is s3cret."), secret, CALLED, NAMES)
    assert not is_unwanted(candidate(None), bad, CALLED, NAMES)


def test_figures() -> None:
    room = rooms(
        [gold("Ana is vegan."), gold("Ana lives in Porto.", name="m-2"), gold("Ana likes tea.", name="m-3", level="may"), gold("Bia loves jazz.", name="m-4", about=frozenset({BIA}))],
        [negative("Ana is selling the cat.")],
    )  # fmt: skip
    judged = judge(
        [
            ("r", "t1", candidate("Ana is vegan.")),
            ("r", "t1", candidate("Ana likes tea.")),
            ("r", "t1", candidate("Ana is selling the cat.")),
            ("r", "t1", candidate("Ana loves jazz.")),
            ("r", "t1", candidate("Ana owns a bike.")),
        ],
        room,
    )
    assert [(one.right, one.small, bool(one.others)) for one in judged] == [
        (True, False, False), (False, True, False), (False, False, False), (False, False, True), (False, False, False),
    ]  # fmt: skip
    figures = headline(judged, room)
    assert figures == {
        "precision": 0.25, "recall": 0.3333, "person_accuracy": 0.6667, "negatives_stored": 1, "candidates": 5, "neither": 1, "gold": 3,
    }  # fmt: skip
    rest = details(judged, room)
    assert rest["wrong_person"] == ["t1 en-test"]
    assert rest["kinds"]["semantic"]["recall"] == 0.3333
    assert bars(figures)["precision"] == {"value": 0.25, "least": 0.9, "met": False}


def test_nothing_found_is_no_precision() -> None:
    assert headline([], rooms([gold("Ana is vegan.")]))["precision"] is None


# ------------------------------------------------------------------------------------------------------------------ a folder
def write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    people = [
        {
            "subject_id": f"p-{name}",
            "kind": "person",
            "name": name.title(),
            "names": [],
            "aliases": [],
            "rooms": ["r"],
            "handles": [{"display_names": [name]}],
        }
        for name in ("ana", "bia")
    ]
    write(tmp_path, "rooms", [{"room_id": "r", "lang": "en"}])
    write(tmp_path, "people", people)
    texts = ["I'm vegan", *["ok"] * TURNS, "my key is 12"]
    write(
        tmp_path,
        "turns",
        [
            {
                "turn_id": f"t{number}", "room_id": "r", "session_id": "s", "scope": "r", "ts": f"2024-02-28T20:{number:02}:00-03:00", "tz": "America/Recife",
                "role": "user", "speaker": "p-ana", "display_name": "ana", "text": text, "reply_to": None,
            }
            for number, text in enumerate(texts, 1)
        ],
    )  # fmt: skip
    memory = {
        "memory_id": "m", "room_id": "r", "scope": "r", "level": "must", "kind": "semantic", "about": ["p-ana", "x-house"], "lang": "en", "content": "Ana is vegan.",
        "valid_from": "2024-02-28", "valid_to": None, "when": None, "status": "active", "evidence": ["t1"], "reinforced_by": [], "data": None, "phenomena": ["diet"],
    }  # fmt: skip
    write(tmp_path, "memories", [memory])
    write(
        tmp_path,
        "negatives",
        [
            {
                "negative_id": "n",
                "room_id": "r",
                "scope": "r",
                "why": "secret",
                "about": [],
                "lang": "en",
                "statement": "A key.",
                "evidence": ["t22"],
                "must_not_contain": ["12"],
            }
        ],
    )
    return tmp_path


async def test_a_folder_is_cut_into_transcripts_and_measured(folder: Path) -> None:
    room = read(folder)
    first, second = room.cuts
    assert len(first.transcript.utterances) == TURNS
    assert [one.read_only for one in second.transcript.utterances] == [True] * 4 + [False] * 2
    assert second.turn_ids[22] == "t22"
    said_at = first.transcript.utterances[0].said_at
    assert said_at == datetime.fromisoformat("2024-02-28T20:01:00-03:00")
    judged = await run(room, BY_KIND)
    assert [(one.turn, one.right) for one in judged] == [("t1", True)]
    assert headline(judged, room)["recall"] == 1.0


async def test_another_source_of_candidates_can_be_measured(folder: Path) -> None:
    async def model(transcript: Transcript) -> list[Candidate]:
        return [candidate("Ana is vegan.", evidence=(transcript.utterances[0].number,))]

    judged: list[Judged] = await run(read(folder), {Kind.SEMANTIC: model})
    assert [one.right for one in judged] == [True, True]


async def test_a_language_model_can_be_measured_and_its_failures_are_counted(folder: Path) -> None:
    room = read(folder)
    first = room.cuts[0].transcript.utterances[0]
    item = {"content": f"{first.speaker} is vegan.", "about": [1], "evidence": [1], "quote": first.text}
    async with ScriptedModel() as server:
        server.script.extend([json.dumps({"items": [item, {}]}), refusal(401)])
        judged, counts = await run_model(room, "tiny", server.base_url)
    assert len(server.requests) == len(room.cuts) * len(BY_KIND)
    assert (counts["failed"], counts["provider_failed"], counts["read"]) == (1, 1, len(server.requests) - 1)
    assert counts["tokens_in"] == 100 * counts["read"]
    assert counts["refused"] == 1
    assert [one.candidate.content for one in judged] == [item["content"]]
