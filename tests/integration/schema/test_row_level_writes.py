"""What row-level security, grants and triggers let the app write, search and append; no predicate of the product takes part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import errors, sql
from psycopg.types.json import Jsonb

from memdb.ids import make_id
from tests.integration.schema.world import (
    SEARCHABLE,
    Org,
    acting,
    count,
    tenant_tables,
)
from tests.support.rows import NOW, insert, make_brain

if TYPE_CHECKING:
    from uuid import UUID


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


def outcome_row(org: Org, subject: UUID, brain: UUID, memory: UUID) -> dict[str, Any]:
    about = {"org_id": org.id, "brain_id": brain, "memory_id": memory, "recall_id": make_id()}
    return about | {"key_id": "tests", "subject_id": subject, "outcome": "helpful", "created_at": NOW}


def test_a_reader_says_what_became_of_a_memory_in_no_name_but_their_own(
    app: psycopg.Connection, owner: psycopg.Connection, org: Org
) -> None:
    places: dict[UUID, UUID] = dict(owner.execute("SELECT brain_id, memory_id FROM mem.outcomes WHERE org_id = %s", (org.id,)).fetchall())
    with acting(app, org.id, org.carla, org.carla_key):
        insert(app, "outcomes", **outcome_row(org, org.carla, org.shared, places[org.shared]))
        refused = [(org.bruno, org.shared, places[org.shared]), (org.carla, org.bruno_brain, places[org.bruno_brain])]
        for subject, brain, memory in refused:
            with pytest.raises(errors.InsufficientPrivilege), app.transaction():
                insert(app, "outcomes", **outcome_row(org, subject, brain, memory))
        assert app.execute("UPDATE mem.outcomes SET outcome = 'wrong'").rowcount == 1, "her own and not Bruno's"
        assert app.execute("DELETE FROM mem.outcomes").rowcount == 0, "only who may delete the memory"
    with acting(app, org.id, org.bruno, org.bruno_key):
        assert app.execute("DELETE FROM mem.outcomes").rowcount == 2


def test_a_reader_asks_for_a_review_and_does_not_close_it(app: psycopg.Connection, owner: psycopg.Connection, org: Org) -> None:
    places: dict[UUID, UUID] = dict(owner.execute("SELECT brain_id, memory_id FROM mem.holds WHERE org_id = %s", (org.id,)).fetchall())

    def row(brain: UUID) -> dict[str, Any]:
        about = {"org_id": org.id, "brain_id": brain, "memory_id": places[brain], "cause": "flagged"}
        return about | {"reasons": [], "times": 1, "opened_at": NOW, "changed_at": NOW}

    with acting(app, org.id, org.carla, org.carla_key):
        insert(app, "review_requests", **row(org.shared))
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            insert(app, "review_requests", **row(org.bruno_brain))
        assert app.execute("DELETE FROM mem.review_requests").rowcount == 0
    with acting(app, org.id, org.bruno, org.bruno_key):
        assert app.execute("DELETE FROM mem.review_requests WHERE brain_id = %s", (org.shared,)).rowcount == 1


def test_the_search_role_reads_neither_notes_nor_questions(app: psycopg.Connection, org: Org) -> None:
    for table, column in (("outcomes", "note"), ("feedback_queries", "query"), ("feedback_queries", "subject_id")):
        with app.transaction(force_rollback=True), pytest.raises(errors.InsufficientPrivilege):
            app.execute("SET LOCAL ROLE memdb_search")
            app.execute(sql.SQL("SELECT {} FROM {}").format(sql.Identifier(column), sql.Identifier("mem", table)))


def test_whoever_makes_a_brain_sets_its_first_members_and_nobody_joins_another(app: psycopg.Connection, org: Org) -> None:
    brain = make_id()
    with acting(app, org.id, org.stranger, org.stranger_key):
        others = make_id()
        insert(app, "brains", org_id=org.id, id=others, kind="team", name="not mine", created_at=NOW, created_by=org.ana)
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            insert(app, "brain_members", org_id=org.id, brain_id=others, member_id=org.stranger, role="admin", created_at=NOW)
        insert(app, "brains", org_id=org.id, id=brain, kind="team", name="mine", created_at=NOW, created_by=org.stranger)
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


def audit_row(org_id: UUID) -> dict[str, Any]:
    return {"org_id": org_id, "id": make_id(), "at": NOW, "action": "a", "object_kind": "memory", "object_id": "x", "detail": Jsonb({})}


CHANGES = ("UPDATE {} SET action = 'changed'", "DELETE FROM {}", "TRUNCATE {}")


@pytest.mark.parametrize("change", CHANGES)
def test_the_app_only_appends_to_the_audit(app: psycopg.Connection, org: Org, foreign: Org, change: str) -> None:
    with acting(app, org.id, org.ana, org.ana_key):
        insert(app, "audit_events", **audit_row(org.id))
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            app.execute(sql.SQL(change).format(sql.Identifier("mem", "audit_events")))
        with pytest.raises(errors.InsufficientPrivilege), app.transaction():
            insert(app, "audit_events", **audit_row(foreign.id))


@pytest.mark.parametrize("table", ["audit_events", f"audit_events_{NOW:%Y_%m}"])
@pytest.mark.parametrize("change", CHANGES)
def test_the_owner_cannot_change_the_audit_either(owner: psycopg.Connection, org: Org, change: str, table: str) -> None:
    before = count(owner, "audit_events")
    with pytest.raises(errors.InsufficientPrivilege, match="append-only"):
        owner.execute(sql.SQL(change).format(sql.Identifier("mem", table)))
    assert count(owner, "audit_events") == before


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
        assert app.execute("SELECT mem.ensure_partitions('2099-01-01Z', 2)").fetchone() == (6,)
    with app.transaction(force_rollback=True), pytest.raises(errors.InsufficientPrivilege):
        app.execute("CREATE TABLE mem.mine (id integer)")


def test_the_app_calls_no_function_that_makes_tables_or_policies(app: psycopg.Connection) -> None:
    for call in ("mem.make_vector_space('mine', 8)", "mem.guard_content('orgs')", "mem.guard_org('orgs', 'SELECT')"):
        with app.transaction(force_rollback=True), pytest.raises(errors.InsufficientPrivilege):
            app.execute(f"SELECT {call}".encode())
