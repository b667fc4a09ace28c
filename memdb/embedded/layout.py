"""The names inside a data directory, and the small private files in it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memdb.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths of one data directory. `data_dir` is absolute and without symbolic links."""

    data_dir: Path

    @property
    def pgdata(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def credentials(self) -> Path:
        return self.data_dir / "credentials.json"

    @property
    def log(self) -> Path:
        return self.data_dir / "postgres.log"

    @property
    def start_lock(self) -> Path:
        """Held while somebody starts or stops the server."""
        return self.data_dir / "start.lock"

    @property
    def users_lock(self) -> Path:
        """Shared by every process that uses the server."""
        return self.data_dir / "users.lock"

    @property
    def server_lock(self) -> Path:
        """Held by the server itself and all its children, as long as one of them lives."""
        return self.data_dir / "server.lock"

    @property
    def socket_note(self) -> Path:
        """Names the socket folder of the last run, so that the next one can remove what a killed server left."""
        return self.data_dir / "socket.txt"

    @property
    def stale_pid_file(self) -> Path:
        """Where a pid file goes that Postgres would stumble over."""
        return self.data_dir / "postmaster.pid.stale"


def open_layout(data_dir: Path) -> Layout:
    """Make the data directory if it is missing; an existing one is left as it is.

    Raises:
        ConfigurationError: it cannot be made, is no folder, or is itself the inside of a Postgres.
    """
    with naming_path(data_dir, "make the data directory"):
        folder = data_dir.expanduser().resolve()
        # Others may pass through a folder that root makes, because the server runs as another account; not list it.
        is_new = not folder.exists()
        folder.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
        if is_new:
            # It may lie in somebody's checkout, and the root secret lies in it.
            (folder / ".gitignore").write_text("*\n", encoding="ascii")
    if (folder / "PG_VERSION").exists():
        raise ConfigurationError(f"{folder} is the inside of a Postgres that memdb did not make; choose another data directory")
    return Layout(folder)


def require_writable(layout: Layout) -> None:
    """Pass when files can be made in the data directory; looks before anything slow is done.

    Raises:
        ConfigurationError: the directory is closed to this account, or the disk is read-only or full.
    """
    with naming_path(layout.data_dir, "write in the data directory"), tempfile.TemporaryFile(dir=layout.data_dir) as file:
        file.write(b"\0")
        file.flush()


@contextmanager
def naming_path(path: Path, action: str) -> Iterator[None]:
    """Turn an error of the operating system into one sentence that names the path."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigurationError(f"cannot {action} {path}: {reason.lower()}") from error


def open_private(path: Path, flags: int) -> int:
    """Open a file that only its owner may read, making it if it is missing, and return the descriptor.

    SECURITY: links are not followed, and a file that root makes belongs to the owner of the folder, so that the owner
    of a data directory can use it later without root.
    """
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return os.open(path, flags | os.O_NOFOLLOW)
    if os.geteuid() == 0:
        owner = path.parent.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)
    return descriptor


def write_private(path: Path, text: str) -> None:
    """Write a whole new file durably or leave the old one: a crash leaves no half of it."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    try:
        with os.fdopen(open_private(draft, os.O_WRONLY), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make the names inside `folder` durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
