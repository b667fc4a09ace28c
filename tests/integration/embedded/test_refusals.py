from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from memdb.embedded.cluster import EmbeddedPostgres
from memdb.errors import ConfigurationError
from tests.integration.embedded.conftest import FACTS, count_facts, processes_in
from tests.support.disk import fill, small_disk


def snapshot(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Every file below with mode, owner and digest; locks come and go."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".lock":
            continue
        status = path.lstat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_uid, digest)
    return found


def empty(folder: Path) -> None:
    (folder / "postgres").mkdir()


def strange(folder: Path) -> None:
    empty(folder)
    (folder / "postgres" / "thesis.doc").write_text("years of work")


def a_file(folder: Path) -> None:
    (folder / "postgres").write_text("not even a folder")


def dangling(folder: Path) -> None:
    (folder / "postgres").symlink_to(folder / "nowhere")


def itself_a_database(folder: Path) -> None:
    (folder / "PG_VERSION").write_text("18\n")


@pytest.mark.parametrize("make", [empty, strange, a_file, dangling, itself_a_database])
def test_odd_directory_is_refused_and_untouched(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path)
    before = snapshot(tmp_path)
    with pytest.raises(ConfigurationError, match=str(tmp_path)):
        EmbeddedPostgres.start(tmp_path)
    assert snapshot(tmp_path) == before


def other_version(folder: Path) -> None:
    (folder / "postgres" / "PG_VERSION").write_text("16\n")


def half_gone(folder: Path) -> None:
    (folder / "postgres" / "global" / "pg_control").unlink()


def no_credentials(folder: Path) -> None:
    (folder / "credentials.json").unlink()


def damaged_credentials(folder: Path) -> None:
    (folder / "credentials.json").write_text('{"format": 1, "passwords": {"postgres": ')


def open_credentials(folder: Path) -> None:
    (folder / "credentials.json").chmod(0o644)


@pytest.mark.parametrize("spoil", [other_version, half_gone, no_credentials, damaged_credentials, open_credentials])
def test_damaged_directory_is_refused_and_untouched(copied_dir: Path, spoil: Callable[[Path], None]) -> None:
    spoil(copied_dir)
    before = snapshot(copied_dir)
    with pytest.raises(ConfigurationError, match=r"untouched|chmod 600"):
        EmbeddedPostgres.start(copied_dir)
    assert snapshot(copied_dir) == before


def test_passwords_of_another_database_are_refused_and_nothing_stays_running(copied_dir: Path) -> None:
    path = copied_dir / "credentials.json"
    original = path.read_text()
    document = json.loads(original)
    document["passwords"] = {role: f"guess of {role}" for role in document["passwords"]}
    path.write_text(json.dumps(document))
    with pytest.raises(ConfigurationError, match="does not accept the passwords") as caught:
        EmbeddedPostgres.start(copied_dir)
    assert "guess" not in caught.value.message
    assert processes_in(copied_dir) == []
    path.write_text(original)
    with EmbeddedPostgres.start(copied_dir) as cluster:
        assert count_facts(cluster.owner_url) == FACTS
        path.write_text(json.dumps(document))
        with pytest.raises(ConfigurationError, match="does not accept the passwords"):
            EmbeddedPostgres.start(copied_dir)
        assert count_facts(cluster.owner_url) == FACTS


def test_server_that_cannot_start_is_reported_with_its_reason(copied_dir: Path) -> None:
    with (copied_dir / "postgres" / "postgresql.conf").open("a") as file:
        file.write("no_such_setting = 1\n")
    with pytest.raises(ConfigurationError, match="no_such_setting"):
        EmbeddedPostgres.start(copied_dir)
    assert processes_in(copied_dir) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_unwritable_folder_is_reported(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigurationError, match="permission denied"):
        EmbeddedPostgres.start(tmp_path / "data")
    tmp_path.chmod(0o700)


def test_file_in_place_of_the_data_directory_is_reported(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(ConfigurationError, match="data directory"):
        EmbeddedPostgres.start(tmp_path / "data")


@pytest.fixture(name="small_disk")
def _small_disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", 120) as disk:
        yield disk


def test_full_disk_at_the_first_start_leaves_nothing_half_made(small_disk: Path) -> None:
    with (small_disk / "ballast").open("wb") as file:
        file.write(b"x" * (100 << 20))
    with pytest.raises(ConfigurationError, match=str(small_disk)):
        EmbeddedPostgres.start(small_disk / "data")
    assert [p.name for p in (small_disk / "data").iterdir() if p.name.startswith("postgres")] == []
    (small_disk / "ballast").unlink()
    with EmbeddedPostgres.start(small_disk / "data") as cluster, psycopg.connect(cluster.owner_url) as connection:
        connection.execute("SELECT 1")


def test_full_disk_at_a_later_start_loses_nothing(small_disk: Path, data_dir: Path) -> None:
    subprocess.run(["cp", "-a", str(data_dir), str(small_disk / "data")], check=True)
    ballast = fill(small_disk)
    with pytest.raises(ConfigurationError, match=r"[Nn]o space left"):
        EmbeddedPostgres.start(small_disk / "data")
    ballast.unlink()
    with EmbeddedPostgres.start(small_disk / "data") as cluster:
        assert count_facts(cluster.owner_url) == FACTS
