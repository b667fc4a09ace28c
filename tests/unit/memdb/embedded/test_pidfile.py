from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.embedded.pidfile import PidFile, _parse, find_pid_file, is_running_in


def test_pid_and_socket_folder_are_read(tmp_path: Path) -> None:
    assert find_pid_file(tmp_path) is None
    (tmp_path / "postmaster.pid").write_text("4711\n/data\n1712346200\n5432\n/tmp/memdb-x y\n\n  8826964 65536\nready   \n")
    assert find_pid_file(tmp_path) == PidFile(4711, Path("/tmp/memdb-x y"))


@pytest.mark.parametrize("text", ["", "\n", "x", "-3", "0", "²", "99999999999", "4711x"])
def test_what_is_no_pid_is_none(text: str) -> None:
    assert _parse(text) == PidFile(None, None)


@given(st.text())
def test_any_content_is_survived(text: str) -> None:
    found = _parse(text)
    assert found.pid is None or 0 < found.pid < 2**31


def test_process_counts_only_in_its_own_folder(tmp_path: Path) -> None:
    assert is_running_in(os.getpid(), Path.cwd())
    assert not is_running_in(os.getpid(), tmp_path)
    assert not is_running_in(2**31 - 1, Path.cwd())
