"""Replays: the same key, route and body within 24 hours give the same reply, rebuilt from what was kept of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.dialects.postgresql import insert

from memdb.errors import IdempotencyConflict
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn

WINDOW = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Ticket:
    """The idempotency of one request: who, which route, and keyed digests of the idempotency key and of the body."""

    org_id: UUID
    key_id: str
    route: str
    key_digest: bytes = field(repr=False)
    body_digest: bytes = field(repr=False)


async def find_result(conn: ReadConn | WriteConn, ticket: Ticket, now: datetime) -> object | None:
    """What an earlier request with this key answered, or None.

    Raises:
        IdempotencyConflict: its body was another one.
    """
    i = t.idempotency_keys.c
    row = (await conn.execute(select(i.body_hash, i.result).where(*_same(ticket), i.created_at > now - WINDOW))).first()
    if row is None:
        return None
    if bytes(row.body_hash) != ticket.body_digest:
        raise IdempotencyConflict
    result: object = row.result
    return result


async def claim(conn: WriteConn, ticket: Ticket, result: object, now: datetime) -> bool:
    """Keep a result in the transaction that made it; False when a concurrent request with this key was first."""
    i = t.idempotency_keys.c
    await conn.execute(delete(t.idempotency_keys).where(*_same(ticket), i.created_at <= now - WINDOW))
    row = insert(t.idempotency_keys).values(
        org_id=ticket.org_id,
        key_id=ticket.key_id,
        route=ticket.route,
        key_hash=ticket.key_digest,
        body_hash=ticket.body_digest,
        result=result,
        created_at=now,
    )
    done = await conn.execute(row.on_conflict_do_nothing().returning(i.key_id))
    return done.first() is not None


def _same(ticket: Ticket) -> tuple[ColumnElement[bool], ...]:
    i = t.idempotency_keys.c
    return (i.org_id == ticket.org_id, i.key_id == ticket.key_id, i.route == ticket.route, i.key_hash == ticket.key_digest)
