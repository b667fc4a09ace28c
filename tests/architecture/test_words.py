"""Names that say nothing, and work left undone, stay out."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import TYPE_CHECKING

from tests.architecture.source import ROOT, Module, Violation, check, kept_files, modules, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

NOWHERE = {"utils", "util", "helper", "helpers", "misc", "manager", "managers", "enhanced", "obj"}
"""Banned as a word of any public name."""
ALONE = {"common", "handler", "handlers", "data", "info", "process"}
"""Banned as the whole name of a module, class or function."""
PREFIXES = ("process_", "do_", "new_")
PRESCRIBED = {"process_text": "presidio's NlpEngine", "process_batch": "presidio's NlpEngine"}
"""Names that a library wants of our classes."""
LEFTOVER = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")


def words(name: str) -> list[str]:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")


def banned(name: str) -> bool:
    return bool(NOWHERE & set(words(name))) or name.lower() in ALONE or name.lower().startswith(PREFIXES)


def empty_names(module: Module) -> Iterator[Violation]:
    """Modules, classes, functions and module constants; what begins with an underscore is private."""
    for part in module.name.split("."):
        if banned(part):
            yield Violation(module.path, 1, f"module name {part}")
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node in module.tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [t.id for t in targets if isinstance(t, ast.Name)]
        else:
            continue
        for name in names:
            if not name.startswith("_") and name not in PRESCRIBED and banned(name):
                yield Violation(module.path, node.lineno, f"name {name}")


def leftovers(module: Module) -> Iterator[Violation]:
    """In comments alone: a Portuguese sentence in capitals may hold one of these words."""
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type == tokenize.COMMENT and LEFTOVER.search(token.string):
            yield Violation(module.path, token.start[0], "work left undone")


def test_names_say_something() -> None:
    check(empty_names, modules())


def test_no_work_is_left_undone() -> None:
    check(leftovers, modules())
    check(leftovers, modules("tests"))


def test_no_work_is_left_undone_in_other_files() -> None:
    for path in kept_files():
        if path.suffix in {".sql", ".md", ".toml", ".yml", ".yaml"} or path.name in {"Makefile", "run"}:
            assert not LEFTOVER.search(path.read_text(encoding="utf-8")), path.relative_to(ROOT)


def test_planted_faults_are_caught() -> None:
    assert list(empty_names(parse("class BrainManager: ...")))
    assert list(empty_names(parse("def do_recall(): ...")))
    assert list(empty_names(parse("def new_memory(): ...")))
    assert list(empty_names(parse("X = 1", "memdb/utils.py")))
    assert not list(empty_names(parse("def most_common_terms(): ...\ndef _do(): ...")))
    assert list(leftovers(parse("x = 1  # TO" + "DO later")))
    assert not list(leftovers(parse("x = 'FAZ TO" + "DO SENTIDO'")))
