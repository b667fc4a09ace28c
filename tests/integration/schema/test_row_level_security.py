"""Row-level security by itself: no predicate of the product takes part in these tests."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import errors, sql
from psycopg.types.json import Jsonb

from memdb.ids import make_id
from tests.integration.schema.world import CONTENT_TABLES, Org, make_world, tenant_tables
from tests.support.rows import NOW, add_to_team, insert, make_brain, make_key, make_subject, set_identity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from tests.support.database import FreshDatabase

UNREADABLE = {"audit_events"}  # write-only for the app
OF_THE_ORG = (
    "subjects",
    "subject_identities",
    "subject_aliases",
    "team_members",
    "api_keys",
    "idempotency_keys",
    "hold_actions",
    "embedding_pending",
)
SEARCHABLE = (
    "memory_index", "memory_version_index", "term_stats", "term_deltas", "corpus_stats", "memory_vectors_tests_8", "memory_version_vectors_tests_8",
)  # fmt: skip


@pytest.fixture(scope="module")
def owner(module_database: FreshDatabase) -> Iterator[psycopg.Connection]:
    with psycopg.connect(module_database.owner_url, autocommit=True) as conn:
        yield conn


@pytest.fixture(scope="module")
def app(module_database: FreshDatabase) -> Iterator[psycopg.Connection]:
    with psycopg.connect(module_database.app_url, autocommit=True) as conn:
        yield conn


@pytest.fixture(scope="module")
def org(owner: psycopg.Connection) -> Org:
    return make_world(owner)


@pytest.fixture(scope="module")
def foreign(owner: psycopg.Connection) -> Org:
    return make_world(owner)


@contextmanager
def acting(
    app: psycopg.Connection, org_id: UUID, subject: UUID | None = None, key: str | None = None, **more: Any
) -> Iterator[psycopg.Connection]:
    """A transaction of the app under an identity; leaves nothing behind."""
    with app.transaction(force_rollback=True):
        set_identity(app, org_id, subject, key, **more)
        yield app


def count(conn: psycopg.Connection, table: str, **where: Any) -> int:
    query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier("mem", table))
    if where:
        query += sql.SQL(" WHERE ") + sql.SQL(" AND ").join(sql.SQL("{} = %s").format(sql.Identifier(name)) for name in where)
    row = conn.execute(query, list(where.values())).fetchone()
    assert row is not None
    return int(row[0])


def brains_seen(conn: psycopg.Connection, table: str) -> set[UUID]:
    return {row[0] for row in conn.execute(sql.SQL("SELECT DISTINCT brain_id FROM {}").format(sql.Identifier("mem", table))).fetchall()}


# ------------------------------------------------------------------------------------------------------ who sees what


def test_every_tenant_table_has_rows_of_both_orgs(owner: psycopg.Connection, org: Org, foreign: Org) -> None:
    # Otherwise "sees nothing" would be true of an empty table.
    for table in tenant_tables(owner):
        assert count(owner, table, org_id=org.id) > 0, table
        assert count(owner, table, org_id=foreign.id) > 0, table
    assert {*CONTENT_TABLES, *OF_THE_ORG, *UNREADABLE} <= set(tenant_tables(owner))


def test_no_setting_means_no_row(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    for table in tenant_tables(owner):
        if table not in UNREADABLE:
            assert count(app, table) == 0, table


def test_empty_settings_mean_no_row(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    with app.transaction(force_rollback=True):
        for name in ("mem.org_id", "mem.subject_id", "mem.key_id", "mem.job_brain_id"):
            app.execute(sql.SQL("SET LOCAL {} = ''").format(sql.Identifier(*name.split("."))))
        for table in tenant_tables(owner):
            if table not in UNREADABLE:
                assert count(app, table) == 0, table


def test_settings_end_with_their_transaction(app: psycopg.Connection, org: Org) -> None:
    with acting(app, org.id, org.ana, org.ana_key):
        assert count(app, "memories") == 2
    assert count(app, "memories") == 0
    assert count(app, "subjects") == 0


@pytest.mark.parametrize("table", CONTENT_TABLES)
def test_a_member_sees_the_brain_and_no_other(app: psycopg.Connection, org: Org, foreign: Org, table: str) -> None:
    with acting(app, org.id, org.ana, org.ana_key):
        assert brains_seen(app, table) == {org.shared}
    with acting(app, org.id, org.bruno, org.bruno_key):
        assert brains_seen(app, table) == {org.shared, org.bruno_brain}
    with acting(app, org.id, org.carla, org.carla_key):
        assert brains_seen(app, table) == {org.shared}
    with acting(app, org.id, org.stranger, org.stranger_key):
        assert brains_seen(app, table) == set()


@pytest.mark.parametrize("table", OF_THE_ORG)
def test_the_directory_shows_one_org(app: psycopg.Connection, org: Org, foreign: Org, table: str) -> None:
    with acting(app, org.id, org.stranger, org.stranger_key):
        assert count(app, table) > 0
        assert count(app, table, org_id=foreign.id) == 0


def test_the_org_alone_opens_no_brain(app: psycopg.Connection, org: Org) -> None:
    with acting(app, org.id):
        for table in CONTENT_TABLES:
            assert count(app, table) == 0, table


def test_a_subject_without_a_key_opens_no_brain(app: psycopg.Connection, org: Org) -> None:
    with acting(app, org.id, org.ana):
        assert count(app, "memories") == 0


def test_a_credential_of_one_org_opens_nothing_in_another(app: psycopg.Connection, org: Org, foreign: Org) -> None:
    with acting(app, foreign.id, org.ana, org.ana_key):
        for table in (*CONTENT_TABLES, "brains", "brain_members"):
            assert count(app, table) == 0, table


def test_brains_and_members_are_listed_to_members_only(app: psycopg.Connection, org: Org) -> None:
    with acting(app, org.id, org.ana, org.ana_key):
        assert {row[0] for row in app.execute("SELECT id FROM mem.brains").fetchall()} == {org.shared}
        assert brains_seen(app, "brain_members") == {org.shared}
        assert brains_seen(app, "brain_access") == {org.shared}
    with acting(app, org.id, org.stranger, org.stranger_key):
        assert count(app, "brains") + count(app, "brain_members") + count(app, "brain_access") == 0


def test_a_brain_of_the_whole_org_is_open_to_everybody_in_it(
    app: psycopg.Connection, owner: psycopg.Connection, org: Org, foreign: Org
) -> None:
    brain = make_brain(owner, org.id, {org.id: "reader"}, kind="org")
    with acting(app, org.id, org.stranger, org.stranger_key):
        assert count(app, "brains", id=brain) == 1
    with acting(app, foreign.id, foreign.ana, foreign.ana_key):
        assert count(app, "brains", id=brain) == 0


def test_leaving_a_team_closes_its_brains(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    team = make_subject(owner, org.id, kind="team")
    brain = make_brain(owner, org.id, {team: "writer"})
    add_to_team(owner, org.id, team, org.stranger)
    with acting(app, org.id, org.stranger, org.stranger_key):
        assert count(app, "brains", id=brain) == 1
        app.execute("DELETE FROM mem.team_members WHERE org_id = %s AND team_id = %s AND subject_id = %s", (org.id, team, org.stranger))
        app.execute("SELECT mem.rebuild_team_access(%s, %s)", (org.id, team))
        assert count(app, "brains", id=brain) == 0


def test_a_stored_recall_is_seen_by_whoever_asked(app: psycopg.Connection, org: Org) -> None:
    with acting(app, org.id, org.bruno, org.bruno_key):
        assert count(app, "recalls") == 1
    with acting(app, org.id, org.ana, org.ana_key):
        assert count(app, "recalls") == 0


# --------------------------------------------------------------------------------------------------------------- keys


def test_a_revoked_key_opens_nothing(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    key = make_key(owner, org.id, org.ana, revoked_at=NOW)
    with acting(app, org.id, org.ana, key):
        for table in (*CONTENT_TABLES, "brains"):
            assert count(app, table) == 0, table


def test_an_unknown_key_and_a_key_of_somebody_else_open_nothing(app: psycopg.Connection, org: Org) -> None:
    for key in ("nosuchkey", org.bruno_key):
        with acting(app, org.id, org.ana, key):
            assert count(app, "memories") == 0


def test_a_key_narrows_its_subject_to_the_listed_brains(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    key = make_key(owner, org.id, org.bruno, brains=[org.bruno_brain])
    with acting(app, org.id, org.bruno, key):
        assert brains_seen(app, "memories") == {org.bruno_brain}
    none = make_key(owner, org.id, org.bruno, brains=[])
    with acting(app, org.id, org.bruno, none):
        assert count(app, "memories") == 0


def test_a_service_acts_as_the_subjects_on_its_key(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    service = make_subject(owner, org.id, kind="service")
    key = make_key(owner, org.id, service, act_as_subjects=[org.bruno])
    with acting(app, org.id, org.bruno, key):
        assert brains_seen(app, "memories") == {org.shared, org.bruno_brain}
    with acting(app, org.id, org.ana, key):
        assert count(app, "memories") == 0
    with acting(app, org.id, service, key):
        assert count(app, "memories") == 0


def test_a_service_acts_in_the_brains_on_its_key(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    service = make_subject(owner, org.id, kind="service")
    key = make_key(owner, org.id, service, act_as_brains=[org.shared])
    with acting(app, org.id, org.bruno, key):
        assert brains_seen(app, "memories") == {org.shared}
    with acting(app, org.id, org.stranger, key):
        assert count(app, "memories") == 0


def test_the_brains_of_a_key_bound_what_it_acts_in(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    service = make_subject(owner, org.id, kind="service")
    key = make_key(owner, org.id, service, act_as_subjects=[org.bruno], brains=[org.shared])
    with acting(app, org.id, org.bruno, key):
        assert brains_seen(app, "memories") == {org.shared}


@pytest.mark.parametrize(("cap", "expected"), [("reader", "reader"), ("writer", "writer"), ("admin", "admin")])
def test_the_role_is_the_lower_of_subject_and_key(
    app: psycopg.Connection, owner: psycopg.Connection, org: Org, cap: str, expected: str
) -> None:
    key = make_key(owner, org.id, org.ana, max_role=cap)
    with acting(app, org.id, org.ana, key):
        assert app.execute("SELECT mem.role_in(%s)", (org.shared,)).fetchone() == (expected,)
    reader = make_key(owner, org.id, org.carla, max_role=cap)
    with acting(app, org.id, org.carla, reader):
        assert app.execute("SELECT mem.role_in(%s)", (org.shared,)).fetchone() == ("reader",)


# --------------------------------------------------------------------------------------------------------------- jobs


@pytest.mark.parametrize("table", CONTENT_TABLES)
def test_a_job_sees_exactly_its_brain(app: psycopg.Connection, org: Org, table: str) -> None:
    with acting(app, org.id, job_brain_id=org.bruno_brain):
        assert brains_seen(app, table) == {org.bruno_brain}


def test_a_job_writes_in_its_brain_and_administers_nothing(app: psycopg.Connection, org: Org) -> None:
    with acting(app, org.id, job_brain_id=org.bruno_brain):
        assert app.execute("UPDATE mem.memories SET importance = 1").rowcount == 2
        assert app.execute("UPDATE mem.brains SET name = 'taken'").rowcount == 0
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            insert(app, "brain_members", org_id=org.id, brain_id=org.bruno_brain, member_id=org.stranger, role="admin", created_at=NOW)


def test_a_job_of_another_org_sees_nothing(app: psycopg.Connection, org: Org, foreign: Org) -> None:
    with acting(app, foreign.id, job_brain_id=org.bruno_brain):
        for table in (*CONTENT_TABLES, "brains"):
            assert count(app, table) == 0, table


# ------------------------------------------------------------------------------------------------------------- writes


def stats_row(org_id: UUID, brain_id: UUID) -> dict[str, Any]:
    return {"org_id": org_id, "brain_id": brain_id, "term": "new", "language": "en", "documents": 1}


@pytest.mark.parametrize(("subject", "key"), [("stranger", "stranger_key"), ("carla", "carla_key"), ("ana", "stranger_key")])
def test_a_write_without_the_role_is_refused(app: psycopg.Connection, org: Org, subject: str, key: str) -> None:
    with acting(app, org.id, getattr(org, subject), getattr(org, key)):
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            insert(app, "term_stats", **stats_row(org.id, org.shared))
        for table in ("memories", "memory_index", "fragments", "holds", "memory_vectors_tests_8"):
            assert app.execute(sql.SQL("UPDATE {} SET org_id = org_id").format(sql.Identifier("mem", table))).rowcount == 0, table
            assert app.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier("mem", table))).rowcount == 0, table


def test_a_writer_writes_into_the_brain_and_no_other(app: psycopg.Connection, org: Org, foreign: Org) -> None:
    with acting(app, org.id, org.bruno, org.bruno_key):
        insert(app, "term_stats", **stats_row(org.id, org.shared))
        assert app.execute("UPDATE mem.memories SET importance = 1 WHERE brain_id = %s", (org.shared,)).rowcount == 2
    for org_id, brain_id in ((org.id, make_id()), (foreign.id, foreign.shared), (foreign.id, org.shared)):
        with acting(app, org.id, org.bruno, org.bruno_key), pytest.raises(errors.InsufficientPrivilege), app.transaction():
            insert(app, "term_stats", **stats_row(org_id, brain_id))


def test_a_row_cannot_be_moved_into_a_brain_that_may_only_be_read(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    readable = make_brain(owner, org.id, {org.bruno: "reader"})
    with acting(app, org.id, org.bruno, org.bruno_key):
        for brain in (readable, make_id()):
            with pytest.raises(errors.InsufficientPrivilege), app.transaction():
                app.execute("UPDATE mem.memories SET brain_id = %s WHERE brain_id = %s", (brain, org.bruno_brain))


def test_a_row_cannot_be_moved_into_another_org(app: psycopg.Connection, org: Org, foreign: Org) -> None:
    with acting(app, org.id, org.bruno, org.bruno_key), pytest.raises(errors.InsufficientPrivilege):
        app.execute("UPDATE mem.corpus_stats SET org_id = %s, brain_id = %s", (foreign.id, foreign.shared))


def test_a_reader_counts_access(app: psycopg.Connection, org: Org) -> None:
    with acting(app, org.id, org.carla, org.carla_key):
        assert app.execute("UPDATE mem.memory_stats SET accessed = accessed + 1").rowcount == 1


def test_whoever_makes_a_brain_sets_its_first_members_and_nobody_joins_another(app: psycopg.Connection, org: Org) -> None:
    brain = make_id()
    with acting(app, org.id, org.stranger, org.stranger_key):
        insert(app, "brains", org_id=org.id, id=brain, kind="team", name="mine", created_at=NOW)
        insert(app, "brain_members", org_id=org.id, brain_id=brain, member_id=org.stranger, role="admin", created_at=NOW)
        app.execute("SELECT mem.rebuild_brain_access(%s, %s)", (org.id, brain))
        assert app.execute("SELECT mem.role_in(%s)", (brain,)).fetchone() == ("admin",)
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            insert(app, "brain_members", org_id=org.id, brain_id=org.shared, member_id=org.stranger, role="reader", created_at=NOW)


def test_access_is_only_changed_through_the_function_and_only_in_the_own_org(app: psycopg.Connection, org: Org, foreign: Org) -> None:
    with acting(app, org.id, org.ana, org.ana_key):
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            insert(app, "brain_access", org_id=org.id, subject_id=org.ana, brain_id=org.bruno_brain, role="admin")
        for function in ("rebuild_brain_access", "rebuild_team_access"):
            with pytest.raises(errors.InsufficientPrivilege), app.transaction():
                app.execute(sql.SQL("SELECT {}(%s, %s)").format(sql.Identifier("mem", function)), (foreign.id, foreign.shared))


# -------------------------------------------------------------------------------------------------------- search role


@pytest.mark.parametrize("table", SEARCHABLE)
def test_the_search_policy_holds_only_after_switching(
    app: psycopg.Connection, owner: psycopg.Connection, org: Org, foreign: Org, table: str
) -> None:
    assert count(app, table) == 0
    with app.transaction(force_rollback=True):
        app.execute("SET LOCAL ROLE memdb_search")
        assert count(app, table) == count(owner, table)
        assert count(app, table, org_id=foreign.id) > 0
    assert count(app, table) == 0


def test_the_search_role_reads_no_content_and_writes_nothing(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    for table in set(tenant_tables(owner)) - set(SEARCHABLE):
        with app.transaction(force_rollback=True), pytest.raises(errors.InsufficientPrivilege):
            app.execute("SET LOCAL ROLE memdb_search")
            count(app, table)
    for table in SEARCHABLE:
        with app.transaction(force_rollback=True), pytest.raises(errors.InsufficientPrivilege):
            app.execute("SET LOCAL ROLE memdb_search")
            app.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier("mem", table)))


def test_nobody_logs_in_as_the_search_role(owner: psycopg.Connection) -> None:
    assert owner.execute("SELECT rolcanlogin, rolinherit FROM pg_roles WHERE rolname = 'memdb_search'").fetchone() == (False, False)


# -------------------------------------------------------------------------------------------------------------- audit


def audit_row(org_id: UUID) -> dict[str, Any]:
    return {"org_id": org_id, "id": make_id(), "at": NOW, "action": "a", "object_kind": "memory", "object_id": "x", "detail": Jsonb({})}


CHANGES = ("UPDATE {} SET action = 'changed'", "DELETE FROM {}", "TRUNCATE {}", "SELECT count(*) FROM {}")


@pytest.mark.parametrize("change", CHANGES)
def test_the_app_only_appends_to_the_audit(app: psycopg.Connection, org: Org, foreign: Org, change: str) -> None:
    with acting(app, org.id, org.ana, org.ana_key):
        insert(app, "audit_events", **audit_row(org.id))
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            app.execute(sql.SQL(change).format(sql.Identifier("mem", "audit_events")))
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            insert(app, "audit_events", **audit_row(foreign.id))


@pytest.mark.parametrize("table", ["audit_events", f"audit_events_{NOW:%Y_%m}"])
@pytest.mark.parametrize("change", CHANGES[:3])
def test_the_owner_cannot_change_the_audit_either(owner: psycopg.Connection, org: Org, change: str, table: str) -> None:
    before = count(owner, "audit_events")
    with pytest.raises(errors.InsufficientPrivilege, match="append-only"):
        owner.execute(sql.SQL(change).format(sql.Identifier("mem", table)))
    assert count(owner, "audit_events") == before


# --------------------------------------------------------------------------------------------------------- partitions


@pytest.mark.parametrize("parent", ["audit_events", "recalls"])
def test_the_app_cannot_address_a_partition(app: psycopg.Connection, owner: psycopg.Connection, org: Org, parent: str) -> None:
    partition = f"{parent}_{NOW:%Y_%m}"
    assert count(owner, partition) > 0
    with acting(app, org.id, org.bruno, org.bruno_key):
        for statement in ("SELECT count(*) FROM {}", "DELETE FROM {}", "INSERT INTO {} DEFAULT VALUES"):
            with pytest.raises(errors.InsufficientPrivilege), app.transaction():
                app.execute(sql.SQL(statement).format(sql.Identifier("mem", partition)))


def test_the_app_makes_partitions_through_the_function_alone(app: psycopg.Connection, org: Org) -> None:
    with app.transaction(force_rollback=True):
        assert app.execute("SELECT mem.ensure_partitions('2099-01-01Z', 2)").fetchone() == (4,)
    with app.transaction(force_rollback=True), pytest.raises(errors.InsufficientPrivilege):
        app.execute("CREATE TABLE mem.mine (id integer)")


def test_the_app_calls_no_function_that_makes_tables_or_policies(app: psycopg.Connection) -> None:
    for call in ("mem.make_vector_space('mine', 8)", "mem.guard_content('orgs')", "mem.guard_org('orgs', 'SELECT')"):
        with app.transaction(force_rollback=True), pytest.raises(errors.InsufficientPrivilege):
            app.execute(f"SELECT {call}".encode())
