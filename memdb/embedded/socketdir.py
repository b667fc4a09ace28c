"""The private folder of one run of the server: its socket, and its programs if they had to be copied.

A socket path holds at most 107 bytes, and a data directory may lie deep, so the folder lies in the folder for
temporary files. Its name is random; owner and mode are looked at before use.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from memdb.embedded.account import Account, find_blocking_path
from memdb.embedded.binaries import Binaries, copy_server
from memdb.embedded.layout import naming_path
from memdb.errors import ConfigurationError

PORT = 5432  # only part of the socket's name
_PREFIX = "memdb-"
_NAME_BYTES = len(_PREFIX) + 8 + len(f"/.s.PGSQL.{PORT}.lock")
_PATH_BYTES_MAX = 107
_COPY = "programs"
_CONTENT = {f".s.PGSQL.{PORT}", f".s.PGSQL.{PORT}.lock", _COPY}


def make_socket_dir(account: Account | None, binaries: Binaries) -> tuple[Path, Binaries]:
    """Make a new folder of mode 0700 for the server's account; programs that it cannot reach are copied into it.

    Raises:
        ConfigurationError: no folder for temporary files will do.
    """
    must_copy = _must_copy(account, binaries)
    for parent in _parents():
        if not _is_fit(parent, account, must_run=must_copy):
            continue
        with naming_path(parent, "make a socket folder in"):
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
            return folder, _fill(folder, account, binaries, copy=must_copy)
    raise ConfigurationError(
        "no folder for temporary files has a short plain path, is open to the account of the server"
        f"{' and lets programs run' if must_copy else ''}; point TMPDIR to one"
    )


def renew_socket_dir(folder: Path, account: Account | None, binaries: Binaries) -> Binaries | None:
    """Make a folder of an earlier run anew under its old name; None: it cannot be had, and another one is needed.

    SECURITY: the name is known by now. A folder that somebody else has made under it is neither used nor removed.
    """
    must_copy = _must_copy(account, binaries)
    expected = folder.name.startswith(_PREFIX) and folder.parent in set(_parents())
    if not expected or not _is_fit(folder.parent, account, must_run=must_copy):
        return None
    remove_socket_dir(folder, account)
    with naming_path(folder, "make the socket folder"):
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            return None
    with naming_path(folder, "fill the socket folder"):
        return _fill(folder, account, binaries, copy=must_copy)


def _must_copy(account: Account | None, binaries: Binaries) -> bool:
    return account is not None and any(find_blocking_path(file, account) for file in binaries.server_files)


def _fill(folder: Path, account: Account | None, binaries: Binaries, *, copy: bool) -> Binaries:
    """Put in what the server needs and give it away; a folder that cannot be filled is removed."""
    try:
        if copy:
            binaries = copy_server(binaries, folder / _COPY)
        give(folder, account)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return binaries


def is_private(folder: Path, account: Account | None) -> bool:
    """Whether `folder` is a real folder that only the server's account may enter."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    owner = account.uid if account else os.geteuid()
    return stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o700 and status.st_uid == owner


def remove_socket_dir(folder: Path, account: Account | None) -> None:
    """Remove a folder that `make_socket_dir` made; anything that does not look like one is left alone."""
    made_here = folder.name.startswith(_PREFIX) and folder.parent in set(_parents()) and is_private(folder, account)
    if made_here and {entry.name for entry in folder.iterdir()} <= _CONTENT:
        shutil.rmtree(folder, ignore_errors=True)


def hold_folder(folder: Path) -> int:
    """Open and lock the folder: cleaners of temporary files leave a locked folder alone. Returns the descriptor."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def give(folder: Path, account: Account | None) -> None:
    """Give a folder that we made to the server's account. SECURITY: through a descriptor, so a link is not followed."""
    if account is None:
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchown(descriptor, account.uid, account.gid)
    finally:
        os.close(descriptor)


def _parents() -> Iterator[Path]:
    yield Path(tempfile.gettempdir()).resolve()
    yield Path("/tmp").resolve()  # noqa: S108 - mkdtemp makes a random name of mode 0700 in it
    yield Path("/var/tmp").resolve()  # noqa: S108 - as above


def _is_fit(parent: Path, account: Account | None, *, must_run: bool) -> bool:
    too_long = len(os.fsencode(parent)) + 1 + _NAME_BYTES > _PATH_BYTES_MAX
    # libpq reads a comma in a host as the start of another host, and Postgres quotes a folder's name with ".
    if not parent.is_dir() or too_long or set(str(parent)) & {",", '"'}:
        return False
    if account is not None and any(not folder.stat().st_mode & 0o001 for folder in (parent, *parent.parents)):
        return False
    return not (must_run and os.statvfs(parent).f_flag & os.ST_NOEXEC)
