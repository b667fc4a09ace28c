"""Two orgs with people, a team, brains and a row in every tenant table, for the tests of row-level security."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from psycopg import sql
from psycopg.types.json import Jsonb

from memdb.ids import make_id
from tests.support.database import SMALL_SPACE
from tests.support.rows import (
    NOW,
    add_to_team,
    insert,
    make_brain,
    make_key,
    make_memory,
    make_org,
    make_subject,
    make_version,
    set_identity,
    unit_vector,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    import psycopg

# Rows of these belong to a brain; the rest to an org alone.
CONTENT_TABLES = (
    "memories", "memory_versions", "memory_index", "memory_version_index", "memory_stats", "episodes", "fragments", "memory_fragments", "entities",
    "memory_entities", "links", "holds", "session_holds", "review_requests", "term_stats", "term_deltas", "corpus_stats", "outcomes", "topics", "units",
    "conflicts", "memory_vectors_tests_8",
    "memory_version_vectors_tests_8", "sessions", "turns", "snapshots", "extractions", "derivations", "forgotten", "reconciliations",
)  # fmt: skip


UNREADABLE: set[str] = set()
OF_THE_ORG = (
    "subjects",
    "subject_identities",
    "subject_aliases",
    "subject_redirects",
    "alias_sightings",
    "team_members",
    "api_keys",
    "idempotency_keys",
    "hold_actions",
    "hold_targets",
    "embedding_pending",
    "erasures",
    "erasure_decisions",
    "erasure_ledger",
)
SEARCHABLE = (
    "memory_index", "memory_version_index", "term_stats", "term_deltas", "corpus_stats", "outcomes", "feedback_queries", "entities",
    "memory_entities", "links", "memory_fragments", "fragments", "topics", "units", "sessions", "extractions",
    "memories", "episodes", "holds", "session_holds", "review_requests", "snapshots", "derivations",
    "memory_vectors_tests_8",
    "memory_version_vectors_tests_8",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Org:
    """Ana administers `shared`, Bruno writes and Carla (through the team) reads it; `bruno_brain` is Bruno's alone.

    Each brain holds one row in every table of CONTENT_TABLES, two in `memories` and `memory_index`.
    """

    id: UUID
    ana: UUID
    bruno: UUID
    carla: UUID
    stranger: UUID
    team: UUID
    shared: UUID
    bruno_brain: UUID
    ana_key: str
    bruno_key: str
    carla_key: str
    stranger_key: str


def make_world(conn: psycopg.Connection) -> Org:
    org = make_org(conn)
    ana, bruno, carla, stranger = (make_subject(conn, org, name=name) for name in ("Ana", "Bruno", "Carla", "Zé"))
    team = make_subject(conn, org, kind="team", name="team")
    shared = make_brain(conn, org, {ana: "admin", bruno: "writer", team: "reader"})
    bruno_brain = make_brain(conn, org, {bruno: "admin"}, kind="personal")
    add_to_team(conn, org, team, carla)
    keys = [make_key(conn, org, subject) for subject in (ana, bruno, carla, stranger)]
    for brain in (shared, bruno_brain):
        fill_brain(conn, org, brain, bruno)
    fill_org(conn, org, bruno, keys[1])
    return Org(org, ana, bruno, carla, stranger, team, shared, bruno_brain, *keys)


def fill_brain(conn: psycopg.Connection, org: UUID, brain: UUID, writer: UUID) -> None:
    """One row in each table whose rows belong to a brain."""
    memory, other = make_memory(conn, org, brain, writer), make_memory(conn, org, brain, writer, "the grass is green")
    make_version(conn, org, memory, brain, writer)
    episode, fragment, entity, action = (make_id() for _ in range(4))
    here: dict[str, Any] = {"org_id": org, "brain_id": brain}
    insert(conn, "memory_stats", **here, memory_id=memory, reinforced=0, accessed=0)
    insert(conn, "episodes", **here, id=episode, external_id="call", created_at=NOW)
    insert(
        conn,
        "fragments",
        **here,
        id=fragment,
        episode_id=episode,
        position=0,
        text="hello",
        redactions=Jsonb([]),
        text_hash=b"h",
        created_at=NOW,
    )
    insert(conn, "memory_fragments", **here, memory_id=memory, fragment_id=fragment, created_at=NOW, from_version=1)
    insert(conn, "entities", **here, id=entity, kind="person", name="Ana", folded="ana", created_at=NOW)
    insert(conn, "memory_entities", **here, entity_id=entity, memory_id=memory, mentions=1)
    insert(conn, "links", **here, from_id=other, to_id=memory, kind="similar", weight=0.5, created_at=NOW)
    insert(conn, "hold_actions", org_id=org, id=action, kind="write", reasons=["tests"], created_at=NOW)
    insert(conn, "holds", **here, memory_id=memory, action_id=action, created_at=NOW)
    insert(conn, "hold_targets", **here, memory_id=memory, action_id=action)
    insert(conn, "term_stats", **here, term="sky", language="en", documents=1)
    insert(conn, "term_deltas", **here, id=make_id(), language="en", terms=["sky"], documents=1, words=4)
    insert(conn, "corpus_stats", **here, language="en", documents=1, words=4)
    insert(conn, "memory_vectors_tests_8", **here, memory_id=memory, field="text", embedding=unit_vector(8))
    insert(conn, "memory_version_vectors_tests_8", **here, memory_id=memory, version=1, embedding=unit_vector(8, 1))
    said = {"recall_id": make_id(), "memory_id": memory, "key_id": "tests", "subject_id": writer, "outcome": "helpful", "note": "yes"}
    insert(conn, "outcomes", **here, **said, created_at=NOW)
    insert(conn, "review_requests", **here, memory_id=memory, cause="harmful", reasons=[], times=1, opened_at=NOW, changed_at=NOW)
    insert(conn, "topics", **here, folded="clients", label="Clients", words=["clients"], created_at=NOW)
    insert(conn, "units", **here, topic="clients", memory_id=memory, created_at=NOW)
    sides = {"memory_id": memory, "version": 1, "other_id": other, "other_version": 1, "reason": "reported", "note": "no"}
    insert(conn, "conflicts", **here, id=make_id(), **sides, raised_at=NOW, raised_by=writer, raised_key="tests")
    fill_session(conn, here, writer, memory, action)
    insert(conn, "forgotten", **here, kind="semantic", duplicate_key=b"k", forgotten_at=NOW)
    why = {"reason": "tests", "begins_at": NOW, "ends_at": NOW + timedelta(minutes=5)}
    insert(conn, "looks", **here, id=make_id(), key_id="tests", subject_id=writer, **why)
    insert(conn, "embedding_pending", **here, space=SMALL_SPACE.name, memory_id=other, attempts=0, next_try_at=NOW)


def fill_session(conn: psycopg.Connection, here: dict[str, Any], writer: UUID, memory: UUID, action: UUID) -> None:
    """A session with a turn, its snapshot, and what came of it."""
    session, snapshot = make_id(), make_id()
    cut = {"max_messages": 10, "idle_seconds": 60, "overlap": 0, "next_position": 1, "open_from": 0}
    insert(conn, "sessions", **here, id=session, **cut, due_at=NOW, created_at=NOW, created_by=writer, created_key="tests")
    insert(conn, "session_holds", **here, session_id=session, action_id=action, created_at=NOW)
    whose = {"written_by": writer, "written_key": "tests", "writer_label": "tests", "trust": "member", "created_at": NOW}
    said = {"position": 0, "role": "user", "text": "hello", "redactions": Jsonb([]), "attachments": Jsonb([])}
    insert(conn, "turns", **here, id=make_id(), session_id=session, **said, **whose)
    run = {"first_position": 0, "last_position": 0, "overlap_from": 0, "cause": "flush", "created_at": NOW}
    insert(conn, "snapshots", **here, id=snapshot, session_id=session, **run)
    counts = dict.fromkeys(("attempts", "found", "added", "updated", "reinforced", "refused", "tokens_in", "tokens_out", "cost_micros"), 0)
    state = {"handler": "semantic", "state": "waiting", "run": 1, "created_at": NOW, "changed_at": NOW}
    insert(conn, "extractions", **here, snapshot_id=snapshot, session_id=session, **state, **counts)
    how = {"version": 1, "handler": "semantic", "run": 1, "action": "ADD", "reason": "new", "turn_ids": [], "created_at": NOW}
    insert(conn, "derivations", **here, id=make_id(), memory_id=memory, snapshot_id=snapshot, **how)
    decided = {"version": 1, "action": "ADD", "reason": "similar", "neighbour_ids": [], "created_at": NOW}
    insert(conn, "reconciliations", **here, id=make_id(), memory_id=memory, **decided)


def fill_org(conn: psycopg.Connection, org: UUID, subject: UUID, key: str) -> None:
    """One row in each table whose rows belong to an org alone."""
    insert(conn, "subject_identities", org_id=org, platform="chat", external_hash=b"x", subject_id=subject, label="+55 …", created_at=NOW)
    insert(conn, "subject_aliases", org_id=org, folded="bru", subject_id=subject, alias="Bru", created_at=NOW)
    seen = {"folded": "bru", "subject_id": subject, "place": "chat", "first_seen_at": NOW, "last_seen_at": NOW}
    insert(conn, "alias_sightings", org_id=org, **seen)
    insert(conn, "subject_redirects", org_id=org, subject_id=make_subject(conn, org, name="Bru"), into_id=subject, created_at=NOW)
    insert(conn, "policies", org_id=org, version=1, document=Jsonb({"redaction": {"actions": {}, "brains": {}}}), created_at=NOW)
    erasure = make_id()
    insert(
        conn, "erasures", org_id=org, id=erasure, kind="subject", target_id=subject, state="running", subject_ids=[subject], brain_ids=[],
        position=Jsonb({}), counts=Jsonb({}), created_at=NOW, changed_at=NOW,
    )  # fmt: skip
    left = {"object_kind": "memory", "object_id": make_id(), "reason": "ambiguous"}
    insert(conn, "erasure_decisions", org_id=org, erasure_id=erasure, **left)
    insert(conn, "erasure_ledger", org_id=org, kind="subject", digest=bytes(32), key_id="k", erased_at=NOW)
    insert(conn, "idempotency_keys", org_id=org, key_id=key, route="write", key_hash=b"k", body_hash=b"b", result=Jsonb({}), created_at=NOW)
    insert(conn, "audit_events", org_id=org, id=make_id(), at=NOW, action="write", object_kind="memory", object_id="x", detail=Jsonb({}))
    insert(conn, "audit_chain", org_id=org, position=1, event_id=make_id(), link=b"l", mac_key_id="k", sealed_at=NOW)
    insert(
        conn, "recalls", org_id=org, id=make_id(), subject_id=subject, key_id=key, query="sky?", filters=Jsonb({}), memory_ids=[], scores=[],
        degraded=[], took_ms=1.0, created_at=NOW,
    )  # fmt: skip
    insert(
        conn, "feedback_queries", org_id=org, id=make_id(), subject_id=subject, key_id=key, query="sky?", space=SMALL_SPACE.name,
        embedding=unit_vector(8), created_at=NOW,
    )  # fmt: skip


def tenant_tables(conn: psycopg.Connection) -> list[str]:
    """Every table of schema mem with org_id, partitions left out, by name."""
    rows = conn.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = 'org_id' ORDER BY c.relname"
    ).fetchall()
    return [row[0] for row in rows]


@contextmanager
def acting(
    app: psycopg.Connection, org_id: UUID, subject: UUID | None = None, key: str | None = None, **more: Any
) -> Iterator[psycopg.Connection]:
    """A transaction of the app under an identity; leaves nothing behind."""
    with app.transaction(force_rollback=True):
        set_identity(app, org_id, subject, key, **more)
        yield app


def count(conn: psycopg.Connection, table: str, **where: Any) -> int:
    query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier("mem", table))
    if where:
        query += sql.SQL(" WHERE ") + sql.SQL(" AND ").join(sql.SQL("{} = %s").format(sql.Identifier(name)) for name in where)
    row = conn.execute(query, list(where.values())).fetchone()
    assert row is not None
    return int(row[0])


def brains_seen(conn: psycopg.Connection, table: str) -> set[UUID]:
    return {row[0] for row in conn.execute(sql.SQL("SELECT DISTINCT brain_id FROM {}").format(sql.Identifier("mem", table))).fetchall()}
