"""What `memdb backup` and `memdb restore` ask of a database and do to its schema, as the owner. The dump itself is `embedded/dump.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memdb.errors import StorageError
from memdb.storage.migrate import find_version
from memdb.storage.owner import Connection

_ASIDE: Final = "mem_before_restore"


@dataclass(frozen=True, slots=True)
class Contents:
    """`schema_version` is None for a database without the schema; `key_ids` are those that sealed rows, by first use."""

    schema_version: int | None
    key_ids: tuple[str, ...]
    orgs: int


def read_contents(conn: Connection) -> Contents:
    """What is in the database.

    Raises:
        SchemaMismatch: it has a schema `mem` of another product.
    """
    version = find_version(conn)
    if version is None:
        return Contents(None, (), 0)
    keys = conn.execute("SELECT key_id FROM mem.secret_keys ORDER BY first_used_at, key_id").fetchall()
    row = conn.execute("SELECT count(*) FROM mem.orgs").fetchone()
    assert row is not None, "a SELECT without GROUP BY has one row"
    return Contents(version, tuple(key[0] for key in keys), int(row[0]))


def replace_schema(conn: Connection, fill: Callable[[], None]) -> None:
    """Put the present schema aside, let `fill` make another one, and drop what was put aside; it comes back when `fill` fails.

    Raises:
        StorageError: an earlier restore was cut off; says what to do.
    """
    row = conn.execute("SELECT to_regnamespace('mem') IS NOT NULL, to_regnamespace('mem_before_restore') IS NOT NULL").fetchone()
    assert row is not None, "a SELECT without FROM has one row"
    if row[1]:
        raise StorageError(
            f"an earlier restore was cut off; its former data is in the schema {_ASIDE}. "
            "Rename it to mem to have it back (drop mem first), or drop it, and run this again"
        )
    if row[0]:
        conn.execute("ALTER SCHEMA mem RENAME TO mem_before_restore")
    try:
        fill()
    except BaseException:
        # The restore runs in one transaction, so there is nothing half made in the way.
        if row[0]:
            conn.execute("ALTER SCHEMA mem_before_restore RENAME TO mem")
        raise
    conn.execute("DROP SCHEMA IF EXISTS mem_before_restore CASCADE")
