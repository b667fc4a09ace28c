"""Rows by COPY, past the product: three orgs, brains from huge to tiny, and everything that hot statements touch."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np
import psycopg
from psycopg import sql

from governance.principals import Capability, Principal, Role
from governance.scopes import ScopeFilter, readable_by
from governance.trust import Trust
from memdb.ids import make_id
from memdb.storage.tables import vector_table, version_vector_table
from tests.plans.holding import copy_holding
from tests.plans.talk import Talk, copy_talk
from tests.support.rows import NOW, make_brain, make_key, make_org, make_subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memdb.providers.embedding.base import EmbeddingSpace
    from tests.support.database import FreshDatabase

KINDS = ("semantic", "episodic", "procedural", "taxonomic")
VOCABULARY = 4_000
WORDS = 10  # of one memory
SHARES = {"huge": 0.70, "middle": 0.18, "hundreds": 0.02, "hundred": 0.005}
"""Brains of the large org, by the share of all rows that they hold; 100 of 20,000 is the smallest. Another org has one brain of 100 rows."""
ATTRIBUTES = 20
OTHERS = 400
LITTLE = 40
"""More brains of the large org, of five rows each."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was made. `vectors` are the rows of `ids`, unit length, float32; `brain_of` says where each is.

    About `told` the huge brain knows some 200 memories, fifty of them semantic, of twenty attributes; about each of 400 others a dozen.
    """

    org: UUID
    small_org: UUID
    person: UUID
    told: UUID
    key: str
    small_person: UUID
    small_key: str
    brains: dict[str, UUID]
    little: list[UUID]
    small_brain: UUID
    ids: list[UUID]
    brain_of: list[UUID]
    vectors: np.ndarray[Any, np.dtype[np.float32]]
    fragments: list[UUID]
    duplicate_keys: list[bytes]
    talk: Talk

    def scope(self, *names: str) -> ScopeFilter:
        """These brains of the large org; none given: all of them."""
        chosen = [self.brains[n] for n in names] if names else [*self.brains.values(), *self.little]
        return _scope(self.org, self.person, chosen)

    def little_scope(self) -> ScopeFilter:
        """One brain of five rows."""
        return _scope(self.org, self.person, self.little[:1])

    def small_scope(self) -> ScopeFilter:
        return _scope(self.small_org, self.small_person, [self.small_brain])


def _scope(org: UUID, person: UUID, brains: Iterable[UUID]) -> ScopeFilter:
    principal = Principal(org, "tests", person, person, "tests", Role.READER, frozenset[Capability](), Trust.MEMBER)
    return readable_by(principal, dict.fromkeys(brains, Role.READER))


def load_rows(database: FreshDatabase, space: EmbeddingSpace, count: int, mac_key_id: str) -> Loaded:
    rng = np.random.default_rng(7)
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("SET session_replication_role = replica")  # foreign keys hold by construction
        made = _people(conn, count)
        org, small_org, person, small_person, brains, little, small_brain, home = made
        ids = [make_id() for _ in range(count)]
        vectors = _vectors(rng, count, space.dimension)
        fragments, keys = [make_id() for _ in ids], [rng.bytes(32) for _ in ids]
        talk = copy_talk(partial(copy, conn), org, brains["huge"], [m for m, b in zip(ids, home, strict=True) if b == brains["huge"]])
        loaded = Loaded(
            org, small_org, person, make_id(), make_key(conn, org, person), small_person, make_key(conn, small_org, small_person), brains, little,
            small_brain, ids, home, vectors, fragments, keys, talk,
        )  # fmt: skip
        _copy_memories(conn, loaded, rng, mac_key_id)
        _copy_vectors(conn, loaded, space)
        _copy_rest(conn, loaded, space, rng)
        conn.execute("VACUUM ANALYZE")
    return loaded


def _people(conn: psycopg.Connection, count: int) -> Any:
    org, small_org = make_org(conn), make_org(conn)
    person, small_person = make_subject(conn, org), make_subject(conn, small_org)
    conn.execute("SET session_replication_role = DEFAULT")
    brains = {name: make_brain(conn, org, {person: "admin"}, name=name) for name in SHARES}
    little = [make_brain(conn, org, {person: "admin"}) for _ in range(LITTLE)]
    small_brain = make_brain(conn, small_org, {small_person: "admin"})
    third = make_org(conn)
    rest = make_brain(conn, third, {make_subject(conn, third): "admin"})
    conn.execute("SET session_replication_role = replica")
    home = [brains[name] for name, share in SHARES.items() for _ in range(int(share * count))]
    home += [b for b in little for _ in range(5)] + [small_brain] * 100
    home += [rest] * (count - len(home))
    order = np.random.default_rng(1).permutation(count)  # brains lie mixed on disk, as they would after months of writes
    return org, small_org, person, small_person, brains, little, small_brain, [home[i] for i in order]


def _vectors(rng: np.random.Generator, count: int, dimension: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Unit vectors around a few hundred centres, as texts lie around topics."""
    centres = rng.normal(size=(300, dimension))
    found = centres[rng.integers(0, 300, count)] + rng.normal(scale=0.7, size=(count, dimension))
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(unit.astype(np.float16), dtype=np.float32)


def orgs_of_brains(conn: psycopg.Connection) -> dict[UUID, UUID]:
    return dict(conn.execute("SELECT id, org_id FROM mem.brains").fetchall())


def copy(conn: psycopg.Connection, table: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows, which all have the same columns."""
    iterator = iter(rows)
    first = next(iterator)
    columns = sql.SQL(", ").join(map(sql.Identifier, first))
    with conn.cursor() as cursor, cursor.copy(sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier("mem", table), columns)) as out:
        out.write_row(list(first.values()))
        for row in iterator:
            out.write_row(list(row.values()))


def about_of(place: int, loaded: Loaded, others: Sequence[UUID]) -> list[UUID]:
    """Whom a memory is about: the person, the one of whom much is told, one of many others, or nobody."""
    if place % 20 == 0:
        return [loaded.person]
    if place % 71 == 3:
        return [loaded.told]
    return [others[place % len(others)]] if place % 4 == 1 else []


def _copy_memories(conn: psycopg.Connection, loaded: Loaded, rng: np.random.Generator, mac_key_id: str) -> None:
    orgs = orgs_of_brains(conn)
    known = [make_id() for _ in range(OTHERS)]
    # Frequencies fall as 1/rank, as those of words do.
    chances = 1 / np.arange(1, VOCABULARY + 1)
    picks = rng.choice(VOCABULARY, size=(len(loaded.ids), WORDS), p=chances / chances.sum())
    terms: Counter[tuple[UUID, str]] = Counter()
    sizes = Counter(loaded.brain_of)
    memories, index, stats = [], [], []
    for place, memory_id in enumerate(loaded.ids):
        brain, kind = loaded.brain_of[place], KINDS[place % 4]
        org, at = orgs[brain], NOW - timedelta(seconds=len(loaded.ids) - place)
        positions: dict[str, list[int]] = {}
        for position, word in enumerate(picks[place], 1):
            positions.setdefault(f"word{word}", []).append(position)
        terms.update((brain, word) for word in positions)
        tags = ["keep"] if place % 50 == 0 else ["other"]
        shared = {
            "org_id": org, "brain_id": brain, "kind": kind, "topic": f"clients/c{place % 97}", "about": about_of(place, loaded, known),
            "said_by": None, "tags": tags, "language": "en", "valid_from": None, "valid_to": NOW - timedelta(days=1) if place % 9 == 0 else None,
            "expires_at": None, "created_at": at,
        }  # fmt: skip
        memories.append(shared | {
            "id": memory_id, "version": 1, "status": "active", "content": " ".join(f"word{w}" for w in picks[place]), "data": "{}",
            "placement": "drawer", "importance": 0.5, "trust": "member", "redactions": "[]", "text_cut": False,
            "duplicate_key": loaded.duplicate_keys[place], "written_by": loaded.person, "written_key": "tests", "writer_label": "tests",
            "updated_at": at, "confirmed_at": at, "mac_key_id": mac_key_id, "mac_version": bytes(32), "mac_state": bytes(32),
        })  # fmt: skip
        lexemes = " ".join(f"'{word}':{','.join(map(str, p))}" for word, p in positions.items())
        index.append(shared | {
            "memory_id": memory_id, "facets": [f'attribute="a{place % ATTRIBUTES}"', f'ticket="{place % 500}"'], "words": lexemes, "word_count": WORDS, "context": "", "context_count": 0,
            "context_fragments": [loaded.fragments[place - 1]] if place else [], "status": "active", "held": place % 33 == 0, "recorded_from": at,
            "placement": "drawer",
        })  # fmt: skip
        stats.append({"org_id": org, "memory_id": memory_id, "brain_id": brain, "reinforced": 0, "accessed": 0})
    copy(conn, "memories", memories)
    copy(conn, "memory_index", index)
    copy(conn, "memory_stats", stats)
    copy(
        conn, "term_stats", ({"org_id": orgs[b], "brain_id": b, "term": t, "language": "en", "documents": n} for (b, t), n in terms.items())
    )
    copy(
        conn,
        "corpus_stats",
        ({"org_id": orgs[b], "brain_id": b, "language": "en", "documents": n, "words": n * WORDS} for b, n in sizes.items()),
    )
    # Of other orgs there is much more than of this one.
    others = [(make_id(), make_id()) for _ in range(4_000)]
    copy(conn, "corpus_stats", ({"org_id": o, "brain_id": b, "language": "en", "documents": 5, "words": 50} for o, b in others))
    copy(conn, "term_deltas", (
        {"org_id": o, "brain_id": b, "id": make_id(), "language": "en", "terms": ["word1", "word2"], "documents": 1, "words": 2}
        for o, b in [*((orgs[b], b) for b in loaded.brain_of[:1_000]), *others, *others]
    ))  # fmt: skip


def _copy_vectors(conn: psycopg.Connection, loaded: Loaded, space: EmbeddingSpace) -> None:
    orgs, table = orgs_of_brains(conn), vector_table(space.name, space.dimension).name
    # An index that is built over all rows at once takes a tenth of the time of one that grows.
    made = conn.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'mem' AND tablename = %s AND indexdef LIKE '%%hnsw%%'", (table,)
    ).fetchall()
    assert len(made) == 1
    conn.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier("mem", made[0][0])))
    copy(conn, table, (
        {"org_id": orgs[b], "brain_id": b, "memory_id": m, "field": "text", "embedding": literal(v)}
        for m, b, v in zip(loaded.ids, loaded.brain_of, loaded.vectors, strict=True)
    ))  # fmt: skip
    conn.execute("SET maintenance_work_mem = '256MB'")
    conn.execute(made[0][1].encode())


def _copy_rest(conn: psycopg.Connection, loaded: Loaded, space: EmbeddingSpace, rng: np.random.Generator) -> None:
    orgs = orgs_of_brains(conn)
    places = [(m, b, orgs[b]) for m, b in zip(loaded.ids, loaded.brain_of, strict=True)]
    episodes: dict[UUID, list[UUID]] = {b: [make_id() for _ in range(1 + n // 20)] for b, n in Counter(loaded.brain_of).items()}
    copy(
        conn,
        "episodes",
        (
            {"org_id": orgs[b], "id": e, "brain_id": b, "external_id": f"call-{n}", "created_at": NOW}
            for b, es in episodes.items()
            for n, e in enumerate(es)
        ),
    )
    copy(conn, "fragments", (
        {"org_id": o, "id": f, "brain_id": b, "episode_id": episodes[b][n % len(episodes[b])], "position": n, "text": "we spoke", "redactions": "[]", "text_hash": b"h", "created_at": NOW}
        for n, ((_, b, o), f) in enumerate(zip(places, loaded.fragments, strict=True))
    ))  # fmt: skip
    copy(
        conn,
        "memory_fragments",
        (
            {"org_id": o, "memory_id": m, "fragment_id": f, "brain_id": b, "created_at": NOW, "from_version": 1}
            for (m, b, o), f in zip(places, loaded.fragments, strict=True)
        ),
    )
    _copy_links(conn, loaded, space, orgs, places)
    copy_holding(partial(copy, conn), (loaded.org, loaded.brains["huge"]), places, loaded.talk.sessions)
    _copy_topics(conn, places)
    _copy_feedback(conn, loaded, space, places)
    _copy_people(conn, loaded, rng)
    _copy_versions(conn, places[::4], space, loaded)


Place = tuple[UUID, UUID, UUID]


def _copy_links(conn: psycopg.Connection, loaded: Loaded, space: EmbeddingSpace, orgs: dict[UUID, UUID], places: Sequence[Place]) -> None:
    """Entities, mentions, links and waiting embeddings."""
    entities = {(b, n): make_id() for b in dict.fromkeys(loaded.brain_of) for n in range(200 if b in loaded.brains.values() else 5)}
    copy(
        conn,
        "entities",
        (
            {"org_id": orgs[b], "id": e, "brain_id": b, "kind": "person", "name": f"Name {n}", "folded": f"name {n}", "created_at": NOW}
            for (b, n), e in entities.items()
        ),
    )
    mentions = [
        {
            "org_id": o,
            "entity_id": entities[b, n % (200 if b in loaded.brains.values() else 5)],
            "memory_id": m,
            "brain_id": b,
            "mentions": 1,
        }
        for n, (m, b, o) in enumerate(places)
    ]
    copy(conn, "memory_entities", mentions)
    copy(
        conn,
        "links",
        (
            {"org_id": o, "from_id": m, "to_id": loaded.ids[n - 1], "kind": "similar", "brain_id": b, "weight": 0.5, "created_at": NOW}
            for n, (m, b, o) in enumerate(places)
            if n % 5 == 0
        ),
    )
    copy(
        conn,
        "embedding_pending",
        (
            {"org_id": o, "space": space.name, "memory_id": m, "brain_id": b, "attempts": 0, "next_try_at": NOW + timedelta(seconds=n - 10)}
            for n, (m, b, o) in enumerate(places)
            if n % 4 == 0
        ),
    )


def _copy_topics(conn: psycopg.Connection, places: Sequence[Place]) -> None:
    """The topics of all memories with a unit for each, many more of another brain, and conflicts, every second one of them settled."""
    units = {(o, b, f"clients/c{n % 97}"): m for n, (m, b, o) in enumerate(places)}
    _, brain, org = places[0]
    more = [(org, brain, f"archive/a{n}") for n in range(4_000)]
    copy(conn, "topics", (
        {"org_id": o, "brain_id": b, "folded": topic, "label": topic, "words": topic.split("/"), "created_at": NOW} for o, b, topic in [*units, *more]
    ))  # fmt: skip
    copy(conn, "units", (
        {"org_id": o, "brain_id": b, "topic": topic, "memory_id": m, "created_at": NOW} for (o, b, topic), m in units.items()
    ))  # fmt: skip
    copy(conn, "conflicts", (
        {"org_id": o, "id": make_id(), "brain_id": b, "memory_id": m, "version": 2, "other_id": m, "other_version": 1, "reason": "window", "raised_at": NOW,
         "raised_by": o, "raised_key": "tests", "resolved_at": NOW if n % 2 else None, "resolution": "kept" if n % 2 else None}
        for n, (m, b, o) in enumerate(places[::4])
    ))  # fmt: skip


def _copy_feedback(conn: psycopg.Connection, loaded: Loaded, space: EmbeddingSpace, places: Sequence[Place]) -> None:
    """A question for every tenth memory, near to it, and an outcome; one of twenty is not counted yet."""
    votes = [(make_id(), n, *place) for n, place in enumerate(places) if n % 10 == 0]
    copy(conn, "feedback_queries", (
        {"org_id": o, "id": r, "subject_id": loaded.person, "key_id": loaded.key, "query": "word1?", "space": space.name, "embedding": literal(loaded.vectors[n]), "created_at": NOW}
        for r, n, _, _, o in votes
    ))  # fmt: skip
    copy(conn, "outcomes", (
        {"org_id": o, "recall_id": r, "memory_id": m, "key_id": loaded.key, "subject_id": loaded.person, "brain_id": b, "outcome": "helpful",
         "created_at": NOW - timedelta(minutes=n), "counted_as": "helpful" if n % 200 else None}
        for r, n, m, b, o in votes
    ))  # fmt: skip


def _copy_people(conn: psycopg.Connection, loaded: Loaded, rng: np.random.Generator) -> None:
    """A directory of three thousand, with keys and replays."""
    people = [make_id() for _ in range(3_000)]
    copy(conn, "subjects", ({"org_id": loaded.org, "id": p, "kind": "person", "name": "Ana", "created_at": NOW} for p in people))
    copy(
        conn,
        "subject_aliases",
        ({"org_id": loaded.org, "folded": f"ana {n}", "subject_id": p, "alias": "Ana", "created_at": NOW} for n, p in enumerate(people)),
    )
    copy(
        conn,
        "subject_identities",
        (
            {"org_id": loaded.org, "platform": "chat", "external_hash": rng.bytes(32), "subject_id": p, "label": "…", "created_at": NOW}
            for p in people
        ),
    )
    copy(
        conn,
        "brain_access",
        (
            {"org_id": loaded.org, "subject_id": p, "brain_id": b, "role": "reader"}
            for n, p in enumerate(people)
            for b in loaded.little[n % 30 : n % 30 + 8]
        ),
    )
    copy(conn, "api_keys", (
        {"org_id": loaded.org, "id": f"k{n:08d}", "subject_id": p, "writer_label": "tests", "secret_sha256": bytes(32), "max_role": "admin", "capabilities": [],
         "act_as_subjects": [], "act_as_brains": [], "trust": "member", "created_at": NOW} for n, p in enumerate(people)
    ))  # fmt: skip
    copy(conn, "idempotency_keys", (
        {"org_id": loaded.org, "key_id": f"k{n % 50:08d}", "route": "POST /v1/memories", "key_hash": rng.bytes(32), "body_hash": b"b", "result": "[]", "created_at": NOW - timedelta(minutes=n)}
        for n in range(3_000)
    ))  # fmt: skip


def _copy_versions(conn: psycopg.Connection, places: Sequence[tuple[UUID, UUID, UUID]], space: EmbeddingSpace, loaded: Loaded) -> None:
    """A former version of every fourth memory, with the words and vector that it has now."""
    shared = "org_id, brain_id, kind, topic, about, said_by, tags, language, valid_from, expires_at"
    ids = [m for m, _, _ in places]
    then = (NOW - timedelta(days=9), NOW - timedelta(days=1))
    conn.execute(
        f"INSERT INTO mem.memory_versions ({shared}, memory_id, version, content, data, placement, importance, trust, redactions, text_cut, written_by, written_key,"
        f" writer_label, recorded_from, recorded_to, replaced_by, mac_key_id, mac_version) SELECT {shared}, id, 1, content, data, placement, importance, trust, redactions,"
        " text_cut, written_by, written_key, writer_label, %s, %s, 'UPDATE', mac_key_id, mac_version FROM mem.memories WHERE id = ANY (%s)".encode(),
        (*then, ids),
    )
    conn.execute(
        f"INSERT INTO mem.memory_version_index ({shared}, memory_id, version, facets, words, word_count, valid_to, recorded_from, recorded_to, created_at)"
        f" SELECT {shared}, memory_id, 1, facets, words, word_count, %s, %s, %s, created_at FROM mem.memory_index WHERE memory_id = ANY (%s)".encode(),
        (then[1], *then, ids),
    )
    live, past = (make(space.name, space.dimension).name for make in (vector_table, version_vector_table))
    conn.execute(
        f"INSERT INTO mem.{past} (org_id, brain_id, memory_id, version, embedding) SELECT org_id, brain_id, memory_id, 1, embedding FROM mem.{live} WHERE memory_id = ANY (%s)".encode(),
        (ids,),
    )


def literal(vector: np.ndarray[Any, np.dtype[np.float32]]) -> str:
    """A vector as text."""
    return json.dumps([round(float(x), 5) for x in vector])
