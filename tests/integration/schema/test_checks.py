"""Start-up checks against real roles, versions, spaces and key ids; and what `memdb doctor` reports of the same."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from psycopg import sql

from memdb.clock import SystemClock
from memdb.errors import ConfigurationError, DimensionMismatch, SchemaMismatch, UnsafeRole, WrongSecret
from memdb.storage.checks import check_role, check_schema, check_secret, check_space, check_vector_version, diagnose
from memdb.storage.owner import connect
from memdb.storage.schema_file import SCHEMA_VERSION
from tests.support.database import SMALL_SPACE, in_database, login_role
from tests.support.rows import NOW

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.database import Cluster, FreshDatabase


def refusal_of(url: str) -> str:
    with connect(url) as conn, pytest.raises(UnsafeRole) as caught:
        check_role(conn)
    return caught.value.message


# ---------------------------------------------------------------------------------------------------------------- roles


def test_the_app_may_serve(database: FreshDatabase) -> None:
    with connect(database.app_url) as conn:
        check_role(conn)


def test_a_superuser_is_refused(database: FreshDatabase) -> None:
    message = refusal_of(database.superuser_url)
    assert "it is a superuser: ALTER ROLE memdb_app LOGIN;" in message


def test_the_owner_is_refused(database: FreshDatabase) -> None:
    message = refusal_of(database.owner_url)
    assert "it is the owner of a table with memories" in message


SAFE = ("GRANT memdb_app TO {me}", "GRANT memdb_search TO {me}")


def test_a_role_with_the_rights_of_the_app_may_serve(cluster: Cluster, database: FreshDatabase) -> None:
    # INHERIT for the rights of memdb_app; memdb_search only through it, by SET ROLE.
    with login_role(cluster, "INHERIT", SAFE[0]) as role, connect(in_database(role.url, database.name)) as conn:
        check_role(conn)
        with conn.transaction():
            conn.execute("SET LOCAL ROLE memdb_search")


@pytest.mark.parametrize(
    ("attributes", "grants", "expected"),
    [
        ("SUPERUSER", (), "it is a superuser"),
        ("BYPASSRLS", (SAFE[0],), "it is a role with BYPASSRLS"),
        ("INHERIT", (SAFE[0], "GRANT memdb_owner TO {me}"), "it can act as memdb_owner, the owner of a table with memories: REVOKE memdb_owner FROM {me};"),
        ("NOINHERIT", (SAFE[0], "GRANT memdb_owner TO {me}"), "it can act as memdb_owner, the owner of a table with memories"),
        ("INHERIT", (), "it has not the rights of memdb_app: GRANT memdb_app TO {me};"),
        ("INHERIT", (), "it cannot switch to memdb_search: GRANT memdb_search TO {me};"),
        ("INHERIT", SAFE, "it sees rows of every org without switching to memdb_search"),
    ],
)  # fmt: skip
def test_an_unsafe_role_is_refused_with_the_statements_to_run(
    cluster: Cluster, database: FreshDatabase, attributes: str, grants: tuple[str, ...], expected: str
) -> None:
    with login_role(cluster, attributes, *grants) as role:
        message = refusal_of(in_database(role.url, database.name))
    assert expected.format(me=role.name) in message
    assert "password" not in message.lower() or "with a password of its own" in message


def test_the_listed_statements_make_a_role_safe(cluster: Cluster, database: FreshDatabase) -> None:
    grants = (*SAFE, "GRANT memdb_owner TO {me}")
    with login_role(cluster, "INHERIT", *grants) as role:
        url = in_database(role.url, database.name)
        statements = [line.partition(": ")[2] for line in refusal_of(url).splitlines()[1:]]
        with connect(database.superuser_url) as administrator:
            for statement in statements:
                administrator.execute(statement.encode())
        with connect(url) as conn:
            check_role(conn)


@pytest.mark.parametrize("options", ["INHERIT FALSE, SET TRUE", "INHERIT TRUE, SET FALSE", "INHERIT FALSE, SET FALSE, ADMIN TRUE"])
def test_each_way_to_the_owner_is_one_too_many(cluster: Cluster, database: FreshDatabase, options: str) -> None:
    with connect(database.app_url) as conn:
        if conn.info.server_version < 160_000:
            pytest.skip("these options came with Postgres 16")
    with login_role(cluster, "INHERIT", SAFE[0], f"GRANT memdb_owner TO {{me}} WITH {options}") as role:
        assert "it can act as memdb_owner" in refusal_of(in_database(role.url, database.name))


def test_a_membership_that_gives_nothing_is_no_danger(cluster: Cluster, database: FreshDatabase) -> None:
    with connect(database.app_url) as conn:
        if conn.info.server_version < 160_000:
            pytest.skip("these options came with Postgres 16")
    grant = "GRANT memdb_owner TO {me} WITH INHERIT FALSE, SET FALSE"
    with login_role(cluster, "INHERIT", SAFE[0], grant) as role, connect(in_database(role.url, database.name)) as conn:
        check_role(conn)


# ----------------------------------------------------------------------------------------------- schema, space, secret


def test_a_migrated_database_passes(database: FreshDatabase) -> None:
    with connect(database.app_url) as conn:
        check_vector_version(conn)
        check_schema(conn)
        check_space(conn, SMALL_SPACE)
        check_secret(conn, [])


def test_an_empty_database_says_what_to_run(empty_database: FreshDatabase) -> None:
    with connect(empty_database.owner_url) as conn, pytest.raises(SchemaMismatch, match="run memdb migrate"):
        check_schema(conn)


@pytest.mark.parametrize(("change", "advice"), [(1, "install a newer memdb-server"), (-1, "run memdb migrate")])
def test_another_schema_version_is_refused(database: FreshDatabase, change: int, advice: str) -> None:
    with connect(database.owner_url) as conn:
        conn.execute("UPDATE mem.schema_versions SET version = version + %s", (change,))
    with connect(database.app_url) as conn, pytest.raises(SchemaMismatch, match=f"schema version {SCHEMA_VERSION + change}.*{advice}"):
        check_schema(conn)


def test_another_space_is_refused(database: FreshDatabase) -> None:
    with connect(database.app_url) as conn:
        with pytest.raises(SchemaMismatch, match=r"space tests_8 .* space other "):
            check_space(conn, replace(SMALL_SPACE, name="other"))
        with pytest.raises(DimensionMismatch, match=r"8 dimensions.*16 dimensions"):
            check_space(conn, replace(SMALL_SPACE, dimension=16))


def test_a_space_without_its_table_or_without_a_row_is_refused(database: FreshDatabase) -> None:
    with connect(database.owner_url) as conn:
        conn.execute("DROP TABLE mem.memory_version_vectors_tests_8")
        with pytest.raises(SchemaMismatch, match=r"mem\.memory_version_vectors_tests_8"):
            check_space(conn, SMALL_SPACE)
        conn.execute("UPDATE mem.embedding_spaces SET active = false")
        with pytest.raises(SchemaMismatch, match="no embedding space tests_8; run memdb migrate"):
            check_space(conn, SMALL_SPACE)


def test_a_missing_root_key_is_named(database: FreshDatabase) -> None:
    with connect(database.app_url) as conn:
        for key_id in ("k1", "k2", "k3"):
            conn.execute("INSERT INTO mem.secret_keys VALUES (%s, %s)", (key_id, NOW))
        check_secret(conn, {"k1", "k2", "k3", "k4"})
        with pytest.raises(WrongSecret, match="root key k1, k3, which"):
            check_secret(conn, {"k2"})


def test_a_database_without_pgvector_is_refused(database: FreshDatabase) -> None:
    with connect(in_database(database.superuser_url, "postgres")) as conn:
        if conn.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
            pytest.skip("the maintenance database of this cluster has the extension")
        with pytest.raises(ConfigurationError, match="CREATE EXTENSION vector;"):
            check_vector_version(conn)


def test_types_outside_the_search_path_are_refused(database: FreshDatabase) -> None:
    with connect(database.app_url) as conn:
        conn.execute("SET search_path = pg_catalog")
        with pytest.raises(
            ConfigurationError, match="in schema public, outside the search path; run: ALTER ROLE memdb_app SET search_path"
        ):
            check_vector_version(conn)


# --------------------------------------------------------------------------------------------------------------- doctor


class Skewed:
    """A clock that is wrong by a fixed time."""

    def __init__(self, by: timedelta) -> None:
        self._by = by

    def now(self) -> datetime:
        return datetime.now(UTC) + self._by


@pytest.mark.parametrize("as_owner", [True, False])
def test_a_healthy_database_has_no_finding_to_fix(database: FreshDatabase, tmp_path: Path, as_owner: bool) -> None:
    url = database.owner_url if as_owner else database.app_url
    findings = diagnose(url, space=SMALL_SPACE, known_key_ids=[], clock=SystemClock(), data_dir=tmp_path)
    assert [finding.name for finding in findings] == [
        "connection",
        "server",
        "schema",
        "roles",
        "queue",
        "space",
        "secret",
        "partitions",
        *(["turns"] if as_owner else []),
        "clock",
        "disk",
    ]
    assert [finding for finding in findings if not finding.ok or finding.fix is not None] == []


def test_each_fault_is_a_finding_with_a_fix(database: FreshDatabase, tmp_path: Path) -> None:
    with connect(database.owner_url) as conn:
        conn.execute("INSERT INTO mem.secret_keys VALUES ('k1', %s)", (NOW,))
        conn.execute(sql.SQL("DROP TABLE {}").format(sql.Identifier("mem", f"recalls_{NOW.astimezone(UTC):%Y_%m}")))
    findings = diagnose(
        database.app_url,
        space=replace(SMALL_SPACE, name="other"),
        known_key_ids=["k2"],
        clock=Skewed(timedelta(seconds=-30)),
        data_dir=tmp_path / "absent",
    )
    faults = {finding.name: finding for finding in findings if not finding.ok}
    assert set(faults) == {"space", "secret", "partitions", "clock", "disk"}
    assert all(finding.fix for finding in faults.values())
    assert f"recalls_{NOW.astimezone(UTC):%Y_%m}" in faults["partitions"].detail
    assert faults["partitions"].fix == "run memdb migrate"
    assert faults["clock"].detail == "the database is 30.0 s ahead"


def test_an_empty_database_ends_the_examination_at_the_schema(empty_database: FreshDatabase) -> None:
    findings = diagnose(empty_database.owner_url, space=SMALL_SPACE, known_key_ids=[], clock=SystemClock())
    assert [(finding.name, finding.ok) for finding in findings] == [
        ("connection", True),
        ("server", True),
        ("schema", False),
        ("clock", True),
    ]


def test_a_database_that_does_not_answer_is_a_finding(tmp_path: Path) -> None:
    findings = diagnose(
        "postgresql://memdb_app:s3cretword@/memdb?host=/no/such/folder",
        space=SMALL_SPACE,
        known_key_ids=[],
        clock=SystemClock(),
        data_dir=tmp_path,
    )
    assert [(finding.name, finding.ok) for finding in findings] == [("connection", False), ("disk", True)]
    assert "s3cretword" not in repr(findings)
