"""What changes often is in no index, so that its update writes no index entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.support.rows import NOW, insert, make_brain, make_memory, make_org

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.database import FreshDatabase

HOT = {
    "memories": [
        "status = 'superseded'", "valid_to = '2030-01-01Z'", "expires_at = '2030-01-01Z'", "updated_at = '2030-01-01Z'",
        "confirmed_at = '2030-01-01Z'", "mac_state = '\\x01'", "status = 'deleted', content = NULL", "version = version + 1",
    ],
    "memory_index": ["status = 'superseded'", "valid_to = '2030-01-01Z'", "held = true", "expires_at = '2030-01-01Z'"],
    "memory_stats": ["accessed = accessed + 1", "last_access_at = '2030-01-01Z'"],
}  # fmt: skip


@pytest.fixture(scope="module")
def conn(module_database: FreshDatabase) -> Iterator[psycopg.Connection]:
    with psycopg.connect(module_database.owner_url, autocommit=True) as opened:
        org = make_org(opened)
        brain = make_brain(opened, org, {org: "reader"})
        insert(opened, "topics", org_id=org, brain_id=brain, folded="a/b", label="a/b", words=["a", "b"], created_at=NOW)
        for number in range(20):
            memory = make_memory(opened, org, brain, org, f"memory {number} " + "word " * 20)
            insert(opened, "memory_stats", org_id=org, brain_id=brain, memory_id=memory, reinforced=0, accessed=0)
        yield opened


def counters(conn: psycopg.Connection, table: str) -> tuple[int, int]:
    """Rows updated so far by this connection, and how many of them without touching an index."""
    row = conn.execute(
        "SELECT pg_stat_get_xact_tuples_updated(x.oid), pg_stat_get_xact_tuples_hot_updated(x.oid) FROM (SELECT %s::regclass::oid) x (oid)",
        (f"mem.{table}",),
    ).fetchone()
    assert row is not None
    return row[0], row[1]


def updated(conn: psycopg.Connection, table: str, change: str) -> tuple[int, int]:
    """What one statement a row adds to the counters, for two rows; undone afterwards."""
    conn.execute(f"VACUUM mem.{table}".encode())  # a HOT update needs room on the page
    key = "id" if table == "memories" else "memory_id"
    with conn.transaction(force_rollback=True):
        before = counters(conn, table)
        ids = [row[0] for row in conn.execute(f"SELECT {key} FROM mem.{table} ORDER BY {key} LIMIT 2".encode()).fetchall()]
        for one in ids:
            conn.execute(f"UPDATE mem.{table} SET {change} WHERE {key} = %s".encode(), (one,))
        after = counters(conn, table)
    return after[0] - before[0], after[1] - before[1]


@pytest.mark.parametrize(("table", "change"), [(table, change) for table, changes in HOT.items() for change in changes])
def test_a_frequent_change_is_hot(conn: psycopg.Connection, table: str, change: str) -> None:
    assert updated(conn, table, change) == (2, 2)


def test_a_change_of_an_indexed_column_is_not_hot(conn: psycopg.Connection) -> None:
    # The counter must be able to say so.
    assert updated(conn, "memory_index", "topic = 'a/b'") == (2, 0)
