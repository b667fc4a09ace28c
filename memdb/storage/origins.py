"""Where memories come from: episodes, their fragments, and which memory came from which fragment."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Select, delete, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from governance.redaction.findings import RedactedText
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.sending import fetch
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")


@dataclass(frozen=True, slots=True)
class StoredEpisode:
    """An episode that has an external id."""

    id: UUID
    brain_id: UUID
    external_id: str


@dataclass(frozen=True, slots=True)
class StoredFragment:
    """A fragment as context needs it; `withheld`: every memory that came from it is held."""

    id: UUID
    position: int
    speaker: str | None = field(repr=False)
    text: str = field(repr=False)
    text_hash: bytes
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class NewFragment:
    """A fragment to store. Its texts passed the redactor."""

    id: UUID
    brain_id: UUID
    episode_id: UUID
    position: int
    speaker: RedactedText | None
    said_by: UUID | None
    said_at: datetime | None
    text: RedactedText
    redactions: list[dict[str, object]]
    text_hash: bytes
    turn_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source of a memory, for evidence."""

    memory_id: UUID
    episode_id: UUID
    episode: str | None
    fragment_id: UUID
    fragment: str = field(repr=False)
    speaker: str | None = field(repr=False)
    speaker_id: UUID | None
    position: int
    said_at: datetime | None


async def find_episodes(conn: ReadConn, org_id: UUID, names: Collection[tuple[UUID, str]]) -> list[StoredEpisode]:
    """Episodes by (brain, external id), in no order."""
    if not names:
        return []
    e = t.episodes.c
    query = select(e.id, e.brain_id, e.external_id).where(e.org_id == org_id, tuple_(e.brain_id, e.external_id).in_(sorted(names)))
    return [StoredEpisode(*row) for row in await conn.execute(query)]


async def list_fragments(conn: ReadConn | WriteConn, org_id: UUID, episode_id: UUID) -> list[StoredFragment]:
    """Fragments of an episode, by position, then id."""
    f = t.fragments.c
    query = (
        select(f.id, f.position, f.speaker, f.text, f.text_hash, ~_unheld(org_id, f.id).exists())
        .where(f.org_id == org_id, f.episode_id == episode_id)
        .order_by(f.position, f.id)
    )
    return [StoredFragment(*row) for row in await conn.execute(query)]


async def list_withheld(conn: WriteConn, org_id: UUID, memory_ids: Collection[UUID]) -> list[UUID]:
    """Fragments of these memories that no memory without a hold came from, by id."""
    m = t.memory_fragments.c
    query = select(m.fragment_id).distinct().where(m.org_id == org_id, m.memory_id.in_(memory_ids)).order_by(m.fragment_id)
    return list((await conn.execute(query.where(~_unheld(org_id, m.fragment_id).exists()))).scalars())


def _unheld(org_id: UUID, fragment_id: ColumnElement[UUID]) -> Select[tuple[UUID]]:
    m, h = t.memory_fragments.alias("sources").c, t.holds.c
    held = select(h.memory_id).where(h.org_id == org_id, h.memory_id == m.memory_id)
    return select(m.memory_id).where(m.org_id == org_id, m.fragment_id == fragment_id, ~held.exists())


async def keep_episode(
    conn: WriteConn, org_id: UUID, brain_id: UUID, episode_id: UUID, external_id: str | None, moments: tuple[datetime | None, datetime]
) -> UUID:
    """Store an episode unless its external id exists; the id of the one that is there.

    Args:
        moments: (started_at, created_at).
    """
    e = t.episodes
    row = insert(e).values(
        org_id=org_id, id=episode_id, brain_id=brain_id, external_id=external_id, started_at=moments[0], created_at=moments[1]
    )
    # DO UPDATE and not DO NOTHING, so that the row of a concurrent writer is returned as well.
    kept = row.on_conflict_do_update(constraint="episodes_external_uq", set_={"external_id": row.excluded.external_id}).returning(e.c.id)
    return UUID(str((await conn.execute(kept)).scalar_one()))


async def keep_fragment(conn: WriteConn, org_id: UUID, new: NewFragment, now: datetime) -> UUID:
    """Store a fragment unless the same text stands at its position; the id of the one that is there."""
    f = t.fragments
    row = insert(f).values(
        org_id=org_id,
        id=new.id,
        brain_id=new.brain_id,
        episode_id=new.episode_id,
        position=new.position,
        speaker_id=new.said_by,
        speaker=new.speaker.text if new.speaker else None,
        said_at=new.said_at,
        text=new.text.text,
        redactions=new.redactions,
        text_hash=new.text_hash,
        created_at=now,
        turn_id=new.turn_id,
    )
    kept = row.on_conflict_do_update(constraint="fragments_text_uq", set_={"text_hash": row.excluded.text_hash}).returning(f.c.id)
    return UUID(str((await conn.execute(kept)).scalar_one()))


async def link_fragments(conn: WriteConn, org_id: UUID, pairs: Sequence[tuple[UUID, int, UUID, UUID]], now: datetime) -> None:
    """Record that a memory, from a version on, came from a fragment: (memory, version, fragment, brain); a pair that exists holds again."""
    if pairs:
        rows = [
            {"org_id": org_id, "memory_id": m, "fragment_id": f, "brain_id": b, "created_at": now, "from_version": v, "until_version": None}
            for m, v, f, b in pairs
        ]
        kept = insert(t.memory_fragments)
        await conn.execute(kept.on_conflict_do_update(constraint="memory_fragments_pk", set_={"until_version": None}), rows)


async def end_sources(conn: WriteConn, org_id: UUID, memory_id: UUID, version: int) -> None:
    """Let the sources of a memory be those of its versions up to this one: what it says next they did not say."""
    m = t.memory_fragments.c
    query = update(t.memory_fragments).where(m.org_id == org_id, m.memory_id == memory_id, m.until_version.is_(None))
    await conn.execute(query.values(until_version=version))


async def list_sources(conn: ReadConn, org_id: UUID, brain_ids: Sequence[UUID], wanted: Collection[tuple[UUID, int]]) -> list[SourceRow]:
    """Sources of versions (memory, version) of memories within brains, one version of each, by memory, position and fragment id."""
    ids, versions = [memory_id for memory_id, _ in wanted], [version for _, version in wanted]
    bound = {"org_id": org_id, "brain_ids": list(brain_ids), "ids": ids, "versions": versions}
    return [SourceRow(*row) for row in await fetch(conn, _STATEMENTS["sources_of"].sql, bound)]


async def lock_sources(conn: WriteConn, org_id: UUID, brain_ids: Sequence[UUID], memory_id: UUID) -> None:
    """Lock the episodes and fragments that a memory came from until the transaction ends; of brains out of scope nothing.

    A write takes episode, fragment and memory in this order, so a deletion does as well: neither then waits in a circle.
    """
    m, f, e = t.memory_fragments.c, t.fragments.c, t.episodes.c
    mine = select(m.fragment_id).where(m.org_id == org_id, m.memory_id == memory_id, m.brain_id.in_(brain_ids))
    of_mine = select(f.episode_id).where(f.org_id == org_id, f.id.in_(mine))
    await conn.execute(select(e.id).where(e.org_id == org_id, e.id.in_(of_mine)).order_by(e.id).with_for_update())
    await conn.execute(select(f.id).where(f.org_id == org_id, f.id.in_(mine)).order_by(f.id).with_for_update())


async def delete_orphans(conn: WriteConn, org_id: UUID, memory_id: UUID) -> list[UUID]:
    """Delete the fragments that only this memory came from, and episodes left empty; the ids of those fragments."""
    m, f, e = t.memory_fragments.c, t.fragments.c, t.episodes.c
    mine = select(m.fragment_id).where(m.org_id == org_id, m.memory_id == memory_id)
    others = t.memory_fragments.alias("others")
    shared = select(others.c.fragment_id).where(others.c.org_id == org_id, others.c.memory_id != memory_id, others.c.fragment_id.in_(mine))
    gone = delete(t.fragments).where(f.org_id == org_id, f.id.in_(mine), f.id.not_in(shared)).returning(f.id, f.episode_id)
    rows = list(await conn.execute(gone))
    await conn.execute(delete(t.memory_fragments).where(m.org_id == org_id, m.memory_id == memory_id))
    if rows:
        left = select(f.episode_id).where(f.org_id == org_id, f.episode_id == e.id)
        await conn.execute(delete(t.episodes).where(e.org_id == org_id, e.id.in_({r.episode_id for r in rows}), ~left.exists()))
    return [row.id for row in rows]


async def list_told(conn: WriteConn, org_id: UUID, fragment_ids: Collection[UUID]) -> list[UUID]:
    """Memories that came from one of the fragments, by id."""
    m = t.memory_fragments.c
    query = select(m.memory_id).distinct().where(m.org_id == org_id, m.fragment_id.in_(fragment_ids)).order_by(m.memory_id)
    return list((await conn.execute(query)).scalars()) if fragment_ids else []


async def list_texts(conn: WriteConn, org_id: UUID, fragment_ids: Collection[UUID]) -> list[tuple[UUID, str]]:
    """(id, text) of fragments in the order of their episode."""
    f = t.fragments.c
    query = select(f.id, f.text).where(f.org_id == org_id, f.id.in_(fragment_ids)).order_by(f.position, f.id)
    return [(row.id, row.text) for row in await conn.execute(query)]


async def list_fragment_ids(conn: WriteConn, org_id: UUID, memory_ids: Collection[UUID]) -> list[UUID]:
    """Fragments that memories came from, by id."""
    m = t.memory_fragments.c
    query = select(m.fragment_id).distinct().where(m.org_id == org_id, m.memory_id.in_(memory_ids)).order_by(m.fragment_id)
    return list((await conn.execute(query)).scalars()) if memory_ids else []
