"""The pid file of Postgres: who runs in a data directory, and what to do when it names somebody else.

Postgres removes the file of a dead server by itself. It gives up, though, when the file is empty, or when its number
now belongs to another process of the same account, which after the restart of a container is likely.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from memdb.embedded.layout import Layout, naming_path
from memdb.errors import ConfigurationError

_READ_BYTES_MAX = 4096
# Line numbers, from 0. Source: src/include/utils/pidfile.h of Postgres.
_PID_LINE = 0
_SOCKET_DIR_LINE = 4


@dataclass(frozen=True, slots=True)
class PidFile:
    """What the file says; None for what it does not say."""

    pid: int | None
    socket_dir: Path | None


def find_pid_file(pgdata: Path) -> PidFile | None:
    """Read the file, whatever is in it; None when there is none."""
    path = pgdata / "postmaster.pid"
    with naming_path(path, "read"):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            text = os.fsdecode(file.read(_READ_BYTES_MAX))
    return _parse(text)


def is_running_in(pid: int, pgdata: Path) -> bool:
    """Whether process `pid` lives and works inside `pgdata`, as every process of its server does."""
    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()).samefile(pgdata)
    except (psutil.Error, OSError):
        return False


def clear_pid_file(layout: Layout, say: Callable[[str], None]) -> None:
    """Set a pid file aside that is proven stale and that Postgres would stumble over.

    INVARIANT: the caller holds the server lock, so no server that memdb started lives in this directory, on this
    machine or in a container on it. The file is moved, never removed; a server that somebody else started is found by
    the folder that its processes work in.

    Raises:
        ConfigurationError: another server runs here, or may run here.
    """
    found = find_pid_file(layout.pgdata)
    if found is None or (found.pid is not None and not psutil.pid_exists(found.pid)):
        return
    stranger = _find_process_in(layout.pgdata)
    if stranger is not None:
        raise ConfigurationError(f"process {stranger} runs a Postgres in {layout.pgdata} that memdb did not start; stop it and start again")
    if found.pid is not None and _is_postgres(found.pid):
        raise ConfigurationError(
            f"{layout.pgdata / 'postmaster.pid'} names process {found.pid}, a Postgres that works in another folder; "
            "if this directory is a copy of that one, make it anew with `memdb backup` and `memdb restore`, "
            "else move the file away"
        )
    say(f"setting aside a pid file of a server that is gone: {layout.stale_pid_file}")
    with naming_path(layout.stale_pid_file, "set the pid file aside as"), suppress(FileNotFoundError):
        (layout.pgdata / "postmaster.pid").rename(layout.stale_pid_file)


def _parse(text: str) -> PidFile:
    lines = text.splitlines()
    number = lines[_PID_LINE].strip() if lines else ""
    folder = lines[_SOCKET_DIR_LINE].strip() if len(lines) > _SOCKET_DIR_LINE else ""
    # A pid fits 32 bits everywhere; a longer number is damage.
    usable = number.isascii() and number.isdecimal() and 0 < int(number[:11]) < 2**31
    return PidFile(int(number[:11]) if usable else None, Path(folder) if folder.startswith("/") else None)


def _find_process_in(pgdata: Path) -> int | None:
    return next((pid for pid in psutil.pids() if is_running_in(pid, pgdata)), None)


def _is_postgres(pid: int) -> bool:
    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE and process.name().startswith("postgres")
    except psutil.Error:
        return False
