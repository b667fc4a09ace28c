"""Rows that an erasure looks for, and how they go or are rewritten; all but the directory and questions as a job bound to the brain."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import any_, delete, literal, select, update
from sqlalchemy.dialects.postgresql import insert

from memdb.keyring import Keyring
from memdb.models.memory import Memory, StoredRedaction
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.rows import facets_of, memory_of, redaction_json
from memdb.storage.seals import make_seals
from memdb.storage.statements import load
from memdb.text.normalise import fold

_STATEMENTS = load("memdb.storage.sql")
NIL: Final = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for in a brain.

    `all_of_it`: the brain goes whole; `expression`: of Postgres, None for no label; `sure`: of labels that
    mean nobody else.
    """

    org_id: UUID
    brain_id: UUID
    ids: tuple[UUID, ...]
    expression: str | None = field(repr=False)
    all_of_it: bool = False
    sure: str | None = field(default=None, repr=False)

    @property
    def values(self) -> dict[str, object]:
        """As the statements take it."""
        return {**self.place, "ids": list(self.ids), "pattern": self.expression, "all_of_it": self.all_of_it}

    @property
    def place(self) -> dict[str, object]:
        """Org and brain."""
        return {"org_id": self.org_id, "brain_id": self.brain_id}


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions asked by or about these subjects, that show what was deleted since a moment, or that the expression matches."""

    ids: tuple[UUID, ...]
    since: datetime
    expression: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class SpokenText:
    """A turn or a fragment. A fragment has no role, no attachments and nobody who wrote it."""

    id: UUID
    speaker_id: UUID | None
    speaker: str | None = field(repr=False)
    text: str = field(repr=False)
    redactions: tuple[StoredRedaction, ...] = field(repr=False)
    role: str = ""
    attachments: Any = field(default=None, repr=False)
    written_by: UUID | None = None
    writer_label: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class NamedText:
    """A short text of a brain: what it is (`session`, `episode`, `conflict`, `note`, `topic`, `entity`, `brain`), whose, and the text."""

    kind: str
    id: UUID
    key: str = field(repr=False)
    text: str = field(repr=False)


async def _rows(conn: ReadConn | WriteConn, name: str, values: Mapping[str, object]) -> Sequence[Any]:
    return (await conn.execute(_STATEMENTS[name].clause, dict(values))).all()


async def _change(conn: WriteConn, name: str, values: Mapping[str, object]) -> int:
    return (await conn.execute(_STATEMENTS[name].clause, dict(values))).rowcount


# ------------------------------------------------------------------------------------------------------------------- found
async def list_brain_ids(conn: ReadConn, org_id: UUID) -> list[UUID]:
    """Every brain of the transaction's org, by id."""
    return [row.brain_id for row in await _rows(conn, "list_brain_ids", {"org_id": org_id})]


async def end_of_page(conn: ReadConn, page: str, sought: Sought, after: UUID, most: int) -> UUID | None:
    """The last id of the next page of the brain: `end_of_memories`, `end_of_episodes` or `end_of_sessions`; None behind the last."""
    rows = await _rows(conn, page, {**sought.place, "after": after, "most": most})
    return rows[0].id if rows else None


async def find_memories(conn: ReadConn, sought: Sought, after: UUID, until: UUID) -> list[tuple[UUID, bool]]:
    """(id, whether it goes whole) of memories of a page, by id; some may hold no label after all."""
    return [(row.id, row.whole) for row in await _rows(conn, "find_memories", {**sought.values, "after": after, "until": until})]


async def find_tombstones(conn: ReadConn, sought: Sought, after: UUID, until: UUID) -> list[UUID]:
    """Deleted memories of a page whose writer had a label with a name in it, by id."""
    names = {"pattern": sought.expression, "sure": sought.sure, "ids": list(sought.ids)}
    values = {**sought.place, **names, "after": after, "until": until}
    return [row.id for row in await _rows(conn, "find_tombstones", values)]


async def find_fragments(conn: ReadConn, sought: Sought, after: UUID, until: UUID) -> list[SpokenText]:
    """Fragments of a page of episodes, by id."""
    rows = await _rows(conn, "find_fragments", {**sought.values, "after": after, "until": until})
    return [SpokenText(row.id, row.speaker_id, row.speaker, row.text, _redactions(row.redactions)) for row in rows]


async def find_turns(conn: ReadConn, sought: Sought, after: UUID, until: UUID, mark: str) -> list[SpokenText]:
    """Turns of a page of sessions, by id."""
    rows = await _rows(conn, "find_turns", {**sought.values, "after": after, "until": until, "mark": mark})
    return [
        SpokenText(
            row.id,
            row.speaker_id,
            row.speaker,
            row.text,
            _redactions(row.redactions),
            row.role,
            row.attachments,
            row.written_by,
            row.writer_label,
        )
        for row in rows
    ]


async def find_names(conn: ReadConn, sought: Sought) -> list[NamedText]:
    """Short texts of the brain that the expression matches."""
    rows = await _rows(conn, "find_names", {**sought.place, "pattern": sought.expression})
    return [NamedText(*row) for row in rows]


async def find_questions(conn: ReadConn, org_id: UUID, asked: Asked, after: UUID, most: int) -> list[UUID]:
    """Questions that have to do with what is erased, by id; at most so many of those behind `after`."""
    values = {"org_id": org_id, "ids": list(asked.ids), "since": asked.since, "pattern": asked.expression, "after": after, "most": most}
    return [row.question_id for row in await _rows(conn, "find_questions", values)]


async def find_turns_of(conn: ReadConn, sought: Sought, memory_id: UUID) -> list[tuple[UUID, bool]]:
    """(turn, whether another memory rests on it too) of one memory, by id."""
    return [(row.id, row.shared) for row in await _rows(conn, "turns_of_memory", {**sought.place, "memory_id": memory_id})]


async def find_told(conn: ReadConn, sought: Sought, source: tuple[UUID | None, UUID | None]) -> list[tuple[UUID, bool]]:
    """(memory, whether it came from nothing else) of a source, which is (episode, None) or (None, session); by id."""
    values = {**sought.place, "episode_id": source[0], "session_id": source[1]}
    return [(row.id, row.whole) for row in await _rows(conn, "memories_of_fragments", values)]


async def find_fragments_of(conn: ReadConn, sought: Sought, source: tuple[UUID | None, UUID | None]) -> list[UUID]:
    """Fragments of such a source, by id."""
    values = {**sought.place, "episode_id": source[0], "session_id": source[1]}
    return [row.id for row in await _rows(conn, "fragments_of_source", values)]


async def find_turns_of_session(conn: ReadConn, sought: Sought, session_id: UUID, mark: str) -> list[UUID]:
    """Turns of a session that were not blanked, by id."""
    return [row.id for row in await _rows(conn, "turns_of_session", {**sought.place, "session_id": session_id, "mark": mark})]


# ------------------------------------------------------------------------------------------------------------------ erased
async def erase_people(conn: WriteConn, org_id: UUID, ids: Collection[UUID], homes: Collection[UUID]) -> dict[str, int]:
    """Take subjects out of the directory; rows by table. Their own brains, `homes`, lose members and name."""
    (row,) = await _rows(conn, "erase_people", {"org_id": org_id, "ids": list(ids), "homes": list(homes)})
    return dict(row.counts)


async def delete_questions(conn: WriteConn, org_id: UUID, ids: Collection[UUID]) -> int:
    """Delete stored questions and their copies; how many rows."""
    (row,) = await _rows(conn, "delete_questions", {"org_id": org_id, "ids": list(ids)})
    return int(row.gone)


async def forget_lineage(conn: WriteConn, sought: Sought, memory_id: UUID) -> int:
    """Delete how an erased memory was derived; how many rows."""
    return await _change(conn, "forget_lineage", {**sought.place, "memory_id": memory_id})


async def forget_neighbours(conn: WriteConn, sought: Sought, memory_ids: Collection[UUID]) -> None:
    """Take erased memories out of what other writes were compared with."""
    await _change(conn, "forget_neighbours", {**sought.place, "ids": list(memory_ids)})


async def forget_outcomes_of(conn: WriteConn, sought: Sought) -> int:
    """Delete what the subjects said of memories; how many rows."""
    return await _change(conn, "forget_outcomes_of", {**sought.place, "ids": list(sought.ids)})


async def blank_turns(conn: WriteConn, sought: Sought, ids: Collection[UUID], mark: str) -> int:
    """Take out what was said and who said it; how many turns. Extractions that have them in hand are told that it is over."""
    if not ids:
        return 0
    values = {**sought.place, "ids": list(ids), "mark": mark, "pattern": sought.expression}
    blanked = await _change(conn, "blank_turns", values)
    await _change(conn, "begin_extractions_anew", {**sought.place, "ids": list(ids)})
    return blanked


async def delete_fragments(conn: WriteConn, sought: Sought, ids: Collection[UUID]) -> int:
    """Delete fragments, and episodes that are left empty; how many fragments."""
    episodes = {row.episode_id for row in await _rows(conn, "delete_fragments", {**sought.place, "ids": list(ids)})} if ids else set()
    if episodes:
        await _change(conn, "delete_empty_episodes", {**sought.place, "ids": sorted(episodes)})
    return len(ids)


# --------------------------------------------------------------------------------------------------------------- rewritten
async def rewrite_turn(conn: WriteConn, sought: Sought, now: SpokenText) -> None:
    """Overwrite the texts of a turn; whoever has it in hand to learn from is told that it is over."""
    c = t.turns.c
    values = {
        "text": now.text, "speaker": now.speaker, "speaker_id": now.speaker_id, "attachments": now.attachments,
        "redactions": [redaction_json(r) for r in now.redactions], "writer_label": now.writer_label,
    }  # fmt: skip
    await conn.execute(update(t.turns).where(c.org_id == sought.org_id, c.id == now.id).values(values))
    await _change(conn, "begin_extractions_anew", {**sought.place, "ids": [now.id]})


async def rewrite_fragment(conn: WriteConn, sought: Sought, now: SpokenText, text_hash: bytes) -> None:
    """Overwrite the texts of a fragment; its hash stays where another fragment at the same position has the new one already."""
    f, other = t.fragments.c, t.fragments.alias("other").c
    mine = (f.org_id == sought.org_id, f.id == now.id)
    values = {"text": now.text, "speaker": now.speaker, "redactions": [redaction_json(r) for r in now.redactions]}
    await conn.execute(update(t.fragments).where(*mine).values(values | {"speaker_id": now.speaker_id}))
    twin = select(other.id).where(
        other.org_id == sought.org_id, other.episode_id == f.episode_id, other.position == f.position, other.text_hash == text_hash
    )
    await conn.execute(update(t.fragments).where(*mine, ~twin.exists()).values(text_hash=text_hash))


async def rewrite_names_of_version(conn: WriteConn, memory: Memory) -> None:
    """Overwrite topic, tags and people of an older version, in its row and its index row; text and seal are `texts.rewrite_version`'s."""
    v, i = t.memory_versions.c, t.memory_version_index.c
    people = {"about": list(memory.about), "said_by": memory.said_by}
    mine = (v.org_id == memory.org_id, v.memory_id == memory.id, v.version == memory.version)
    named = {"topic": memory.topic, "tags": list(memory.tags), "writer_label": memory.writer_label}
    await conn.execute(update(t.memory_versions).where(*mine).values(people | named))
    at_index = (i.org_id == memory.org_id, i.memory_id == memory.id, i.version == memory.version)
    words = {"topic": None if memory.topic is None else fold(memory.topic), "tags": [fold(tag) for tag in memory.tags]}
    facets = {"facets": facets_of(memory.data) if memory.data else []}
    await conn.execute(update(t.memory_version_index).where(*at_index).values(people | words | facets))


async def relabel_tombstone(conn: WriteConn, keyring: Keyring, org_id: UUID, memory_id: UUID, writer_label: str) -> bytes:
    """Give who wrote a deleted memory another label, and seal what is left of it anew; the seal, for the event that tells of it."""
    m = t.memories.c
    mine = (m.org_id == org_id, m.id == memory_id, m.status == "deleted")
    await conn.execute(update(t.memories).where(*mine).values(writer_label=writer_label))
    row = (await conn.execute(select(t.memories).where(*mine))).one()
    key_id, version, state = make_seals(keyring, memory_of(row), ())
    await conn.execute(update(t.memories).where(*mine).values(mac_key_id=key_id, mac_version=version, mac_state=state))
    return state


async def delete_version(conn: WriteConn, memory: Memory) -> None:
    """Delete an older version with its index row and vector."""
    v = t.memory_versions.c
    mine = (v.org_id == memory.org_id, v.memory_id == memory.id, v.version == memory.version)
    await conn.execute(delete(t.memory_versions).where(*mine))


async def forget_title(conn: WriteConn, org_id: UUID, session_id: UUID) -> None:
    """Take the title off a session."""
    await conn.execute(update(t.sessions).where(t.sessions.c.org_id == org_id, t.sessions.c.id == session_id).values(title=None))


async def rewrite_name(conn: WriteConn, sought: Sought, before: NamedText, text: str) -> None:
    """Overwrite a short text of a brain. An id that an episode has elsewhere goes, as does an entity, with what mentions it."""
    org_id, brain_id = sought.org_id, sought.brain_id
    if before.kind == "session":
        await conn.execute(update(t.sessions).where(t.sessions.c.org_id == org_id, t.sessions.c.id == before.id).values(title=text))
    elif before.kind == "episode":
        await conn.execute(update(t.episodes).where(t.episodes.c.org_id == org_id, t.episodes.c.id == before.id).values(external_id=None))
    elif before.kind == "conflict":
        await conn.execute(update(t.conflicts).where(t.conflicts.c.org_id == org_id, t.conflicts.c.id == before.id).values(note=text))
    elif before.kind == "note":
        o, (recall, _, key_id) = t.outcomes.c, before.key.partition(" ")
        mine = (o.org_id == org_id, o.recall_id == UUID(recall), o.memory_id == before.id, o.key_id == key_id)
        await conn.execute(update(t.outcomes).where(*mine).values(note=text))
    elif before.kind == "topic":
        p, i = t.topics.c, t.memory_index.c
        used = select(i.memory_id).where(i.org_id == org_id, i.brain_id == brain_id, i.topic == p.folded).exists()
        topic = (p.org_id == org_id, p.brain_id == brain_id, p.folded == before.key)
        await conn.execute(delete(t.topics).where(*topic, ~used))
        # The topic of memories that stay has the spelling without the label.
        await conn.execute(update(t.topics).where(*topic).values(label=text if fold(text) == before.key else before.key))
    elif before.kind == "entity":
        await conn.execute(delete(t.entities).where(t.entities.c.org_id == org_id, t.entities.c.id == before.id))
    else:
        assert before.kind == "brain", "find_names gives no other kind"
        await _rows(conn, "set_brain_name", {**sought.place, "named": text})


async def forget_speakers(conn: WriteConn, org_id: UUID, memory_id: UUID, folded: Collection[str]) -> None:
    """Take speakers of these labels off a memory; a speaker of nothing else goes."""
    m, e = t.memory_entities.c, t.entities.c
    theirs = select(e.id).where(e.org_id == org_id, e.folded == any_(literal(list(folded), t.TEXTS)))
    mine = (m.org_id == org_id, m.memory_id == memory_id, m.entity_id.in_(theirs))
    ids = list((await conn.execute(delete(t.memory_entities).where(*mine).returning(m.entity_id))).scalars())
    still = select(m.entity_id).where(m.org_id == org_id, m.entity_id == e.id)
    await conn.execute(delete(t.entities).where(e.org_id == org_id, e.id.in_(ids), ~still.exists()))


# --------------------------------------------------------------------------------------------------------- names of others
async def list_other_names(conn: ReadConn | WriteConn) -> list[tuple[str, UUID, str, str]]:
    """(table, subject, key, text) of names, labels, platform labels and labels of keys of the transaction's org.

    key: the folded label, the platform, or the id of the key.
    """
    s, a, i, k = t.subjects.c, t.subject_aliases.c, t.subject_identities.c, t.api_keys.c
    names = [("subjects", row.id, "", row.name) for row in await conn.execute(select(s.id, s.name).where(s.name.is_not(None)))]
    names += [
        ("subject_aliases", row.subject_id, row.folded, row.alias) for row in await conn.execute(select(a.subject_id, a.folded, a.alias))
    ]
    names += [
        ("api_keys", row.subject_id, row.id, row.writer_label) for row in await conn.execute(select(k.subject_id, k.id, k.writer_label))
    ]
    rows = await conn.execute(select(i.subject_id, i.platform, i.label))
    return [*names, *(("subject_identities", row.subject_id, row.platform, row.label) for row in rows)]


async def rewrite_other_name(conn: WriteConn, org_id: UUID, before: tuple[str, UUID, str, str], text: str, now: datetime) -> None:
    """Overwrite a name of somebody else in which the label stood."""
    table, subject_id, key, former = before
    if table == "subjects":
        s = t.subjects.c
        await conn.execute(update(t.subjects).where(s.org_id == org_id, s.id == subject_id).values(name=text))
    elif table == "api_keys":
        k = t.api_keys.c
        await conn.execute(update(t.api_keys).where(k.org_id == org_id, k.id == key).values(writer_label=text))
    elif table == "subject_identities":
        i = t.subject_identities.c
        mine = (i.org_id == org_id, i.subject_id == subject_id, i.platform == key, i.label == former)
        await conn.execute(update(t.subject_identities).where(*mine).values(label=text))
    else:
        a = t.subject_aliases.c
        await conn.execute(delete(t.subject_aliases).where(a.org_id == org_id, a.folded == key, a.subject_id == subject_id))
        row = {"org_id": org_id, "folded": fold(text), "subject_id": subject_id, "alias": text, "created_at": now}
        await conn.execute(insert(t.subject_aliases).values(row).on_conflict_do_nothing())


async def find_brain_of(conn: ReadConn | WriteConn, org_id: UUID, what: str, object_id: UUID) -> UUID | None:
    """The brain of a `memory` that is not deleted, a `session` or a `source`; None when the org has none of this id."""
    rows = await _rows(conn, "brain_of", {"org_id": org_id, "what": what, "object_id": object_id})
    return rows[0].brain_id if rows else None


def _redactions(stored: Sequence[Mapping[str, Any]]) -> tuple[StoredRedaction, ...]:
    return tuple(StoredRedaction(**one) for one in stored)
