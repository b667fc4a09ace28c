"""The product's own source, parsed once, and the questions that several architecture tests ask of it.

A checker takes a `Module` and yields `Violation`s, so each test can hand it a small bad snippet and see it caught.
"""

from __future__ import annotations

import ast
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("governance", "memdb", "retrieval", "api")
IGNORED = {".git", ".venv", ".memdb", ".hypothesis", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache", "__pycache__"}
IGNORED |= {"dist", "build", "htmlcov"}

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Module:
    """`path` is relative to the checkout, with slashes."""

    path: str
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    path: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}"


def parse(text: str, path: str = "memdb/planted.py") -> Module:
    return Module(path, text, ast.parse(text))


@cache
def modules(*folders: str) -> tuple[Module, ...]:
    """Modules of these folders, of the four packages when none is named, by path."""
    paths = [path for folder in folders or PACKAGES for path in sorted((ROOT / folder).rglob("*.py"))]
    relative = [path.relative_to(ROOT) for path in paths]
    found = [parse((ROOT / path).read_text(encoding="utf-8"), path.as_posix()) for path in relative if not IGNORED & set(path.parts)]
    assert found, f"no module found in {folders or PACKAGES}"
    return tuple(found)


@cache
def kept_files() -> tuple[Path, ...]:
    """Files that git tracks or would track; outside a repository all but caches and built things."""
    command = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, check=True, capture_output=True).stdout.decode().split("\0")
        paths = [ROOT / name for name in listed if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [p for p in ROOT.rglob("*") if not IGNORED & set(p.relative_to(ROOT).parts)]
    return tuple(sorted(p for p in set(paths) if p.is_file() and not p.is_symlink()))


def check(checker: Callable[[Module], Iterable[Violation]], among: Iterable[Module]) -> None:
    """Fail with one line per violation."""
    found = sorted({violation for module in among for violation in checker(module)})
    assert not found, "\n" + "\n".join(map(str, found))


def imports(module: Module) -> Iterator[tuple[ast.stmt, str]]:
    """Each imported module or `module.name`, absolute; those under `if TYPE_CHECKING` count as well."""
    package = module.name if module.path.endswith("__init__.py") else module.name.rpartition(".")[0]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                yield node, f"{origin}.{alias.name}"


def functions(tree: ast.AST) -> Iterator[FunctionNode]:
    for node in ast.walk(tree):
        if isinstance(node, FunctionNode):
            yield node


def terminal(node: ast.expr) -> str:
    """The last name of `a.b.c`, or an empty string."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def docstrings(tree: ast.AST) -> set[int]:
    """`id` of each string that stands alone as a statement."""
    return {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}
