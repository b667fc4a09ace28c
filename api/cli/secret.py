"""The secret file of an installation: beside the database, not in it, and never made anew over rows that another one sealed."""

from __future__ import annotations

from pathlib import Path

from memdb.config import Settings
from memdb.embedded.layout import Layout
from memdb.errors import ConfigurationError
from memdb.keyring import Keyring, load, make_root_key, write_new
from memdb.storage.checks import check_secret
from memdb.storage.migrate import find_version
from memdb.storage.owner import connect

NAME = "secret.key"


def secret_path(settings: Settings) -> Path:
    """Where it is: MEMDB_SECRET_FILE, or `secret.key` in the data directory, beside the folder of Postgres."""
    if settings.secret_file is not None:
        return settings.secret_file.expanduser()
    return Layout(settings.data_dir.expanduser().resolve()).data_dir / NAME


def read_keyring(settings: Settings) -> Keyring:
    """The keys of the file. Raises ConfigurationError as `memdb.keyring.load`."""
    return load(secret_path(settings))


def open_keyring(settings: Settings, database_url: str) -> Keyring:
    """The keys of the file; a new file when there is none and no row of the database is sealed.

    Raises:
        WrongSecret: rows are sealed with keys that the file does not hold, or there is no file; names the key ids.
        ConfigurationError: the file cannot be read or made.
        StorageUnavailable: the database cannot be reached.
    """
    path = secret_path(settings)
    exists = path.exists() or path.is_symlink()
    keyring = load(path) if exists else None
    with connect(database_url) as conn:
        if find_version(conn) is not None:
            check_secret(conn, frozenset() if keyring is None else keyring.key_ids)
    if keyring is not None:
        return keyring
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"cannot make the folder {path.parent} of the secret file: {error.strerror}") from None
    try:
        write_new(path, make_root_key())
    except ConfigurationError:
        if not path.exists():  # else another process that starts was first
            raise
    return load(path)
