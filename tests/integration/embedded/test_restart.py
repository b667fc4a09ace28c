from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
import pytest

from memdb.embedded.cluster import EmbeddedPostgres
from memdb.errors import ConfigurationError
from tests.integration.embedded.conftest import FACTS, User, count_facts, is_alive, processes_in, server_pid


def kill_server(folder: Path) -> None:
    pid = server_pid(folder)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    while is_alive(pid):
        time.sleep(0.01)


def test_clean_stop_leaves_nothing_running(data_dir: Path) -> None:
    cluster = EmbeddedPostgres.start(data_dir)
    assert processes_in(data_dir) != []
    cluster.stop()
    cluster.stop()
    assert processes_in(data_dir) == []
    assert not cluster.socket_dir.exists()
    assert server_pid(data_dir) is None


def test_stop_does_not_wait_for_idle_clients(data_dir: Path) -> None:
    cluster = EmbeddedPostgres.start(data_dir)
    connection = psycopg.connect(cluster.owner_url)
    began = time.monotonic()
    cluster.stop()
    assert time.monotonic() - began < 5
    connection.close()


def test_data_survive_a_restart_and_urls_keep_their_passwords(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as cluster:
        first = cluster.owner_url.split("@")[0]
        assert count_facts(cluster.owner_url) == FACTS
    with EmbeddedPostgres.start(data_dir) as cluster:
        assert cluster.owner_url.split("@")[0] == first
        assert count_facts(cluster.owner_url) == FACTS


def test_killed_server_starts_again_with_what_was_committed(data_dir: Path) -> None:
    cluster = EmbeddedPostgres.start(data_dir)
    with psycopg.connect(cluster.owner_url) as connection:
        connection.execute("INSERT INTO facts VALUES (101, '[1,1,1]')")
    kill_server(data_dir)
    with EmbeddedPostgres.start(data_dir) as again:
        assert count_facts(again.owner_url) == FACTS + 1
        with psycopg.connect(cluster.owner_url) as connection:  # the former process reaches it as before
            connection.execute("DELETE FROM facts WHERE id = 101")
    cluster.stop()
    assert not cluster.socket_dir.exists()


def test_stop_after_the_server_was_killed_is_quiet(data_dir: Path) -> None:
    cluster = EmbeddedPostgres.start(data_dir)
    kill_server(data_dir)
    cluster.stop()
    assert processes_in(data_dir) == []


def test_killed_server_and_user_start_again(data_dir: Path, use: Callable[[Path], User]) -> None:
    user = use(data_dir)
    assert count_facts(user.read()) == FACTS
    user.child.kill()
    user.child.wait()
    kill_server(data_dir)
    assert server_pid(data_dir) is not None
    with EmbeddedPostgres.start(data_dir) as cluster:
        assert count_facts(cluster.owner_url) == FACTS


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"garbage\nmore", b"\x00\xff\xfe", b"-1\n", b"999999999999999999999\n", b"0\n", b"2147483600\n"],
    ids=["empty", "newline", "garbage", "binary", "negative", "huge", "zero", "dead"],
)
def test_any_pid_file_of_a_dead_server_is_no_obstacle(data_dir: Path, content: bytes) -> None:
    with EmbeddedPostgres.start(data_dir):
        kill_server(data_dir)
    pid_file = data_dir / "postgres" / "postmaster.pid"
    pid_file.write_bytes(content)
    with EmbeddedPostgres.start(data_dir) as cluster:
        assert count_facts(cluster.owner_url) == FACTS


def test_truncated_pid_file_is_no_obstacle(data_dir: Path) -> None:
    cluster = EmbeddedPostgres.start(data_dir)
    kill_server(data_dir)
    pid_file = data_dir / "postgres" / "postmaster.pid"
    pid_file.write_bytes(pid_file.read_bytes()[:30])
    with EmbeddedPostgres.start(data_dir) as again:
        assert count_facts(again.owner_url) == FACTS
    cluster.stop()
    assert not cluster.socket_dir.exists()


def test_pid_that_belongs_to_another_process_now_is_no_obstacle_and_it_lives_on(data_dir: Path) -> None:
    owner = (data_dir / "postgres").stat()
    account = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
    stranger = subprocess.Popen(["sleep", "60"], cwd="/", **account)  # type: ignore[call-overload]  # two optional integers
    try:
        pid_file = data_dir / "postgres" / "postmaster.pid"
        pid_file.write_text(f"{stranger.pid}\n{data_dir / 'postgres'}\n1\n5432\n/tmp\n\n1 1\nready\n")
        with EmbeddedPostgres.start(data_dir) as cluster:
            assert count_facts(cluster.owner_url) == FACTS
        assert stranger.poll() is None
        assert (data_dir / "postmaster.pid.stale").read_text().startswith(str(stranger.pid))
    finally:
        stranger.kill()
        stranger.wait()


def test_copy_of_a_running_directory_is_refused_and_neither_side_is_touched(copied_dir: Path, tmp_path: Path) -> None:
    with EmbeddedPostgres.start(copied_dir) as cluster:
        pid = server_pid(copied_dir)
        copy = tmp_path / "copy"
        subprocess.run(["cp", "-a", str(copied_dir), str(copy)], check=True)
        with pytest.raises(ConfigurationError, match="a Postgres that works in another folder"):
            EmbeddedPostgres.start(copy)
        assert server_pid(copy) == pid
        assert server_pid(copied_dir) == pid
        assert count_facts(cluster.owner_url) == FACTS
        shutil.rmtree(copy)


def test_server_that_somebody_else_started_is_neither_used_nor_stopped(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as cluster:
        programs = cluster.binaries
    pgdata = data_dir / "postgres"
    owner = pgdata.stat()
    account = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    name = "/proc/self/cwd" if Path("/proc/self/cwd").exists() else str(pgdata)
    socket_dir = Path(tempfile.mkdtemp(dir="/tmp"))
    os.chown(socket_dir, owner.st_uid, owner.st_gid)
    arguments = [programs.postgres, "-D", name, "-c", "listen_addresses=", "-c", f"unix_socket_directories={socket_dir}"]
    stranger = subprocess.Popen(arguments, cwd=pgdata, stderr=subprocess.DEVNULL, **account)  # type: ignore[call-overload]  # optional account
    try:
        while not (pgdata / "postmaster.pid").exists():
            time.sleep(0.01)
        with pytest.raises(ConfigurationError, match="memdb did not start"):
            EmbeddedPostgres.start(data_dir)
        (pgdata / "postmaster.pid").write_bytes(b"")
        with pytest.raises(ConfigurationError, match="memdb did not start"):
            EmbeddedPostgres.start(data_dir)
        assert stranger.poll() is None
    finally:
        stranger.send_signal(signal.SIGQUIT)
        stranger.wait()
        shutil.rmtree(socket_dir)


def test_two_processes_share_one_server_until_the_last_stops(data_dir: Path, use: Callable[[Path], User]) -> None:
    user = use(data_dir)
    url = user.read()
    pid = server_pid(data_dir)
    cluster = EmbeddedPostgres.start(data_dir)
    assert cluster.superuser_url == url
    assert server_pid(data_dir) == pid
    user.stop()
    assert count_facts(cluster.owner_url) == FACTS
    cluster.stop()
    assert processes_in(data_dir) == []


def test_first_process_may_stop_before_the_second(data_dir: Path, use: Callable[[Path], User]) -> None:
    cluster = EmbeddedPostgres.start(data_dir)
    user = use(data_dir)
    url = user.read()
    cluster.stop()
    assert count_facts(url) == FACTS
    user.stop()
    assert processes_in(data_dir) == []


def test_two_shares_of_one_process_count_as_two(data_dir: Path) -> None:
    first = EmbeddedPostgres.start(data_dir)
    second = EmbeddedPostgres.start(data_dir)
    first.stop()
    assert count_facts(second.owner_url) == FACTS
    second.stop()
    assert processes_in(data_dir) == []


def test_server_of_a_killed_process_is_joined_and_then_stopped(data_dir: Path, use: Callable[[Path], User]) -> None:
    user = use(data_dir)
    user.read()
    pid = server_pid(data_dir)
    user.child.kill()
    user.child.wait()
    cluster = EmbeddedPostgres.start(data_dir)
    assert server_pid(data_dir) == pid
    cluster.stop()
    assert processes_in(data_dir) == []


def test_warm_start_takes_less_than_five_seconds(data_dir: Path) -> None:
    began = time.monotonic()
    with EmbeddedPostgres.start(data_dir):
        assert time.monotonic() - began < 5


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone changes the account")
def test_root_runs_the_server_as_an_ordinary_account(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as cluster:
        pid = server_pid(data_dir)
        assert pid is not None
        process = psutil.Process(pid)
        assert 0 not in {*process.uids(), *process.gids()}
        groups = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("Groups:"))
        assert groups.split() == ["Groups:"]
        assert process.uids().effective == (data_dir / "postgres").stat().st_uid == cluster.socket_dir.stat().st_uid


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone changes the account")
def test_closed_folders_above_the_directory_and_the_programs_are_no_obstacle(
    copied_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memdb.embedded import binaries, cluster

    closed = tmp_path / "closed for others"
    closed.mkdir(mode=0o700)
    (closed / "programs").mkdir()
    copied_dir = copied_dir.rename(closed / "data")
    programs = binaries.copy_server(binaries.find_binaries(), closed / "programs")
    monkeypatch.setattr(cluster, "find_binaries", lambda: programs)
    with EmbeddedPostgres.start(copied_dir) as running:
        assert count_facts(running.owner_url) == FACTS
        assert (running.socket_dir / "programs").is_dir()
        with EmbeddedPostgres.start(copied_dir) as joined:
            assert joined.owner_url == running.owner_url
    assert not running.socket_dir.exists()
    with EmbeddedPostgres.start(closed / "fresh") as fresh, psycopg.connect(fresh.owner_url) as connection:
        connection.execute("SELECT '[1,2]'::vector")
    assert stat_mode(closed) == 0o700


def stat_mode(path: Path) -> int:
    return path.stat().st_mode & 0o777
