"""The embedded Postgres of one data directory, shared by all processes that use it.

The way of a start: lock, refuse what does not look right, make the database if there is none, join the server that
runs or start one, prove it by a connection. Nothing here ever deletes or re-makes a database.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import psycopg
from psycopg import sql

from memdb.embedded.binaries import Binaries, find_binaries
from memdb.embedded.credentials import (
    APP,
    OWNER,
    SUPERUSER,
    Credentials,
    find_credentials,
    make_credentials,
    save_credentials,
)
from memdb.embedded.initialise import DATABASE, initialise
from memdb.embedded.layout import open_layout
from memdb.embedded.locks import FileLock, start_lock
from memdb.embedded.pidfile import clear_pid_file, find_pid_file, is_running_in
from memdb.embedded.server import find_last_socket_dir, find_running, launch, stop_server
from memdb.embedded.site import Site, make_site
from memdb.embedded.socketdir import PORT, make_socket_dir, remove_socket_dir, renew_socket_dir
from memdb.embedded.waiting import Progress, silent
from memdb.errors import ConfigurationError


class EmbeddedPostgres:
    """A running server and this process's share in it.

    The server goes on until the last process that uses it has stopped; a process that dies has stopped. Its only door
    is a socket in a private folder.
    """

    __slots__ = ("_credentials", "_say", "_site", "_socket_dir", "_users")

    def __init__(self, site: Site, credentials: Credentials, socket_dir: Path, users: FileLock) -> None:
        """Keep the parts; `start` is the way to get one."""
        self._site = site
        self._credentials = credentials
        self._socket_dir = socket_dir
        self._users: FileLock | None = users
        self._say = silent()

    @classmethod
    def start(cls, data_dir: Path, *, progress: Callable[[str], None] | None = None, given_up: Callable[[], bool] = lambda: False) -> Self:
        """Start or join the server of `data_dir` and wait until it answers; blocks, without a time limit in recovery.

        Args:
            data_dir: made if it is missing.
            progress: called with one short sentence per step and every few seconds of waiting.
            given_up: asked while it waits; true ends the start, and a server that was just launched.

        Raises:
            ConfigurationError: the directory, its files, the programs or the account do not allow it. Nothing in an
                existing database was changed.
            GaveUp: `given_up` was true during a wait.
        """
        tell = progress or silent().tell
        say = Progress(tell, given_up)
        site = make_site(open_layout(data_dir), find_binaries())
        with start_lock(site.layout.start_lock, say):
            credentials = _find_or_make_credentials(site)
            users = FileLock(site.layout.users_lock)
            try:
                socket_dir = _join_or_launch(site, credentials, say)
                users.try_shared()  # free: it is held exclusively only under the start lock
            except BaseException:
                users.close()
                raise
        running = cls(site, credentials, socket_dir, users)
        running._say = Progress(tell, lambda: False)  # a stop goes on to its end
        return running

    def is_running(self) -> bool:
        """Whether the server lives and is the one that the URLs name; it may be recovering. Costs a look at two files."""
        pgdata = self._site.layout.pgdata
        entry = find_pid_file(pgdata)
        if entry is None or entry.pid is None or entry.socket_dir != self._socket_dir:
            return False
        return is_running_in(entry.pid, pgdata)

    def restart(self, *, given_up: Callable[[], bool]) -> None:
        """Start the server again after it has died, or join it if another process was faster; the URLs stay as they are.

        Args:
            given_up: asked while it waits; true ends the restart, and a server that was just launched.

        Raises:
            ConfigurationError: it does not start, or only where the URLs do not reach it. Nothing in the database was changed.
            GaveUp: `given_up` was true during a wait.
        """
        say = Progress(self._say.tell, given_up)
        with start_lock(self._site.layout.start_lock, say):
            _refuse_odd(self._site)  # what has become of the directory meanwhile is no reason to make a new database
            socket_dir = _join_or_launch(self._site, self._credentials, say, self._socket_dir)
        if socket_dir != self._socket_dir:
            raise ConfigurationError(f"the server in {self._site.layout.pgdata} now listens in {socket_dir}; start memdb again to use it")

    def stop(self) -> None:
        """Give up this process's share, and stop the server if it was the last; waits until it is gone.

        A second call does nothing.

        Raises:
            ConfigurationError: the server does not end.
        """
        users, self._users = self._users, None
        if users is None:
            return
        try:
            with start_lock(self._site.layout.start_lock, self._say):
                if users.try_exclusive():
                    stop_server(self._site, self._say)
        finally:
            users.close()

    def set_app_password(self) -> None:
        """Let the role `memdb_app` log in with the password of `app_url`; run after each migration.

        Raises:
            ConfigurationError: the schema has not made the role yet.
        """
        password = self._credentials.password_of(APP).encode()
        with psycopg.connect(self.superuser_url) as connection:
            # SECURITY: the server gets the verifier, so the password is in no statement.
            verifier = connection.pgconn.encrypt_password(password, APP.encode(), b"scram-sha-256").decode()
            statement = sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(APP), sql.Literal(verifier))
            try:
                connection.execute(statement)
            except psycopg.errors.UndefinedObject as error:
                raise ConfigurationError(f"the role {APP} does not exist yet; run `memdb migrate` first") from error

    @property
    def owner_url(self) -> str:
        """For migrations and loading: owns the database and its tables."""
        return _url(OWNER, self._credentials, self._socket_dir)

    @property
    def superuser_url(self) -> str:
        """For administration of the cluster; the product never serves with it."""
        return _url(SUPERUSER, self._credentials, self._socket_dir)

    @property
    def app_url(self) -> str:
        """For serving: under row-level security. Usable after `set_app_password`."""
        return _url(APP, self._credentials, self._socket_dir)

    @property
    def binaries(self) -> Binaries:
        return self._site.binaries

    @property
    def data_dir(self) -> Path:
        return self._site.layout.data_dir

    @property
    def socket_dir(self) -> Path:
        return self._socket_dir

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def _find_or_make_credentials(site: Site) -> Credentials:
    layout = site.layout
    found = find_credentials(layout.credentials)
    if not layout.pgdata.exists() and not layout.pgdata.is_symlink():
        if found is None:
            # Before the database is made: a crash in between leaves passwords without a database, never the reverse.
            found = make_credentials()
            save_credentials(layout.credentials, found)
        return found
    _refuse_odd(site)
    if found is None:
        raise ConfigurationError(
            f"{layout.credentials} is missing, and the database in {layout.pgdata} cannot be opened without it; "
            "restore the file from a backup. The database is untouched"
        )
    return found


def _refuse_odd(site: Site) -> None:
    """Raise if what lies where the database should be is not a database of these programs."""
    pgdata = site.layout.pgdata
    if not (pgdata / "PG_VERSION").is_file() or not (pgdata / "global" / "pg_control").is_file():
        raise ConfigurationError(
            f"{pgdata} is not a complete Postgres data directory; restore it or move it away, "
            "or choose another data directory. It is untouched"
        )
    made_by = (pgdata / "PG_VERSION").read_text(errors="replace").strip()
    if made_by != str(site.binaries.major):
        raise ConfigurationError(
            f"{pgdata} was made by Postgres {made_by[:16]} and this release brings {site.binaries.version}; "
            "back it up with the release that made it and restore it here. It is untouched"
        )
    if site.account is not None and pgdata.stat().st_uid == 0:
        raise ConfigurationError(f"{pgdata} belongs to root, as whom Postgres does not run; give it to an ordinary account with `chown -R`")


def _join_or_launch(site: Site, credentials: Credentials, say: Progress, wanted: Path | None = None) -> Path:
    """The socket folder of the server; `wanted` is the one that this process knows it by."""
    lock = FileLock(site.layout.server_lock)
    try:
        socket_dir = find_running(site, lock, say)
        if socket_dir is not None:
            _require_ours(_url(SUPERUSER, credentials, socket_dir), site)
            return socket_dir
        return _launch_own(site, credentials, lock, say, wanted)
    finally:
        lock.close()


def _launch_own(site: Site, credentials: Credentials, lock: FileLock, say: Progress, wanted: Path | None) -> Path:
    clear_pid_file(site.layout, say)
    socket_dir, binaries = _find_or_make_socket_dir(site, wanted)
    try:
        if not site.layout.pgdata.exists():
            initialise(site, binaries, credentials, say)
        launch(site, binaries, socket_dir, lock, say)
    except BaseException:
        remove_socket_dir(socket_dir, site.account)
        raise
    try:
        _require_ours(_url(SUPERUSER, credentials, socket_dir), site)
    except BaseException:
        lock.close()  # our copy; the server's own is what `stop_server` waits for
        stop_server(site, say)
        raise
    return socket_dir


def _find_or_make_socket_dir(site: Site, wanted: Path | None) -> tuple[Path, Binaries]:
    """Where a killed server listened, if that can be had: processes that used it come back by the same URLs."""
    # A restart that failed halfway cleans up after itself, the note of the folder too; whoever restarts still knows the name.
    last = find_last_socket_dir(site) or wanted
    binaries = None if last is None else renew_socket_dir(last, site.account, site.binaries)
    if last is not None and binaries is not None:
        return last, binaries
    return make_socket_dir(site.account, site.binaries)


def _require_ours(url: str, site: Site) -> None:
    """Connect once: the server knows our passwords and has our database."""
    try:
        psycopg.connect(url, connect_timeout=30).close()
    except psycopg.OperationalError as error:
        raise ConfigurationError(
            f"the server in {site.layout.pgdata} does not accept the passwords of {site.layout.credentials}; "
            "restore the file that was made with this database"
        ) from error


def _url(role: str, credentials: Credentials, socket_dir: Path) -> str:
    password = quote(credentials.password_of(role), safe="")
    return f"postgresql://{role}:{password}@/{DATABASE}?host={quote(str(socket_dir), safe='')}&port={PORT}"
