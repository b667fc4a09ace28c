"""Stored texts as a scan reads them, brain by brain and page by page, and as it writes them back in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar
from uuid import UUID

from sqlalchemy import delete, insert, literal, null, select, tuple_, union_all, update
from sqlalchemy.dialects.postgresql import JSONB

from memdb.keyring import Keyring
from memdb.models.memory import Memory, StoredRedaction
from memdb.providers.embedding.base import EmbeddingSpace, Vector
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.rows import facets_of, memory_of, redaction_json
from memdb.storage.seals import five_digits, make_seals, seal_vector, seal_words, version_intact
from memdb.text.lexemes import Analysis

K = TypeVar("K")
OutcomeKey: TypeAlias = "tuple[UUID, UUID, str]"


@dataclass(frozen=True, slots=True)
class FragmentText:
    """The texts of a fragment and the redactions in them."""

    id: UUID
    text: str = field(repr=False)
    speaker: str | None = field(repr=False)
    redactions: tuple[StoredRedaction, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PastVersion:
    """An older version of a memory; `intact`: it matches its seal."""

    memory: Memory
    intact: bool


async def list_memory_ids(conn: ReadConn, org_id: UUID, brain_id: UUID, after: UUID | None, limit: int) -> list[UUID]:
    """Ids of the memories of a brain that have content, held ones too; at most `limit` of those behind `after`."""
    m = t.memories.c
    query = select(m.id).where(m.org_id == org_id, m.brain_id == brain_id, m.status != "deleted")
    if after is not None:
        query = query.where(m.id > after)
    return list((await conn.execute(query.order_by(m.id).limit(limit))).scalars())


async def list_past_versions(conn: ReadConn | WriteConn, org_id: UUID, memory_ids: Sequence[UUID], keyring: Keyring) -> list[PastVersion]:
    """Older versions of memories, by memory and version."""
    v = t.memory_versions.c
    query = select(t.memory_versions).where(v.org_id == org_id, v.memory_id.in_(memory_ids)).order_by(v.memory_id, v.version)
    rows = [(memory_of(row, past=True), row) for row in await conn.execute(query)]
    return [PastVersion(memory, version_intact(keyring, memory, row.mac_key_id, bytes(row.mac_version))) for memory, row in rows]


async def rewrite_version(conn: WriteConn, keyring: Keyring, memory: Memory, words: Analysis) -> bool:
    """Overwrite text and words of an older version and seal it anew; False when the version is gone.

    Args:
        conn: of a job in its brain.
        keyring: the root secret.
        memory: the version as it has to be.
        words: of its content.
    """
    v, i = t.memory_versions.c, t.memory_version_index.c
    key_id, mac_version, _ = make_seals(keyring, memory, ())
    values = {
        "content": memory.content,
        "data": memory.data,
        "redactions": [redaction_json(r) for r in memory.redactions],
        "mac_key_id": key_id,
        "mac_version": mac_version,
    }
    mine = (v.org_id == memory.org_id, v.memory_id == memory.id, v.version == memory.version)
    if (await conn.execute(update(t.memory_versions).where(*mine).values(values))).rowcount == 0:
        return False
    indexed = {
        "words": words.tsvector(),
        "word_count": words.length,
        "words_mac": seal_words(keyring, memory.org_id, memory.id, words),
        "facets": facets_of(memory.data) if memory.data else [],
    }
    at_index = (i.org_id == memory.org_id, i.memory_id == memory.id, i.version == memory.version)
    await conn.execute(update(t.memory_version_index).where(*at_index).values(indexed))
    return True


async def set_version_vector(conn: WriteConn, keyring: Keyring, space: EmbeddingSpace, memory: Memory, vector: Vector | None) -> None:
    """Replace the vector of an older version; without one it is not found by meaning any more."""
    table = t.version_vector_table(space.name, space.dimension)
    at_vector = (table.c.org_id == memory.org_id, table.c.memory_id == memory.id, table.c.version == memory.version)
    await conn.execute(delete(table).where(*at_vector))
    if vector is not None:
        row = {"org_id": memory.org_id, "brain_id": memory.brain_id, "memory_id": memory.id, "version": memory.version}
        mac = seal_vector(keyring, memory.org_id, memory.id, "text", vector)
        await conn.execute(insert(table).values({**row, "embedding": five_digits(vector), "mac": mac}))


async def list_fragments(conn: ReadConn, org_id: UUID, brain_id: UUID, after: UUID | None, limit: int) -> list[FragmentText]:
    """Fragments of a brain, by id; at most `limit` of those behind `after`."""
    f = t.fragments.c
    query = select(f.id, f.text, f.speaker, f.redactions).where(f.org_id == org_id, f.brain_id == brain_id)
    if after is not None:
        query = query.where(f.id > after)
    rows = await conn.execute(query.order_by(f.id).limit(limit))
    return [FragmentText(row.id, row.text, row.speaker, tuple(StoredRedaction(**r) for r in row.redactions)) for row in rows]


async def rewrite_fragment(conn: WriteConn, org_id: UUID, before: FragmentText, now: FragmentText, text_hash: bytes) -> bool:
    """Overwrite the texts of a fragment; False when they are not what was read.

    Args:
        conn: of a job in its brain.
        org_id: of the fragment.
        before: as it was read.
        now: as it has to be.
        text_hash: keyed hash of the text; stays as it was where another fragment at the same position has this one already.
    """
    f, other = t.fragments.c, t.fragments.alias("other").c
    mine = (f.org_id == org_id, f.id == before.id)
    values = {"text": now.text, "speaker": now.speaker, "redactions": [redaction_json(r) for r in now.redactions]}
    unchanged = (f.text == before.text, f.speaker.is_not_distinct_from(before.speaker))
    if (await conn.execute(update(t.fragments).where(*mine, *unchanged).values(values))).rowcount == 0:
        return False
    twin = select(other.id).where(
        other.org_id == org_id, other.episode_id == f.episode_id, other.position == f.position, other.text_hash == text_hash
    )
    await conn.execute(update(t.fragments).where(*mine, ~twin.exists()).values(text_hash=text_hash))
    return True


# --------------------------------------------------------------------------------- of an org, read and written by the owner
@dataclass(frozen=True, slots=True)
class QuestionText:
    """What is stored of a question."""

    id: UUID
    query: str = field(repr=False)
    purpose: str | None = field(repr=False)
    filters: dict[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Note(Generic[K]):
    """A note; `key` is (recall, memory, key id) of one of feedback, and the id of a conflict of one on that."""

    key: K
    brain_id: UUID
    note: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Label:
    """A name that people of an org see: of a subject, of a brain, or of a subject on a platform."""

    table: Literal["subjects", "brains", "subject_identities"]
    id: UUID
    platform: str | None
    text: str = field(repr=False)


async def list_brain_ids(conn: ReadConn, org_id: UUID) -> list[UUID]:
    """Every brain of an org, by id."""
    b = t.brains.c
    return list((await conn.execute(select(b.id).where(b.org_id == org_id).order_by(b.id))).scalars())


async def list_questions(conn: ReadConn, org_id: UUID, after: UUID | None, limit: int) -> list[QuestionText]:
    """Stored questions, by id; at most `limit` of those behind `after`."""
    r, q = t.recalls.c, t.feedback_queries.c
    recalls = select(r.id, r.query, r.purpose, r.filters).where(r.org_id == org_id)
    # Feedback keeps a question when its recall has been dropped.
    kept = select(q.id, q.query, null().label("purpose"), literal({}, JSONB()).label("filters")).where(
        q.org_id == org_id, ~select(r.id).where(r.org_id == q.org_id, r.id == q.id).exists()
    )
    if after is not None:
        recalls, kept = recalls.where(r.id > after), kept.where(q.id > after)
    return [QuestionText(*row) for row in await conn.execute(union_all(recalls, kept).order_by("id").limit(limit))]


async def rewrite_question(conn: WriteConn, org_id: UUID, now: QuestionText) -> None:
    """Overwrite the texts of a stored question; the vector of the former text goes, and the next feedback makes another."""
    r, q = t.recalls.c, t.feedback_queries.c
    values = {"query": now.query, "purpose": now.purpose, "filters": now.filters}
    await conn.execute(update(t.recalls).where(r.org_id == org_id, r.id == now.id).values(values))
    copied = update(t.feedback_queries).where(q.org_id == org_id, q.id == now.id, q.query != now.query)
    await conn.execute(copied.values(query=now.query, embedding=None))


async def list_notes(conn: ReadConn, org_id: UUID, after: OutcomeKey | None, limit: int) -> list[Note[OutcomeKey]]:
    """Notes of feedback, by key; at most `limit` of those behind `after`."""
    o = t.outcomes.c
    key = tuple_(o.recall_id, o.memory_id, o.key_id)
    query = select(o.recall_id, o.memory_id, o.key_id, o.brain_id, o.note).where(o.org_id == org_id, o.note.is_not(None))
    if after is not None:
        query = query.where(key > tuple_(*after))
    rows = await conn.execute(query.order_by(o.recall_id, o.memory_id, o.key_id).limit(limit))
    return [Note((row.recall_id, row.memory_id, row.key_id), row.brain_id, row.note) for row in rows]


async def rewrite_note(conn: WriteConn, org_id: UUID, before: Note[OutcomeKey], note: str) -> None:
    """Overwrite a note, if it is what was read."""
    o = t.outcomes.c
    mine = (o.org_id == org_id, tuple_(o.recall_id, o.memory_id, o.key_id) == tuple_(*before.key), o.note == before.note)
    await conn.execute(update(t.outcomes).where(*mine).values(note=note))


async def list_conflict_notes(conn: ReadConn, org_id: UUID, after: UUID | None, limit: int) -> list[Note[UUID]]:
    """Notes on conflicts, settled ones too, by id; at most `limit` of those behind `after`."""
    c = t.conflicts.c
    query = select(c.id, c.brain_id, c.note).where(c.org_id == org_id, c.note.is_not(None))
    if after is not None:
        query = query.where(c.id > after)
    return [Note(*row) for row in await conn.execute(query.order_by(c.id).limit(limit))]


async def rewrite_conflict_note(conn: WriteConn, org_id: UUID, before: Note[UUID], note: str) -> None:
    """Overwrite a note, if it is what was read."""
    c = t.conflicts.c
    await conn.execute(update(t.conflicts).where(c.org_id == org_id, c.id == before.key, c.note == before.note).values(note=note))


async def list_labels(conn: ReadConn, org_id: UUID) -> list[Label]:
    """Names of subjects, then of brains, then of identities, by id."""
    s, b, i = t.subjects.c, t.brains.c, t.subject_identities.c
    of_subjects = select(s.id, s.name).where(s.org_id == org_id, s.name.is_not(None)).order_by(s.id)
    of_brains = select(b.id, b.name).where(b.org_id == org_id).order_by(b.id)
    of_identities = select(i.subject_id, i.platform, i.label).where(i.org_id == org_id).order_by(i.subject_id, i.platform)
    return [
        *(Label("subjects", row.id, None, row.name) for row in await conn.execute(of_subjects)),
        *(Label("brains", row.id, None, row.name) for row in await conn.execute(of_brains)),
        *(Label("subject_identities", row.subject_id, row.platform, row.label) for row in await conn.execute(of_identities)),
    ]


async def rewrite_label(conn: WriteConn, org_id: UUID, before: Label, text: str) -> None:
    """Overwrite a name."""
    if before.table == "subject_identities":
        i = t.subject_identities.c
        mine = (i.org_id == org_id, i.subject_id == before.id, i.platform == before.platform, i.label == before.text)
        await conn.execute(update(t.subject_identities).where(*mine).values(label=text))
        return
    table = t.subjects if before.table == "subjects" else t.brains
    await conn.execute(update(table).where(table.c.org_id == org_id, table.c.id == before.id).values(name=text))


async def list_identifiers(conn: ReadConn, org_id: UUID) -> list[tuple[str, UUID, str]]:
    """(what, id, text) of names that are looked up and never rewritten: aliases of subjects, external ids of episodes, topics of brains."""
    a, e, p = t.subject_aliases.c, t.episodes.c, t.topics.c
    aliases = select(a.subject_id, a.alias).where(a.org_id == org_id).order_by(a.subject_id, a.folded)
    episodes = select(e.id, e.external_id).where(e.org_id == org_id, e.external_id.is_not(None)).order_by(e.id)
    topics = select(p.brain_id, p.label).where(p.org_id == org_id).order_by(p.brain_id, p.folded)
    return [
        *(("alias of subject", row.subject_id, row.alias) for row in await conn.execute(aliases)),
        *(("external id of episode", row.id, row.external_id) for row in await conn.execute(episodes)),
        *(("topic of brain", row.brain_id, row.label) for row in await conn.execute(topics)),
    ]
