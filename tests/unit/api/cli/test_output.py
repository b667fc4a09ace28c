"""What commands print and how they end, without a server."""

from __future__ import annotations

import doctest
import io
import json
from types import ModuleType

import pytest
from rich.console import Console

from api.cli import exits, exporting, output, sockets
from api.cli.exits import Exit, exit_of
from api.cli.output import make_bar, make_evidence_table, make_table, plain, print_error, print_json
from governance.errors import InvalidInput, NotFound, RedactionUnavailable
from memdb.errors import (
    ConfigurationError,
    DimensionMismatch,
    PortInUse,
    SchemaMismatch,
    StorageError,
    StorageUnavailable,
    UnsafeRole,
    WrongSecret,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFound(), 1),
        (InvalidInput(), 1),
        (StorageError(), 1),
        (ConfigurationError(), 3),
        (UnsafeRole(), 3),
        (WrongSecret(), 3),
        (SchemaMismatch(), 3),
        (DimensionMismatch(), 3),
        (StorageUnavailable(), 4),
        (RedactionUnavailable(), 4),
        (PortInUse(), 5),
    ],
)
def test_exit_codes(error: StorageError, code: int) -> None:
    assert exit_of(error) == code


def test_exit_codes_are_distinct_and_leave_two_to_the_parser() -> None:
    assert len({int(code) for code in Exit}) == len(Exit)
    assert int(Exit.USAGE) == 2


def test_an_error_is_one_line_and_statements_follow(capsys: pytest.CaptureFixture[str]) -> None:
    print_error("nothing works", "configuration")
    print_error("the role cannot be served with; run:\n  it is a superuser: ALTER ROLE x;", "unsafe_database_role")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        "error: nothing works [configuration]",
        "error: the role cannot be served with; run: [unsafe_database_role]",
        "  it is a superuser: ALTER ROLE x;",
    ]


def test_json_is_one_line_whatever_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"text": "a\nb", "name": "João"})
    assert json.loads(capsys.readouterr().out) == {"text": "a\nb", "name": "João"}
    print_json({"text": "a\nb"})
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x1b]0;title\x07", "\r", "\x9b1m", "\u202egnp.exe", "\u2066x\u2069", "\x00"])
def test_text_cannot_steer_the_terminal(hostile: str) -> None:
    shown = plain(f"a{hostile}b")
    assert all(c.isprintable() for c in shown), shown


def render(table: object) -> str:
    console = Console(file=io.StringIO(), width=140)
    console.print(table)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_markup_in_a_cell_is_text() -> None:
    assert "[bold red]x[/]" in render(make_table(None, ("a",), [("[bold red]x[/]",)]))


def test_evidence_shows_memory_sources_and_a_bar_for_each_branch() -> None:
    reply = {
        "evidence": [
            {
                "memory": {"content": "Ana leads [x]\x1b[2J", "kind": "semantic", "version": 1},
                "score": 0.5,
                "current": False,
                "branches": {"lexical": {"share": 0.25}, "vector": {"share": 0.75}},
                "sources": [{"speaker": "Ana", "said_at": "2026-03-02T09:01:00Z", "fragment": "I lead."}],
            }
        ]
    }
    shown = render(make_evidence_table(reply))
    assert "Ana leads [x]" in shown
    assert "\x1b[2J" not in shown
    assert "since replaced" in shown
    assert "Ana 2026-03-02 09:01: “I lead.”" in shown
    assert shown.index("vector") < shown.index("lexical"), "the largest share comes first"
    assert "75 %" in shown


def test_evidence_without_explanation_or_sources() -> None:
    hit = {"memory": {"content": "x", "kind": "semantic"}, "score": 1.0, "branches": None, "sources": []}
    assert "1.00" in render(make_evidence_table({"evidence": [hit]}))


@pytest.mark.parametrize("share", [-1.0, 0.0, 0.04, 0.5, 1.0, 7.0])
def test_a_bar_keeps_its_width(share: float) -> None:
    assert len(make_bar(share).split("%")[0].rstrip("0123456789- ")) <= 10
    assert make_bar(1.0).startswith("█" * 10)


@pytest.mark.parametrize("module", [exits, exporting, output, sockets])
def test_examples_hold(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(module).attempted > 0
