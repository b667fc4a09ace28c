"""Where schema.sql is found, and which sets of upgrades make sense."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memdb.errors import ConfigurationError
from memdb.storage import schema_file
from memdb.storage.schema_file import SCHEMA_VERSION, load_source, make_source, read_schema

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[4]


def resources_at(folder: Path) -> Callable[[str], Path]:
    return lambda _package: folder


def test_a_checkout_reads_the_file_at_its_root() -> None:
    assert read_schema() == (ROOT / "schema.sql").read_text(encoding="utf-8")


def test_an_installed_package_reads_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "schema.sql").write_text("SELECT 'installed'")
    monkeypatch.setattr(schema_file, "files", resources_at(tmp_path))
    assert read_schema() == "SELECT 'installed'"


def test_a_broken_installation_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_file, "files", resources_at(tmp_path))
    monkeypatch.setattr(schema_file, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    with pytest.raises(ConfigurationError, match=r"schema\.sql is missing"):
        read_schema()


def test_the_release_applies_its_own_version() -> None:
    source = load_source()
    assert source.version == SCHEMA_VERSION
    assert len(source.upgrades) == SCHEMA_VERSION - 1


def test_upgrades_are_ordered_by_number_and_taken_from_a_version_on() -> None:
    source = make_source(4, "", {"0003_b.sql": "b", "0004_c.sql": "c", "0002_a.sql": "a"})
    assert [upgrade.script for upgrade in source.upgrades] == ["a", "b", "c"]
    assert [upgrade.name for upgrade in source.upgrades_after(3)] == ["0004_c.sql"]
    assert source.upgrades_after(4) == ()


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (["2_a.sql"], "NNNN_<what>"),
        (["0002_A.sql"], "NNNN_<what>"),
        (["0002_a.sql", "0004_b.sql"], r"0004_b\.sql must follow 0002_a\.sql"),
        (["0002_a.sql", "0002_b.sql"], r"0002_b\.sql must follow"),
        (["0002_a.sql"], r"0002_a\.sql is the last upgrade, but schema\.sql is version 3"),
    ],
)
def test_a_set_that_makes_no_sense_is_refused(names: list[str], complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        make_source(3, "", dict.fromkeys(names, "SELECT 1"))
