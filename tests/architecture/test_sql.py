"""SQL stands in `.sql` files or in literals: never glued together, never two statements at once, never without its org."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING

import sqlparse

from memdb.storage.statements import Statement
from memdb.storage.statements import parse as parse_statements
from tests.architecture.source import ROOT, FunctionNode, Module, Violation, check, docstrings, functions, modules, parse, terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS = ("memdb/storage/sql", "retrieval/sql")
RUNNERS = {"text", "execute", "executemany", "exec_driver_sql", "scalar", "scalars", "stream", "copy", "SQL", "fetch", "fetchrow"}
LOOKS_LIKE_SQL = re.compile(
    r"\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|WITH|CREATE|ALTER|DROP|GRANT|REVOKE|SET(?: LOCAL)?|TRUNCATE|COPY|COMMENT ON|LOCK|EXPLAIN)\s"
)
GLUED_WITH_REASON: dict[tuple[str, str], str] = {
    ("memdb/storage/database.py", "_settings"): "SET takes no parameters; UUIDs, numbers and a checked key id",
    ("memdb/storage/database.py", "set_local"): "the same; names are keywords of the product",
    ("memdb/storage/prerequisites.py", "statements_for"): "advice to a person, never run; names are quoted",
    ("memdb/storage/roles.py", "role_problems"): "advice to a person, never run; names are quoted",
    ("memdb/storage/roles.py", "_make_app_login"): "advice to a person, never run; names are constants",
}
"""(path, function) -> why a statement there is composed, and from what that no request can reach."""

_QUEUE = "the queue holds ids and belongs to no org; what a job does binds the org that it names"
_SERVER = "a number of the whole server, for its operator; it goes through an index that has only what is not done"
WITHOUT_ORG: dict[str, str] = {
    "defer_jobs": _QUEUE,
    "count_jobs": _QUEUE,
    "count_workers": _QUEUE,
    "sum_open_turns": _SERVER,
    "count_unfinished_extractions": _SERVER,
}
"""Statement -> why it binds no org."""


def statements() -> list[tuple[str, Statement]]:
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.sql"))]
    return [(p.name, s) for p in paths for s in parse_statements(p.read_text(encoding="utf-8"), p.name) if not s.snippet]


def glued(module: Module) -> Iterator[Violation]:
    """Strings that look like SQL, or go to something that runs SQL, and are put together from parts."""
    for scope in [module.tree, *functions(module.tree)]:
        if (module.path, getattr(scope, "name", "")) in GLUED_WITH_REASON:
            continue
        nodes = list(_own_nodes(scope))
        assigned = {terminal(n.targets[0]): n.value for n in nodes if isinstance(n, ast.Assign)}
        for node in nodes:
            argument = node.args[0] if isinstance(node, ast.Call) and terminal(node.func) in RUNNERS and node.args else None
            if isinstance(argument, ast.Name):
                argument = assigned.get(argument.id)
            if argument is not None and _parts(argument) is not None:
                yield Violation(module.path, argument.lineno, "SQL is put together from parts")
            if isinstance(node, ast.expr) and (start := _parts(node)) and LOOKS_LIKE_SQL.match(start):
                yield Violation(module.path, node.lineno, "SQL is put together from parts")


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in this scope; a function inside it is a scope of its own."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, FunctionNode):
            yield from _own_nodes(child)


def _parts(node: ast.expr) -> str | None:
    """The leading literal of a string made from parts; None when it is not made from parts."""
    if isinstance(node, ast.JoinedStr):
        return _literal(node.values[0]) if any(isinstance(v, ast.FormattedValue) for v in node.values) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
        left = node.left if isinstance(node.left, ast.Constant) else None
        inner = _parts(node.left)
        return inner if inner is not None else left.value if left and isinstance(left.value, str) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"format", "join", "replace"}:
        return _literal(node.func.value)
    return None


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def several_statements(module: Module) -> Iterator[Violation]:
    skipped = docstrings(module.tree)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            several = LOOKS_LIKE_SQL.match(node.value) and ";" in node.value and len(sqlparse.split(node.value)) > 1
            if several:
                yield Violation(module.path, node.lineno, "several statements in one string")


def test_statements_are_described_and_named_once() -> None:
    found = statements()
    assert found, f"no statement in {FOLDERS}"
    assert not [name for name, times in Counter(s.name for _, s in found).items() if times > 1]
    assert not [s.name for _, s in found if len(s.description) < 20]


def test_each_statement_is_used() -> None:
    used = {n.value for m in modules() for n in ast.walk(m.tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    assert not [f"{file}: {s.name}" for file, s in statements() if s.name not in used]


def test_each_statement_binds_its_org() -> None:
    without = {s.name for _, s in statements() if not re.search(r":org_id\b", s.sql)}
    assert without == set(WITHOUT_ORG), "statements without :org_id and the list of reasons differ"


def test_no_statement_selects_every_column() -> None:
    # Rows that arrive as JSON in the shape of their table have its columns in its order.
    shaped = r"SELECT\s+r\.\*\s+FROM\s+jsonb_populate_recordset\(NULL::"
    every = r"SELECT\s+(?:\w+\.)?\*\s*(?:,|FROM)"
    assert not [s.name for _, s in statements() if re.search(every, re.sub(shaped, "", s.sql, flags=re.IGNORECASE), re.IGNORECASE)]


def test_sql_is_not_put_together_in_python() -> None:
    check(glued, modules())


def test_a_string_holds_one_statement() -> None:
    check(several_statements, modules())


def test_each_exception_is_still_needed() -> None:
    known = {(m.path, f.name) for m in modules() for f in functions(m.tree)}
    assert set(GLUED_WITH_REASON) <= known


def test_planted_faults_are_caught() -> None:
    for snippet in (
        "conn.execute(text(f'SELECT 1 FROM {table}'))",
        "conn.execute('SELECT %s' % table)",
        "conn.execute('DELETE FROM ' + table + ' WHERE x')",
        "sql = 'SELECT {}'.format(table)\nconn.execute(sql)",
        "x = f'SELECT a FROM t WHERE b = {value}'",
        "def f(parts):\n  query = ' '.join(parts)\n  return text(query)",
    ):
        assert list(glued(parse(snippet))), snippet
    assert not list(glued(parse("conn.execute(text('SELECT 1'), {'a': 1})\nlog(f'updated {n} rows')")))
    assert list(several_statements(parse("execute('SELECT 1; DELETE FROM t')")))
