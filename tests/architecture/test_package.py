"""The wheel holds all that a running memdb needs, and what it installs runs anywhere, also among packages of the same names."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.architecture.source import PACKAGES, ROOT, kept_files

if TYPE_CHECKING:
    from pathlib import Path

DATA_SUFFIXES = {".sql", ".md", ".txt", ".json", ".yaml", ".yml", ".html", ".css", ".js", ".typed"}


def run(*command: str | Path, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "MEMDB_", "COVERAGE_", "COV_"))}
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=kept | environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist; built from the checkout as it is, into another place, without a network."""
    folder = tmp_path_factory.mktemp("built wheel")
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, ROOT, cwd=folder)
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def inside(built: Path) -> set[str]:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        return set(wheel.namelist())


def test_wheel_holds_every_module_and_data_file(inside: set[str]) -> None:
    kept = {p.relative_to(ROOT) for p in kept_files()}
    needed = {p.as_posix() for p in kept if p.parts[0] in PACKAGES and p.suffix in DATA_SUFFIXES | {".py"}}
    assert needed - inside == set()
    assert "memdb/schema.sql" in inside
    assert {f"{package}/py.typed" for package in PACKAGES} <= inside


def test_wheel_holds_nothing_else(inside: set[str]) -> None:
    tops = {name.partition("/")[0] for name in inside}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert any(name.endswith("/LICENSE") for name in inside)


def test_sdist_holds_what_tests_and_builds_need(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {"pyproject.toml", "schema.sql", "Makefile", "constraints.txt", "LICENSE", "tests/architecture/source.py"} <= names


def test_entry_point_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"memdb": "api.cli.main:run"}


def test_installed_wheel_runs_among_packages_of_the_same_names(built: Path, tmp_path: Path) -> None:
    site, elsewhere = tmp_path / "site", tmp_path / "my project"
    run(sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", site, next(built.glob("*.whl")), cwd=tmp_path)
    for package in PACKAGES:
        (elsewhere / package).mkdir(parents=True)
        (elsewhere / package / "__init__.py").write_text("raise SystemExit('the wrong package was imported')\n", encoding="utf-8")
    script = next((site / "bin").glob("memdb*"))
    shown = run(sys.executable, script, "--help", cwd=elsewhere, PYTHONPATH=str(site))
    assert "recall" in shown.stdout
    where = "import api, memdb, pathlib; print(pathlib.Path(api.__file__).parents[1], pathlib.Path(memdb.__file__).parents[1], sep='\\n')"
    origin = run(sys.executable, "-P", "-c", where, cwd=elsewhere, PYTHONPATH=str(site))
    assert set(origin.stdout.splitlines()) == {str(site)}, "the checkout was imported instead of the wheel"
