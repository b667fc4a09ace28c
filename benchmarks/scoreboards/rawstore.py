"""The database of a throw-away memdb as somebody sees it who may do anything in it: rows past every policy and trigger, whole copies.

Whoever this is has neither the root secret nor the folder of the heads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

Row = dict[str, Any]
"""A row by column, as `to_jsonb` gives it."""

_LEAVES: Final = """
SELECT format('%I.%I', n.nspname, c.relname), array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '')
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
 WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
   AND n.nspname NOT LIKE 'pg_t%'
 GROUP BY 1 ORDER BY 1
"""
_PARENTS: Final = """
SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind = 'p' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
"""
_SEQUENCES: Final = "SELECT schemaname, sequencename, last_value FROM pg_sequences"


@dataclass(frozen=True, slots=True)
class Copy:
    """Everything in the database: tables as binary COPY, with their columns, and where the sequences stand."""

    tables: Mapping[str, tuple[Sequence[str], bytes]]
    sequences: Sequence[tuple[str, str, int | None]]


class RawStore:
    """One connection as superuser for which no trigger and no foreign key counts."""

    def __init__(self, superuser_url: str) -> None:
        self._conn = psycopg.connect(superuser_url, autocommit=True)
        self._conn.execute("SET session_replication_role = replica")

    def close(self) -> None:
        """Hang up."""
        self._conn.close()

    def rows(self, statement: str, **values: object) -> list[Any]:
        """What a statement gives; nothing of one that gives no rows."""
        done = self._conn.execute(statement.encode(), values)
        return done.fetchall() if done.description else []

    def select(self, table: str, *, order: str, **equals: object) -> list[Row]:
        """Rows of a table whose columns equal what is given."""
        found = sql.SQL("SELECT to_jsonb(t) FROM {} t WHERE {} ORDER BY {}").format(
            sql.Identifier("mem", table), _all(equals), sql.Identifier(order)
        )
        return [cast("Row", row[0]) for row in self._conn.execute(found, equals).fetchall()]

    def insert(self, table: str, row: Row) -> None:
        """Put a row in."""
        name = sql.Identifier("mem", table)
        columns = sql.SQL(", ").join(map(sql.Identifier, row))
        statement = sql.SQL(
            "INSERT INTO {0} ({1}) OVERRIDING SYSTEM VALUE SELECT {1} FROM jsonb_populate_record(NULL::{0}, %(row)s)"
        ).format(name, columns)
        self._conn.execute(statement, {"row": Jsonb(row)})

    def delete(self, table: str, **equals: object) -> None:
        """Take rows out."""
        self._conn.execute(sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier("mem", table), _all(equals)), equals)

    def set(self, table: str, change: Row, **equals: object) -> None:
        """Change columns of rows.

        Raises:
            RuntimeError: no row has changed.
        """
        name = sql.Identifier("mem", table)
        columns = sql.SQL(", ").join(map(sql.Identifier, change))
        statement = sql.SQL("UPDATE {0} SET ({1}) = (SELECT {1} FROM jsonb_populate_record(NULL::{0}, %(row)s)) WHERE {2}").format(
            name, columns, _all(equals)
        )
        if len(change) == 1:  # a row of one column is no row in this place
            statement = sql.SQL("UPDATE {0} SET {1} = (SELECT {1} FROM jsonb_populate_record(NULL::{0}, %(row)s)) WHERE {2}").format(
                name, columns, _all(equals)
            )
        if self._conn.execute(statement, {**equals, "row": Jsonb(change)}).rowcount < 1:
            raise RuntimeError(f"nothing in {table} was changed")

    def copy_all(self) -> Copy:
        """Everything there is, in one snapshot."""
        with self._conn.transaction():
            self._conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            tables = {}
            for table, columns in self._conn.execute(_LEAVES).fetchall():
                listed = sql.SQL(", ").join(map(sql.Identifier, columns))
                with self._conn.cursor().copy(sql.SQL("COPY {} ({}) TO STDOUT (FORMAT binary)").format(sql.SQL(table), listed)) as out:
                    tables[table] = (columns, b"".join(bytes(block) for block in out))
            return Copy(tables, self._conn.execute(_SEQUENCES).fetchall())

    def put_back(self, copy: Copy) -> None:
        """Make the database what it was, to the byte; nothing outside it is touched."""
        with self._conn.transaction():
            parents = [row[0] for row in self._conn.execute(_PARENTS).fetchall()]  # keys of other tables refer to them
            every = sql.SQL(", ").join(map(sql.SQL, [*copy.tables, *parents]))
            self._conn.execute(sql.SQL("TRUNCATE {}").format(every))
            for table, (columns, blocks) in copy.tables.items():
                listed = sql.SQL(", ").join(map(sql.Identifier, columns))
                with self._conn.cursor().copy(sql.SQL("COPY {} ({}) FROM STDIN (FORMAT binary)").format(sql.SQL(table), listed)) as into:
                    into.write(blocks)
            for schema, name, value in copy.sequences:
                if value is not None:
                    self._conn.execute("SELECT setval(format('%%I.%%I', %s::text, %s::text)::regclass, %s)", (schema, name, value))


def _all(equals: Mapping[str, object]) -> sql.Composed:
    parts = [sql.SQL("{} = {}").format(sql.Identifier(name), sql.Placeholder(name)) for name in equals]
    return sql.SQL(" AND ").join(parts)
