"""What Postgres does for the statements that the product really sends."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import ClientCursor, sql
from sqlalchemy import event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from memdb.storage.database import Database

_PARAMETER = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True, slots=True)
class Sent:
    """A statement with its parameters, and the plan that it got as the role that runs it."""

    sql: str
    parameters: dict[str, Any] = field(repr=False)
    plan: dict[str, Any] = field(repr=False)
    role: str = "memdb_app"


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan's nodes, outer ones first."""
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def indexes(plan: dict[str, Any]) -> set[str]:
    return {node["Index Name"] for node in nodes(plan) if "Index Name" in node}


def whole_scans(plan: dict[str, Any]) -> set[str]:
    """Tables that are read from end to end."""
    return {node["Relation Name"] for node in nodes(plan) if node["Node Type"] == "Seq Scan"}


@asynccontextmanager
async def explained(database: Database) -> AsyncIterator[list[Sent]]:
    """Record every query and change that this pool sends, each explained in its own transaction: same role, same settings."""
    sent: list[Sent] = []
    engine = database._engine.sync_engine
    busy = False

    def record(conn: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, executemany: bool) -> None:
        nonlocal busy
        if busy or executemany or not re.match(r"\s*(SELECT|WITH|UPDATE|DELETE|INSERT)\b", statement) or "FROM mem." not in statement:
            return
        busy = True
        try:
            row = conn.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters).scalar_one()
            role = conn.exec_driver_sql("SELECT current_user").scalar_one()
        finally:
            busy = False
        sent.append(Sent(statement, dict(parameters), row[0]["Plan"], role))

    event.listen(engine, "before_cursor_execute", record)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", record)


def explain_generic(conn: psycopg.Connection, sent: Sent) -> dict[str, Any]:
    """The plan for whatever the parameters are, which a statement gets that was prepared and is run often."""
    names = list(dict.fromkeys(_PARAMETER.findall(sent.sql)))
    numbered = _PARAMETER.sub(lambda m: f"${names.index(m[1]) + 1}", sent.sql).replace("%%", "%")
    types = ", ".join(_type_of(sent.parameters[n]) for n in names)
    conn.execute("SET LOCAL plan_cache_mode = force_generic_plan")
    conn.execute(f"PREPARE hot ({types}) AS {numbered}".encode())
    values = sql.SQL(", ").join(sql.Literal(sent.parameters[n]) for n in names)
    with ClientCursor(conn) as cursor:
        row = cursor.execute(sql.SQL("EXPLAIN (FORMAT JSON) EXECUTE hot ({})").format(values)).fetchone()
    conn.execute("DEALLOCATE hot")
    assert row is not None
    plan: dict[str, Any] = row[0][0]["Plan"]
    return plan


def explain_with_values(conn: psycopg.Connection, sent: Sent) -> dict[str, Any]:
    """The plan with every parameter written out."""
    with ClientCursor(conn) as cursor:
        row = cursor.execute(f"EXPLAIN (FORMAT JSON) {sent.sql}".encode(), sent.parameters).fetchone()
    assert row is not None
    plan: dict[str, Any] = row[0][0]["Plan"]
    return plan


def _type_of(value: object) -> str:
    names = {
        "UUID": "uuid",
        "int": "bigint",
        "float": "double precision",
        "datetime": "timestamptz",
        "bytes": "bytea",
        "Binary": "bytea",
        "bool": "boolean",
        "str": "text",
    }
    if isinstance(value, list):
        return f"{_type_of(value[0])}[]" if value else "unknown"
    return names.get(type(value).__name__, "unknown")


def without_org(plan: dict[str, Any], org_id: object, tenant_tables: set[str]) -> list[str]:
    """Scans of tenant tables that do not show the org: a distributed Postgres could not route them."""
    shown = f"org_id = '{org_id}'::uuid"
    found = []
    for node in nodes(plan):
        table = node.get("Relation Name")
        if table not in tenant_tables or node["Node Type"] in {"ModifyTable", "LockRows"}:
            continue
        conditions = " ".join(str(node.get(name, "")) for name in ("Index Cond", "Recheck Cond", "Filter"))
        if shown not in conditions:
            found.append(f"{node['Node Type']} on {table}: {conditions}")
    return found
