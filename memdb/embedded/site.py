"""What every step of starting and stopping needs to know, and how programs are run as the server's account."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from memdb.embedded.account import Account, find_account, find_blocking_path
from memdb.embedded.binaries import Binaries
from memdb.embedded.layout import Layout
from memdb.errors import ConfigurationError

_OWN_FOLDER = "/proc/self/cwd"
# The C locale keeps the messages of programs as this package reads them; nothing of the caller's environment is passed.
_ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}


@dataclass(frozen=True, slots=True)
class Site:
    """One data directory on this machine. `account` is None when the server runs as memdb does."""

    layout: Layout
    binaries: Binaries
    account: Account | None


class _SpawnOptions(TypedDict, total=False):
    cwd: Path
    env: dict[str, str]
    user: int
    group: int
    extra_groups: list[int]


def make_site(layout: Layout, binaries: Binaries) -> Site:
    return Site(layout, binaries, find_account(layout.pgdata, layout.data_dir))


def spawn_options(account: Account | None, pgdata: Path) -> _SpawnOptions:
    """Options of `subprocess` that run a program inside `pgdata` as the server's account."""
    options: _SpawnOptions = {"cwd": pgdata, "env": _ENVIRONMENT}
    if account is not None:
        options |= {"user": account.uid, "group": account.gid, "extra_groups": []}
    return options


def run_inside(
    site: Site, pgdata: Path, arguments: Sequence[str | Path], *, text: str = "", descriptors: Sequence[int] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end inside `pgdata` as the server's account, with `text` as its standard input.

    Raises:
        ConfigurationError: it cannot be started.
    """
    try:
        # An argument list of our own programs and paths; no shell.
        return subprocess.run(  # noqa: S603
            arguments,
            input=text,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            pass_fds=descriptors,
            **spawn_options(site.account, pgdata),
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise cannot_run(arguments[0], site.account) from error


def cannot_run(program: str | Path, account: Account | None) -> ConfigurationError:
    whom = f" as account {account.uid}; run memdb as an ordinary user" if account else "; look at its permissions"
    return ConfigurationError(f"cannot run {program}{whom}")


def folder_argument(pgdata: Path, account: Account | None) -> str:
    """How the server, started inside `pgdata`, names it.

    Its account may not be allowed to pass the folders above, such as /root. A process reaches the folder that it was
    started in all the same, under a name that Linux gives it.

    Raises:
        ConfigurationError: the folders above are closed and the system has no such name.
    """
    blocking = find_blocking_path(pgdata, account) if account else None
    if blocking is None:
        return str(pgdata)
    if Path(_OWN_FOLDER).exists():
        return _OWN_FOLDER
    raise ConfigurationError(f"the account of the server may not pass {blocking}; run `chmod o+x` on it, or choose another data directory")
