from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from memdb.embedded import account
from memdb.embedded.account import Account, find_account, find_blocking_path
from memdb.errors import ConfigurationError

STRANGER = Account(uid=54321, gid=54321)


def test_first_closed_folder_is_named(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "deep").mkdir(parents=True)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and not folder.stat().st_mode & 0o001:
            assert find_blocking_path(closed / "deep", STRANGER) is not None
            return
    closed.chmod(0o700)
    assert find_blocking_path(closed / "deep", STRANGER) == closed


def test_owner_and_group_bits_are_the_ones_that_count(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    file.chmod(0o640)
    status = file.stat()
    assert account._permits(status, Account(status.st_uid, 1), 0o4)
    assert account._permits(status, Account(54321, status.st_gid), 0o4)
    assert not account._permits(status, STRANGER, 0o4)
    file.chmod(0o004)
    status = file.stat()
    assert not account._permits(status, Account(status.st_uid, status.st_gid), 0o4)


def test_public_path_is_open() -> None:
    assert find_blocking_path(Path("/usr/bin/env").resolve(), STRANGER) is None


def test_ordinary_user_keeps_its_account(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert find_account(tmp_path / "postgres", tmp_path) is None


def test_root_takes_a_known_account_and_says_so_when_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    chosen = find_account(Path("/nowhere"), Path("/"))
    assert chosen is not None
    assert chosen.uid != 0

    def no_entry(name: str) -> None:
        raise KeyError(name)

    monkeypatch.setattr(pwd, "getpwnam", no_entry)
    with pytest.raises(ConfigurationError, match="ordinary user"):
        find_account(Path("/nowhere"), Path("/"))


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone gives files away")
def test_owner_of_the_files_goes_before_the_owner_of_the_folder(tmp_path: Path) -> None:
    os.chown(tmp_path, 54321, 54321)
    nameless = find_account(tmp_path / "postgres", tmp_path)
    assert nameless is not None
    assert nameless.uid not in {0, 54321}
    known = pwd.getpwnam("nobody")
    os.chown(tmp_path, known.pw_uid, known.pw_gid)
    assert find_account(tmp_path / "postgres", tmp_path) == Account(known.pw_uid, known.pw_gid)
    (tmp_path / "postgres").mkdir()
    os.chown(tmp_path / "postgres", 54321, 54322)
    assert find_account(tmp_path / "postgres", tmp_path) == Account(54321, 54322)
