"""Which account runs the server when memdb itself runs as root, and what that account can reach.

Postgres refuses to run as root, with reason.
"""

from __future__ import annotations

import os
import pwd
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memdb.errors import ConfigurationError

# An account of its own is best; `nobody` may be shared with other services.
_PREFERRED_NAMES = ("memdb", "postgres", "nobody")


@dataclass(frozen=True, slots=True)
class Account:
    """The user and the one group of the server; no further groups."""

    uid: int
    gid: int


def find_account(pgdata: Path, data_dir: Path) -> Account | None:
    """Choose the account of the server; None when memdb is not root and the server runs as memdb does.

    A server goes on as the account that owns its files. A new one gets the owner of the data directory, unless that is
    root or a bare number: initdb wants an account with a name. Else the first known name is taken.

    Raises:
        ConfigurationError: memdb runs as root and the machine has no account to change to.
    """
    if os.geteuid() != 0:
        return None
    if pgdata.exists() and pgdata.stat().st_uid != 0:
        return Account(pgdata.stat().st_uid, pgdata.stat().st_gid)
    owner = data_dir.stat()
    if owner.st_uid != 0 and _has_name(owner.st_uid):
        return Account(owner.st_uid, owner.st_gid)
    for name in _PREFERRED_NAMES:
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return Account(entry.pw_uid, entry.pw_gid)
    raise ConfigurationError(
        f"Postgres does not run as root and this machine has none of the accounts {', '.join(_PREFERRED_NAMES)}; "
        "add one, or run memdb as an ordinary user"
    )


def _has_name(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def find_blocking_path(path: Path, account: Account) -> Path | None:
    """First folder on the way to `path`, or `path` itself, that `account` may not pass or read; None: all are open.

    Judges by owner, group and mode. An access list that gives more is not seen: the answer is then too strict, which
    costs a copy but nothing else.
    """
    for folder in reversed(path.parents):
        if not _permits(folder.stat(), account, 0o1):
            return folder
    wanted = 0o5 if path.is_dir() else 0o4
    return None if _permits(path.stat(), account, wanted) else path


def _permits(status: os.stat_result, account: Account, wanted: int) -> bool:
    """Whether all bits of `wanted` (4 read, 2 write, 1 pass) are granted."""
    mode = stat.S_IMODE(status.st_mode)
    if status.st_uid == account.uid:
        mode >>= 6
    elif status.st_gid == account.gid:
        mode >>= 3
    return mode & wanted == wanted
