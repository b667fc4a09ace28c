from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
import pytest

from memdb.embedded.cluster import EmbeddedPostgres
from memdb.embedded.pidfile import find_pid_file

ROOT = Path(__file__).resolve().parents[3]
FACTS = 100
_USER = """
import sys
from pathlib import Path
from memdb.embedded.cluster import EmbeddedPostgres
cluster = EmbeddedPostgres.start(Path(sys.argv[1]))
print(cluster.superuser_url, flush=True)
if sys.stdin.readline() == "stop\\n":
    cluster.stop()
    print("stopped", flush=True)
"""


@dataclass
class User:
    """Another process that uses a data directory."""

    child: subprocess.Popen[str]

    def read(self) -> str:
        assert self.child.stdout is not None
        return self.child.stdout.readline().strip()

    def stop(self) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write("stop\n")
        self.child.stdin.flush()
        assert self.read() == "stopped"
        self.child.wait(30)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stopped data directory with 100 facts, in a path with spaces."""
    folder = tmp_path_factory.mktemp("embedded") / "a template's folder"
    with EmbeddedPostgres.start(folder) as cluster, psycopg.connect(cluster.owner_url) as connection:
        with psycopg.connect(cluster.superuser_url, autocommit=True) as settings:
            settings.execute("ALTER SYSTEM SET fsync = off")  # processes are killed here, machines are not
        connection.execute("CREATE TABLE facts (id int PRIMARY KEY, embedding vector(3))")
        connection.execute("INSERT INTO facts SELECT i, '[1,2,3]' FROM generate_series(1, %s) i", [FACTS])
    return folder


@pytest.fixture
def data_dir(template: Path) -> Iterator[Path]:
    """The template itself, for tests that leave it as they found it: whole, stopped, 100 facts."""
    yield template
    pid = server_pid(template)
    assert pid is None or not is_alive(pid), "a test left its server running"


@pytest.fixture
def copied_dir(template: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy to spoil; removed at once, because it has a thousand files."""
    folder = tmp_path / "data with spaces"
    subprocess.run(["cp", "-a", str(template), str(folder)], check=True)
    yield folder
    pid = server_pid(folder)
    assert pid is None or not is_alive(pid), "a test left its server running"
    shutil.rmtree(tmp_path)


@pytest.fixture
def use(request: pytest.FixtureRequest) -> Iterator[Callable[[Path], User]]:
    """Start a data directory in another process; killed at the end if it still runs."""
    users: list[User] = []

    def begin(folder: Path) -> User:
        child = subprocess.Popen(
            [sys.executable, "-c", _USER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        users.append(User(child))
        return users[-1]

    yield begin
    for user in users:
        user.child.kill()
        user.child.communicate()


def server_pid(folder: Path) -> int | None:
    entry = find_pid_file(folder / "postgres")
    return entry.pid if entry else None


def is_alive(pid: int) -> bool:
    """Zombies are not: whether they are collected is up to the machine's init."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def processes_in(folder: Path) -> list[int]:
    """Living processes that work inside the database of `folder`."""
    found = []
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()) == folder / "postgres":
                found.append(process.pid)
        except (psutil.Error, OSError):
            continue
    return found


def count_facts(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM facts").fetchone()
    assert row is not None
    return int(row[0])
