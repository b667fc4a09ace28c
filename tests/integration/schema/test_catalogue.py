"""The catalogue of a migrated database keeps the rules, and the check sees each breach of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from memdb.storage.statements import split
from tests.integration.schema.catalogue import RULES, find_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.database import FreshDatabase

# Fault -> statements that plant it, and what the finding names.
PLANTED = {
    "org_id is not the first column, a uuid and NOT NULL": (
        "CREATE TABLE mem.bad (id uuid NOT NULL, org_id uuid, CONSTRAINT bad_pk PRIMARY KEY (org_id, id))",
        "bad",
    ),
    "no primary key": ("CREATE TABLE mem.bad (org_id uuid NOT NULL)", "bad"),
    "a unique or exclusion index does not begin with org_id": (
        "CREATE UNIQUE INDEX bad_uq ON mem.memories (duplicate_key)",
        "mem.bad_uq",
    ),
    "a foreign key between tenant tables does not begin with org_id on both sides": (
        "ALTER TABLE mem.links ADD CONSTRAINT bad_fk FOREIGN KEY (from_id, org_id) REFERENCES mem.memories (org_id, id)",
        "bad_fk",
    ),
    "a foreign key from a table without org_id to a tenant table": (
        "ALTER TABLE mem.orgs ADD COLUMN home uuid; ALTER TABLE mem.orgs ADD CONSTRAINT bad_fk FOREIGN KEY (id, home) REFERENCES mem.brains (org_id, id)",
        "bad_fk",
    ),
    "a foreign key sets or cascades values": (
        (
            "ALTER TABLE mem.subjects ADD CONSTRAINT bad_fk FOREIGN KEY (org_id, home_brain_id) REFERENCES mem.brains (org_id, id)"
            " ON DELETE SET NULL (home_brain_id)"
        ),
        "bad_fk",
    ),
    "a deferrable constraint": (
        "ALTER TABLE mem.subjects ADD CONSTRAINT bad_fk FOREIGN KEY (org_id, home_brain_id) REFERENCES mem.brains (org_id, id) DEFERRABLE",
        "bad_fk",
    ),
    "a constraint with a made-up name": ("ALTER TABLE mem.memories ADD CHECK (version < 1000)", "memories_version_check"),
    "a policy with a subquery": (
        "CREATE POLICY bad ON mem.brains TO memdb_app USING (org_id IN (SELECT o.id FROM mem.orgs o))",
        "mem.brains.bad",
    ),
    "no row-level security": ("ALTER TABLE mem.memory_vectors_tests_8 DISABLE ROW LEVEL SECURITY", "memory_vectors_tests_8"),
    "no policy for the app role": ("DROP POLICY app_org ON mem.api_keys", "api_keys"),
    "a policy for everybody": ("CREATE POLICY bad ON mem.brains USING (true)", "mem.brains.bad"),
    "a partition with a policy or a grant": (
        "SELECT mem.ensure_partitions('2001-01-01Z', 1); GRANT SELECT ON mem.recalls_2001_01 TO memdb_app",
        "recalls_2001_01",
    ),
    "a rule": ("CREATE RULE bad AS ON DELETE TO mem.brains DO INSTEAD NOTHING", "bad"),
    "inheritance": ("CREATE TABLE mem.bad (CONSTRAINT bad_pk PRIMARY KEY (org_id, id)) INHERITS (mem.brains)", "bad"),
    "a view with its owner's rights": ("CREATE VIEW mem.bad AS SELECT m.content FROM mem.memories m", "bad"),
    "a function with its owner's rights and a free search path": (
        "CREATE FUNCTION mem.bad() RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
        "bad",
    ),
    "an index key or predicate with status, validity or holds": (
        "CREATE INDEX bad_idx ON mem.memory_index (org_id, brain_id) WHERE status = 'active'",
        "mem.bad_idx",
    ),
}


@pytest.fixture(scope="module")
def conn(module_database: FreshDatabase) -> Iterator[psycopg.Connection]:
    with psycopg.connect(module_database.owner_url, autocommit=True) as opened:
        yield opened


def test_a_migrated_database_has_no_fault(conn: psycopg.Connection) -> None:
    assert find_faults(conn) == []


def test_the_check_looks_at_the_vector_tables_too(conn: psycopg.Connection) -> None:
    found = conn.execute(
        "SELECT count(*) FROM pg_class WHERE relname IN ('memory_vectors_tests_8', 'memory_version_vectors_tests_8')"
    ).fetchone()
    assert found == (2,)


def test_each_rule_has_a_planted_fault() -> None:
    assert PLANTED.keys() == RULES.keys()


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(conn: psycopg.Connection, fault: str) -> None:
    script, named = PLANTED[fault]
    with conn.transaction(force_rollback=True):
        for statement in split(script):
            conn.execute(statement.encode())
        assert f"{fault}: {named}" in find_faults(conn)


def test_a_predicate_and_an_expression_count_as_well_as_a_key(conn: psycopg.Connection) -> None:
    with conn.transaction(force_rollback=True):
        conn.execute("CREATE INDEX bad_key_idx ON mem.memories (org_id, valid_to)")
        conn.execute("CREATE INDEX bad_expression_idx ON mem.memories (org_id, (coalesce(expires_at, valid_to)))")
        found = " ".join(find_faults(conn))
        assert "bad_key_idx" in found
        assert "bad_expression_idx" in found


def test_tenant_tables_are_as_many_as_schema_sql_and_one_space_make(conn: psycopg.Connection) -> None:
    # A query that silently looked at nothing would pass every rule.
    row = conn.execute(
        "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p') AND a.attname = 'org_id' AND NOT c.relispartition"
    ).fetchone()
    assert row is not None
    assert row[0] >= 30
