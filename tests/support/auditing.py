"""Sealing and verifying the audit of one org, and changing its rows as somebody who may do anything in the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psycopg
from sqlalchemy import select, update

from memdb.auditing.damage import Report
from memdb.auditing.heads import path_of, read_head
from memdb.auditing.sealing import Sealed, Sealer, seal_org
from memdb.auditing.verifying import verify_org
from memdb.storage.rows import memory_of
from memdb.storage.seals import make_seals
from memdb.storage.tables import memories

if TYPE_CHECKING:
    from tests.support.product import Caller, Product


def head_file(product: Product, caller: Caller) -> Path:
    """Where the head of the caller's org is."""
    return path_of(product.runtime.settings.heads, caller.org_id)


async def seal(product: Product, caller: Caller) -> Sealed:
    """What upkeep does in the caller's org."""
    return await seal_org(Sealer.of(product.runtime), caller.org_id)


def verify(product: Product, caller: Caller, head: Path | None = None) -> Report:
    """What `memdb audit verify` says of the caller's org."""
    exported = read_head(head or head_file(product, caller), product.runtime.keyring)
    with psycopg.connect(product.superuser_url, autocommit=True) as conn:
        return verify_org(conn, product.runtime.keyring, ("o", caller.org_id), exported, lambda _steps: None)


def damage(report: Report) -> set[str]:
    """Kinds of what was found."""
    return {kind.value for kind in report.counts}


def tamper(product: Product, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """A statement of a superuser whom no trigger and no foreign key stops; the rows that it gives. It must meet some."""
    with psycopg.connect(product.superuser_url) as conn:
        conn.execute("SET session_replication_role = replica")
        done = conn.execute(sql.encode(), values)
        assert done.rowcount > 0, "nothing was changed"
        return done.fetchall() if done.description else []


async def make_older(product: Product, memory_ids: Sequence[str], days: int) -> None:
    """Let the last confirmation of memories lie further back, as if they had been written so: sealed, without an event."""
    for memory_id in map(UUID, memory_ids):
        async with product.owner.bare() as conn:
            row = (await conn.execute(select(memories).where(memories.c.id == memory_id))).one()
            older = replace(memory_of(row), confirmed_at=row.confirmed_at - timedelta(days=days))
            state = make_seals(product.runtime.keyring, older, ())[2]
            values = {"confirmed_at": older.confirmed_at, "mac_state": state}
            await conn.execute(update(memories).where(memories.c.id == memory_id).values(values))
