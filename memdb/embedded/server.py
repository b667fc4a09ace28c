"""Starting, joining and stopping the server of one data directory. The caller holds the start lock."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from memdb.embedded.binaries import Binaries
from memdb.embedded.credentials import SUPERUSER
from memdb.embedded.layout import naming_path, open_private, write_private
from memdb.embedded.locks import FileLock
from memdb.embedded.pidfile import find_pid_file, is_running_in
from memdb.embedded.settings import make_server_settings, read_machine
from memdb.embedded.site import Site, cannot_run, folder_argument, spawn_options
from memdb.embedded.socketdir import PORT, hold_folder, is_private, remove_socket_dir
from memdb.embedded.waiting import Progress, wait_until
from memdb.errors import ConfigurationError

_LOG_BYTES_MAX = 16 * 1024 * 1024  # a longer log gives way at the next start; one older log is kept
_LOG_TAIL_BYTES = 8192
_LOG_TAIL_LINES = 5
# Children of a server that was killed end within a second or two; a server whose pid file was removed within a minute.
_ORPHANS_WAIT_S = 90.0
# A fast shutdown writes all changed pages. After this long the server is told to end without that; the next start
# then recovers from the log, so nothing is lost.
_FAST_STOP_S = 90.0
_IMMEDIATE_STOP_S = 30.0


def find_running(site: Site, lock: FileLock, say: Progress) -> Path | None:
    """Socket folder of the running server, once it accepts connections; None when none runs, with `lock` then held.

    Raises:
        ConfigurationError: something holds the server lock and is not a server that can be used.
    """
    pgdata = site.layout.pgdata
    found: list[tuple[int, Path]] = []

    def is_decided() -> bool:
        if lock.try_exclusive():
            return True
        entry = find_pid_file(pgdata)
        if entry is None or entry.pid is None or entry.socket_dir is None or not is_running_in(entry.pid, pgdata):
            return False
        found.append((entry.pid, entry.socket_dir))
        return True

    if not wait_until(is_decided, say, f"waiting for the processes of an earlier server in {pgdata}", give_up_after_s=_ORPHANS_WAIT_S):
        raise ConfigurationError(
            f"{site.layout.server_lock} is held by a server that cannot be seen from here; "
            "stop the other container or the processes that are left of it"
        )
    if not found:
        return None
    pid, socket_dir = found[0]
    if not is_private(socket_dir, site.account):
        raise ConfigurationError(
            f"the socket folder {socket_dir} of the running server is gone or open to others; run `kill -INT {pid}` and start again"
        )
    wait_until(lambda: _answers(socket_dir) or lock.try_exclusive(), say, f"waiting for the server in {pgdata}")
    return None if lock.try_exclusive() else socket_dir


def launch(site: Site, binaries: Binaries, socket_dir: Path, lock: FileLock, say: Progress) -> None:
    """Start the server and wait until it accepts connections, however long its recovery takes.

    The server inherits `lock`: it is held until the last of its processes has ended.

    Raises:
        ConfigurationError: the server ended; the message has the last lines of its log.
    """
    with naming_path(site.layout.socket_note, "write"):
        write_private(site.layout.socket_note, f"{socket_dir}\n")
    log = site.layout.log
    with naming_path(log, "write the log"):
        if log.exists() and log.stat().st_size > _LOG_BYTES_MAX:
            log.replace(log.with_name(f"{log.name}.1"))
        output = open_private(log, os.O_WRONLY | os.O_APPEND)
    held = -1
    try:
        held = hold_folder(socket_dir)
        log_start = os.fstat(output).st_size
        child = _spawn(site, binaries, socket_dir, (lock.fileno(), held), output)
    finally:
        os.close(output)
        if held >= 0:
            os.close(held)
    # The thread collects the exit status whenever the server ends, so that no dead child stays behind.
    threading.Thread(target=child.wait, name="memdb-postgres-exit", daemon=True).start()
    try:
        _wait_for(child, site, socket_dir, log_start, say)
    except BaseException:
        _end(child)
        raise


def find_last_socket_dir(site: Site) -> Path | None:
    """Folder of a server that was killed, where nobody listens any more; processes that used that server know it by this name.

    The server lock is held. None: the last server was stopped in order, or the note is of another directory's server.
    """
    note = site.layout.socket_note
    with naming_path(note, "read"):
        if not note.is_file():
            return None
        socket_dir = Path(note.read_text(errors="replace").strip())
    return socket_dir if socket_dir.is_absolute() and _ping(socket_dir) == psycopg.pq.Ping.NO_RESPONSE else None


def stop_server(site: Site, say: Progress) -> None:
    """Stop the server if it runs, wait until all its processes are gone, and remove its socket folder.

    Raises:
        ConfigurationError: it does not end.
    """
    pgdata = site.layout.pgdata
    what = f"waiting for the server in {pgdata} to end"
    entry = find_pid_file(pgdata)
    pid = entry.pid if entry else None
    lock = FileLock(site.layout.server_lock)
    try:
        if not lock.try_exclusive():
            _signal(pid, pgdata, signal.SIGINT)
            if not wait_until(lock.try_exclusive, say, what, give_up_after_s=_FAST_STOP_S):
                _signal(pid, pgdata, signal.SIGQUIT)
                if not wait_until(lock.try_exclusive, say, what, give_up_after_s=_IMMEDIATE_STOP_S):
                    raise ConfigurationError(f"the server in {pgdata} does not end; look at {site.layout.log}")
        # A process that ends gives up its locks a moment before it leaves its folder.
        wait_until(lambda: pid is None or not is_running_in(pid, pgdata), say, what, give_up_after_s=_IMMEDIATE_STOP_S)
        _remove_last_socket_dir(site)
    finally:
        lock.close()


def _spawn(site: Site, binaries: Binaries, socket_dir: Path, inherited: tuple[int, ...], output: int) -> subprocess.Popen[bytes]:
    settings = make_server_settings(read_machine()) | {
        "unix_socket_directories": f'"{socket_dir}"',
        "port": str(PORT),
        "cluster_name": "memdb",
    }
    arguments = [str(binaries.postgres), "-D", folder_argument(site.layout.pgdata, site.account)]
    for name, value in settings.items():
        arguments += ["-c", f"{name}={value}"]
    try:
        # An argument list of our own program and paths; no shell. A session of its own, so that Ctrl-C in a terminal
        # reaches memdb alone, which stops the server in order.
        return subprocess.Popen(  # noqa: S603
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            pass_fds=inherited,
            **spawn_options(site.account, site.layout.pgdata),
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise cannot_run(binaries.postgres, site.account) from error


def _wait_for(child: subprocess.Popen[bytes], site: Site, socket_dir: Path, log_start: int, say: Progress) -> None:
    say("waiting for Postgres to accept connections")
    wait_until(lambda: child.poll() is not None or _answers(socket_dir), say, "Postgres is starting or recovering")
    if child.poll() is not None:
        log = site.layout.log
        raise ConfigurationError(f"Postgres could not start in {site.layout.pgdata}: {_log_tail(log, log_start)} (log: {log})")


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.send_signal(signal.SIGQUIT)
        child.wait()


def _answers(socket_dir: Path) -> bool:
    return _ping(socket_dir) == psycopg.pq.Ping.OK


def _ping(socket_dir: Path) -> psycopg.pq.Ping:
    """Ask the server on the socket whether it accepts connections; no password is sent."""
    target = make_conninfo(host=str(socket_dir), port=PORT, user=SUPERUSER, dbname="postgres", connect_timeout=5)
    return psycopg.pq.Ping(psycopg.pq.PGconn.ping(target.encode()))


def _remove_last_socket_dir(site: Site) -> None:
    """Remove the folder that the note names, if no server of any kind listens in it."""
    socket_dir = find_last_socket_dir(site)
    if socket_dir is not None:
        remove_socket_dir(socket_dir, site.account)
    with naming_path(site.layout.socket_note, "remove"):
        site.layout.socket_note.unlink(missing_ok=True)


def _signal(pid: int | None, pgdata: Path, number: signal.Signals) -> None:
    # SECURITY: only a process that works inside this directory is ever signalled, whatever the pid file says.
    if pid is not None and is_running_in(pid, pgdata):
        os.kill(pid, number)


def _log_tail(log: Path, start: int) -> str:
    with log.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(start, size - _LOG_TAIL_BYTES))
        lines = file.read().decode(errors="replace").splitlines()
    return " | ".join(line.strip() for line in lines[-_LOG_TAIL_LINES:] if line.strip()) or "it gave no reason"
