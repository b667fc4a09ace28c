"""`memdb migrate` on empty, current, older, newer and foreign databases, alone and in a race."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from threading import Barrier
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import sql

from memdb.errors import ConfigurationError, DimensionMismatch, SchemaMismatch, StorageError, StorageUnavailable
from memdb.models.outcome import Outcome
from memdb.storage.migrate import LOCK_KEY, migrate
from memdb.storage.schema_file import SCHEMA_VERSION, load_source, make_source
from memdb.storage.spaces import vector_tables
from tests.support.database import SMALL_SPACE, FreshDatabase, empty, in_database, login_role
from tests.support.rows import NOW, insert, make_brain, make_memory, make_org, unit_vector

if TYPE_CHECKING:
    from memdb.providers.embedding.base import EmbeddingSpace
    from tests.support.database import Cluster

QUARANTINED = (
    "created_key", "state", "reason", "selection", "memories", "sessions", "done", "changed_at", "released_at", "released_by",
    "released_key",
)  # fmt: skip
OTHER_NAME = replace(SMALL_SPACE, name="other_8", model="other")
OTHER_DIMENSION = replace(SMALL_SPACE, name="other_4", dimension=4)


def catalogue(url: str) -> list[tuple[object, ...]]:
    """Everything in schema mem with its version stamp: equal before and after means that nothing was even touched."""
    with psycopg.connect(url) as conn:
        return conn.execute(
            "SELECT c.relname, c.oid, c.xmin::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'mem'"
            " UNION ALL SELECT p.proname, p.oid, p.xmin::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'mem'"
            " UNION ALL SELECT s.name, 0, s.xmin::text FROM mem.embedding_spaces s"
            " UNION ALL SELECT v.version::text, 0, v.xmin::text FROM mem.schema_versions v ORDER BY 1, 2, 3"
        ).fetchall()


def shape(url: str) -> list[tuple[object, ...]]:
    """Columns, constraints, indexes, policies and grants of schema mem: equal for two databases that are used alike."""
    with psycopg.connect(url) as conn:
        return conn.execute(
            "SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod) || a.attnotnull::text FROM pg_attribute a"
            " JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = 'mem' AND a.attnum > 0 AND NOT a.attisdropped"
            " UNION ALL SELECT 'constraint', r.conrelid::regclass::text, r.conname, pg_get_constraintdef(r.oid) FROM pg_constraint r"
            " JOIN pg_namespace n ON n.oid = r.connamespace WHERE n.nspname = 'mem'"
            " UNION ALL SELECT 'index', tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'mem'"
            " UNION ALL SELECT 'policy', tablename, policyname, roles::text || cmd || coalesce(qual, '') || coalesce(with_check, '')"
            " FROM pg_policies WHERE schemaname = 'mem'"
            " UNION ALL SELECT 'grant', c.relname, 'acl', c.relacl::text || c.relrowsecurity::text FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'mem'"
            " ORDER BY 1, 2, 3, 4"
        ).fetchall()


def versions(url: str) -> list[int]:
    with psycopg.connect(url) as conn:
        return [row[0] for row in conn.execute("SELECT version FROM mem.schema_versions ORDER BY version").fetchall()]


def has_schema(url: str) -> bool:
    with psycopg.connect(url) as conn:
        return conn.execute("SELECT to_regnamespace('mem') IS NOT NULL").fetchone() == (True,)


def store_vector(conn: psycopg.Connection, table: str = "memory_vectors_tests_8") -> None:
    org = make_org(conn)
    brain = make_brain(conn, org, {org: "reader"})
    memory = make_memory(conn, org, brain, org)
    insert(conn, table, org_id=org, brain_id=brain, memory_id=memory, field="text", embedding=unit_vector(8))


# -------------------------------------------------------------------------------------------------- empty and current


def test_an_empty_database_gets_everything(empty_database: FreshDatabase) -> None:
    report = migrate(empty_database.owner_url, SMALL_SPACE, now=NOW)
    assert (report.version_before, report.version, report.space, report.partitions_made) == (None, SCHEMA_VERSION, "tests_8", 12)
    assert report.changed
    assert report.lines()[0] == f"schema version {SCHEMA_VERSION} applied"
    assert versions(empty_database.owner_url) == [SCHEMA_VERSION]
    with psycopg.connect(empty_database.owner_url) as conn:
        assert conn.execute("SELECT name, dimension, active FROM mem.embedding_spaces").fetchall() == [("tests_8", 8, True)]


def test_a_second_run_touches_nothing_and_says_so(empty_database: FreshDatabase) -> None:
    migrate(empty_database.owner_url, SMALL_SPACE, now=NOW)
    before = catalogue(empty_database.owner_url)
    report = migrate(empty_database.owner_url, SMALL_SPACE, now=NOW)
    assert not report.changed
    assert report.lines() == (f"nothing to do: schema version {SCHEMA_VERSION}, embedding space tests_8",)
    assert catalogue(empty_database.owner_url) == before


def test_a_later_month_gets_its_partitions(database: FreshDatabase) -> None:
    report = migrate(database.owner_url, SMALL_SPACE, now=datetime(2031, 11, 30, 23, tzinfo=UTC))
    assert report.partitions_made == 12
    with psycopg.connect(database.owner_url) as conn:
        assert conn.execute("SELECT to_regclass('mem.recalls_2032_02') IS NOT NULL").fetchone() == (True,)


def test_sqlalchemys_name_of_the_driver_may_stand_in_the_url(empty_database: FreshDatabase) -> None:
    url = empty_database.owner_url.replace("postgresql://", "postgresql+psycopg://")
    assert migrate(url, SMALL_SPACE, now=NOW).changed


def test_the_app_may_connect_where_public_may_not(empty_database: FreshDatabase) -> None:
    with psycopg.connect(empty_database.superuser_url, autocommit=True) as conn:
        conn.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(empty_database.name)))
    assert "memdb_app may connect" in migrate(empty_database.owner_url, SMALL_SPACE, now=NOW).steps
    with psycopg.connect(empty_database.app_url) as conn:
        assert conn.execute("SELECT count(*) FROM mem.memories").fetchone() == (0,)


# --------------------------------------------------------------------------------------------------------------- races


def test_of_two_racing_runs_both_succeed_and_one_applies(empty_database: FreshDatabase) -> None:
    start = Barrier(2)

    def run() -> bool:
        start.wait(timeout=10)
        return migrate(empty_database.owner_url, SMALL_SPACE, now=NOW).changed

    with ThreadPoolExecutor(2) as pool:
        results = [future.result(timeout=60) for future in [pool.submit(run), pool.submit(run)]]
    assert sorted(results) == [False, True]
    assert versions(empty_database.owner_url) == [SCHEMA_VERSION]


def test_a_run_that_waits_too_long_says_what_it_waits_for(empty_database: FreshDatabase) -> None:
    with psycopg.connect(empty_database.owner_url, autocommit=True) as conn:
        conn.execute("SELECT pg_advisory_lock(%s)", (LOCK_KEY,))
        with pytest.raises(StorageUnavailable, match=r"another memdb migrate has been running for 0\.2 s"):
            migrate(empty_database.owner_url, SMALL_SPACE, now=NOW, lock_timeout_s=0.2)
    assert not has_schema(empty_database.owner_url)


def test_a_table_that_stays_locked_stops_the_run_and_changes_nothing(database: FreshDatabase) -> None:
    source = make_source(NEXT, "SELECT 1", {f"{NEXT:04}_note.sql": "ALTER TABLE mem.orgs ADD COLUMN note text"})
    with psycopg.connect(database.owner_url) as reader:
        reader.execute("SELECT count(*) FROM mem.orgs")
        with pytest.raises(StorageUnavailable, match=r"a table stayed locked for 0\.2 s"):
            migrate(database.owner_url, SMALL_SPACE, now=NOW, source=source, lock_timeout_s=0.2)
    assert versions(database.owner_url) == [SCHEMA_VERSION]


# ------------------------------------------------------------------------------------------------------------ versions

NEXT = SCHEMA_VERSION + 1
NOTE, FILLED_NOTE = f"{NEXT:04}_note.sql", f"{NEXT + 1:04}_filled_note.sql"
UPGRADES = {
    NOTE: "-- A note.\nALTER TABLE mem.orgs ADD COLUMN note text;\nDO $$ BEGIN PERFORM 1; PERFORM 2; END $$;\n-- the end\n",
    FILLED_NOTE: "UPDATE mem.orgs SET note = '50 % -- full; really';\nALTER TABLE mem.orgs ALTER COLUMN note SET NOT NULL;",
}


def test_an_older_version_gets_the_numbered_files_in_order(database: FreshDatabase) -> None:
    with psycopg.connect(database.owner_url) as conn:
        make_org(conn)
    report = migrate(database.owner_url, SMALL_SPACE, now=NOW, source=make_source(NEXT + 1, "SELECT 1", UPGRADES))
    assert (report.version_before, report.version) == (SCHEMA_VERSION, NEXT + 1)
    assert report.lines() == (f"upgrade {NOTE} applied", f"upgrade {FILLED_NOTE} applied")
    assert versions(database.owner_url) == [SCHEMA_VERSION, NEXT, NEXT + 1]
    with psycopg.connect(database.owner_url) as conn:
        assert conn.execute("SELECT note FROM mem.orgs").fetchone() == ("50 % -- full; really",)
    assert not migrate(database.owner_url, SMALL_SPACE, now=NOW, source=make_source(NEXT + 1, "SELECT 1", UPGRADES)).changed


def test_the_upgrades_lead_from_the_first_version_to_what_schema_sql_makes(database: FreshDatabase) -> None:
    """The first version is what schema.sql makes without what the upgrades brought."""
    fresh = shape(database.owner_url)
    with psycopg.connect(database.owner_url) as conn:
        conn.execute("ALTER TABLE mem.memory_index DROP CONSTRAINT memory_index_topic_fk")
        conn.execute("DROP TABLE mem.subject_redirects, mem.alias_sightings, mem.topics, mem.units, mem.conflicts")
        conn.execute("DROP TABLE mem.session_holds, mem.hold_targets, mem.review_requests")
        conn.execute("DROP INDEX mem.memories_writer_idx, mem.memories_key_idx, mem.episodes_source_idx, mem.audit_events_copy_idx")
        for column in QUARANTINED:
            conn.execute(sql.SQL("ALTER TABLE mem.hold_actions DROP COLUMN {}").format(sql.Identifier(column)))
        conn.execute("DROP INDEX mem.hold_actions_quarantine_idx")
        conn.execute("REVOKE UPDATE ON mem.hold_actions FROM memdb_app")
        conn.execute("ALTER TABLE mem.links DROP CONSTRAINT links_kind_ck")
        conn.execute("ALTER TABLE mem.links ADD CONSTRAINT links_kind_ck CHECK (kind IN ('shares_entity', 'similar'))")
        for table in ("memories", "episodes", "holds"):
            conn.execute(sql.SQL("DROP POLICY search_all ON {}").format(sql.Identifier("mem", table)))
        for columns in ("(org_id, id, brain_id, kind, status, written_by, written_key, created_at) ON mem.memories",
                        "(org_id, id, brain_id, external_id) ON mem.episodes"):  # fmt: skip
            conn.execute(f"REVOKE SELECT {columns} FROM memdb_search".encode())
        conn.execute("REVOKE SELECT ON mem.holds FROM memdb_search")
        conn.execute("DROP TABLE mem.derivations, mem.extractions, mem.snapshots, mem.turns, mem.sessions, mem.forgotten")
        conn.execute("DROP TABLE mem.audit_archives, mem.audit_carried")
        conn.execute("DROP FUNCTION mem.list_reads")
        conn.execute("DROP FUNCTION mem.keep_unarchived CASCADE")
        conn.execute("ALTER TABLE mem.recalls DROP COLUMN beside")
        conn.execute("DROP TRIGGER audit_events_append_only ON mem.audit_events")
        conn.execute(
            "CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE ON mem.audit_events"
            " FOR EACH ROW EXECUTE FUNCTION mem.refuse_change()"
        )
        conn.execute("DROP TABLE mem.reconciliations, mem.audit_chain, mem.audit_pending")
        conn.execute("DROP FUNCTION mem.await_sealing CASCADE")
        conn.execute("DROP POLICY app_read ON mem.audit_events")
        conn.execute("REVOKE SELECT ON mem.audit_events FROM memdb_app")
        conn.execute("ALTER TABLE mem.audit_events DROP COLUMN commitment")
        conn.execute("ALTER TABLE mem.memory_index DROP COLUMN words_mac, DROP COLUMN context_mac")
        conn.execute("ALTER TABLE mem.memory_version_index DROP COLUMN words_mac")
        for table in vector_tables(SMALL_SPACE.name):
            conn.execute(sql.SQL("ALTER TABLE mem.{} DROP COLUMN mac").format(sql.Identifier(table)))
        without_keys_and_looks(conn)
        conn.execute("DROP TABLE mem.erasure_decisions, mem.erasures, mem.erasure_ledger")
        conn.execute("DROP FUNCTION mem.list_brain_ids, mem.erase_people, mem.find_questions, mem.delete_questions, mem.set_brain_name")
        conn.execute("DROP FUNCTION mem.brain_of")
        conn.execute("DROP INDEX mem.memory_index_neighbours_idx")
        conn.execute("ALTER TABLE mem.memory_fragments DROP COLUMN from_version, DROP COLUMN until_version")
        conn.execute("ALTER TABLE mem.fragments DROP COLUMN turn_id")
        conn.execute("DROP FUNCTION mem.expand_subjects, mem.list_old_keys")
        conn.execute("DROP INDEX mem.holds_brain_idx, mem.memories_old_key_idx")
        conn.execute("ALTER TABLE mem.brains DROP COLUMN sharing")
        conn.execute("ALTER TABLE mem.hold_actions DROP CONSTRAINT hold_actions_kind_ck")
        conn.execute("ALTER TABLE mem.hold_actions ADD CONSTRAINT hold_actions_kind_ck CHECK (kind IN ('write', 'quarantine'))")
        conn.execute("DROP TABLE mem.policies, mem.outcomes, mem.feedback_queries")
        conn.execute("DROP FUNCTION mem.forget_questions, mem.forget_recalls, mem.list_unconfirmed")
        for outcome in Outcome:
            conn.execute(sql.SQL("ALTER TABLE mem.memory_stats DROP COLUMN {}").format(sql.Identifier(outcome)))
        conn.execute("ALTER TABLE mem.memory_index DROP COLUMN placement")
        conn.execute("DROP INDEX mem.memory_index_said_by_idx, mem.entities_prefix_idx")
        for table in ("entities", "memory_entities", "links", "memory_fragments", "fragments"):
            conn.execute(sql.SQL("DROP POLICY search_all ON {}").format(sql.Identifier("mem", table)))
        conn.execute("REVOKE SELECT ON mem.entities, mem.memory_entities, mem.links, mem.memory_fragments FROM memdb_search")
        conn.execute("REVOKE SELECT (org_id, brain_id, id, episode_id, position) ON mem.fragments FROM memdb_search")
        conn.execute("UPDATE mem.schema_versions SET version = 1")
    assert shape(database.owner_url) != fresh
    report = migrate(database.owner_url, SMALL_SPACE, now=NOW)
    assert (report.version_before, report.version) == (1, SCHEMA_VERSION)
    assert shape(database.owner_url) == fresh


def without_keys_and_looks(conn: psycopg.Connection) -> None:
    conn.execute("DROP TABLE mem.looks")
    conn.execute("DROP POLICY app_read ON mem.memory_stats")
    for command in ("insert", "update", "delete"):
        conn.execute(sql.SQL("DROP POLICY {} ON mem.memory_stats").format(sql.Identifier(f"app_{command}")))
    conn.execute(
        "CREATE POLICY app_stats ON mem.memory_stats TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(brain_id))"
        " WITH CHECK (org_id = mem.current_org() AND mem.can_read(brain_id))"
    )
    conn.execute("DROP POLICY app_insert ON mem.outcomes")
    conn.execute("DROP POLICY app_update ON mem.outcomes")
    conn.execute("DROP FUNCTION mem.break_glass, mem.end_look, mem.is_member")
    conn.execute("ALTER TABLE mem.api_keys DROP COLUMN reason, DROP COLUMN requests_per_minute, DROP COLUMN last_used_at")
    conn.execute("ALTER TABLE mem.api_keys DROP COLUMN replaced_by")
    conn.execute("ALTER TABLE mem.recalls DROP COLUMN looks")


def test_a_failing_upgrade_leaves_the_version_before_the_run(database: FreshDatabase) -> None:
    before = catalogue(database.owner_url)
    broken = UPGRADES | {FILLED_NOTE: "ALTER TABLE mem.orgs ALTER COLUMN nowhere SET NOT NULL"}
    with pytest.raises(StorageError, match=r"42703.*nothing was changed"):
        migrate(database.owner_url, SMALL_SPACE, now=NOW, source=make_source(NEXT + 1, "SELECT 1", broken))
    assert catalogue(database.owner_url) == before


def test_a_failing_schema_leaves_an_empty_database(empty_database: FreshDatabase) -> None:
    source = replace(load_source(), script="CREATE SCHEMA mem; CREATE TABLE mem.orgs (id nosuchtype);")
    with pytest.raises(StorageError):
        migrate(empty_database.owner_url, SMALL_SPACE, now=NOW, source=source)
    assert not has_schema(empty_database.owner_url)


def test_a_newer_version_is_refused(database: FreshDatabase) -> None:
    with psycopg.connect(database.owner_url) as conn:
        conn.execute("INSERT INTO mem.schema_versions VALUES (%s, %s)", (SCHEMA_VERSION + 1, NOW))
    with pytest.raises(SchemaMismatch, match=rf"schema version {SCHEMA_VERSION + 1}, newer than .* install a newer memdb-server"):
        migrate(database.owner_url, SMALL_SPACE, now=NOW)


def test_a_version_without_a_way_to_the_present_one_is_refused(database: FreshDatabase) -> None:
    source = make_source(NEXT + 1, "SELECT 1", {f"{NEXT + 1:04}_filled_note.sql": "SELECT 1"})
    with pytest.raises(SchemaMismatch, match="no upgrade from there"):
        migrate(database.owner_url, SMALL_SPACE, now=NOW, source=source)


@pytest.mark.parametrize("script", ["CREATE SCHEMA mem", "CREATE SCHEMA mem; CREATE TABLE mem.schema_versions (version integer NOT NULL)"])
def test_a_schema_of_somebody_else_is_refused_and_left_alone(empty_database: FreshDatabase, script: str) -> None:
    with psycopg.connect(empty_database.owner_url) as conn:
        conn.execute(script.encode())
    with pytest.raises(SchemaMismatch, match="use another database, or rename that schema"):
        migrate(empty_database.owner_url, SMALL_SPACE, now=NOW)
    with psycopg.connect(empty_database.owner_url) as conn:
        assert conn.execute("SELECT to_regclass('mem.orgs')").fetchone() == (None,)


# -------------------------------------------------------------------------------------------------------------- rights


def test_what_an_administrator_must_run_is_listed(cluster: Cluster) -> None:
    with (
        login_role(cluster) as role,
        empty(cluster, extension=False) as fresh,
        pytest.raises(ConfigurationError) as caught,
    ):
        migrate(in_database(role.url, fresh.name), SMALL_SPACE, now=NOW)
    assert f"the role {role.name} may not apply the schema" in caught.value.message
    assert "\n  CREATE EXTENSION vector;" in caught.value.message
    assert f"\n  GRANT CREATE ON DATABASE {fresh.name} TO {role.name};" in caught.value.message


def test_somebody_elses_migrated_database_needs_its_owner(cluster: Cluster, database: FreshDatabase) -> None:
    with login_role(cluster) as role, pytest.raises(ConfigurationError, match=r"GRANT memdb_owner TO tests_[0-9a-f_]+;"):
        migrate(in_database(role.url, database.name), SMALL_SPACE, now=NOW)


def test_the_listed_statements_are_enough(cluster: Cluster) -> None:
    with login_role(cluster) as role, empty(cluster, extension=False) as fresh:
        mine = in_database(role.url, fresh.name)
        with pytest.raises(ConfigurationError) as caught:
            migrate(mine, SMALL_SPACE, now=NOW)
        with psycopg.connect(fresh.superuser_url, autocommit=True) as administrator:
            for line in caught.value.message.splitlines()[1:]:
                administrator.execute(line.encode())
        assert migrate(mine, SMALL_SPACE, now=NOW).changed


def test_an_unreachable_database_is_named_without_its_password() -> None:
    with pytest.raises(StorageUnavailable, match="/no/such/folder") as caught:
        migrate("postgresql://memdb_owner:s3cretword@/memdb?host=/no/such/folder", SMALL_SPACE, now=NOW)
    assert "s3cretword" not in caught.value.message


# -------------------------------------------------------------------------------------------------------------- spaces


@pytest.mark.parametrize(("other", "error"), [(OTHER_NAME, SchemaMismatch), (OTHER_DIMENSION, DimensionMismatch)])
def test_another_space_is_refused_once_there_are_vectors(database: FreshDatabase, other: EmbeddingSpace, error: type[Exception]) -> None:
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        store_vector(conn)
    before = catalogue(database.owner_url)
    with pytest.raises(error, match=rf"tests_8 .*{other.name} "):
        migrate(database.owner_url, other, now=NOW)
    assert catalogue(database.owner_url) == before


def test_a_space_without_vectors_is_left_and_its_waiting_memories_go_along(database: FreshDatabase) -> None:
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        org = make_org(conn)
        brain = make_brain(conn, org, {org: "reader"})
        memory = make_memory(conn, org, brain, org)
        insert(conn, "embedding_pending", org_id=org, space="tests_8", memory_id=memory, brain_id=brain, attempts=7, next_try_at=NOW)
        report = migrate(database.owner_url, OTHER_DIMENSION, now=NOW)
        assert report.steps == ("embedding space other_4 made (4 dimensions)", "embedding space other_4 is active")
        assert conn.execute("SELECT name, active FROM mem.embedding_spaces ORDER BY name").fetchall() == [
            ("other_4", True),
            ("tests_8", False),
        ]
        assert conn.execute("SELECT space, memory_id, attempts FROM mem.embedding_pending").fetchall() == [("other_4", memory, 0)]
        assert migrate(database.owner_url, SMALL_SPACE, now=NOW).steps == ("embedding space tests_8 is active",)


@pytest.mark.parametrize("change", [{"dimension": 16}, {"model": "other"}, {"recipe": "2"}, {"provider": "other"}])
def test_a_known_name_with_other_parts_is_refused(database: FreshDatabase, change: dict[str, object]) -> None:
    changed = replace(SMALL_SPACE, **change)  # type: ignore[arg-type]  # one field of the right type each
    error = DimensionMismatch if "dimension" in change else SchemaMismatch
    with pytest.raises(error):
        migrate(database.owner_url, changed, now=NOW)


@pytest.mark.parametrize("name", ["9_digits_first", "a" * 30])
def test_names_at_the_edge_of_what_an_identifier_holds_work(database: FreshDatabase, name: str) -> None:
    migrate(database.owner_url, replace(SMALL_SPACE, name=name), now=NOW)
    with psycopg.connect(database.owner_url) as conn:
        row = conn.execute(
            "SELECT count(*) FROM pg_class WHERE relname IN (%s, %s)",
            (f"memory_vectors_{name}_hnsw", f"memory_version_vectors_{name}_brain_idx"),
        )
        assert row.fetchone() == (2,)


@pytest.mark.parametrize("vector", ["[0,0,0,0,0,0,0,0]", "[2,0,0,0,0,0,0,0]", "[1,0,0]", "[NaN,0,0,0,0,0,0,0]", None])
def test_what_is_no_unit_vector_cannot_be_stored(database: FreshDatabase, vector: str | None) -> None:
    with psycopg.connect(database.owner_url, autocommit=True) as conn:
        store_vector(conn)
        with pytest.raises((psycopg.errors.CheckViolation, psycopg.errors.DataException, psycopg.errors.NotNullViolation)):
            conn.execute("UPDATE mem.memory_vectors_tests_8 SET embedding = %s::halfvec", (vector,))
