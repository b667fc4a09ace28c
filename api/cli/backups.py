"""The work of `memdb backup` and `memdb restore`.

A backup is a folder: `database.dump`, `manifest.json`, and `secret.key` if asked for. The manifest is written last, so a folder with one
is whole. What a backup holds is useless without the root keys that it names, and is private like the database itself.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from api.cli.erasing_again import erase_again_of
from api.cli.loops import run_async
from api.cli.owning import Owned, own
from api.cli.release import release
from api.cli.secret import NAME as SECRET_NAME
from api.cli.secret import secret_path
from api.cli.spaces import find_space
from memdb.auditing.resealing import accept_restored, list_orgs
from memdb.clock import SystemClock
from memdb.config import Settings
from memdb.embedded.dump import dump, restore
from memdb.embedded.layout import naming_path, write_private
from memdb.errors import AlreadyExists, ConfigurationError, SchemaMismatch, WrongSecret
from memdb.keyring import load
from memdb.lifecycle.erasure.ledger_file import ledger_path, read_ledger
from memdb.storage.backup import read_contents, replace_schema
from memdb.storage.erasures import Tombstone
from memdb.storage.leftovers import list_all_tombstones
from memdb.storage.migrate import migrate
from memdb.storage.owner import connect
from memdb.storage.queue_schema import SCHEMA as QUEUE_SCHEMA
from memdb.storage.schema_file import SCHEMA_VERSION

FORMAT: Final = 1
_DUMP = "database.dump"
_MANIFEST = "manifest.json"


def back_up(settings: Settings, folder: Path, *, include_secret: bool) -> dict[str, Any]:
    """Write a backup; the manifest.

    Raises:
        AlreadyExists: the folder is not empty.
        SchemaMismatch: there is no schema to back up.
        StorageError, StorageUnavailable, ConfigurationError: as `memdb.embedded.dump.dump`.
    """
    with naming_path(folder, "make the folder"):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise AlreadyExists(f"{folder} is not empty; name a new folder")
    with own(settings) as owned:
        with connect(owned.url) as conn:
            contents = read_contents(conn)
        if contents.schema_version is None:
            raise SchemaMismatch("this database has no memdb schema; there is nothing to back up")
        secret = _secret_for(settings, contents.key_ids) if include_secret else None
        # Jobs are reminders of rows that are in the dump; a worker defers them again.
        dump(owned.url, folder / _DUMP, owned.binaries, without=[QUEUE_SCHEMA])
    if secret is not None:
        with naming_path(folder / SECRET_NAME, "write"):
            write_private(folder / SECRET_NAME, secret)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "made_at": SystemClock().now().isoformat(),
        "memdb": release(),
        "schema_version": contents.schema_version,
        "key_ids": list(contents.key_ids),
        "orgs": contents.orgs,
        "dump_sha256": _digest(folder / _DUMP),
        "secret": include_secret,
    }
    with naming_path(folder / _MANIFEST, "write"):
        write_private(folder / _MANIFEST, json.dumps(manifest, indent=2) + "\n")
    return manifest


def bring_back(settings: Settings, folder: Path, *, replace: bool) -> dict[str, Any]:
    """Restore a backup; its manifest. The former data is put aside until the new is whole.

    Raises:
        ConfigurationError: the folder holds no whole backup.
        SchemaMismatch: it was made by a newer release.
        WrongSecret: the secret file does not hold the root keys of the backup; nothing was changed.
        AlreadyExists: the database is not empty and `replace` is not set.
        StorageError, StorageUnavailable: it failed, and the database is as it was.
    """
    manifest = read_manifest(folder)
    if _digest(folder / _DUMP) != manifest["dump_sha256"]:
        raise ConfigurationError(f"{folder / _DUMP} is not the file that the manifest was written for; it is damaged or was changed")
    secret = _require_secret(settings, folder, manifest)
    space = run_async(find_space(settings))
    with own(settings, make=True) as owned:
        _require_empty(owned, replace=replace)
        if secret is not None:
            path = secret_path(settings)
            with naming_path(path, "write the secret file"):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_private(path, secret)
        now = SystemClock().now()
        tombstones = _read_tombstones(settings, owned)
        # The roles are not in the dump; the schema makes them.
        with connect(owned.url) as conn:
            if read_contents(conn).schema_version is None:
                migrate(owned.url, space, now=now)
            replace_schema(conn, lambda: restore(owned.url, folder / _DUMP, owned.binaries))
        migrate(owned.url, space, now=now)
        _accept_log(settings, owned, now)
        if owned.cluster is not None:
            owned.cluster.set_app_password()
        manifest["erased_again"] = erase_again_of(settings, owned, tombstones)
    return manifest


def _accept_log(settings: Settings, owned: Owned, now: datetime) -> None:
    """What was written after the backup is gone from the log as well: its heads begin anew, and the audit says so."""
    path = secret_path(settings)
    if not path.exists():
        return
    keyring = load(path)
    with connect(owned.url) as conn:
        for _, org_id in list_orgs(conn, None):
            accept_restored(conn, keyring, org_id, settings.heads, now)


def _read_tombstones(settings: Settings, owned: Owned) -> list[Tombstone]:
    """The ledger of the file and of the database that is about to be replaced; it must not be lost with that."""
    with connect(owned.url) as conn:
        present = list_all_tombstones(conn)
    tombstones = [*present, *read_ledger(ledger_path(settings))]
    if tombstones and owned.cluster is None and settings.database_url is None:
        raise ConfigurationError("set MEMDB_DATABASE_URL too: what was erased since the backup has to be erased again as memdb_app")
    return tombstones


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a backup that this release can restore. Raises as `bring_back`."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT or not (folder / _DUMP).is_file():
        raise ConfigurationError(f"{folder} holds no whole backup of `memdb backup`")
    if manifest["schema_version"] > SCHEMA_VERSION:
        raise SchemaMismatch(
            f"the backup has schema version {manifest['schema_version']}, newer than the {SCHEMA_VERSION} of this release; "
            "install a newer memdb-server"
        )
    return manifest


def _require_empty(owned: Owned, *, replace: bool) -> None:
    with connect(owned.url) as conn:
        orgs = read_contents(conn).orgs
    if orgs and not replace:
        raise AlreadyExists(f"the database holds {orgs} orgs; back it up and give --replace, or restore into a new data directory")


def _require_secret(settings: Settings, folder: Path, manifest: dict[str, Any]) -> str | None:
    """The text of the secret file to make; None when the present one holds every root key of the backup."""
    path, needed = secret_path(settings), frozenset(manifest["key_ids"])
    if path.exists():
        missing = sorted(needed - load(path).key_ids)
        if not missing:
            return None
        raise WrongSecret(
            f"the backup is sealed with root key {', '.join(missing)}, which {path} does not hold; "
            "set MEMDB_SECRET_FILE to the file that does"
        )
    if not manifest["secret"]:
        if not needed:
            return None
        raise WrongSecret(
            f"the backup is sealed with root key {', '.join(sorted(needed))} and does not include the secret file; "
            f"copy that file to {path} first"
        )
    load(folder / SECRET_NAME)
    return (folder / SECRET_NAME).read_text(encoding="ascii")


def _secret_for(settings: Settings, key_ids: tuple[str, ...]) -> str:
    path = secret_path(settings)
    missing = sorted(set(key_ids) - load(path).key_ids)
    if missing:
        raise WrongSecret(
            f"{path} does not hold root key {', '.join(missing)} of this database; set MEMDB_SECRET_FILE to the file that does"
        )
    return path.read_text(encoding="ascii")


def _digest(file: Path) -> str:
    with naming_path(file, "read"), file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
