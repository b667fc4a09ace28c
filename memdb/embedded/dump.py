"""Dump and restore one database with Postgres's own programs, by way of one file in the custom format.

Roles are not in the file: they belong to the cluster, and `schema.sql` makes them.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from memdb.embedded.binaries import Binaries
from memdb.embedded.layout import naming_path, open_private, sync_folder
from memdb.errors import ConfigurationError, StorageError, StorageUnavailable

# SECURITY: what these programs write about a failure can quote rows, so it is only searched, never shown.
_REASONS = (
    ("server version mismatch", "the server is newer than the programs of this release"),
    ("No space left on device", "the disk is full"),
    ("could not write", "the disk is full or failing"),
    ("already exists", "the target holds objects of these names already; restore into an empty database"),
    ("permission denied", "the role lacks rights; use the owner of the tables"),
    ("must be owner", "the role lacks rights; use the owner of the tables"),
    ("row-level security", "the role is subject to row-level security; use the owner of the tables"),
    ("not appear to be a valid archive", "the file is not a dump"),
    ("magic string", "the file is not a dump"),
    ("could not read from input file", "the file is cut off or damaged"),
    ("unsupported version", "the file was made by a newer release"),
    ("does not exist", "a role, extension or table that it needs is missing"),
)
_UNREACHABLE = ("connection to server", "could not connect", "server closed the connection", "password authentication")


def dump(url: str, file: Path, binaries: Binaries, without: Sequence[str] = ()) -> None:
    """Write the database at `url` to `file`, mode 0600; a file of that name is replaced only by a whole dump.

    The extension `vector` stays out: only a superuser could restore it, and a database has it before the schema. So do the schemas of
    `without`.

    Raises:
        StorageUnavailable: the database cannot be reached.
        StorageError: the dump failed.
        ConfigurationError: the file cannot be written, or the URL cannot be used.
    """
    draft = file.with_name(f"{file.name}.partial")
    with naming_path(file, "write the dump"):
        os.close(open_private(draft, os.O_WRONLY | os.O_TRUNC))
        try:
            arguments = ["--format=custom", "--no-password", "--exclude-extension=vector", f"--file={draft}"]
            arguments += [f"--exclude-schema={schema}" for schema in without]
            _run(binaries.pg_dump, arguments, url, "dump")
            _sync(draft)
            draft.replace(file)
            sync_folder(file.absolute().parent)
        finally:
            draft.unlink(missing_ok=True)


def restore(url: str, file: Path, binaries: Binaries) -> None:
    """Fill the empty database at `url` from `file`, all or nothing; everything then belongs to the role of `url`.

    Raises:
        StorageUnavailable: the database cannot be reached.
        StorageError: the restore failed and nothing was changed.
        ConfigurationError: the file cannot be read, or the URL cannot be used.
    """
    with naming_path(file, "read the dump"):
        file.open("rb").close()
    arguments = ["--format=custom", "--no-password", "--exit-on-error", "--single-transaction", "--no-owner"]
    _run(binaries.pg_restore, arguments, url, "restore", file)


def _run(program: Path, arguments: Sequence[str], url: str, action: str, file: Path | None = None) -> None:
    target, environment = _target_of(url)
    last = [str(file)] if file else []
    try:
        # An argument list of our own program; no shell, and no password in it.
        reply = subprocess.run(  # noqa: S603
            [program, *arguments, f"--dbname={target}", *last],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise ConfigurationError(f"cannot run {program}; look at its permissions") from error
    if reply.returncode == 0:
        return
    if any(sign in reply.stderr for sign in _UNREACHABLE):
        raise StorageUnavailable(f"cannot {action}: the database cannot be reached with this URL")
    reason = next((reason for sign, reason in _REASONS if sign in reply.stderr), f"{program.name} gave no known reason")
    raise StorageError(f"cannot {action} the database: {reason}")


def _target_of(url: str) -> tuple[str, dict[str, str]]:
    """Connection string without secrets, and the environment of the program with the password."""
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError:
        # Its message quotes the URL, so it is not chained.
        raise ConfigurationError("the database URL cannot be read; it has the form postgresql://…") from None
    if "sslpassword" in parts:
        raise ConfigurationError("the database URL has an sslpassword; use a client key without a passphrase")
    password = parts.pop("password", None)
    environment = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
    if password is not None:
        environment["PGPASSWORD"] = str(password)
    return make_conninfo("", **parts), environment


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
