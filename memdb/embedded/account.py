"""Which account runs the server when memdb itself runs as root, and what that account can reach.

Postgres refuses to run as root, with reason.
"""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Sequence
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


def find_account(owned: Sequence[Path]) -> Account | None:
    """Choose the account of the server; None when memdb is not root and the server runs as memdb does.

    The owner of the first existing path in `owned` that does not belong to root wins, so that a server goes on as
    the account that made its files.

    Raises:
        ConfigurationError: memdb runs as root and the machine has no account to change to.
    """
    if os.geteuid() != 0:
        return None
    for path in owned:
        if path.exists() and path.stat().st_uid != 0:
            return Account(path.stat().st_uid, path.stat().st_gid)
    for name in _PREFERRED_NAMES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(entry.pw_uid, entry.pw_gid)
    raise ConfigurationError(
        f"Postgres does not run as root and this machine has none of the accounts {', '.join(_PREFERRED_NAMES)}; "
        "add one, or run memdb as an ordinary user"
    )


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
