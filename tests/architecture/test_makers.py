"""Some types prove that a check was made; only the module that makes the check may build them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from tests.architecture.source import Module, Violation, check, functions, imports, modules, parse, terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

MAKERS = {
    "RedactedText": "governance/redaction/redactor.py",
    "RedactedJson": "governance/redaction/redactor.py",
    "ScopeFilter": "governance/scopes.py",
    "Decision": "governance/policy/decide.py",
}
REPLACERS = {"replace", "copy", "deepcopy", "__replace__", "__new__", "__setattr__"}
LOOKERS = {"isinstance", "issubclass", "cast", "TypeAdapter", "fields", "get_type_hints"}
OWN_FIELDS = {"ScopeFilter": {"brain_ids"}}  # names of fields that no other type has


def made_elsewhere(module: Module) -> Iterator[Violation]:
    """Calls of a guarded class, the class handed to something that may call it, copies with changes, new names for it."""
    aliases = dict.fromkeys(MAKERS, "") | {name: name for name in MAKERS}
    for at, target in imports(module):
        name = target.rpartition(".")[2]
        if name in MAKERS:
            aliases |= {a.asname or a.name: name for a in getattr(at, "names", []) if a.name == name}
    guarded = {alias: name for alias, name in aliases.items() if MAKERS[name] != module.path}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            called = terminal(node.func)
            if called in guarded:
                yield _violation(module, node, guarded[called], "made")
            for argument in [*node.args, *(k.value for k in node.keywords)]:
                if terminal(argument) in guarded and called not in LOOKERS:
                    yield _violation(module, node, guarded[terminal(argument)], "handed over to be made")
            if called in REPLACERS:
                changed = {k.arg for k in node.keywords}
                for name in {n for n in guarded.values() if changed & OWN_FIELDS.get(n, set())}:
                    yield _violation(module, node, name, "copied with changes")
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.Return) and node.value and terminal(node.value) in guarded:
            yield _violation(module, node, guarded[terminal(node.value)], "given another name")
    yield from _copied_parameters(module, guarded)


def _copied_parameters(module: Module, guarded: dict[str, str]) -> Iterator[Violation]:
    for function in functions(module.tree):
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        typed = {a.arg: terminal(a.annotation) for a in arguments if a.annotation}
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and terminal(node.func) in REPLACERS and node.args and isinstance(node.args[0], ast.Name):
                name = typed.get(node.args[0].id, "")
                if name in guarded:
                    yield _violation(module, node, guarded[name], "copied with changes")


def _violation(module: Module, node: ast.stmt | ast.expr, name: str, what: str) -> Violation:
    return Violation(module.path, node.lineno, f"{name} is {what} outside {MAKERS[name]}")


def test_checked_types_come_from_their_makers_alone() -> None:
    check(made_elsewhere, modules())


@pytest.mark.parametrize(("name", "maker"), MAKERS.items())
def test_a_guarded_type_exists_and_its_maker_makes_it(name: str, maker: str) -> None:
    classes = [m.path for m in modules() for n in ast.walk(m.tree) if isinstance(n, ast.ClassDef) and n.name == name]
    assert len(classes) == 1, classes
    module = next(m for m in modules() if m.path == maker)
    assert any(isinstance(n, ast.Call) and terminal(n.func) == name for n in ast.walk(module.tree))


@pytest.mark.parametrize(
    "snippet",
    [
        "RedactedText('raw')",
        "findings.RedactedText('raw')",
        "from governance.redaction.findings import RedactedText as R\nR('raw')",
        "Make = ScopeFilter",
        "partial(Decision, effect=1)",
        "list(map(RedactedJson, raws))",
        "object.__new__(ScopeFilter)",
        "def widen(scope: ScopeFilter): return replace(scope, org_id=other)",
        "replace(anything, brain_ids=more)",
        "def strip(text: RedactedText): return copy.replace(text, redactions=())",
        "def maker(): return ScopeFilter",
    ],
)
def test_planted_makers_are_caught(snippet: str) -> None:
    assert list(made_elsewhere(parse(snippet)))


@pytest.mark.parametrize(
    "snippet",
    [
        "def f(scope: ScopeFilter, texts: tuple[RedactedText, ...]) -> Decision: ...",
        "isinstance(x, RedactedText)",
        "replace(settings, port=1)",
        "'a'.replace('b', 'c')",
    ],
)
def test_use_of_the_types_is_free(snippet: str) -> None:
    assert not list(made_elsewhere(parse(snippet)))
