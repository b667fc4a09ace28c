"""`memdb demo` on an empty folder, twice in a row, with the model that a user has."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from tests.integration.cli.conftest import memdb

ANSWERS = ("Ana is allergic to peanuts", "Bruno covers for him", "Bruno is responsible", "run the smoke tests", "sandbox", "ensaio")
REDACTED = ("diego.ramos@example.com", "98765-4321", "Tulip-92-Harbor")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo folder")


@pytest.mark.parametrize("time", ["first", "second"])
def test_questions_in_two_languages_are_answered(folder: Path, time: str) -> None:
    shown = memdb("demo", cwd=folder, COLUMNS="200").stdout
    _, _, answered = shown.partition("What was redacted")
    assert "no evidence" not in answered, time
    table, _, questions = answered.partition("A que a Ana é alérgica?")
    for answer in ANSWERS:
        assert answer.split()[0] in questions
    assert "[EMAIL_1]" in table
    assert not [value for value in REDACTED if value in questions]
    assert questions.index("19 March 2026") < questions.index("as of ") < questions.rindex("12 March 2026")
    running = [p.pid for p in psutil.process_iter() if str(folder) in " ".join(_command(p))]
    assert running == []


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
