"""Seals made anew over rows as they are, by the owner: after a secret was lost, and for what an earlier release did not seal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg import sql
from psycopg.types.json import Jsonb

from governance.audit import AuditEvent
from memdb.keyring import Keyring
from memdb.models.memory import Memory
from memdb.storage import evidence
from memdb.storage.audit import event_row
from memdb.storage.rows import memory_of
from memdb.storage.seals import make_seals, seal_canonical, vector_of, words_of
from memdb.storage.spaces import vector_tables

if TYPE_CHECKING:
    from memdb.storage.owner import Connection


def lock_memory(conn: Connection, org_id: UUID, memory_id: UUID) -> tuple[Memory, tuple[UUID, ...]] | None:
    """The memory as it is, with the actions that hold it, locked until the transaction ends; None when it is gone."""
    conn.execute("SELECT FROM mem.memories WHERE org_id = %s AND id = %s FOR NO KEY UPDATE", (org_id, memory_id))
    row = evidence.find_memory(conn, org_id, memory_id)
    return None if row is None else (memory_of(row), tuple(sorted(row.holds)))


def reseal(conn: Connection, keyring: Keyring, memory: Memory, holds: tuple[UUID, ...]) -> bytes:
    """Seal a locked memory, its versions and what they are found by, whatever they say; its new state, for the event that tells of it."""
    org_id, memory_id = memory.org_id, memory.id
    key_id, version, state = make_seals(keyring, memory, holds)
    conn.execute(
        "UPDATE mem.memories SET mac_key_id = %s, mac_version = %s, mac_state = %s WHERE org_id = %s AND id = %s",
        (key_id, version, state, org_id, memory_id),
    )
    for row in evidence.list_versions(conn, org_id, [memory_id]):
        past = memory_of(row, past=True)
        key_id, version, _ = make_seals(keyring, past, ())
        of = (org_id, memory_id, past.version)
        conn.execute(
            "UPDATE mem.memory_versions SET mac_key_id = %s, mac_version = %s WHERE org_id = %s AND memory_id = %s AND version = %s",
            (key_id, version, *of),
        )
        if row.words is not None:
            mac = seal_canonical(keyring, (org_id, memory_id), "words", words_of(row.words, row.word_count))
            conn.execute(
                "UPDATE mem.memory_version_index SET words_mac = %s WHERE org_id = %s AND memory_id = %s AND version = %s", (mac, *of)
            )
    for row in evidence.list_index(conn, org_id, [memory_id]):
        of_context = words_of(row.context, row.context_count, row.context_fragments)
        macs = [
            seal_canonical(keyring, (org_id, memory_id), what, value)
            for what, value in (("words", words_of(row.words, row.word_count)), ("context", of_context))
        ]
        conn.execute(
            "UPDATE mem.memory_index SET words_mac = %s, context_mac = %s WHERE org_id = %s AND memory_id = %s", (*macs, org_id, memory_id)
        )
    for space in evidence.list_spaces(conn):
        for row in evidence.list_vectors(conn, org_id, space, [memory_id]):
            _reseal_vector(conn, keyring, org_id, space, row)
    return state


def _reseal_vector(conn: Connection, keyring: Keyring, org_id: UUID, space: str, row: Any) -> None:  # noqa: ANN401 - a database row
    live, past = vector_tables(space)
    mac = seal_canonical(keyring, (org_id, row.memory_id), row.field, vector_of(row.embedding))
    table, column, value = (live, "field", row.field) if row.version is None else (past, "version", row.version)
    query = sql.SQL("UPDATE {} SET mac = %s WHERE org_id = %s AND memory_id = %s AND {} = %s")
    conn.execute(query.format(sql.Identifier("mem", table), sql.Identifier(column)), (mac, org_id, row.memory_id, value))


def await_unplaced(conn: Connection, org_id: UUID) -> None:
    """Let events wait for their place that neither have one nor wait."""
    for event_id in evidence.list_unplaced(conn, org_id):
        conn.execute("INSERT INTO mem.audit_pending (org_id, event_id) VALUES (%s, %s)", (org_id, event_id))


def record(conn: Connection, event: AuditEvent) -> None:
    """Append a sealed event."""
    row = event_row(event)
    names = list(row)
    query = sql.SQL("INSERT INTO mem.audit_events ({}) VALUES ({})").format(
        sql.SQL(", ").join(map(sql.Identifier, names)), sql.SQL(", ").join(sql.Placeholder() * len(names))
    )
    conn.execute(query, [Jsonb(value) if name == "detail" else value for name, value in row.items()])
