from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from memdb.embedded import binaries
from memdb.errors import ConfigurationError


def test_installed_programs_are_found_with_their_version() -> None:
    found = binaries.find_binaries()
    assert found.major == binaries.MAJOR_VERSION
    assert found.postgres.is_absolute()
    assert os.access(found.initdb, os.X_OK)
    assert all(path.is_file() for path in found.server_files)


def test_missing_package_is_named_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "_PACKAGE", "no_such_package_of_postgres")
    with pytest.raises(ConfigurationError, match="MEMDB_DATABASE_URL"):
        binaries.find_binaries()


def test_incomplete_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="initdb, pg_ctl"):
        binaries._binaries_in(tmp_path)


def test_copy_runs_and_everybody_may_read_it(tmp_path: Path) -> None:
    copied = binaries.copy_server(binaries.find_binaries(), tmp_path)
    for program in (copied.postgres, copied.initdb):
        assert program.is_relative_to(tmp_path)
        assert "18." in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    for path in tmp_path.rglob("*"):
        assert path.stat().st_mode & 0o004, path
