"""The boards of public suites: which releases, whose database, and what their gates ask."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from benchmarks.scoreboards import suites
from benchmarks.scoreboards.amsb import VARIANTS, topic_of
from benchmarks.scoreboards.api_family import _result
from benchmarks.scoreboards.at_rest import COLUMNS
from benchmarks.scoreboards.product import thrown_away
from benchmarks.scoreboards.record import Board

ROOT = Path(__file__).parents[3]


def test_the_releases_that_are_measured_are_those_of_the_dependency_group() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    assert groups["scoreboards"] == [f"{package}=={release}" for package, release in suites.PINNED.items()]


def test_a_suite_that_is_missing_or_another_release_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for found in ("0.0.1", None):
        monkeypatch.setattr(suites, "version", lambda _package, found=found: found or _missing())
        with pytest.raises(SystemExit, match=r"needs agent-memory-guard 0\.3\.3 .*--group scoreboards"):
            suites.require(suites.AMSB)
    monkeypatch.setattr(suites, "version", suites.PINNED.__getitem__)
    assert suites.require(suites.AMSB) == "0.3.3"


def _missing() -> str:
    raise PackageNotFoundError


def test_an_environment_that_names_a_database_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMDB_DATABASE_URL", "postgresql://somebody")
    with pytest.raises(SystemExit, match=r"unset .*MEMDB_DATABASE_URL") as refused, thrown_away():
        pass
    assert "somebody" not in str(refused.value)


def test_a_missed_gate_fails_the_board() -> None:
    board = Board("one", {})
    board.gate("first", met=True)
    assert board.passed
    board.gate("second", met=False, missed=3)
    assert (board.passed, board.gates) == (False, {"first": None, "second": "3"})


def test_variants_of_amsb_differ_in_the_source_alone() -> None:
    assert [dict(renamed) for renamed in VARIANTS.values()][:2] == [{}, {"external_tool": "user_input"}]
    assert len({tuple(sorted(renamed.items())) for renamed in VARIANTS.values()}) == 5
    assert topic_of("system.prompt") == "system/prompt"


def test_metadata_is_changed_column_by_column() -> None:
    assert {"trust", "source_kind", "written_by", "kind", "status", "hold lifted", "brain_id", "about", "valid_from", "tags"} <= set(
        COLUMNS
    )


@dataclass
class Outcome:
    attack: str
    channels: dict[str, list[bool | None]]
    version: int = 1
    status: str = "safe"
    detail: str = ""
    error: str | None = field(default=None)


@pytest.mark.parametrize(
    ("attack", "channels", "missed"),
    [
        ("retrieval_hijack", {"external": [False], "laundered": [False], "agent-laundered": [False]}, 0),
        ("retrieval_hijack", {"external": [False], "laundered": [False], "agent-laundered": [True]}, 1),
        ("memory_injection", {"external": [False], "laundered": [False], "agent-laundered": [True]}, 0),
        ("memory_injection", {"external": [False], "laundered": [True], "agent-laundered": [True]}, 1),
        ("memory_injection", {"external": [True], "laundered": [None], "agent-laundered": [True]}, 2),
        ("memory_injection", {}, 1),
    ],
)
def test_the_users_own_credential_excuses_no_hijack_and_silence_is_no_verdict(
    attack: str, channels: dict[str, list[bool | None]], missed: int
) -> None:
    board = Board("one", {})
    _result(Outcome(attack, channels), board)
    assert sum(why is not None for why in board.gates.values()) == missed
