"""Rows of a memory: current state, index, vectors, counters, older versions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import Text, any_, bindparam, cast, delete, func, insert, literal, select, tuple_, update
from sqlalchemy import column as sql_column
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA
from sqlalchemy.dialects.postgresql import UUID as PG_UUID

from governance.audit import AuditEvent
from governance.scopes import ScopeFilter
from memdb.ids import make_id
from memdb.keyring import Keyring
from memdb.models.memory import Memory
from memdb.models.outcome import Outcome
from memdb.providers.embedding.base import EmbeddingSpace, Vector
from memdb.storage import tables as t
from memdb.storage.audit import event_row
from memdb.storage.conflicts import forget_conflicts
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.feedback import forget_outcomes
from memdb.storage.links import NewMention, entity_row, forget_mentions
from memdb.storage.quarantine_tables import review_requests
from memdb.storage.rows import SHARED, index_facets, memory_of, to_json, values_of
from memdb.storage.seals import five_digits, halfvec, make_seals, seal_context, seal_vector, seal_words, state_intact, version_intact
from memdb.storage.sending import fetch
from memdb.storage.statements import clause, load
from memdb.storage.topics import forget_topic, forget_unit, topic_row
from memdb.text.lexemes import Analysis
from memdb.text.normalise import fold

_STATEMENTS = load("memdb.storage.sql")
_NO_COUNTS = dict.fromkeys(("reinforced", "accessed", *Outcome), 0)


@dataclass(frozen=True, slots=True)
class Indexed:
    """What search needs of a memory beside the row itself."""

    words: Analysis
    context: Analysis
    context_fragments: tuple[UUID, ...]
    vector: Vector | None = field(repr=False)
    context_vector: Vector | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to store: its duplicate key, the actions that hold it, what search needs, whom it mentions, and the event that tells of it.

    The entities are made with it; `links.keep_mentions` connects it to them.
    """

    memory: Memory
    duplicate_key: bytes | None
    holds: tuple[UUID, ...]
    indexed: Indexed
    mentions: tuple[NewMention, ...]
    event: AuditEvent


@dataclass(frozen=True, slots=True)
class Stored:
    """A current row with what guards it, how often each outcome was given, none that was not, and whether a conflict of it is open."""

    memory: Memory
    holds: tuple[UUID, ...]
    intact: bool
    outcomes: Mapping[str, int] = field(default_factory=dict)
    contested: bool = False

    @property
    def held(self) -> bool:
        return bool(self.holds)


# ------------------------------------------------------------------------------------------------------------------ reads
async def list_by_id(conn: ReadConn | WriteConn, scope: ScopeFilter, ids: Collection[UUID], keyring: Keyring) -> dict[UUID, Stored]:
    """Current rows within the scope by id, with holds, seals checked; deleted ones are absent."""
    if not ids:
        return {}
    return await _load(conn, scope.org_id, list(ids), list(scope.brain_ids), keyring)


async def lock(conn: WriteConn, scope: ScopeFilter, memory_id: UUID, keyring: Keyring, *, to_delete: bool = False) -> Stored | None:
    """The current row, locked until the transaction ends; None when absent, deleted or out of scope.

    One that is to be deleted is locked against new links as well.
    """
    m = t.memories.c
    # Of a brain out of scope not even the lock is taken: others would wait for it.
    mine = m.brain_id == any_(bindparam("brains", list(scope.brain_ids), ARRAY(PG_UUID)))
    await conn.execute(select(m.id).where(m.org_id == scope.org_id, m.id == memory_id, mine).with_for_update(key_share=not to_delete))
    return (await _load(conn, scope.org_id, [memory_id], list(scope.brain_ids), keyring)).get(memory_id)


async def _load(conn: ReadConn | WriteConn, org_id: UUID, ids: list[UUID], brain_ids: list[UUID], keyring: Keyring) -> dict[UUID, Stored]:
    found = {}
    for row in await fetch(conn, _STATEMENTS["memories_by_id"].sql, {"org_id": org_id, "ids": ids, "brain_ids": brain_ids}):
        memory, actions = memory_of(row), tuple(sorted(row.holds))
        intact = state_intact(keyring, memory, row.mac_key_id, (bytes(row.mac_version), bytes(row.mac_state)), actions)
        outcomes = {name: count for name, count in (row.outcomes or {}).items() if count}
        found[memory.id] = Stored(memory, actions, intact, outcomes, row.contested)
    return found


async def list_versions(
    conn: ReadConn, scope: ScopeFilter, wanted: Collection[tuple[UUID, int]], keyring: Keyring
) -> dict[tuple[UUID, int], Memory]:
    """Older versions within the scope by (id, version); one whose seal is broken is absent."""
    if not wanted:
        return {}
    v = t.memory_versions.c
    query = select(t.memory_versions).where(
        v.org_id == scope.org_id, tuple_(v.memory_id, v.version).in_(sorted(wanted)), v.brain_id.in_(scope.brain_ids)
    )
    found = {}
    for row in await conn.execute(query):
        memory = memory_of(row, past=True)
        if version_intact(keyring, memory, row.mac_key_id, bytes(row.mac_version)):
            found[memory.id, memory.version] = memory
    return found


async def list_history(conn: ReadConn, scope: ScopeFilter, memory_id: UUID, keyring: Keyring) -> list[tuple[Memory, datetime, str]]:
    """Older versions of one memory, oldest first, each with when and by what action it was replaced."""
    v = t.memory_versions.c
    query = (
        select(t.memory_versions)
        .where(v.org_id == scope.org_id, v.memory_id == memory_id, v.brain_id.in_(scope.brain_ids))
        .order_by(v.version)
    )
    rows = [(memory_of(row, past=True), row) for row in await conn.execute(query)]
    return [(m, row.recorded_to, row.replaced_by) for m, row in rows if version_intact(keyring, m, row.mac_key_id, bytes(row.mac_version))]


async def find_duplicates(conn: WriteConn, org_id: UUID, keys: Collection[tuple[UUID, str, bytes]]) -> dict[tuple[UUID, str, bytes], UUID]:
    """Memories by (brain, kind, duplicate key), locked in id order until the transaction ends."""
    if not keys:
        return {}
    m = t.memories.c
    brains, kinds, digests = zip(*sorted(set(keys)), strict=True)
    # One probe of the unique index for each key; three lists would be combined with each other.
    wanted = func.unnest(literal([*brains], t.UUIDS), literal([*kinds], t.TEXTS), literal([*digests], ARRAY(BYTEA()))).table_valued(
        sql_column("brain_id", t.UUIDS.item_type), sql_column("kind", Text()), sql_column("duplicate_key", BYTEA())
    )
    k = wanted.render_derived(name="k").c
    query = (
        select(m.id, m.brain_id, m.kind, m.duplicate_key)
        .where(m.org_id == org_id, m.brain_id == k.brain_id, m.kind == k.kind, m.duplicate_key == k.duplicate_key)
        .order_by(m.id)
        .with_for_update(of=t.memories, key_share=True)
    )
    return {(row.brain_id, row.kind, bytes(row.duplicate_key)): row.id for row in await conn.execute(query)}


# ----------------------------------------------------------------------------------------------------------------- writes
async def add(conn: WriteConn, keyring: Keyring, space: EmbeddingSpace, items: Sequence[NewMemory]) -> set[UUID]:
    """Store new memories with all that belongs to them; the ids that went in. One missing lost its duplicate key to a concurrent writer.

    Args:
        items: sorted by duplicate key, so that concurrent writers take keys in one order.
    """
    if not items:
        return set()
    rows: dict[str, list[dict[str, object]]] = {
        "memories": [], "index": [], "stats": [], "vectors": [], "pending": [], "deltas": [], "entities": [],
        "topics": [],
    }  # fmt: skip
    for item in items:
        memory = item.memory
        key_id, version, state = make_seals(keyring, memory, item.holds)
        seals = {"duplicate_key": item.duplicate_key, "mac_key_id": key_id, "mac_version": version, "mac_state": state}
        rows["memories"].append(values_of(memory) | seals)
        rows["index"].append(_index_row(keyring, memory, item.indexed, held=bool(item.holds)))
        rows["stats"].append({**_of(memory), **_NO_COUNTS, "last_access_at": None})
        if item.indexed.vector is None:
            rows["pending"].append({**_of(memory), "space": space.name, "attempts": 0, "next_try_at": memory.updated_at})
        else:
            rows["vectors"].append(_vector_row(keyring, memory, "text", item.indexed.vector))
        if item.indexed.context_vector is not None:
            rows["vectors"].append(_vector_row(keyring, memory, "context", item.indexed.context_vector))
        if not item.holds:
            rows["deltas"].append(_delta(memory, item.indexed.words, memory.id))
        if (topic := topic_row(memory)) is not None:
            rows["topics"].append(topic)
        rows["entities"].extend(entity_row(m, memory.created_at) for m in item.mentions)
    # In one order, and each once, as entities are.
    rows["topics"] = sorted({(row["brain_id"], row["folded"]): row for row in rows["topics"]}.values(), key=lambda row: str(row["folded"]))
    sent = {name: to_json(values) for name, values in rows.items()}
    sent["events"] = to_json([event_row(item.event) for item in items])
    table = t.vector_table(space.name, space.dimension)
    statement = _STATEMENTS["add_memories"].sql.replace("{vectors}", table.name)
    return {row.id for row in await conn.execute(clause(statement), {"org_id": items[0].memory.org_id, **sent})}


async def replace(conn: WriteConn, keyring: Keyring, memory: Memory, duplicate_key: bytes | None, holds: tuple[UUID, ...]) -> bytes:
    """Overwrite a locked current row with its next state and seal it; the seal, for the event that tells of it."""
    return await _overwrite(conn, keyring, memory, holds, {"duplicate_key": duplicate_key})


async def restate(conn: WriteConn, keyring: Keyring, memory: Memory, holds: tuple[UUID, ...]) -> bytes:
    """The same of one that says what it said, so that it keeps its key."""
    return await _overwrite(conn, keyring, memory, holds, {})


async def _overwrite(conn: WriteConn, keyring: Keyring, memory: Memory, holds: tuple[UUID, ...], key: dict[str, object]) -> bytes:
    key_id, version, state = make_seals(keyring, memory, holds)
    m = t.memories.c
    values = values_of(memory) | key | {"mac_key_id": key_id, "mac_version": version, "mac_state": state}
    await conn.execute(update(t.memories).where(m.org_id == memory.org_id, m.id == memory.id).values(values))
    return state


def _vector_row(keyring: Keyring, memory: Memory, field: str, vector: Vector) -> dict[str, object]:
    mac = seal_vector(keyring, memory.org_id, memory.id, field, vector)
    return {**_of(memory), "field": field, "embedding": halfvec(vector), "mac": mac}


async def replace_index(conn: WriteConn, keyring: Keyring, memory: Memory, indexed: Indexed, *, held: bool) -> None:
    """Overwrite the index row of a memory; context stays as it is, it belongs to the fragments and not to the text."""
    i = t.memory_index.c
    row = _index_row(keyring, memory, indexed, held=held)
    for name in ("context", "context_count", "context_fragments", "context_mac", "created_at"):
        del row[name]
    await conn.execute(update(t.memory_index).where(i.org_id == memory.org_id, i.memory_id == memory.id).values(row))


async def set_vector(
    conn: WriteConn, keyring: Keyring, space: EmbeddingSpace, memory: Memory, vector: Vector | None, now: datetime
) -> None:
    """Replace the vector of a memory; None leaves it waiting for the backfill, and so does a context, which holds the text too."""
    table = t.vector_table(space.name, space.dimension)
    await conn.execute(delete(table).where(table.c.org_id == memory.org_id, table.c.memory_id == memory.id))
    if vector is not None:
        mac = seal_vector(keyring, memory.org_id, memory.id, "text", vector)
        await conn.execute(insert(table).values(**_of(memory), field="text", embedding=five_digits(vector), mac=mac))
    waiting = {"org_id": memory.org_id, "space": space.name, "memory_ids": [memory.id], "now": now, "all": vector is None}
    await conn.execute(_STATEMENTS["await_vectors"].clause, waiting)


async def archive(
    conn: WriteConn, space: EmbeddingSpace, memory: Memory, moments: tuple[datetime, datetime | None], replaced_by: str
) -> None:
    """Copy the locked current row, its index row and its vector into the tables of older versions.

    Args:
        moments: (when it stopped being what is known, valid_to it ends with if the new version says since when it holds, else its own).
    """
    m, i = t.memories.c, t.memory_index.c
    columns = [m[name] for name in SHARED]
    shared = select(
        *columns, m.id.label("memory_id"), m.updated_at.label("recorded_from"), literal(moments[0]).label("recorded_to"),
        literal(replaced_by).label("replaced_by"),
    ).where(m.org_id == memory.org_id, m.id == memory.id)  # fmt: skip
    await conn.execute(insert(t.memory_versions).from_select([*SHARED, "memory_id", "recorded_from", "recorded_to", "replaced_by"], shared))
    names = (
        "org_id", "memory_id", "brain_id", "kind", "topic", "about", "said_by", "tags", "facets", "language", "words", "word_count",
        "words_mac", "valid_from", "expires_at", "recorded_from", "created_at",
    )  # fmt: skip
    past = select(
        *[i[name] for name in names], literal(memory.version).label("version"),
        cast(literal(moments[1]), t.memory_index.c.valid_to.type).label("valid_to"), literal(moments[0]).label("recorded_to"),
    ).where(i.org_id == memory.org_id, i.memory_id == memory.id)  # fmt: skip
    await conn.execute(insert(t.memory_version_index).from_select([*names, "version", "valid_to", "recorded_to"], past))
    live, old = t.vector_table(space.name, space.dimension), t.version_vector_table(space.name, space.dimension)
    vectors = select(
        live.c.org_id, live.c.brain_id, live.c.memory_id, literal(memory.version).label("version"), live.c.embedding,
        live.c.mac,
    ).where(live.c.org_id == memory.org_id, live.c.memory_id == memory.id, live.c.field == "text")  # fmt: skip
    await conn.execute(insert(old).from_select(["org_id", "brain_id", "memory_id", "version", "embedding", "mac"], vectors))


def _index_row(keyring: Keyring, memory: Memory, indexed: Indexed, *, held: bool) -> dict[str, object]:
    return {
        "org_id": memory.org_id,
        "memory_id": memory.id,
        "brain_id": memory.brain_id,
        "kind": memory.kind.value,
        "topic": fold(memory.topic) if memory.topic else None,
        "about": list(memory.about),
        "said_by": memory.said_by,
        "tags": [fold(tag) for tag in memory.tags],
        "facets": index_facets(memory.kind, memory.data),
        "language": memory.language,
        "words": indexed.words.tsvector(),
        "word_count": indexed.words.length,
        "words_mac": seal_words(keyring, memory.org_id, memory.id, indexed.words),
        "context": indexed.context.tsvector(),
        "context_count": indexed.context.length,
        "context_fragments": list(indexed.context_fragments),
        "context_mac": seal_context(keyring, (memory.org_id, memory.id), indexed.context, indexed.context_fragments),
        "status": memory.status.value,
        "held": held,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "event_from": memory.event_from,
        "event_to": memory.event_to,
        "expires_at": memory.expires_at,
        "recorded_from": memory.updated_at,
        "created_at": memory.created_at,
        "placement": memory.placement.value,
    }


async def follow(conn: WriteConn, memory: Memory) -> None:
    """Bring tags, facets and validity of the index row up to the memory's, whose text stays."""
    i = t.memory_index.c
    changed = {"tags": [fold(tag) for tag in memory.tags], "facets": index_facets(memory.kind, memory.data)}
    times = {"valid_from": memory.valid_from, "valid_to": memory.valid_to, "recorded_from": memory.updated_at}
    await conn.execute(update(t.memory_index).where(i.org_id == memory.org_id, i.memory_id == memory.id).values(changed | times))


async def count_reinforced(conn: WriteConn, org_id: UUID, memory_ids: Sequence[UUID]) -> None:
    """One more statement of each."""
    s = t.memory_stats.c
    await conn.execute(update(t.memory_stats).where(s.org_id == org_id, s.memory_id.in_(memory_ids)).values(reinforced=s.reinforced + 1))


async def count_confirmations(conn: ReadConn, org_id: UUID, memory_id: UUID) -> int:
    """How often it was said again."""
    s = t.memory_stats.c
    found = (await conn.execute(select(s.reinforced).where(s.org_id == org_id, s.memory_id == memory_id))).scalar_one_or_none()
    return int(found or 0)


# ------------------------------------------------------------------------------------------------------------------ words
async def add_terms(conn: WriteConn, memory: Memory, words: Analysis) -> None:
    """Count the words of a new text: one delta row, folded into the statistics later."""
    await conn.execute(insert(t.term_deltas).values(_delta(memory, words, make_id())))


def _delta(memory: Memory, words: Analysis, delta_id: UUID) -> dict[str, object]:
    return {
        "org_id": memory.org_id,
        "brain_id": memory.brain_id,
        "id": delta_id,
        "language": memory.language,
        "terms": sorted(words.counts),
        "documents": 1,
        "words": words.length,
    }


def _of(memory: Memory) -> dict[str, object]:
    return {"org_id": memory.org_id, "memory_id": memory.id, "brain_id": memory.brain_id}


async def remove_terms(conn: WriteConn, org_id: UUID, memory_id: UUID) -> None:
    """Take the words of a memory's index row out of the statistics; before that row changes or goes."""
    i = t.memory_index.c
    gone = select(
        i.org_id, i.brain_id, literal(make_id()).label("id"), i.language, func.tsvector_to_array(i.words).label("terms"),
        literal(-1).label("documents"), (-i.word_count).label("words"),
    ).where(i.org_id == org_id, i.memory_id == memory_id, ~i.held)  # fmt: skip
    await conn.execute(insert(t.term_deltas).from_select(["org_id", "brain_id", "id", "language", "terms", "documents", "words"], gone))


# --------------------------------------------------------------------------------------------------------------- deletion
async def erase(conn: WriteConn, keyring: Keyring, memory: Memory, now: datetime) -> bytes:
    """Remove content, versions, index, vectors, links, mentions, outcomes with their questions, and holds of a locked memory.

    Id, times and who remain. The seal of what remains, for the event that tells of it.
    """
    org_id, memory_id = memory.org_id, memory.id
    spaces = [(row.name, row.dimension) for row in await conn.execute(select(t.embedding_spaces.c.name, t.embedding_spaces.c.dimension))]
    await forget_mentions(conn, org_id, memory_id)
    await forget_outcomes(conn, org_id, memory_id)  # before the counters, as upkeep takes them
    await forget_conflicts(conn, org_id, memory_id)
    await forget_unit(conn, org_id, memory_id)
    vectors = [t.vector_table(name, dimension) for name, dimension in spaces]
    rest = (t.embedding_pending, t.memory_stats, t.holds, review_requests, t.reconciliations)
    for table in (t.memory_versions, t.memory_index, *vectors, *rest):
        await conn.execute(delete(table).where(table.c.org_id == org_id, table.c.memory_id == memory_id))
    if memory.topic is not None:
        await forget_topic(conn, org_id, memory.brain_id, fold(memory.topic))
    m = t.memories.c
    tombstone: dict[str, object] = {
        "status": "deleted", "content": None, "topic": None, "data": {}, "tags": [], "about": [], "said_by": None, "redactions": [],
        "duplicate_key": None, "valid_from": None, "valid_to": None, "event_from": None, "event_to": None, "expires_at": None,
        "updated_at": now, "source_kind": None,
    }  # fmt: skip
    await conn.execute(update(t.memories).where(m.org_id == org_id, m.id == memory_id).values(tombstone))
    row = (await conn.execute(select(t.memories).where(m.org_id == org_id, m.id == memory_id))).one()
    key_id, version, state = make_seals(keyring, memory_of(row), ())
    await conn.execute(
        update(t.memories).where(m.org_id == org_id, m.id == memory_id).values(mac_key_id=key_id, mac_version=version, mac_state=state)
    )
    return state
