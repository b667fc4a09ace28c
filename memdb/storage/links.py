"""Entities that memories mention, and links between memories of one brain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, or_, select

from memdb.ids import make_id
from memdb.models.memory import SPEAKER
from memdb.storage import tables as t
from memdb.storage.database import WriteConn
from memdb.storage.rows import to_json
from memdb.storage.statements import load
from memdb.text.normalise import fold

_STATEMENTS = load("memdb.storage.sql")

MENTION_TRIES = 3
CROWDED = 20
"""An entity of more memories than this says nothing about which of them belong together; it makes no link."""
LINKS_MAX = 5
"""Links per memory: a few, not dozens."""


@dataclass(frozen=True, slots=True)
class NewMention:
    """A mention to store: `name` as written first, `folded` to compare by."""

    memory_id: UUID
    brain_id: UUID
    kind: str
    name: str
    folded: str


def entity_row(mention: NewMention, now: datetime) -> dict[str, object]:
    """An entity as the statements take it: with the memory that mentions it; they keep one row for each brain, name and kind."""
    return {
        "memory_id": mention.memory_id,
        "id": make_id(),
        "brain_id": mention.brain_id,
        "kind": mention.kind,
        "name": mention.name,
        "folded": mention.folded,
        "created_at": now,
    }


async def keep_mentions(conn: WriteConn, org_id: UUID, mentions: Sequence[NewMention], now: datetime) -> None:
    """Store which memory mentions which entity, and link the memories to earlier ones that mention the same.

    Entities that are missing are made: a writer may have sent them before, and a concurrent deletion may have taken them away.
    """
    if not mentions:
        return
    counts = Counter((m.memory_id, m.brain_id, m.folded, m.kind) for m in mentions)
    rows = [
        {"memory_id": memory, "brain_id": brain, "folded": folded, "kind": kind, "mentions": count}
        for (memory, brain, folded, kind), count in sorted(counts.items())
    ]
    sent = {
        "org_id": org_id,
        "mentions": to_json(rows),
        "brain_ids": sorted({m.brain_id for m in mentions}),
        "memory_ids": sorted({m.memory_id for m in mentions}),
        "names": sorted({m.folded for m in mentions}),
        "crowded": CROWDED,
        "links_max": LINKS_MAX,
        "created_at": now,
    }
    for _ in range(MENTION_TRIES):
        kept = await conn.execute(_STATEMENTS["add_mentions"].clause, sent)
        if kept.rowcount == len(rows):
            return
        # A statement of its own: the next must see entities that a concurrent writer committed while this one waited for it.
        entities = to_json([entity_row(m, now) for m in mentions])
        await conn.execute(_STATEMENTS["add_entities"].clause, {"org_id": org_id, "entities": entities})


async def replace_mentions(conn: WriteConn, org_id: UUID, memory_id: UUID, mentions: Sequence[NewMention], now: datetime) -> None:
    """What the new text of a memory mentions in the place of what the former one did, with its links."""
    if mentions:
        entities = to_json([entity_row(m, now) for m in mentions])
        await conn.execute(_STATEMENTS["add_entities"].clause, {"org_id": org_id, "entities": entities})
    await forget_mentions(conn, org_id, memory_id, but=mentions, speakers=False)
    await keep_mentions(conn, org_id, mentions, now)


async def forget_mentions(conn: WriteConn, org_id: UUID, memory_id: UUID, but: Sequence[NewMention] = (), *, speakers: bool = True) -> None:
    """Remove what the former text of a memory mentioned, its links in both directions, and entities that nothing mentions any more.

    Args:
        but: mentions that will be kept next; their entities are locked in the same breath, so that all locks follow one order, and stay.
        speakers: also who said it, which another text does not change.
    """
    m, e, link, named = t.memory_entities.c, t.entities.c, t.links.c, t.entities.alias("named").c
    mine = select(m.entity_id).where(m.org_id == org_id, m.memory_id == memory_id)
    names, brains, stay = {n.folded for n in but}, {n.brain_id for n in but}, {(n.folded, n.kind) for n in but}
    next_ones = select(named.id).where(named.org_id == org_id, named.brain_id.in_(brains), named.folded.in_(names))
    # Locked first: a concurrent write that mentions one of them either is seen below, or waits and makes the entity again.
    wanted = mine.union_all(next_ones) if but else mine
    locked = select(e.id, e.folded, e.kind).where(e.org_id == org_id, e.id.in_(wanted)).order_by(e.id).with_for_update(of=t.entities)
    rows = (await conn.execute(locked)).all()
    kept = [] if speakers else [row.id for row in rows if row.kind == SPEAKER]
    await conn.execute(delete(t.memory_entities).where(m.org_id == org_id, m.memory_id == memory_id, m.entity_id.not_in(kept)))
    await _drop_unmentioned(conn, org_id, [row.id for row in rows if (row.folded, row.kind) not in stay])
    await conn.execute(delete(t.links).where(link.org_id == org_id, or_(link.from_id == memory_id, link.to_id == memory_id)))


async def forget_speaker(conn: WriteConn, org_id: UUID, memory_ids: Collection[UUID], label: str) -> None:
    """Remove a speaker from what they said: the label may not be kept any more. Whoever else said the same stays."""
    m, e = t.memory_entities.c, t.entities.c
    theirs = select(m.entity_id).where(m.org_id == org_id, m.memory_id.in_(memory_ids))
    locked = (
        select(e.id)
        .where(e.org_id == org_id, e.id.in_(theirs), e.kind == SPEAKER, e.folded == fold(label))
        .order_by(e.id)
        .with_for_update()
    )
    ids = list((await conn.execute(locked)).scalars())
    await conn.execute(delete(t.memory_entities).where(m.org_id == org_id, m.memory_id.in_(memory_ids), m.entity_id.in_(ids)))
    await _drop_unmentioned(conn, org_id, ids)


async def _drop_unmentioned(conn: WriteConn, org_id: UUID, ids: Sequence[UUID]) -> None:
    m, e = t.memory_entities.c, t.entities.c
    still = select(m.entity_id).where(m.org_id == org_id, m.entity_id == e.id)
    await conn.execute(delete(t.entities).where(e.org_id == org_id, e.id.in_(ids), ~still.exists()))
