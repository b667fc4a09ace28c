"""Entities that memories mention, and links between memories of one brain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from memdb.ids import make_id
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn

CROWDED = 200
"""An entity of more memories than this says nothing about which of them belong together; it makes no link."""


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The names that one text mentions, folded and sorted, and the brain it belongs to."""

    brain_id: UUID
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An earlier memory of the same brain that shares entities; `weight` 0..1, higher for rarer ones."""

    memory_id: UUID
    weight: float


@dataclass(frozen=True, slots=True)
class NewMention:
    """A mention to store: `name` as written first, `folded` to compare by."""

    memory_id: UUID
    brain_id: UUID
    kind: str
    name: str
    folded: str


async def find_sharing_entities(conn: ReadConn, org_id: UUID, mentioned: Sequence[Mentioned], limit: int) -> list[list[Neighbour]]:
    """For each text up to `limit` memories of its brain that share entities, rarest first, newest first among equals."""
    by_brain: dict[UUID, set[str]] = defaultdict(set)
    for text in mentioned:
        by_brain[text.brain_id].update(text.names)
    found: dict[tuple[UUID, str], list[UUID]] = {}
    for brain_id, names in by_brain.items():
        if names:
            found |= await _memories_of(conn, org_id, brain_id, sorted(names))
    return [_rank(text, found, limit) for text in mentioned]


async def _memories_of(conn: ReadConn, org_id: UUID, brain_id: UUID, names: list[str]) -> dict[tuple[UUID, str], list[UUID]]:
    e, m, i = t.entities.c, t.memory_entities.c, t.memory_index.c
    newest = (
        select(m.memory_id)
        .select_from(t.memory_entities.join(t.memory_index, (i.org_id == m.org_id) & (i.memory_id == m.memory_id)))
        .where(m.org_id == org_id, m.brain_id == brain_id, m.entity_id == e.id)
        .where(i.org_id == org_id, i.status == "active", ~i.held)
        .order_by(m.memory_id.desc())
        .limit(CROWDED + 1)
        .correlate(t.entities)
        .lateral("newest")
    )
    query = (
        select(e.folded, func.array_agg(newest.c.memory_id))
        .select_from(t.entities.join(newest, onclause=func.coalesce(True)))
        .where(e.org_id == org_id, e.brain_id == brain_id, e.folded.in_(names))
        .group_by(e.folded)
    )
    return {(brain_id, folded): ids for folded, ids in await conn.execute(query)}


def _rank(text: Mentioned, found: dict[tuple[UUID, str], list[UUID]], limit: int) -> list[Neighbour]:
    weights: dict[UUID, float] = defaultdict(float)
    for name in text.names:
        ids = set(found.get((text.brain_id, name), ()))
        if 0 < len(ids) <= CROWDED:
            for memory_id in ids:
                weights[memory_id] += 1 / (1 + len(ids))
    best = sorted(weights.items(), key=lambda pair: (-pair[1], -pair[0].int))[:limit]
    return [Neighbour(memory_id, min(1.0, weight)) for memory_id, weight in best]


async def keep_mentions(conn: WriteConn, org_id: UUID, mentions: Sequence[NewMention], now: datetime) -> None:
    """Store entities and which memory mentions them. Rows are taken in sorted order, so that concurrent writers never wait in a circle."""
    if not mentions:
        return
    names = {(m.brain_id, m.folded, m.kind): m.name for m in reversed(mentions)}
    keys = sorted(names, key=lambda k: (str(k[0]), k[1], k[2]))
    e = t.entities.c
    new = [
        {
            "org_id": org_id,
            "id": make_id(),
            "brain_id": b,
            "kind": kind,
            "name": names[b, folded, kind],
            "folded": folded,
            "created_at": now,
        }
        for b, folded, kind in keys
    ]
    await conn.execute(insert(t.entities).on_conflict_do_nothing(constraint="entities_name_uq"), new)
    wanted = select(e.id, e.brain_id, e.folded, e.kind).where(
        e.org_id == org_id, e.brain_id.in_({k[0] for k in keys}), e.folded.in_({k[1] for k in keys})
    )
    ids = {(row.brain_id, row.folded, row.kind): row.id for row in await conn.execute(wanted)}
    counts: dict[tuple[UUID, UUID, UUID], int] = defaultdict(int)
    for m in mentions:
        counts[ids[m.brain_id, m.folded, m.kind], m.memory_id, m.brain_id] += 1
    rows = [
        {"org_id": org_id, "entity_id": entity, "memory_id": memory, "brain_id": brain, "mentions": count}
        for (entity, memory, brain), count in sorted(counts.items())
    ]
    await conn.execute(insert(t.memory_entities).on_conflict_do_nothing(), rows)


async def keep_links(conn: WriteConn, org_id: UUID, rows: Sequence[dict[str, object]]) -> None:
    """Store links; one that exists stays, and one whose target was deleted meanwhile is left out."""
    if not rows:
        return
    m = t.memories.c
    targets = sorted({str(row["to_id"]) for row in rows})
    alive = select(m.id).where(m.org_id == org_id, m.id.in_(targets), m.status == "active")
    existing = {row.id for row in await conn.execute(alive)}
    kept = [{"org_id": org_id, **row} for row in rows if row["to_id"] in existing]
    if kept:
        await conn.execute(insert(t.links).on_conflict_do_nothing(), kept)


async def forget_mentions(conn: WriteConn, org_id: UUID, memory_id: UUID) -> None:
    """Remove what the former text of a memory mentioned, its outgoing links, and entities that nothing mentions any more."""
    m, e, link = t.memory_entities.c, t.entities.c, t.links.c
    gone = delete(t.memory_entities).where(m.org_id == org_id, m.memory_id == memory_id).returning(m.entity_id)
    ids = [row.entity_id for row in await conn.execute(gone)]
    still = select(m.entity_id).where(m.org_id == org_id, m.entity_id == e.id)
    await conn.execute(delete(t.entities).where(e.org_id == org_id, e.id.in_(ids), ~still.exists()))
    await conn.execute(delete(t.links).where(link.org_id == org_id, link.from_id == memory_id))
