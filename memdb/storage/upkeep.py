"""What keeps the tables in order while nobody asks: statistics folded, outcomes counted, vectors caught up, old rows removed.

A job has no subject, so row-level security shows it one brain at a time (`Identity(org, job_brain_id=…)`). Which brains have work is read
as memdb_search, which sees index rows of every brain; those statements bind the org and return ids alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ARRAY, ColumnElement, Row, Uuid, cast, func, literal, select, text
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.ext.asyncio import AsyncConnection

from memdb.keyring import Keyring
from memdb.models.memory import Kind, Memory
from memdb.models.outcome import Outcome
from memdb.providers.embedding.base import EmbeddingSpace, Vector
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.rows import memory_of
from memdb.storage.seals import five_digits, seal_vector
from memdb.storage.statements import Statement, load

BRAINS_MAX: Final = 200  # of one org in one pass; the next pass goes on
DELTAS_MAX: Final = 500  # in one transaction: some 15,000 terms, below half a second
OUTCOMES_MAX: Final = 500  # in one transaction
MONTHS: Final = 4
EXPIRED_MAX: Final = 500  # of one org in one pass
RECALLS_MAX: Final = 5_000  # in one transaction
WAIT_MIN_S: Final = 10.0  # longer than a call to a provider with its retries usually takes: a claim is a lease as well
WAIT_MAX_S: Final = 3_600.0


@cache
def _statements() -> Mapping[str, Statement]:
    # At the first pass and not at import: parsing takes a tenth of a second, and a server that starts has none to spare.
    return load("memdb.storage.sql")


@dataclass(frozen=True, slots=True)
class Unembedded:
    """The text of a memory that waits for vectors, at a version; `before`: what its context ends with (speaker, text), if it has one."""

    memory_id: UUID
    version: int
    content: str = field(repr=False)
    speaker: str | None = field(repr=False)
    before: tuple[str | None, str] | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Caught:
    """The vectors made of a text and of its context. `truncated`: part of the text is not in its vector."""

    of: Unembedded
    vector: Vector = field(repr=False)
    context_vector: Vector | None = field(repr=False)
    truncated: bool


async def take_turn(conn: WriteConn, org_id: UUID) -> bool:
    """True when no other process is at work on this org in a transaction that began so; until this transaction ends."""
    lock = text("SELECT pg_try_advisory_xact_lock(hashtextextended(:name, 0))")
    return bool((await conn.execute(lock, {"name": f"memdb.upkeep.{org_id}"})).scalar_one())


async def ensure_partitions(conn: AsyncConnection, now: datetime) -> int:
    """Make room for this month and the next three; how many partitions were made."""
    made = await conn.execute(text("SELECT mem.ensure_partitions(:now, :months)"), {"now": now, "months": MONTHS})
    return int(made.scalar_one())


async def refresh_statistics(conn: AsyncConnection) -> int:
    """Gather planner statistics of tables that grew by a fifth; how many tables."""
    return int((await conn.execute(text("SELECT mem.refresh_statistics()"))).scalar_one())


# ------------------------------------------------------------------------------------------------------------- statistics
async def list_brains_with_deltas(conn: ReadConn, org_id: UUID) -> list[UUID]:
    """Brains with unfolded word counts, by id."""
    rows = await _as_search(conn, "list_brains_with_deltas", {"org_id": org_id, "limit": BRAINS_MAX})
    return [row.brain_id for row in rows]


async def fold_deltas(conn: WriteConn, org_id: UUID, brain_id: UUID) -> int:
    """Fold the oldest deltas of a brain into its statistics; how many, fewer than DELTAS_MAX when none are left."""
    where: dict[str, object] = {"org_id": org_id, "brain_id": brain_id}
    ids = [row.id for row in await _run(conn, "lock_deltas", where | {"limit": DELTAS_MAX})]
    if not ids:
        return 0
    chosen = where | {"ids": ids}
    spent = await _run(conn, "fold_terms", chosen)
    if spent:
        names = {"terms": [row.term for row in spent], "languages": [row.language for row in spent]}
        await _change(conn, "drop_spent_terms", where | names)
    await _change(conn, "fold_documents", chosen)
    await _change(conn, "drop_spent_languages", where)
    await _change(conn, "drop_deltas", chosen)
    return len(ids)


# --------------------------------------------------------------------------------------------------------------- outcomes
async def list_brains_with_outcomes(conn: ReadConn, org_id: UUID) -> list[UUID]:
    """Brains with outcomes that are not counted, by id."""
    rows = await _as_search(conn, "list_brains_with_outcomes", {"org_id": org_id, "limit": BRAINS_MAX})
    return [row.brain_id for row in rows]


async def count_outcomes(conn: WriteConn, org_id: UUID, brain_id: UUID) -> int:
    """Bring the counters of memories of a brain up to their outcomes: what was said is added, what it replaces is taken away; how many.

    What a request or another server has locked at this moment waits for the next pass, so that nobody waits for another in a circle.
    """
    where: dict[str, object] = {"org_id": org_id, "brain_id": brain_id}
    rows = await _run(conn, "lock_outcomes", where | {"limit": OUTCOMES_MAX})
    free = {s.memory_id for s in await _run(conn, "lock_counters", where | {"ids": sorted({row.memory_id for row in rows})})}
    rows = [row for row in rows if row.memory_id in free]
    if not rows:
        return 0
    changes: Counter[tuple[UUID, str]] = Counter()
    for row in rows:
        changes[row.memory_id, row.outcome] += 1
        if row.counted_as is not None:
            changes[row.memory_id, row.counted_as] -= 1
    ids = sorted(free)
    steps: dict[str, object] = {outcome.value: [changes[i, outcome.value] for i in ids] for outcome in Outcome}
    await _change(conn, "add_outcomes", where | steps | {"ids": ids})
    keys = {"recalls": [r.recall_id for r in rows], "memories": [r.memory_id for r in rows], "keys": [r.key_id for r in rows]}
    await _change(conn, "mark_counted", where | keys)
    return len(rows)


# ---------------------------------------------------------------------------------------------------------------- vectors
async def claim_pending(conn: WriteConn, org_id: UUID, space: EmbeddingSpace, now: datetime, limit: int) -> dict[UUID, list[UUID]]:
    """Memories without a vector that are due, by brain. Nobody else gets them for a while, which doubles with each claim."""
    wanted = {"org_id": org_id, "space": space.name, "now": now, "limit": limit, "wait_min_s": WAIT_MIN_S, "wait_max_s": WAIT_MAX_S}
    claimed: dict[UUID, list[UUID]] = {}
    for row in await _run(conn, "claim_pending", wanted):
        claimed.setdefault(row.brain_id, []).append(row.memory_id)
    return claimed


async def list_unembedded(conn: ReadConn | WriteConn, org_id: UUID, brain_id: UUID, ids: Sequence[UUID]) -> list[Unembedded]:
    """Their texts, by id; a memory that was deleted meanwhile is absent."""
    rows = await _run(conn, "list_unembedded", {"org_id": org_id, "brain_id": brain_id, "ids": list(ids)})
    return [Unembedded(r.id, r.version, r.content, r.speaker, (r.last_speaker, r.last_text) if r.has_context else None) for r in rows]


async def keep_vectors(
    conn: WriteConn, keyring: Keyring, identity: tuple[UUID, UUID], space: EmbeddingSpace, caught: Sequence[Caught], now: datetime
) -> int:
    """Store vectors of memories of one brain, and end their waiting; how many.

    One that was deleted meanwhile is skipped, and one whose text or context changed is due again: its vectors would be of what it has not.

    Args:
        conn: of a job in that brain.
        keyring: seals them.
        identity: org and brain.
        space: of the vectors.
        caught: what was embedded.
        now: the present moment.
    """
    org_id, brain_id = identity
    ids = [c.of.memory_id for c in caught]
    where: dict[str, object] = {"org_id": org_id, "brain_id": brain_id}
    await _run(conn, "lock_versions", where | {"ids": ids})
    present = {each.memory_id: each for each in await list_unembedded(conn, org_id, brain_id, ids)}
    kept = [c for c in caught if present.get(c.of.memory_id) == c.of]
    if kept:
        await _put(conn, keyring, identity, space, kept)
    if cut := [c.of.memory_id for c in kept if c.truncated]:
        await _change(conn, "mark_cut", where | {"ids": cut})
    changed = [c.of.memory_id for c in caught if present.get(c.of.memory_id, c.of) != c.of]
    await _change(conn, "drop_pending", {"org_id": org_id, "space": space.name, "ids": [i for i in ids if i not in set(changed)]})
    await _change(conn, "release_pending", {"org_id": org_id, "space": space.name, "ids": changed, "now": now})
    return len(kept)


async def drop_pending(conn: WriteConn, org_id: UUID, space: EmbeddingSpace, ids: Sequence[UUID]) -> None:
    """End the waiting of memories that are gone."""
    await _change(conn, "drop_pending", {"org_id": org_id, "space": space.name, "ids": list(ids)})


async def _put(conn: WriteConn, keyring: Keyring, identity: tuple[UUID, UUID], space: EmbeddingSpace, kept: Sequence[Caught]) -> None:
    org_id, brain_id = identity
    table = t.vector_table(space.name, space.dimension)
    vectors = [(c.of.memory_id, "text", c.vector) for c in kept]
    vectors += [(c.of.memory_id, "context", c.context_vector) for c in kept if c.context_vector is not None]
    rows = [
        {
            "org_id": org_id,
            "brain_id": brain_id,
            "memory_id": m,
            "field": name,
            "embedding": five_digits(v),
            "mac": seal_vector(keyring, org_id, m, name, v),
        }
        for m, name, v in vectors
    ]
    new = pg_insert(table)
    put = new.on_conflict_do_update(
        index_elements=["org_id", "memory_id", "field"], set_={"embedding": new.excluded.embedding, "mac": new.excluded.mac}
    )
    await conn.execute(put, rows)


# --------------------------------------------------------------------------------------------------------------- old rows
async def forget_replays(conn: WriteConn, org_id: UUID, before: datetime) -> int:
    """Remove answers to idempotency keys that were made by then; how many."""
    return await _change(conn, "forget_replays", {"org_id": org_id, "before": before})


async def list_newest(conn: ReadConn, org_id: UUID, limit: int) -> dict[UUID, list[UUID]]:
    """The newest memories of an org, held ones too, by brain."""
    found: dict[UUID, list[UUID]] = {}
    for row in await _as_search(conn, "list_newest", {"org_id": org_id, "limit": limit}):
        found.setdefault(row.brain_id, []).append(row.memory_id)
    return found


async def list_expired(conn: ReadConn, org_id: UUID, before: datetime) -> dict[UUID, list[UUID]]:
    """Working memories that expired by then, by brain; at most EXPIRED_MAX."""
    expired: dict[UUID, list[UUID]] = {}
    for row in await _as_search(conn, "list_expired", {"org_id": org_id, "before": before, "limit": EXPIRED_MAX}):
        expired.setdefault(row.brain_id, []).append(row.memory_id)
    return expired


async def lock_expired(conn: WriteConn, org_id: UUID, memory_id: UUID, before: datetime) -> Memory | None:
    """The working memory, locked until the transaction ends; None when it was deleted, promoted or prolonged meanwhile."""
    m = t.memories.c
    query = (
        select(t.memories)
        .where(m.org_id == org_id, m.id == memory_id)
        .where(m.kind == Kind.WORKING.value, m.status != "deleted", m.expires_at <= before)
        .with_for_update(skip_locked=True)
    )
    row = (await conn.execute(query)).first()
    return None if row is None else memory_of(row)


async def forget_recalls(conn: WriteConn, before: UUID, kept: Collection[UUID]) -> int:
    """Remove questions of the org below an id, but for those that these subjects asked; at most RECALLS_MAX, how many."""
    gone = await conn.execute(select(func.mem.forget_recalls(before, _ids(kept), RECALLS_MAX)))
    return int(gone.scalar_one())


def _ids(ids: Collection[UUID]) -> ColumnElement[Sequence[UUID]]:
    return cast(literal(sorted(ids), ARRAY(Uuid())), ARRAY(Uuid()))


async def list_unconfirmed(
    conn: ReadConn, kind: str, before: datetime, kept_brains: Collection[UUID], kept: Collection[UUID]
) -> dict[UUID, list[UUID]]:
    """Memories of a kind that nobody confirmed since then and nothing keeps, by brain; at most EXPIRED_MAX."""
    listed = func.mem.list_unconfirmed(kind, before, _ids(kept_brains), _ids(kept), EXPIRED_MAX).table_valued("brain_id", "memory_id")
    found: dict[UUID, list[UUID]] = {}
    for row in await conn.execute(select(listed.c.brain_id, listed.c.memory_id)):
        found.setdefault(row.brain_id, []).append(row.memory_id)
    return found


async def lock_unconfirmed(conn: WriteConn, org_id: UUID, memory_id: UUID, before: datetime) -> Memory | None:
    """The memory, locked until the transaction ends; None when it was deleted or confirmed meanwhile."""
    m = t.memories.c
    query = (
        select(t.memories)
        .where(m.org_id == org_id, m.id == memory_id, m.status != "deleted", m.confirmed_at < before)
        .with_for_update(skip_locked=True)
    )
    row = (await conn.execute(query)).first()
    return None if row is None else memory_of(row)


# ------------------------------------------------------------------------------------------------------------- statements
async def _run(conn: AsyncConnection, name: str, values: Mapping[str, object]) -> Sequence[Row[Any]]:
    return (await conn.execute(_statements()[name].clause, dict(values))).all()


async def _change(conn: AsyncConnection, name: str, values: Mapping[str, object]) -> int:
    return (await conn.execute(_statements()[name].clause, dict(values))).rowcount


async def _as_search(conn: ReadConn, name: str, values: Mapping[str, object]) -> Sequence[Row[Any]]:
    # SECURITY: memdb_search sees index rows of every org; the statement binds the org, and the role ends with it.
    await conn.exec_driver_sql("SET LOCAL ROLE memdb_search")
    rows = await _run(conn, name, values)
    await conn.exec_driver_sql("SET LOCAL ROLE NONE")
    return rows
