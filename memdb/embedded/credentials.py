"""The passwords of the three roles of an embedded database: made once, kept in one file of mode 0600."""

from __future__ import annotations

import json
import os
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path

from memdb.embedded.layout import naming_path, write_private
from memdb.errors import ConfigurationError

SUPERUSER = "postgres"
OWNER = "memdb_owner"
APP = "memdb_app"
_ROLES = (SUPERUSER, OWNER, APP)
_PASSWORD_BYTES = 24
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Credentials:
    """Role name to password. Never in a `repr`."""

    passwords: dict[str, str] = field(repr=False)

    def password_of(self, role: str) -> str:
        return self.passwords[role]


def make_credentials() -> Credentials:
    return Credentials({role: secrets.token_urlsafe(_PASSWORD_BYTES) for role in _ROLES})


def save_credentials(path: Path, credentials: Credentials) -> None:
    """Write the file durably.

    Raises:
        ConfigurationError: the folder cannot be written or the disk is full.
    """
    with naming_path(path, "write the credentials"):
        write_private(path, json.dumps({"format": _FORMAT, "passwords": credentials.passwords}, indent=2) + "\n")


def find_credentials(path: Path) -> Credentials | None:
    """Read the file; None when there is none.

    Raises:
        ConfigurationError: it cannot be read, is open to other accounts, or is not what `save_credentials` wrote.
    """
    with naming_path(path, "read the credentials"):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, encoding="utf-8", errors="replace") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            text = file.read()
    if mode & 0o077:
        raise ConfigurationError(
            f"{path} holds passwords and is open to other accounts; run `chmod 600` on it, "
            "and think of its passwords as known to those accounts"
        )
    passwords = _passwords_in(text)
    if passwords is None:
        raise ConfigurationError(f"{path} is damaged; restore it from a backup. The database beside it is untouched and needs it")
    return Credentials(passwords)


def _passwords_in(text: str) -> dict[str, str] | None:
    try:
        document = json.loads(text)
    except ValueError:
        return None
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        return None
    passwords = document.get("passwords")
    if not isinstance(passwords, dict):
        return None
    found = {role: passwords.get(role) for role in _ROLES}
    usable = {role: password for role, password in found.items() if isinstance(password, str) and password}
    return usable if len(usable) == len(_ROLES) else None
