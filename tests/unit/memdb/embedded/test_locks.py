from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memdb.embedded.locks import FileLock, start_lock
from memdb.embedded.waiting import GaveUp, Progress, silent, wait_until
from memdb.errors import ConfigurationError


def test_exclusive_excludes_and_shared_shares(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "x.lock"), FileLock(tmp_path / "x.lock")
    assert first.try_shared()
    assert second.try_shared()
    assert not second.try_exclusive()
    first.close()
    assert second.try_exclusive()
    second.close()


def test_child_that_inherits_the_lock_holds_it(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "x.lock")
    assert lock.try_exclusive()
    child = subprocess.Popen(["sleep", "60"], pass_fds=[lock.fileno()])
    lock.close()
    other = FileLock(tmp_path / "x.lock")
    assert not other.try_exclusive()
    child.kill()
    child.wait()
    assert other.try_exclusive()
    other.close()


def test_start_lock_is_free_afterwards_even_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), start_lock(tmp_path / "x.lock", silent()):
        raise ZeroDivisionError
    with start_lock(tmp_path / "x.lock", silent()):
        pass


def test_lock_file_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nowhere"):
        FileLock(tmp_path / "nowhere" / "x.lock")


def test_link_in_place_of_a_lock_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(ConfigurationError):
        FileLock(tmp_path / "x.lock")
    assert not (tmp_path / "victim").exists()


def test_wait_gives_up_after_its_time() -> None:
    assert wait_until(lambda: True, silent(), "nothing")
    assert not wait_until(lambda: False, silent(), "nothing", give_up_after_s=0.02)


def test_wait_ends_when_nobody_waits_any_more() -> None:
    answers = iter([False, False, True])
    with pytest.raises(GaveUp):
        wait_until(lambda: False, Progress(print, lambda: next(answers)), "nothing")
    assert wait_until(lambda: True, Progress(print, lambda: True), "nothing"), "what is done counts"
