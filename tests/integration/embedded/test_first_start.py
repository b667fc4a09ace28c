from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from memdb.embedded import initialise
from memdb.embedded.cluster import EmbeddedPostgres
from memdb.errors import ConfigurationError
from tests.integration.embedded.conftest import User, count_facts, processes_in, server_pid


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    said: list[str] = []
    with EmbeddedPostgres.start(tmp_path_factory.mktemp("first") / "ação & co", progress=said.append) as cluster:
        assert any("making a new database" in line for line in said)
        yield cluster


def one(url: str, query: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    return row[0] if row else None


def test_database_belongs_to_an_owner_that_is_no_superuser(cluster: EmbeddedPostgres) -> None:
    assert one(cluster.owner_url, "SELECT current_database()") == "memdb"
    assert one(cluster.owner_url, "SELECT rolsuper OR rolbypassrls OR rolreplication FROM pg_roles WHERE rolname = current_user") is False
    assert one(cluster.owner_url, "SELECT rolcreaterole FROM pg_roles WHERE rolname = current_user") is True
    assert one(cluster.superuser_url, "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'memdb'") == "memdb_owner"


def test_vector_is_there_before_the_owner_migrates(cluster: EmbeddedPostgres) -> None:
    version = str(one(cluster.owner_url, "SELECT extversion FROM pg_extension WHERE extname = 'vector'"))
    assert tuple(map(int, version.split(".")[:2])) >= (0, 8)
    assert one(cluster.owner_url, "SELECT '[1,2]'::halfvec(2) <=> '[1,2]'") == pytest.approx(0)


def test_text_folds_and_sorts_the_same_on_each_machine(cluster: EmbeddedPostgres) -> None:
    assert one(cluster.owner_url, "SELECT lower('JOÃO ÉÇ')") == "joão éç"
    assert one(cluster.owner_url, "SELECT datlocprovider::text || ' ' || datcollate FROM pg_database WHERE datname = 'memdb'") == "b C"
    assert one(cluster.owner_url, "SHOW server_encoding") == "UTF8"
    assert one(cluster.owner_url, "SHOW data_checksums") == "on"


def test_socket_is_the_only_door(cluster: EmbeddedPostgres) -> None:
    pid = server_pid(cluster.data_dir)
    assert pid is not None
    assert [c for c in psutil.Process(pid).net_connections(kind="inet") if c.status == psutil.CONN_LISTEN] == []
    status = cluster.socket_dir.lstat()
    assert stat.S_IMODE(status.st_mode) == 0o700
    assert status.st_uid == psutil.Process(pid).uids().effective


@pytest.mark.parametrize("role", ["postgres", "memdb_owner", "nobody"])
@pytest.mark.parametrize("password", [None, "", "wrong"])
def test_wrong_password_is_refused(cluster: EmbeddedPostgres, role: str, password: str | None) -> None:
    target = make_conninfo(host=str(cluster.socket_dir), user=role, password=password, dbname="memdb", passfile="/dev/null")
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(target)


def test_nobody_but_the_owner_may_connect_to_the_databases(cluster: EmbeddedPostgres) -> None:
    with psycopg.connect(cluster.superuser_url, autocommit=True) as connection:
        connection.execute("CREATE ROLE stranger LOGIN PASSWORD 'known'")
    for name in ("memdb", "postgres", "template1"):
        target = make_conninfo(host=str(cluster.socket_dir), user="stranger", password="known", dbname=name)
        with pytest.raises(psycopg.OperationalError, match="permission denied"):
            psycopg.connect(target)


def test_files_with_secrets_are_private(cluster: EmbeddedPostgres) -> None:
    for name in ("credentials.json", "postgres.log", "start.lock", "users.lock", "server.lock"):
        assert stat.S_IMODE((cluster.data_dir / name).stat().st_mode) == 0o600, name
    assert stat.S_IMODE((cluster.data_dir / "postgres").stat().st_mode) == 0o700
    assert list(cluster.data_dir.glob("*.new*")) == []


def test_passwords_are_in_no_log_and_no_argument(cluster: EmbeddedPostgres) -> None:
    pid = server_pid(cluster.data_dir)
    assert pid is not None
    shown = (cluster.data_dir / "postgres.log").read_text() + " ".join(psutil.Process(pid).cmdline()) + repr(cluster)
    for url in (cluster.owner_url, cluster.superuser_url, cluster.app_url):
        password = str(conninfo_to_dict(url)["password"])
        assert len(password) >= 32
        assert password not in shown


def test_server_is_out_of_reach_of_ctrl_c(cluster: EmbeddedPostgres) -> None:
    pid = server_pid(cluster.data_dir)
    assert pid is not None
    assert os.getsid(pid) == pid


def test_app_logs_in_only_after_its_password_was_set(cluster: EmbeddedPostgres) -> None:
    with pytest.raises(ConfigurationError, match="memdb migrate"):
        cluster.set_app_password()
    with psycopg.connect(cluster.owner_url) as connection:
        connection.execute("CREATE ROLE memdb_app NOINHERIT")
        connection.execute("GRANT CONNECT ON DATABASE memdb TO memdb_app")
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(cluster.app_url)
    cluster.set_app_password()
    cluster.set_app_password()
    assert one(cluster.app_url, "SELECT current_user") == "memdb_app"


def test_log_shows_no_statement_and_no_value(cluster: EmbeddedPostgres) -> None:
    with psycopg.connect(cluster.owner_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE seen (word text UNIQUE CHECK (length(word) < 20))")
        for query, values in (
            ("SELECT %s::text::uuid", ["peanuts-one"]),
            ("INSERT INTO seen VALUES (%s), (%s)", ["peanuts-two", "peanuts-two"]),
            ("INSERT INTO seen VALUES (%s)", ["peanuts-three" * 3]),
            ("SELECT 'peanuts-four' FROM", []),
            ("DO $$ BEGIN RAISE EXCEPTION 'peanuts-five'; END $$", []),
        ):
            with pytest.raises(psycopg.Error):
                connection.execute(query, values)
    connection = psycopg.connect(cluster.owner_url, autocommit=True)
    victim = connection.info.backend_pid
    connection.pgconn.send_query(b"SELECT 'peanuts-six', pg_sleep(60)")
    while one(cluster.superuser_url, f"SELECT query FROM pg_stat_activity WHERE pid = {victim} AND state = 'active'") is None:
        connection.pgconn.flush()
    psutil.Process(victim).kill()
    connection.close()
    log = cluster.data_dir / "postgres.log"
    while "terminated by signal 9" not in log.read_text():
        pass
    assert "peanuts" not in log.read_text()
    again = EmbeddedPostgres.start(cluster.data_dir)  # waits for the end of the recovery
    again.stop()


def test_several_first_starts_at_once_make_one_database(tmp_path: Path, use: Callable[[Path], User]) -> None:
    users = [use(tmp_path / "data") for _ in range(3)]
    urls = {user.read() for user in users}
    assert len(urls) == 1
    assert urls != {""}
    for user in users:
        user.stop()
    assert processes_in(tmp_path / "data") == []
    assert sorted(p.name for p in (tmp_path / "data").glob("postgres*")) == ["postgres", "postgres.log"]


def test_failed_first_start_leaves_no_database_and_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(initialise, "DATABASE", "postgres")  # exists already, so the bootstrap fails after initdb
        with pytest.raises(ConfigurationError, match=re.escape(str(tmp_path / "data"))) as caught:
            EmbeddedPostgres.start(tmp_path / "data")
    assert "PASSWORD" not in caught.value.message
    assert [path.name for path in (tmp_path / "data").iterdir() if path.name.startswith("postgres")] == []
    with EmbeddedPostgres.start(tmp_path / "data") as cluster:
        assert one(cluster.owner_url, "SELECT 1") == 1


def test_left_over_of_a_killed_first_start_is_ignored(tmp_path: Path) -> None:
    half = tmp_path / "data" / "postgres.new-abc"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres.start(tmp_path / "data") as cluster:
        assert one(cluster.owner_url, "SELECT 1") == 1
    assert (half / "PG_VERSION").read_text() == "18\n"


def test_long_or_odd_folder_for_temporary_files_is_no_obstacle(data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = tmp_path / ("long" * 30)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    with EmbeddedPostgres.start(data_dir) as cluster:
        assert not cluster.socket_dir.is_relative_to(tmp_path)
        assert count_facts(cluster.owner_url) == 100


@pytest.mark.parametrize(("prefix", "is_used"), [("t  t'é", True), ("t,t", False), ('t"t', False)])
def test_folder_for_temporary_files_may_have_an_odd_name(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, prefix: str, is_used: bool
) -> None:
    with tempfile.TemporaryDirectory(prefix=prefix, dir="/tmp") as odd:
        Path(odd).chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", odd)
        with EmbeddedPostgres.start(data_dir) as cluster:
            assert (cluster.socket_dir.parent == Path(odd)) is is_used
            assert count_facts(cluster.owner_url) == 100
        assert list(Path(odd).iterdir()) == []
