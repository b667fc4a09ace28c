"""The installed command as a user runs it: its own process, its own folder, its own environment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pytest

COMMAND = Path(sys.executable).with_name("memdb")
READY_WITHIN_S = 120  # on a machine that runs other tests as well
STOPPED_WITHIN_S = 30


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMDB_", "PYTHON"))}
    return kept | {"MEMDB_EMBEDDING_PROVIDER": "hashing", "COLUMNS": "160"} | more


def memdb(*arguments: object, cwd: Path, expect: int = 0, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    done = subprocess.run(
        [str(COMMAND), *map(str, arguments)],
        cwd=cwd,
        env=environment(**env),
        capture_output=True,
        text=True,
        input=stdin,
        timeout=READY_WITHIN_S,
        check=False,
    )
    assert done.returncode == expect, (arguments, done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def error_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a failed command writes to stderr, beside that of the embedder of these tests, which announces itself."""
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if "embedder_without_model" not in line]
    assert len(lines) == 1, lines
    assert lines[0].startswith("error: ")
    return lines[0]


@dataclass
class Running:
    """A `memdb up --json` that is ready."""

    process: subprocess.Popen[str]
    ready: dict[str, Any]
    folder: Path
    log: Path
    key: str = field(default="")

    @property
    def data_dir(self) -> Path:
        return Path(self.ready["data_dir"])

    def run(self, *arguments: object, expect: int = 0, **env: str) -> subprocess.CompletedProcess[str]:
        """A command that talks to this server."""
        return memdb(*arguments, cwd=self.folder, expect=expect, **{"MEMDB_URL": self.ready["url"], "MEMDB_KEY": self.key, **env})

    def json(self, *arguments: object, expect: int = 0) -> Any:
        return json.loads(self.run(*arguments, "--json", expect=expect).stdout)

    def stop(self, number: signal.Signals = signal.SIGINT) -> str:
        """Stop it and return what else it wrote to stdout."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=STOPPED_WITHIN_S)
        return rest


@contextmanager
def up(data_dir: Path, log: Path, *, key: str = "", port: int = 0, env: Mapping[str, str] | None = None) -> Iterator[Running]:
    """Start a server, and make sure that it is gone at the end."""
    with log.open("a") as errors:
        process = spawn(data_dir, port, errors, env or {})
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, log.read_text()
        ready = json.loads(line)
        yield Running(process, ready, data_dir.parent, log, key or ready["admin_key"] or "")
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.communicate(timeout=STOPPED_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()
        process.communicate()


def spawn(data_dir: Path, port: int, errors: IO[str], env: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(COMMAND), "up", "--data-dir", str(data_dir), "--port", str(port), "--json"],
        cwd=data_dir.parent,
        env=environment(**env),
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
    )


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a space in its name."""
    folder = tmp_path_factory.mktemp("cli") / "Ana's memdb data"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def server(home: Path) -> Iterator[Running]:
    """One server for the tests that only use one."""
    with up(home / "data", home / "up.log") as running:
        yield running


@pytest.fixture
def write_lines(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: object, name: str = "memories.jsonl") -> Path:
        file = tmp_path / name
        file.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
        return file

    return write
