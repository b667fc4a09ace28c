from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from memdb.embedded.cluster import EmbeddedPostgres
from memdb.embedded.dump import dump, restore
from memdb.errors import ConfigurationError, StorageError, StorageUnavailable
from tests.integration.embedded.conftest import FACTS, count_facts


@pytest.fixture(scope="module")
def cluster(template: Path) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres.start(template) as cluster:
        yield cluster


@pytest.fixture
def empty_url(cluster: EmbeddedPostgres) -> Iterator[str]:
    with psycopg.connect(cluster.superuser_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE copy OWNER memdb_owner")
        url = cluster.superuser_url.replace("/memdb?", "/copy?")
        with psycopg.connect(url) as inside:
            inside.execute("CREATE EXTENSION vector")
        yield cluster.owner_url.replace("/memdb?", "/copy?")
        connection.execute("DROP DATABASE copy (FORCE)")


def test_owner_dumps_and_restores_without_superuser(cluster: EmbeddedPostgres, empty_url: str, tmp_path: Path) -> None:
    file = tmp_path / "a dump's file"
    dump(cluster.owner_url, file, cluster.binaries)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    restore(empty_url, file, cluster.binaries)
    assert count_facts(empty_url) == FACTS
    assert [p.name for p in tmp_path.iterdir()] == [file.name]


def test_restore_into_a_filled_database_changes_nothing(cluster: EmbeddedPostgres, tmp_path: Path) -> None:
    file = tmp_path / "dump"
    dump(cluster.owner_url, file, cluster.binaries)
    with pytest.raises(StorageError, match="already"):
        restore(cluster.owner_url, file, cluster.binaries)
    assert count_facts(cluster.owner_url) == FACTS


def test_failed_restore_shows_no_row(cluster: EmbeddedPostgres, empty_url: str, tmp_path: Path) -> None:
    with psycopg.connect(cluster.owner_url) as connection:
        connection.execute("CREATE FUNCTION fails(text) RETURNS boolean LANGUAGE sql AS 'SELECT current_database() = ''memdb'''")
        connection.execute("CREATE TABLE picky (word text CHECK (fails(word)))")
        connection.execute("INSERT INTO picky VALUES ('peanuts')")
    try:
        dump(cluster.owner_url, tmp_path / "dump", cluster.binaries)
        with pytest.raises(StorageError) as caught:
            restore(empty_url, tmp_path / "dump", cluster.binaries)
        assert "peanuts" not in caught.value.message
        with pytest.raises(psycopg.errors.UndefinedTable):
            count_facts(empty_url)
    finally:
        with psycopg.connect(cluster.owner_url) as connection:
            connection.execute("DROP TABLE picky")
            connection.execute("DROP FUNCTION fails")


@pytest.mark.parametrize("content", [b"", b"not a dump at all", b"PGDMP"])
def test_file_that_is_no_dump_is_refused(empty_url: str, cluster: EmbeddedPostgres, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "dump").write_bytes(content)
    with pytest.raises(StorageError, match="file"):
        restore(empty_url, tmp_path / "dump", cluster.binaries)


def test_cut_dump_is_refused_and_restores_nothing(empty_url: str, cluster: EmbeddedPostgres, tmp_path: Path) -> None:
    dump(cluster.owner_url, tmp_path / "dump", cluster.binaries)
    content = (tmp_path / "dump").read_bytes()
    (tmp_path / "dump").write_bytes(content[: len(content) - 200])
    with pytest.raises(StorageError):
        restore(empty_url, tmp_path / "dump", cluster.binaries)
    with pytest.raises(psycopg.errors.UndefinedTable):
        count_facts(empty_url)


def test_missing_file_and_folder_are_named(cluster: EmbeddedPostgres, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        restore(cluster.owner_url, tmp_path / "nowhere", cluster.binaries)
    with pytest.raises(ConfigurationError, match="nowhere"):
        dump(cluster.owner_url, tmp_path / "nowhere" / "dump", cluster.binaries)


def test_failed_dump_keeps_the_older_one_and_no_secret_in_the_message(cluster: EmbeddedPostgres, tmp_path: Path) -> None:
    file = tmp_path / "dump"
    file.write_bytes(b"older")
    url = cluster.owner_url.replace("postgresql://memdb_owner:", "postgresql://memdb_owner:wrong")
    with pytest.raises(StorageUnavailable) as caught:
        dump(url, file, cluster.binaries)
    assert "wrong" not in caught.value.message
    assert file.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [file]


def test_role_under_row_level_security_cannot_make_a_partial_dump(cluster: EmbeddedPostgres, tmp_path: Path) -> None:
    with psycopg.connect(cluster.superuser_url) as connection:
        connection.execute("CREATE ROLE narrow LOGIN PASSWORD 'n'")
        connection.execute("GRANT CONNECT ON DATABASE memdb TO narrow")
        connection.execute("GRANT SELECT ON facts TO narrow")
        connection.execute("ALTER TABLE facts ENABLE ROW LEVEL SECURITY")
    try:
        url = "postgresql://narrow:n@" + cluster.owner_url.split("@")[1]
        with pytest.raises(StorageError, match="owner"):
            dump(url, tmp_path / "dump", cluster.binaries)
    finally:
        with psycopg.connect(cluster.superuser_url) as connection:
            connection.execute("ALTER TABLE facts DISABLE ROW LEVEL SECURITY")
            connection.execute("DROP OWNED BY narrow")
            connection.execute("DROP ROLE narrow")
