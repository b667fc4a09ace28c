"""`memdb/storage/tables.py` says what the database says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from sqlalchemy import Table, create_engine, insert, select
from sqlalchemy.dialects import postgresql

from memdb.ids import make_id
from memdb.storage import erasure_tables, quarantine_tables, tables
from memdb.storage.database import sqlalchemy_url
from tests.support.database import SMALL_SPACE
from tests.support.rows import NOW, make_brain, make_memory, make_org

if TYPE_CHECKING:
    from tests.support.database import FreshDatabase

Shape = dict[str, tuple[list[tuple[str, str, bool]], list[str]]]


def described() -> Shape:
    """Table -> (name, type, nullable) of its columns in order, and its primary key in order; from the Core tables."""
    every = [
        *{**erasure_tables.metadata.tables, **quarantine_tables.metadata.tables}.values(),
        tables.vector_table(SMALL_SPACE.name, SMALL_SPACE.dimension),
        tables.version_vector_table(SMALL_SPACE.name, SMALL_SPACE.dimension),
    ]
    return {table.name: (_columns(table), [column.name for column in table.primary_key]) for table in every}


def _columns(table: Table) -> list[tuple[str, str, bool]]:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]  # SQLAlchemy leaves it untyped
    return [(column.name, column.type.compile(dialect=dialect).lower(), bool(column.nullable)) for column in table.columns]


def stored(conn: psycopg.Connection) -> Shape:
    """The same from the catalogue; a partition is its parent's."""
    found: Shape = {}
    for table, name, kind, nullable in conn.execute(
        "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) || coalesce(' collate \"' || lower(l.collname) || '\"', ''),"
        " NOT a.attnotnull FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped"
        " LEFT JOIN pg_collation l ON l.oid = a.attcollation AND l.collname <> 'default'"
        " WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.relname, a.attnum"
    ).fetchall():
        found.setdefault(table, ([], []))[0].append((name, kind, nullable))
    for table, name in conn.execute(
        "SELECT c.relname, a.attname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN unnest(k.conkey) WITH ORDINALITY AS x (attnum, place)"
        " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.attnum"
        " WHERE n.nspname = 'mem' AND k.contype = 'p' AND NOT c.relispartition ORDER BY c.relname, x.place"
    ).fetchall():
        found[table][1].append(name)
    return found


def test_tables_equal_the_database(module_database: FreshDatabase) -> None:
    with psycopg.connect(module_database.owner_url) as conn:
        assert described() == stored(conn)


def test_words_and_vectors_go_in_and_come_out_through_core(module_database: FreshDatabase) -> None:
    with psycopg.connect(module_database.owner_url, autocommit=True) as conn:
        org = make_org(conn)
        brain = make_brain(conn, org, {org: "writer"})
        memories = [make_memory(conn, org, brain, org) for _ in range(3)]
        conn.execute("DELETE FROM mem.memory_index WHERE org_id = %s", (org,))
    vectors = tables.vector_table(SMALL_SPACE.name, SMALL_SPACE.dimension)
    index = tables.memory_index
    shared = {"org_id": org, "brain_id": brain}
    unit = [1.0] + [0.0] * 7
    row = {
        **shared, "kind": "semantic", "about": [make_id()], "tags": ["a", "b"], "facets": [], "language": "en", "words": "'sky':1,3 'd''or':2",
        "word_count": 3, "context": "", "context_count": 0, "context_fragments": [], "status": "active", "held": False, "recorded_from": NOW, "created_at": NOW,
        "placement": "drawer",
    }  # fmt: skip
    engine = create_engine(sqlalchemy_url(module_database.owner_url))
    try:
        with engine.begin() as connection:
            connection.execute(insert(index), [{**row, "memory_id": memory} for memory in memories[:2]])
            connection.execute(insert(index).values([{**row, "memory_id": memories[2]}]).returning(index.c.memory_id))
            connection.execute(insert(vectors), [{**shared, "memory_id": m, "field": "text", "embedding": unit} for m in memories])
            words = connection.execute(select(index.c.words, index.c.tags).where(index.c.org_id == org)).all()
            distance = vectors.c.embedding.cosine_distance(unit)
            near = connection.execute(select(vectors.c.memory_id).where(vectors.c.org_id == org, distance < 0.01)).all()
    finally:
        engine.dispose()
    assert [tuple(found) for found in words] == [("'d''or':2 'sky':1,3", ["a", "b"])] * 3
    assert {found[0] for found in near} == set(memories)
