"""The tables of the queue made by an older release of its library, brought to the installed one's; and what start-up says of them."""

from __future__ import annotations

import re
from dataclasses import replace

import psycopg
import pytest
from psycopg import sql

from memdb.clock import SystemClock
from memdb.errors import SchemaMismatch
from memdb.storage.checks import diagnose
from memdb.storage.migrate import migrate
from memdb.storage.owner import connect
from memdb.storage.queue_schema import SCHEMA, check_queue, load_queue_source, make_queue, release_of
from tests.support.database import SMALL_SPACE, FreshDatabase
from tests.support.rows import NOW

SOURCE = load_queue_source()
FIRST = (3, 1, 0)
"""The first release whose tables know workers, without which nothing of ours ran."""
OLDER = sorted({release for release, _, _ in SOURCE.upgrades if release >= FIRST} - {SOURCE.release})
PUT = "INSERT INTO memdb_jobs.procrastinate_jobs (queue_name, task_name, queueing_lock) VALUES ('memdb', 'memdb.sweep', 'x') RETURNING id"


def shape(url: str) -> list[tuple[object, ...]]:
    """Columns, types, constraints, indexes, functions, triggers, rights: equal for two queues that are used alike."""
    with psycopg.connect(url) as conn:
        rows = conn.execute(
            "SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod) || a.attnotnull::text"
            " || coalesce(pg_get_expr(d.adbin, d.adrelid), '') FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
            " LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum"
            " WHERE c.relnamespace = 'memdb_jobs'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped"
            " UNION ALL SELECT 'type', t.typname, e.enumlabel, NULL FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid"
            " WHERE t.typnamespace = 'memdb_jobs'::regnamespace"
            " UNION ALL SELECT 'constraint', r.conrelid::regclass::text, NULL, pg_get_constraintdef(r.oid) FROM pg_constraint r"
            " WHERE r.connamespace = 'memdb_jobs'::regnamespace"
            " UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'memdb_jobs'"
            " UNION ALL SELECT 'function', p.oid::regprocedure::text, p.proconfig::text, p.prosrc FROM pg_proc p"
            " WHERE p.pronamespace = 'memdb_jobs'::regnamespace"
            " UNION ALL SELECT 'trigger', t.tgname, NULL, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE c.relnamespace = 'memdb_jobs'::regnamespace AND NOT t.tgisinternal"
            " UNION ALL SELECT 'grant', c.relname, NULL, c.relacl::text FROM pg_class c"
            " WHERE c.relnamespace = 'memdb_jobs'::regnamespace AND c.relkind IN ('r', 'S')"
            " UNION ALL SELECT 'schema', n.nspname, obj_description(n.oid), n.nspacl::text FROM pg_namespace n WHERE n.nspname = 'memdb_jobs'"
        ).fetchall()
    # Spaces and the order of columns are history; what there is and what it does is not.
    return sorted({tuple(re.sub(r"\s+", " ", str(part)).strip() for part in row) for row in rows})


def install(url: str, version: str) -> None:
    """The queue as a release of the library would have made it: by its own upgrades from nothing, up to there."""
    release = release_of(version)
    scripts = [text for at, _, text in SOURCE.upgrades if at <= release]
    with psycopg.connect(url) as conn:
        conn.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(SCHEMA)))
        make_queue(conn, replace(SOURCE, version=version, script="\n".join(scripts)))


def name(url: str, comment: str | None) -> None:
    with psycopg.connect(url) as conn:
        conn.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(sql.Identifier(SCHEMA), sql.Literal(comment)))


@pytest.mark.parametrize("release", OLDER, ids=lambda release: ".".join(map(str, release)))
def test_older_tables_become_those_of_this_release_and_keep_their_jobs(database: FreshDatabase, release: tuple[int, int, int]) -> None:
    fresh = shape(database.owner_url)
    version = ".".join(map(str, release))
    install(database.owner_url, version)
    with psycopg.connect(database.owner_url) as conn:
        job = conn.execute(PUT).fetchone()
    pending = [file for at, file, _ in SOURCE.upgrades if at > release]
    with connect(database.app_url) as conn:
        if pending:
            expected = (
                rf"is that of procrastinate {version}, and this release needs that of procrastinate {SOURCE.version}; run memdb migrate"
            )
            with pytest.raises(SchemaMismatch, match=expected):
                check_queue(conn)
        else:
            check_queue(conn)
    report = migrate(database.owner_url, SMALL_SPACE, now=NOW)
    assert report.steps == (
        *(f"job queue: upgrade {file} applied" for file in pending),
        f"job queue is that of procrastinate {SOURCE.version}",
    )
    assert shape(database.owner_url) == fresh
    assert not migrate(database.owner_url, SMALL_SPACE, now=NOW).changed
    with connect(database.app_url) as conn:
        check_queue(conn)
        assert conn.execute("SELECT id, status::text FROM memdb_jobs.procrastinate_jobs").fetchall() == [(*(job or ()), "todo")]
        conn.execute(
            "SELECT memdb_jobs.procrastinate_defer_jobs_v1(ARRAY[ROW('memdb', 't', 0, NULL, 'y', '{}', NULL)"
            "::memdb_jobs.procrastinate_job_to_defer_v1])"
        )


def test_a_failing_upgrade_leaves_the_queue_and_the_schema_as_they_were(database: FreshDatabase) -> None:
    before = shape(database.owner_url)
    broken = replace(
        SOURCE, version="99.0.0", upgrades=(*SOURCE.upgrades, ((99, 0, 0), "99.00.00_01_broken.sql", "SELECT 1; ALTER TABLE no x"))
    )
    with connect(database.owner_url) as conn, pytest.raises(psycopg.Error), conn.transaction():
        make_queue(conn, broken)
    assert shape(database.owner_url) == before


def test_newer_tables_are_refused_by_migrate_and_at_start(database: FreshDatabase) -> None:
    name(database.owner_url, "procrastinate 3.999.0")
    with pytest.raises(SchemaMismatch, match=rf"3\.999\.0, newer than the {SOURCE.version} of this release; install a newer memdb-server"):
        migrate(database.owner_url, SMALL_SPACE, now=NOW)
    with connect(database.app_url) as conn, pytest.raises(SchemaMismatch, match="install a newer memdb-server"):
        check_queue(conn)


@pytest.mark.parametrize("comment", [None, "my own", "procrastinate", "procrastinate 3.x"])
def test_a_schema_of_somebody_else_is_refused(database: FreshDatabase, comment: str | None) -> None:
    name(database.owner_url, comment)
    with pytest.raises(SchemaMismatch, match="use another database, or rename that schema"):
        migrate(database.owner_url, SMALL_SPACE, now=NOW)
    with connect(database.app_url) as conn, pytest.raises(SchemaMismatch, match="does not come from memdb"):
        check_queue(conn)


def test_a_database_without_a_queue_is_refused_at_start_and_gets_one(database: FreshDatabase) -> None:
    fresh = shape(database.owner_url)
    with psycopg.connect(database.owner_url) as conn:
        conn.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(SCHEMA)))
    with connect(database.app_url) as conn, pytest.raises(SchemaMismatch, match="no job queue; run memdb migrate"):
        check_queue(conn)
    assert migrate(database.owner_url, SMALL_SPACE, now=NOW).steps == (f"job queue made (procrastinate {SOURCE.version})",)
    assert shape(database.owner_url) == fresh


def test_doctor_names_an_older_queue_and_what_to_do(database: FreshDatabase) -> None:
    install(database.owner_url, ".".join(map(str, OLDER[0])))
    findings = diagnose(database.app_url, space=SMALL_SPACE, known_key_ids=[], clock=SystemClock())
    assert [(one.name, one.fix) for one in findings if not one.ok] == [("queue", "run memdb migrate")]
