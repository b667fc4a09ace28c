"""What row-level security shows, by itself: no predicate of the product takes part in these tests."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import errors, sql

from tests.integration.schema.world import (
    CONTENT_TABLES,
    OF_THE_ORG,
    UNREADABLE,
    Org,
    acting,
    brains_seen,
    count,
    tenant_tables,
)
from tests.support.rows import NOW, add_to_team, insert, make_brain, make_key, make_subject


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
    for table in ("recalls", "feedback_queries"):
        with acting(app, org.id, org.bruno, org.bruno_key):
            assert count(app, table) == 1
        with acting(app, org.id, org.ana, org.ana_key):
            assert count(app, table) == 0


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
