"""Judging a login role and the gaps of a server, without a database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdb.storage.checks import judge_clock, judge_disk
from memdb.storage.prerequisites import Prerequisites, parse_version, quote, statements_for
from memdb.storage.roles import ReachableRole, RoleFacts, role_problems

APP = ReachableRole("memdb_app", superuser=False, bypasses_rls=False, owns_tenant_table=False)
SAFE = RoleFacts(
    "memdb_app",
    (APP,),
    roles_exist=True,
    has_app_rights=True,
    can_switch_to_search=True,
    search_inherited_by=None,
    grants_have_options=True,
)
READY = Prerequisites(
    vector=True, search_role=True, app_role=True, search_granted=True, may_create=True, user="ana", database="Main db", schema_owner=None
)


def test_a_safe_role_has_no_problem() -> None:
    assert role_problems(SAFE) == ()


def test_a_superuser_is_told_only_that() -> None:
    facts = replace(SAFE, reachable=(replace(APP, superuser=True),), has_app_rights=False, search_inherited_by="memdb_app")
    assert role_problems(facts) == (("it is a superuser", "ALTER ROLE memdb_app NOSUPERUSER NOBYPASSRLS;"),)


@pytest.mark.parametrize(
    ("name", "inherited_by", "options", "statement"),
    [
        ("memdb_app", "memdb_app", True, "GRANT memdb_search TO memdb_app WITH INHERIT FALSE;"),
        ("memdb_app", "memdb_app", False, "ALTER ROLE memdb_app NOINHERIT;"),
        ("Server", "memdb_app", True, "GRANT memdb_search TO memdb_app WITH INHERIT FALSE;"),
        ("Server", "Server", True, 'REVOKE memdb_search FROM "Server";'),
        ("Server", "Server", False, 'REVOKE memdb_search FROM "Server";'),
    ],
)
def test_inherited_search_is_ended_where_it_comes_from(name: str, inherited_by: str, options: bool, statement: str) -> None:
    facts = replace(SAFE, name=name, reachable=(replace(APP, name=name),), search_inherited_by=inherited_by, grants_have_options=options)
    assert role_problems(facts) == (("it sees rows of every org without switching to memdb_search", statement),)


def test_the_owner_is_sent_to_the_role_of_the_app() -> None:
    owner = replace(APP, name="memdb_owner", owns_tenant_table=True)
    facts = RoleFacts(
        "memdb_owner",
        (owner,),
        roles_exist=True,
        has_app_rights=False,
        can_switch_to_search=False,
        search_inherited_by=None,
        grants_have_options=True,
    )
    assert role_problems(facts) == (
        (
            "it is the owner of a table with memories",
            "ALTER ROLE memdb_app LOGIN;  -- with a password of its own, then connect as memdb_app",
        ),
    )


def test_every_dangerous_role_is_taken_away() -> None:
    others = (
        replace(APP, name="Boss", superuser=False, bypasses_rls=True),
        replace(APP, name="own", owns_tenant_table=True),
        replace(APP, name="fine"),
    )
    assert role_problems(replace(SAFE, reachable=(APP, *others))) == (
        ("it can act as Boss, a role with BYPASSRLS", 'REVOKE "Boss" FROM memdb_app;'),
        ("it can act as own, the owner of a table with memories", "REVOKE own FROM memdb_app;"),
    )


@pytest.mark.parametrize(
    ("gap", "statement"),
    [
        ({"vector": False}, "CREATE EXTENSION vector;"),
        ({"search_role": False}, "CREATE ROLE memdb_search NOLOGIN NOINHERIT;"),
        ({"app_role": False}, "CREATE ROLE memdb_app LOGIN NOINHERIT;"),
        ({"search_granted": False}, "GRANT memdb_search TO memdb_app;"),
        ({"may_create": False}, 'GRANT CREATE ON DATABASE "Main db" TO ana;'),
        ({"schema_owner": "o'neil"}, 'GRANT "o\'neil" TO ana;'),
    ],
)
def test_each_gap_of_a_server_has_its_statement(gap: dict[str, object], statement: str) -> None:
    assert statements_for(replace(READY, **gap)) == (statement,)  # type: ignore[arg-type]  # one field of the right type each


def test_a_ready_server_needs_nothing() -> None:
    assert statements_for(READY) == ()
    assert statements_for(replace(READY, schema_owner="ana")) == ()


@pytest.mark.parametrize(
    ("name", "expected"), [("memdb_app", "memdb_app"), ("Ana", '"Ana"'), ('a"b', '"a""b"'), ("9a", '"9a"'), ("", '""')]
)
def test_names_are_quoted_where_they_must_be(name: str, expected: str) -> None:
    assert quote(name) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("0.8.5", (0, 8, 5)), ("0.10", (0, 10)), ("0.9-dev.3", (0, 9)), ("1", (1,)), ("", ()), ("x", ())]
)
def test_versions_compare_as_numbers(text: str, expected: tuple[int, ...]) -> None:
    assert parse_version(text) == expected


def test_clock_and_disk_are_judged_at_their_limits() -> None:
    assert judge_clock(5.0).ok
    assert judge_clock(-5.0).ok
    assert not judge_clock(-5.1).ok
    assert judge_clock(-5.1).detail == "the database is 5.1 s behind"
    assert judge_disk(1 << 30).ok
    assert not judge_disk((1 << 30) - 1).ok
