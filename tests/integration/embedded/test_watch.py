"""A server that is killed while it is used: brought back under the same URLs by exactly one of its users."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from memdb.embedded.cluster import EmbeddedPostgres
from memdb.embedded.layout import Layout
from memdb.embedded.waiting import GaveUp
from memdb.embedded.watch import keep_running
from memdb.errors import ConfigurationError
from tests.integration.embedded.conftest import FACTS, User, count_facts, is_alive, processes_in, server_pid


def kill_server(folder: Path) -> int:
    pid = server_pid(folder)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    while is_alive(pid):
        time.sleep(0.01)
    return pid


def never() -> bool:
    return False


def test_a_killed_server_comes_back_under_the_same_urls_with_what_was_committed(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as cluster:
        assert cluster.is_running()
        with psycopg.connect(cluster.owner_url) as connection:
            connection.execute("INSERT INTO facts VALUES (201, '[1,1,1]')")
        kill_server(data_dir)
        assert not cluster.is_running()
        cluster.restart(given_up=never)
        assert cluster.is_running()
        assert count_facts(cluster.owner_url) == FACTS + 1
        with psycopg.connect(cluster.owner_url) as connection:
            connection.execute("DELETE FROM facts WHERE id = 201")
    assert processes_in(data_dir) == []
    assert not cluster.socket_dir.exists()


def test_two_restarters_start_one_server(data_dir: Path) -> None:
    clusters = [EmbeddedPostgres.start(data_dir) for _ in range(2)]
    kill_server(data_dir)
    threads = [threading.Thread(target=cluster.restart, kwargs={"given_up": never}) for cluster in clusters]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pid = server_pid(data_dir)
    assert [count_facts(cluster.owner_url) for cluster in clusters] == [FACTS, FACTS]
    assert all(cluster.is_running() for cluster in clusters)
    clusters[0].stop()
    assert server_pid(data_dir) == pid
    assert count_facts(clusters[1].owner_url) == FACTS
    clusters[1].stop()
    assert processes_in(data_dir) == []


def test_a_restart_after_one_that_cleaned_up_behind_itself_keeps_the_urls(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as cluster:
        kill_server(data_dir)
        # What is left when a server dies between its start and the first look at it.
        Layout(data_dir).socket_note.unlink()
        shutil.rmtree(cluster.socket_dir)
        cluster.restart(given_up=never)
        assert count_facts(cluster.owner_url) == FACTS
    assert processes_in(data_dir) == []


def test_the_watch_brings_it_back_within_seconds_and_ends_when_told(data_dir: Path) -> None:
    stop, told = threading.Event(), threading.Event()
    with EmbeddedPostgres.start(data_dir) as cluster:
        watch = threading.Thread(target=keep_running, args=(cluster, stop, told.set))
        watch.start()
        try:
            for _ in range(2):
                pid = kill_server(data_dir)
                # The second kill may meet the end of the first restart, which then tries again and tells nobody twice.
                assert told.wait(30)
                deadline = time.monotonic() + 60
                while server_pid(data_dir) in {pid, None} or not cluster.is_running():
                    assert time.monotonic() < deadline
                    time.sleep(0.05)
                while True:
                    try:
                        assert count_facts(cluster.owner_url) == FACTS
                        break
                    except psycopg.OperationalError:
                        assert time.monotonic() < deadline
                        time.sleep(0.05)
        finally:
            stop.set()
            watch.join()
    assert processes_in(data_dir) == []


def test_another_process_that_starts_it_first_is_joined(data_dir: Path, use: Callable[[Path], User]) -> None:
    with EmbeddedPostgres.start(data_dir) as cluster:
        kill_server(data_dir)
        user = use(data_dir)
        assert user.read() == cluster.superuser_url, "a third process uses the folder that the others know"
        pid = server_pid(data_dir)
        cluster.restart(given_up=never)
        assert server_pid(data_dir) == pid
        user.stop()
        assert count_facts(cluster.owner_url) == FACTS
    assert processes_in(data_dir) == []


def test_the_last_one_may_stop_while_the_server_is_dead(data_dir: Path) -> None:
    cluster = EmbeddedPostgres.start(data_dir)
    kill_server(data_dir)
    cluster.stop()
    assert processes_in(data_dir) == []
    assert not cluster.socket_dir.exists()


def test_a_restart_that_is_given_up_leaves_no_server(data_dir: Path) -> None:
    cluster = EmbeddedPostgres.start(data_dir)
    kill_server(data_dir)
    with pytest.raises(GaveUp):
        cluster.restart(given_up=lambda: server_pid(data_dir) is not None and processes_in(data_dir) != [])
    assert processes_in(data_dir) == []
    cluster.stop()
    with EmbeddedPostgres.start(data_dir) as again:
        assert count_facts(again.owner_url) == FACTS


def test_a_socket_folder_that_was_removed_is_made_again(data_dir: Path) -> None:
    with EmbeddedPostgres.start(data_dir) as cluster:
        kill_server(data_dir)
        for entry in cluster.socket_dir.iterdir():
            entry.unlink()
        cluster.socket_dir.rmdir()
        cluster.restart(given_up=never)
        assert count_facts(cluster.owner_url) == FACTS
        assert cluster.socket_dir.stat().st_mode & 0o777 == 0o700


def test_a_socket_folder_that_somebody_else_made_is_neither_used_nor_removed(data_dir: Path) -> None:
    cluster = EmbeddedPostgres.start(data_dir)
    kill_server(data_dir)
    folder = cluster.socket_dir
    aside = folder.rename(folder.with_name(f"{folder.name}-aside"))
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    try:
        with pytest.raises(ConfigurationError, match="now listens in"):
            cluster.restart(given_up=never)
        assert list(folder.iterdir()) == []
        assert not cluster.is_running(), "the server runs, but not where the URLs say"
    finally:
        cluster.stop()
        folder.rmdir()
        for entry in aside.iterdir():
            entry.unlink()
        aside.rmdir()
    assert processes_in(data_dir) == []


def test_a_directory_that_vanished_is_not_made_anew(copied_dir: Path) -> None:
    cluster = EmbeddedPostgres.start(copied_dir)
    kill_server(copied_dir)
    moved = (copied_dir / "postgres").rename(copied_dir / "elsewhere")
    with pytest.raises(ConfigurationError, match="not a complete Postgres data directory"):
        cluster.restart(given_up=never)
    assert not (copied_dir / "postgres").exists()
    moved.rename(copied_dir / "postgres")
    cluster.restart(given_up=never)
    assert count_facts(cluster.owner_url) == FACTS
    cluster.stop()
