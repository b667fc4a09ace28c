"""Rows of reconciliations: what became of a write that had something to be compared with, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import select

from governance.scopes import ScopeFilter
from memdb.models.reconciling import Reconciliation
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.rows import to_json
from memdb.storage.sending import run_with_next
from memdb.storage.statements import load

LISTED_MAX: Final = 200
_R = t.reconciliations.c
_STATEMENTS = load("memdb.storage.sql")


async def keep(conn: WriteConn, org_id: UUID, rows: Sequence[Reconciliation]) -> None:
    """Store what was decided, with the next statement of the transaction."""
    if rows:
        names = Reconciliation.__dataclass_fields__
        values = [
            {"org_id": org_id} | {name: getattr(row, name) for name in names} | {"neighbour_ids": list(row.neighbour_ids)} for row in rows
        ]
        await run_with_next(conn, _STATEMENTS["add_reconciliations"].sql, {"org_id": org_id, "reconciliations": to_json(values)})


async def list_of_memory(conn: ReadConn | WriteConn, scope: ScopeFilter, memory_id: UUID) -> list[Reconciliation]:
    """The newest LISTED_MAX of a memory, the earliest first."""
    query = select(t.reconciliations).where(_R.org_id == scope.org_id, _R.memory_id == memory_id, _R.brain_id.in_(scope.brain_ids))
    rows = (await conn.execute(query.order_by(_R.id.desc()).limit(LISTED_MAX))).all()
    found = [{name: getattr(row, name) for name in Reconciliation.__dataclass_fields__} for row in reversed(rows)]
    return [Reconciliation(**values | {"neighbour_ids": tuple(values["neighbour_ids"])}) for values in found]
