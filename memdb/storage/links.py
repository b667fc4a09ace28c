"""Entities that memories mention, and links between memories of one brain."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, select, text

from memdb.ids import make_id
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.rows import to_json
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")

MENTION_TRIES = 3
CROWDED = 20
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
    for one in mentioned:
        by_brain[one.brain_id].update(one.names)
    found: dict[tuple[UUID, str], list[UUID]] = {}
    for brain_id, names in by_brain.items():
        if names:
            found |= await _memories_of(conn, org_id, brain_id, sorted(names))
    return [_rank(one, found, limit) for one in mentioned]


async def _memories_of(conn: ReadConn, org_id: UUID, brain_id: UUID, names: list[str]) -> dict[tuple[UUID, str], list[UUID]]:
    e, m = t.entities.c, t.memory_entities.c
    newest = (
        select(m.memory_id)
        .where(m.org_id == org_id, m.brain_id == brain_id, m.entity_id == e.id)
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
        for b, folded, kind in sorted(names, key=lambda k: (str(k[0]), k[1], k[2]))
    ]
    counts = Counter((m.memory_id, m.brain_id, m.folded, m.kind) for m in mentions)
    rows = [
        {"memory_id": memory, "brain_id": brain, "folded": folded, "kind": kind, "mentions": count}
        for (memory, brain, folded, kind), count in sorted(counts.items())
    ]
    for _ in range(MENTION_TRIES):
        # Statements of their own: the second must see entities that a concurrent writer committed while the first one waited for it, and
        # one that a concurrent deletion took away in between is made again.
        await conn.execute(text(_STATEMENTS["add_entities"].sql), {"org_id": org_id, "entities": to_json(new)})
        sent = {"org_id": org_id, "mentions": to_json(rows), "names": sorted({m.folded for m in mentions})}
        sent["brain_ids"] = sorted({m.brain_id for m in mentions})
        kept = await conn.execute(text(_STATEMENTS["add_mentions"].sql), sent)
        if kept.rowcount == len(rows):
            return


async def keep_links(conn: WriteConn, org_id: UUID, rows: Sequence[Mapping[str, object]]) -> None:
    """Store links; one that exists stays, and one whose target was deleted meanwhile is left out."""
    if rows:
        sent = {"org_id": org_id, "links": to_json(rows), "to_ids": [row["to_id"] for row in rows]}
        await conn.execute(text(_STATEMENTS["add_links"].sql), sent)


async def forget_mentions(conn: WriteConn, org_id: UUID, memory_id: UUID) -> None:
    """Remove what the former text of a memory mentioned, its outgoing links, and entities that nothing mentions any more."""
    m, e, link = t.memory_entities.c, t.entities.c, t.links.c
    mine = select(m.entity_id).where(m.org_id == org_id, m.memory_id == memory_id)
    # Locked first: a concurrent write that mentions one of them either is seen below, or waits and makes the entity again.
    locked = select(e.id).where(e.org_id == org_id, e.id.in_(mine)).order_by(e.id).with_for_update()
    ids = list((await conn.execute(locked)).scalars())
    await conn.execute(delete(t.memory_entities).where(m.org_id == org_id, m.memory_id == memory_id))
    still = select(m.entity_id).where(m.org_id == org_id, m.entity_id == e.id)
    await conn.execute(delete(t.entities).where(e.org_id == org_id, e.id.in_(ids), ~still.exists()))
    await conn.execute(delete(t.links).where(link.org_id == org_id, link.from_id == memory_id))
