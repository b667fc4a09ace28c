"""Smallest rows for tests, inserted as the owner, past row-level security and past the product's own code.

Each `make_…` takes what the test is about and fills the rest; seals are zeros, so nothing here verifies.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from memdb.ids import make_id, make_key_id

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

NOW = datetime.now(UTC)
_SEAL = bytes(32)


def insert(conn: psycopg.Connection, table: str, **values: Any) -> None:
    """One row of `mem.<table>`; the caller gives every required column."""
    conn.execute(
        sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
            sql.Identifier("mem", table),
            sql.SQL(", ").join(map(sql.Identifier, values)),
            sql.SQL(", ").join(sql.Placeholder() * len(values)),
        ),
        list(values.values()),
    )


def set_identity(
    conn: psycopg.Connection,
    org_id: UUID,
    subject_id: UUID | None = None,
    key_id: str | None = None,
    *,
    job_brain_id: UUID | None = None,
) -> None:
    """The settings at the start of a transaction, one statement per call, as the product sends them."""
    conn.execute("SET LOCAL citus.propagate_set_commands = 'local'")
    wanted = {"mem.org_id": org_id, "mem.subject_id": subject_id, "mem.key_id": key_id, "mem.job_brain_id": job_brain_id}
    for name, value in wanted.items():
        if value is not None:
            conn.execute(sql.SQL("SET LOCAL {} = {}").format(sql.Identifier(*name.split(".")), sql.Literal(str(value))))


def make_org(conn: psycopg.Connection, name: str | None = None) -> UUID:
    """An org and the subject that stands for it (same id)."""
    org_id = make_id()
    insert(conn, "orgs", id=org_id, name=name or f"org-{secrets.token_hex(6)}", created_at=NOW)
    insert(conn, "subjects", org_id=org_id, id=org_id, kind="org", name=None, created_at=NOW)
    return org_id


def make_subject(conn: psycopg.Connection, org_id: UUID, *, kind: str = "person", name: str | None = None) -> UUID:
    subject_id = make_id()
    insert(conn, "subjects", org_id=org_id, id=subject_id, kind=kind, name=name, created_at=NOW)
    return subject_id


def add_to_team(conn: psycopg.Connection, org_id: UUID, team_id: UUID, *subject_ids: UUID) -> None:
    """Team members; brains that the team is in are rebuilt."""
    for subject_id in subject_ids:
        insert(conn, "team_members", org_id=org_id, team_id=team_id, subject_id=subject_id, created_at=NOW)
    with conn.transaction():
        set_identity(conn, org_id)
        conn.execute("SELECT mem.rebuild_team_access(%s, %s)", (org_id, team_id))


def make_brain(conn: psycopg.Connection, org_id: UUID, members: Mapping[UUID, str], *, kind: str = "team", name: str = "brain") -> UUID:
    """A brain with members (subject, team or the org -> reader, writer, admin) and the access that follows from them."""
    brain_id = make_id()
    insert(conn, "brains", org_id=org_id, id=brain_id, kind=kind, name=name, created_at=NOW)
    for member_id, role in members.items():
        insert(conn, "brain_members", org_id=org_id, brain_id=brain_id, member_id=member_id, role=role, created_at=NOW)
    with conn.transaction():
        set_identity(conn, org_id)
        conn.execute("SELECT mem.rebuild_brain_access(%s, %s)", (org_id, brain_id))
    return brain_id


def make_key(conn: psycopg.Connection, org_id: UUID, subject_id: UUID, **changes: Any) -> str:
    """A key of the subject that may everything the subject may; its secret is unknown. Returns the key id."""
    key_id = make_key_id()
    row: dict[str, Any] = {
        "org_id": org_id,
        "id": key_id,
        "subject_id": subject_id,
        "writer_label": "tests",
        "secret_sha256": _SEAL,
        "max_role": "admin",
        "capabilities": [],
        "brains": None,
        "act_as_subjects": [],
        "act_as_brains": [],
        "trust": "member",
        "created_at": NOW,
    }
    insert(conn, "api_keys", **(row | changes))
    return key_id


def make_memory(
    conn: psycopg.Connection, org_id: UUID, brain_id: UUID, written_by: UUID, content: str = "the sky is blue", **changes: Any
) -> UUID:
    """A memory with its index row; `changes` are columns of mem.memories."""
    memory_id: UUID = changes.pop("id", None) or make_id()
    insert(conn, "memories", **(_memory_row(org_id, memory_id, brain_id, written_by, content) | changes))
    index = _index_row(org_id, memory_id, brain_id)
    shared = {name: value for name, value in changes.items() if name in index}
    insert(conn, "memory_index", **(index | shared))
    conn.execute(
        "UPDATE mem.memory_index SET words = to_tsvector('simple', %s) WHERE org_id = %s AND memory_id = %s",
        (content, org_id, memory_id),
    )
    return memory_id


def make_version(conn: psycopg.Connection, org_id: UUID, memory_id: UUID, brain_id: UUID, written_by: UUID) -> None:
    """Version 1 of a memory as superseded, with its index row."""
    memory = _memory_row(org_id, memory_id, brain_id, written_by, "the sky was grey")
    unversioned = ("id", "status", "duplicate_key", "created_at", "updated_at", "confirmed_at", "mac_state")
    row = {name: value for name, value in memory.items() if name not in unversioned}
    recorded = {"recorded_from": NOW - timedelta(days=2), "recorded_to": NOW - timedelta(days=1)}
    insert(conn, "memory_versions", **(row | recorded | {"memory_id": memory_id, "replaced_by": "tests"}))
    index = _index_row(org_id, memory_id, brain_id)
    unkept = ("context", "context_count", "context_fragments", "status", "held", "placement")
    kept = {name: value for name, value in index.items() if name not in unkept}
    insert(conn, "memory_version_index", **(kept | recorded | {"version": 1}))


def unit_vector(dimension: int, hot: int = 0) -> str:
    """A one-hot vector as text."""
    return "[" + ",".join("1" if i == hot else "0" for i in range(dimension)) + "]"


def _memory_row(org_id: UUID, memory_id: UUID, brain_id: UUID, written_by: UUID, content: str) -> dict[str, Any]:
    return {
        "org_id": org_id,
        "id": memory_id,
        "brain_id": brain_id,
        "kind": "semantic",
        "version": 1,
        "status": "active",
        "content": content,
        "data": Jsonb({}),
        "tags": [],
        "about": [],
        "language": "en",
        "placement": "drawer",
        "importance": 0.5,
        "trust": "member",
        "redactions": Jsonb([]),
        "text_cut": False,
        "duplicate_key": None,
        "written_by": written_by,
        "written_key": "tests",
        "writer_label": "tests",
        "created_at": NOW,
        "updated_at": NOW,
        "confirmed_at": NOW,
        "mac_key_id": "tests",
        "mac_version": _SEAL,
        "mac_state": _SEAL,
    }


def _index_row(org_id: UUID, memory_id: UUID, brain_id: UUID) -> dict[str, Any]:
    return {
        "org_id": org_id,
        "memory_id": memory_id,
        "brain_id": brain_id,
        "kind": "semantic",
        "about": [],
        "tags": [],
        "facets": [],
        "language": "en",
        "words": "",
        "word_count": 1,
        "context": "",
        "context_count": 0,
        "context_fragments": [],
        "status": "active",
        "held": False,
        "placement": "drawer",
        "recorded_from": NOW,
        "created_at": NOW,
    }
