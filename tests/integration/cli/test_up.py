"""`memdb up`: ready, shared, stopped, killed, and what it refuses."""

from __future__ import annotations

import http.client
import json
import os
import resource
import shutil
import signal
import socket
import stat
import time
from contextlib import closing
from pathlib import Path

import psutil
import psycopg
import pytest

from memdb.embedded.watch import PAUSES_S
from tests.integration.cli.conftest import STOPPED_WITHIN_S, Running, error_line, memdb, spawn, up

FACT = "the spare key lies under the blue pot"


def postgres_in(data_dir: Path) -> list[int]:
    """Living processes of the database in a data directory."""
    found = []
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()) == data_dir / "postgres" and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except (psutil.Error, OSError):
            continue
    return found


def test_the_readiness_line_tells_all_and_the_secret_lies_beside_the_database(server: Running) -> None:
    assert set(server.ready) == {"url", "admin_key", "database_url", "data_dir"}
    assert server.ready["url"].startswith("http://127.0.0.1:")
    assert server.ready["admin_key"].startswith("memdb_main_")
    assert server.ready["database_url"].startswith("postgresql://memdb_owner:")
    secret = server.data_dir / "secret.key"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert not (server.data_dir / "postgres" / "secret.key").exists()


def test_a_taken_port_is_noticed_before_anything_is_made(server: Running, tmp_path: Path) -> None:
    port = int(server.ready["url"].rsplit(":", 1)[1])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = memdb("up", "--data-dir", tmp_path / "data", "--port", port, "--json", cwd=tmp_path, expect=5)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert f"port {port}" in error_line(done)
    assert error_line(done).endswith("[port_in_use]")
    assert not (tmp_path / "data").exists()
    # Time of the processor, because the machine may be busy with other things.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2.0


def test_a_bare_listener_is_no_server_of_ours(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))  # noqa: S104 - a listener on every address, as others start it
        taken.listen()
        done = memdb("up", "--data-dir", tmp_path / "d", "--port", taken.getsockname()[1], cwd=tmp_path, expect=5)
    assert "[port_in_use]" in error_line(done)


def test_an_unknown_setting_and_a_foreign_address_are_refused_in_one_line(tmp_path: Path) -> None:
    assert "MEMDB_PROT" in error_line(memdb("up", cwd=tmp_path, expect=3, MEMDB_PROT="1"))
    done = memdb("up", "--host", "203.0.113.1", "--port", 0, "--data-dir", tmp_path / "d", cwd=tmp_path, expect=3)
    assert "203.0.113.1" in error_line(done)
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_is_no_database_is_refused_and_left(tmp_path: Path) -> None:
    (tmp_path / "d" / "postgres").mkdir(parents=True)
    (tmp_path / "d" / "postgres" / "notes.txt").write_text("mine")
    done = memdb("up", "--data-dir", tmp_path / "d", "--port", 0, "--json", cwd=tmp_path, expect=3)
    assert "[configuration]" in done.stderr.splitlines()[-1]
    assert (tmp_path / "d" / "postgres" / "notes.txt").read_text() == "mine"


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A data directory whose server was killed with everything that ran in it, and the admin key."""
    folder = tmp_path_factory.mktemp("killed") / "some data"
    folder.mkdir()
    with up(folder / "d", folder / "log", env={"MEMDB_ADMIN_KEY": "memdb_acme_abcd2345_" + "A" * 43}) as running:
        assert running.ready["admin_key"] == "memdb_acme_abcd2345_" + "A" * 43
        running.run("remember", FACT)
        running.process.kill()
        running.process.wait()
        for pid in postgres_in(running.data_dir):
            psutil.Process(pid).kill()
    return folder / "d", running.key


def test_after_a_kill_it_starts_again_with_its_data_and_stops_cleanly(killed: tuple[Path, str]) -> None:
    data_dir, key = killed
    log = data_dir.parent / "log"
    with up(data_dir, log, key=key) as first:
        assert first.ready["admin_key"] is None
        assert FACT in first.run("recall", "where is the spare key?").stdout
        with up(data_dir, log, key=key) as second:
            assert second.ready["url"] != first.ready["url"]
            assert FACT in second.run("recall", "where is the spare key?").stdout
            assert first.stop() == ""
            assert first.process.returncode == 0
            assert postgres_in(data_dir) != [], "the second server lost its database"
            assert FACT in second.run("recall", "where is the spare key?").stdout
            assert second.stop(signal.SIGTERM) == ""
            assert second.process.returncode == 0
    assert postgres_in(data_dir) == []
    logged = log.read_text()
    assert "Traceback" not in logged
    assert "spare" not in logged, "the log holds memory text"


@pytest.mark.parametrize("after_s", [0.5, 2.5])
def test_a_start_that_is_interrupted_leaves_nothing_running(killed: tuple[Path, str], after_s: float) -> None:
    data_dir, _ = killed
    with (data_dir.parent / "log").open("a") as log:
        process = spawn(data_dir, 0, log, {})
    time.sleep(after_s)
    process.send_signal(signal.SIGTERM)
    shown, _ = process.communicate(timeout=STOPPED_WITHIN_S)
    # Before Python has come to the handlers the signal itself ends it; then nothing has been started.
    assert process.returncode in {130, -signal.SIGTERM}
    assert shown == ""
    assert postgres_in(data_dir) == []


def kill_postgres(data_dir: Path) -> None:
    """Kill the first process of Postgres; the others end when they notice."""
    psutil.Process(int((data_dir / "postgres" / "postmaster.pid").read_text().split()[0])).kill()


def test_a_postgres_that_is_killed_comes_back_with_its_data_for_all_who_share_it(killed: tuple[Path, str]) -> None:
    data_dir, key = killed
    log, mine = data_dir.parent / "log of a restart", data_dir.parent / "second log"
    with up(data_dir, log, key=key) as first, up(data_dir, mine, key=key) as second:
        first.run("remember", "the blue pot stands by the door")
        kill_postgres(data_dir)
        for running in (first, second):
            # The command tries a busy server again, so that it is answered as soon as the database is.
            assert "by the door" in running.run("recall", "where is the blue pot?").stdout
        with psycopg.connect(first.ready["database_url"]) as conn:
            assert conn.execute("SELECT 1").fetchone() == (1,)
        assert first.stop() == ""
        kill_postgres(data_dir)
        assert "by the door" in second.run("recall", "where is the blue pot?").stdout
        assert second.stop() == ""
        assert (first.process.returncode, second.process.returncode) == (0, 0)
    assert postgres_in(data_dir) == []
    # One warning for each time that a process sees it dead; the other one may be faster than a look.
    assert log.read_text().count("postgres_ended") <= 1
    assert 1 <= mine.read_text().count("postgres_ended") <= 2


def ask(connection: http.client.HTTPConnection, method: str, path: str, key: str = "") -> tuple[int, bytes]:
    connection.request(method, path, headers={"Authorization": f"Bearer {key}"} if key else {})
    reply = connection.getresponse()
    return reply.status, reply.read()


def test_requests_are_refused_as_documented_while_postgres_is_dead_and_it_can_be_stopped_then(killed: tuple[Path, str]) -> None:
    data_dir, key = killed
    control = data_dir / "postgres" / "global" / "pg_control"
    with up(data_dir, data_dir.parent / "log", key=key) as running:
        hidden = control.rename(data_dir / "pg_control")
        try:
            kill_postgres(data_dir)
            with closing(http.client.HTTPConnection(running.ready["url"].removeprefix("http://"))) as connection:
                status, body = ask(connection, "GET", "/v1/brains", key)
                assert (status, json.loads(body)["code"]) == (503, "storage_unavailable")
                assert ask(connection, "HEAD", "/readyz") == (503, b"")
                assert ask(connection, "HEAD", "/healthz") == (200, b"")
            time.sleep(1)  # long enough for it to be in the middle of its tries
            running.process.send_signal(signal.SIGINT)
            assert running.stop() == "", "the second Ctrl-C"
            assert running.process.returncode == 0
        finally:
            hidden.rename(control)
    assert postgres_in(data_dir) == []
    assert "Traceback" not in (data_dir.parent / "log").read_text()


def test_a_postgres_that_does_not_come_back_ends_the_server_with_one_line(killed: tuple[Path, str]) -> None:
    data_dir, key = killed
    log = data_dir.parent / "log of a failure"
    control = data_dir / "postgres" / "global" / "pg_control"
    with up(data_dir, log, key=key) as running:
        hidden = control.rename(data_dir / "pg_control")
        try:
            kill_postgres(data_dir)
            assert running.process.wait(sum(PAUSES_S) + STOPPED_WITHIN_S) == 4
        finally:
            hidden.rename(control)
    lines = log.read_text().splitlines()
    assert lines[-1].startswith("error: Postgres ended and does not come back")
    assert lines[-1].endswith("[storage_unavailable]")
    assert "Traceback" not in log.read_text()
    assert postgres_in(data_dir) == []
    with up(data_dir, log, key=key) as again:
        assert FACT in again.run("recall", "where is the spare key?").stdout


def test_a_directory_that_cannot_be_used_is_noticed_before_anything_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        assert "data directory" in error_line(memdb("up", "--data-dir", folder, "--port", 0, cwd=tmp_path, expect=3))
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    if os.geteuid() != 0:
        assert "permission denied" in error_line(memdb("up", "--data-dir", closed, "--port", 0, cwd=tmp_path, expect=3))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 3 * 2.0


def test_without_its_secret_it_does_not_start_and_makes_no_new_one(killed: tuple[Path, str]) -> None:
    data_dir, _ = killed
    secret = data_dir / "secret.key"
    key_id = secret.read_text().split()[0]
    kept = secret.rename(data_dir / "elsewhere.key")
    try:
        done = memdb("up", "--data-dir", data_dir, "--port", 0, "--json", cwd=data_dir.parent, expect=3)
        last = done.stderr.splitlines()[-1]
        assert key_id in last
        assert last.endswith("[wrong_secret]")
        assert not secret.exists()
        assert key_id in memdb("org", "create", "more", "--data-dir", data_dir, cwd=data_dir.parent, expect=3).stderr
        assert postgres_in(data_dir) == []
    finally:
        shutil.move(kept, secret)


def test_serving_as_the_owner_is_refused_with_what_to_run(server: Running, tmp_path: Path) -> None:
    env = {"MEMDB_DATABASE_URL": server.ready["database_url"], "MEMDB_SECRET_FILE": str(server.data_dir / "secret.key")}
    done = memdb("serve", "--port", 0, "--json", cwd=tmp_path, expect=3, **env)
    assert "[unsafe_database_role]" in done.stderr
    assert "memdb_app" in done.stderr
    assert done.stdout == ""
    assert "[configuration]" in error_line(memdb("serve", "--port", 0, cwd=tmp_path, expect=3))


def test_migrating_a_second_time_changes_nothing(server: Running, tmp_path: Path) -> None:
    done = memdb("migrate", "--json", cwd=tmp_path, MEMDB_OWNER_URL=server.ready["database_url"])
    assert json.loads(done.stdout)["changed"] is False
    assert "nothing to do" in memdb("migrate", cwd=tmp_path, MEMDB_OWNER_URL=server.ready["database_url"]).stdout
