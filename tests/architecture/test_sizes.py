"""Limits above which a thing is cut in two. There is no list of exceptions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.architecture.source import Module, Violation, check, docstrings, functions, modules, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70
PUBLIC_METHODS_MAX = 12
LITERAL_CHARACTERS_MAX = 400


def long_file(module: Module) -> Iterator[Violation]:
    if (lines := module.text.count("\n")) > FILE_LINES_MAX:
        yield Violation(module.path, lines, f"{lines} lines in one file; {FILE_LINES_MAX} is the most")


def long_function(module: Module) -> Iterator[Violation]:
    for function in functions(module.tree):
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        if lines > FUNCTION_LINES_MAX:
            yield Violation(module.path, function.lineno, f"{function.name} has {lines} lines; {FUNCTION_LINES_MAX} is the most")


def wide_class(module: Module) -> Iterator[Violation]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            methods = {n.name for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and not n.name.startswith("_")}
            if len(methods) > PUBLIC_METHODS_MAX:
                yield Violation(module.path, node.lineno, f"{node.name} has {len(methods)} public methods")


def long_literal(module: Module) -> Iterator[Violation]:
    skipped = docstrings(module.tree) | _word_lists(module)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in skipped:
            size = len(node.value)
        elif isinstance(node, ast.JoinedStr):
            size = sum(len(v.value) for v in node.values if isinstance(v, ast.Constant) and isinstance(v.value, str))
        else:
            continue
        if size > LITERAL_CHARACTERS_MAX:
            yield Violation(module.path, node.lineno, f"a literal of {size} characters; put it into a file")


def _word_lists(module: Module) -> set[int]:
    """`id` of each string that is split on the spot, or is a commented pattern: a table of words, not a text."""
    calls = [n for n in ast.walk(module.tree) if isinstance(n, ast.Call)]
    split = {id(n.func.value) for n in calls if isinstance(n.func, ast.Attribute) and n.func.attr in {"split", "splitlines"}}
    words = {id(a) for n in calls if isinstance(n.func, ast.Name) and n.func.id == "_words" for a in n.args}
    verbose = {id(n.args[0]) for n in calls if n.args and any("VERBOSE" in ast.unparse(a) for a in n.args[1:])}
    return split | words | verbose


def test_product_keeps_the_limits() -> None:
    for checker in (long_file, long_function, wide_class, long_literal):
        check(checker, modules())


def test_tests_keep_the_limits() -> None:
    for checker in (long_file, long_function):
        check(checker, modules("tests"))


def test_planted_faults_are_caught() -> None:
    assert list(long_file(parse("x = 1\n" * 401)))
    assert list(long_function(parse("def f():\n" + "  x = 1\n" * 70)))
    assert not list(long_function(parse("def f():\n" + "  x = 1\n" * 69)))
    assert list(wide_class(parse("class A:\n" + "".join(f"  def m{i}(self): ...\n" for i in range(13)))))
    assert list(long_literal(parse(f"x = 'a' '{'b' * 400}'")))
    assert list(long_literal(parse(f"x = f'{{y}}{'b' * 401}'")))
    assert not list(long_literal(parse(f"'''{'b' * 500}'''\nx = 1")))
    assert not list(long_literal(parse(f"x = '{'b ' * 300}'.split()")))
