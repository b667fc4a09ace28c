"""Each error that can be raised has a code of its own, one sentence, a status and a section in `docs/errors.md`."""

from __future__ import annotations

import ast
import re
from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from governance.errors import ServiceError
from tests.architecture.source import ROOT, Module, Violation, check, modules, parse, terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ERROR_MODULES = ("governance.errors", "memdb.errors")
SECTION = re.compile(r"^## `(?P<code>[a-z_]+)`\n+Status (?P<status>\d{3})(?P<rest>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
UNTOLD = {"content", "text", "query", "secret", "password", "body", "raw", "token", "fragment", "note", "api_key", "plain"}


def all_errors() -> list[type[ServiceError]]:
    """The root and everything below it, from the two error modules alone."""
    for name in ERROR_MODULES:
        import_module(name)
    found: list[type[ServiceError]] = [ServiceError]
    for error in found:
        found += [sub for sub in error.__subclasses__() if sub.__module__ in ERROR_MODULES and sub not in found]
    return found


def leaves() -> list[type[ServiceError]]:
    """Errors that are raised: those without a subclass, and those that some module raises by name."""
    raised = {terminal(n.exc.func) for m in modules() for n in ast.walk(m.tree) if isinstance(n, ast.Raise) and isinstance(n.exc, ast.Call)}
    return [e for e in all_errors() if not e.__subclasses__() or e.__name__ in raised]


def statuses() -> Mapping[str, int]:
    table: Mapping[str, int] = import_module("api.errors").STATUS
    return table


def sections() -> dict[str, int]:
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    found = {m["code"]: int(m["status"]) for m in SECTION.finditer(text)}
    assert len(found) == len(re.findall(r"^## `", text, re.MULTILINE)), "a section twice, or without its `Status` line"
    return found


def told_text(module: Module) -> Iterator[Violation]:
    """Messages of raised errors that are built from a name which usually holds text or a secret."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            values = [v.value for arg in node.exc.args for v in ast.walk(arg) if isinstance(v, ast.FormattedValue)]
            for name in {terminal(value) for value in values} & UNTOLD:
                yield Violation(module.path, node.lineno, f"an error message tells {name}")


def test_errors_are_defined_in_the_two_trees_alone() -> None:
    known = {e.__name__ for e in all_errors()}
    strays = [
        f"{m.path}: {n.name}"
        for m in modules()
        if m.name not in ERROR_MODULES
        for n in ast.walk(m.tree)
        if isinstance(n, ast.ClassDef) and any(terminal(b) in known for b in n.bases)
    ]
    assert not strays


def test_codes_are_unique_and_well_formed() -> None:
    codes = Counter(e.__dict__.get("code") for e in all_errors())
    assert None not in codes, "an error without a code of its own"
    assert not [code for code, times in codes.items() if times > 1]
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", str(code)) for code in codes)


@pytest.mark.parametrize("error", all_errors(), ids=lambda e: e.code)
def test_docstring_is_one_sentence(error: type[ServiceError]) -> None:
    doc = (error.__doc__ or "").strip()
    assert re.fullmatch(r"[A-Z][^\n]*[^.\n]\.", doc), doc
    assert ". " not in doc, doc


def test_each_raised_error_has_a_status() -> None:
    assert {e.code for e in leaves()} - set(statuses()) == set()
    assert all(400 <= status <= 599 for status in statuses().values())


def test_each_status_is_documented_and_no_code_that_is_gone() -> None:
    documented = sections()
    assert {code: documented.get(code) for code in statuses()} == dict(statuses())
    assert set(documented) - set(statuses()) - {e.code for e in all_errors()} == set()


def test_each_section_says_whether_a_retry_helps() -> None:
    rests = {m["code"]: m["rest"] for m in SECTION.finditer((ROOT / "docs" / "errors.md").read_text(encoding="utf-8"))}
    wrong = [e.code for e in leaves() if e.code in rests and e.retryable != ("retryable" in rests[e.code].splitlines()[0])]
    assert not wrong


def test_messages_hold_no_text() -> None:
    check(told_text, modules())


def test_planted_faults_are_caught() -> None:
    assert list(told_text(parse("raise NotFound(f'no memory like {memory.content}')")))
    assert not list(told_text(parse("raise NotFound(f'no memory {memory_id}')")))
    assert not SECTION.search("## `gone`\n\nNo status here.\n")
