"""The whole database searched for texts: every column that may hold words, as the catalogue has them. As the owner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, LiteralString
from uuid import UUID

from psycopg import sql
from psycopg.types.json import Jsonb

from memdb.storage.erasures import Tombstone
from memdb.storage.owner import Connection
from memdb.storage.spaces import list_spaces, vector_tables

# Numbers, times and vectors hold no words; a vector of what was erased is found by the memory that it belongs to.
_WITHOUT_WORDS: Final = (
    "bool", "int2", "int4", "int8", "float4", "float8", "numeric", "timestamptz", "timestamp", "date", "time", "interval",
    "oid", "halfvec", "vector", "xid", "xid8", "cid", "tid",
)  # fmt: skip
_COLUMNS: Final = (
    "SELECT n.nspname, c.relname, a.attname, t.typname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped JOIN pg_type t ON t.oid = a.atttypid"
    " WHERE c.relkind IN ('r', 'm') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND t.typname <> ALL (%s)"
    " ORDER BY n.nspname, c.relname, a.attnum"
)
_IN_TEXT: Final = (
    "count(*) FILTER (WHERE EXISTS (SELECT 1 FROM unnest(%(texts)s::text[]) s WHERE position(s IN lower({column}::text)) > 0))"
)
# Statistics hold words as the search index does, one by one.
_IN_ARRAY: Final = (
    "count(*) FILTER (WHERE {column} && %(words)s::text[]"
    " OR EXISTS (SELECT 1 FROM unnest(%(texts)s::text[]) s WHERE position(s IN lower({column}::text)) > 0))"
)
_IN_WORD: Final = (
    "count(*) FILTER (WHERE {column} = ANY (%(words)s::text[])"
    " OR EXISTS (SELECT 1 FROM unnest(%(texts)s::text[]) s WHERE position(s IN lower({column})) > 0))"
)
_IN_BYTES: Final = (
    "count(*) FILTER (WHERE EXISTS (SELECT 1 FROM unnest(%(texts)s::text[] || %(raw)s::text[]) s"
    " WHERE position(convert_to(s, 'UTF8') IN {column}) > 0))"
)
_IN_LEXEMES: Final = (
    "count(*) FILTER (WHERE EXISTS (SELECT 1 FROM jsonb_array_elements(%(lexemes)s::jsonb) s"
    " WHERE tsvector_to_array({column}) @> ARRAY(SELECT jsonb_array_elements_text(s))))"
)
_BEHIND: Final = (
    "SELECT count(*) FROM mem.{table} x JOIN mem.memories m ON m.org_id = x.org_id AND m.id = x.memory_id WHERE m.status = 'deleted'"
)


@dataclass(frozen=True, slots=True)
class Needles:
    """What is looked for. `texts`: in lower case, with and without accents; `raw`: as given; `lexemes`: all of a list must be there."""

    texts: tuple[str, ...] = field(repr=False)
    raw: tuple[str, ...] = field(repr=False)
    lexemes: tuple[tuple[str, ...], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Leftover:
    """Rows of a column that hold something that was looked for."""

    table: str
    column: str
    rows: int


def search_texts(conn: Connection, needles: Needles) -> Iterator[tuple[str, list[Leftover]]]:
    """Each table with what was found in it, by name; tables without a find come too, with an empty list."""
    tables: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for schema, table, column, kind in conn.execute(_COLUMNS, (list(_WITHOUT_WORDS),)).fetchall():
        tables.setdefault((schema, table), []).append((column, kind))
    words = [one[0] for one in needles.lexemes if len(one) == 1]
    parameters = {"words": words, "texts": list(needles.texts), "raw": list(needles.raw), "lexemes": _json(needles.lexemes)}
    for (schema, table), columns in tables.items():
        counts = [sql.SQL(_of(kind)).format(column=sql.Identifier(column)) for column, kind in columns]
        statement = sql.SQL("SELECT {counts} FROM {table}").format(counts=sql.SQL(", ").join(counts), table=sql.Identifier(schema, table))
        row = conn.execute(statement, parameters).fetchone()
        assert row is not None, "a count has one row"
        name = f"{schema}.{table}"
        yield name, [Leftover(name, column, number) for (column, _), number in zip(columns, row, strict=True) if number]


def count_behind_deleted(conn: Connection) -> list[Leftover]:
    """Rows with content of memories that are deleted: there must be none."""
    vectors = [name for known in list_spaces(conn) for name in vector_tables(known.space.name)]
    found = []
    for table in ("memory_versions", "memory_index", "memory_version_index", *vectors):
        row = conn.execute(sql.SQL(_BEHIND).format(table=sql.Identifier(table))).fetchone()
        assert row is not None, "a count has one row"
        found += [Leftover(f"mem.{table}", "memory_id", int(row[0]))] if row[0] else []
    return found


# ------------------------------------------------------------------------------------------------------------- the ledger
_IDS: Final[dict[str, tuple[LiteralString, str]]] = {
    "subject": ("SELECT org_id, id, created_at FROM mem.subjects", "mem.subjects"),
    "identity": ("SELECT org_id, external_hash, created_at FROM mem.subject_identities", "mem.subject_identities"),
    "memory": ("SELECT org_id, id, created_at FROM mem.memories WHERE status <> 'deleted'", "mem.memories"),
    # A session that was forgotten goes on: only what was said in it before counts.
    "session": (
        (
            "SELECT org_id, session_id, min(created_at) FROM mem.turns"
            " WHERE NOT (text = '[ERASED]' AND speaker IS NULL AND speaker_id IS NULL) GROUP BY org_id, session_id"
        ),
        "mem.turns",
    ),
    "source": ("SELECT org_id, episode_id, min(created_at) FROM mem.fragments GROUP BY org_id, episode_id", "mem.fragments"),
    "org": ("SELECT id, id, created_at FROM mem.orgs", "mem.orgs"),
}


def list_all_tombstones(conn: Connection) -> list[Tombstone]:
    """The ledger of every org; none in a database whose schema has no ledger yet."""
    row = conn.execute("SELECT to_regclass('mem.erasure_ledger') IS NOT NULL").fetchone()
    if row is None or not row[0]:
        return []
    rows = conn.execute("SELECT org_id, kind, digest, key_id, erased_at FROM mem.erasure_ledger ORDER BY org_id, kind, digest").fetchall()
    return [Tombstone(one[0], one[1], bytes(one[2]), one[3], one[4]) for one in rows]


def add_tombstones(conn: Connection, tombstones: Sequence[Tombstone]) -> None:
    """Add what the ledger does not have."""
    with conn.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO mem.erasure_ledger (org_id, kind, digest, key_id, erased_at) VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            [(one.org_id, one.kind, one.digest, one.key_id, one.erased_at) for one in tombstones],
        )


def iterate_ids(conn: Connection, kind: str) -> Iterator[tuple[UUID, bytes, datetime, str]]:
    """(org, bytes of the id or hash, since when, table) of what there is of a kind."""
    statement, table = _IDS[kind]
    with conn.transaction(), conn.cursor(name="memdb_ledger") as cursor:
        for org_id, value, since in cursor.execute(statement):
            yield org_id, value.bytes if isinstance(value, UUID) else bytes(value), since, table


def _of(kind: str) -> LiteralString:
    return {"bytea": _IN_BYTES, "tsvector": _IN_LEXEMES, "_text": _IN_ARRAY, "text": _IN_WORD}.get(kind, _IN_TEXT)


def _json(lists: Sequence[Sequence[str]]) -> object:
    return Jsonb([list(one) for one in lists])
