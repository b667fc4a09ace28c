"""The ledger outside the database: a file beside the root secret, so that an older backup that is restored is erased once more.

One line of JSON for each tombstone, of every org. Lines are added and never change; several servers may keep files of their own, and
`memdb restore` reads the file, the former database and the backup.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import UUID

from memdb.config import Settings
from memdb.errors import ConfigurationError
from memdb.storage.erasures import Tombstone

NAME: Final = "erasures.jsonl"


def ledger_path(settings: Settings) -> Path:
    """MEMDB_ERASURE_LEDGER_FILE, or `erasures.jsonl` in the folder of the secret file."""
    if settings.erasure_ledger_file is not None:
        return settings.erasure_ledger_file.expanduser()
    if settings.secret_file is not None:
        return settings.secret_file.expanduser().parent / NAME
    return settings.data_dir.expanduser().resolve() / NAME


def read_ledger(path: Path) -> list[Tombstone]:
    """Every tombstone of the file; none when there is no file.

    Raises:
        ConfigurationError: it cannot be read, or a line of it is malformed; the number of the line is named.
    """
    try:
        lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"cannot read the ledger of erasures {path}; restore it from its copy") from None
    return [_parse(line, number, path) for number, line in enumerate(lines, 1) if line.strip()]


def write_ledger(path: Path, tombstones: Iterable[Tombstone]) -> int:
    """Add what the file does not have; how many lines.

    Raises:
        ConfigurationError: the folder is not there, or the file cannot be written.
    """
    known = {(one.org_id, one.kind, one.digest) for one in read_ledger(path)}
    new = [one for one in tombstones if (one.org_id, one.kind, one.digest) not in known]
    if not new:
        return 0
    text = "".join(_line(one) + "\n" for one in new)
    try:
        # O_APPEND: two processes that write at once add whole lines, and a tombstone that stands there twice is one.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ConfigurationError(f"cannot write the ledger of erasures {path}: {error.strerror}") from None
    return len(new)


def _line(one: Tombstone) -> str:
    return json.dumps(
        {"org": str(one.org_id), "kind": one.kind, "digest": one.digest.hex(), "key_id": one.key_id, "at": one.erased_at.isoformat()}
    )


def _parse(line: str, number: int, path: Path) -> Tombstone:
    try:
        stored = json.loads(line)
        digest, at = bytes.fromhex(stored["digest"]), datetime.fromisoformat(stored["at"])
        if len(digest) != 32 or at.tzinfo is None:
            raise ValueError
        return Tombstone(UUID(stored["org"]), str(stored["kind"]), digest, str(stored["key_id"]), at)
    except (ValueError, KeyError, TypeError):
        raise ConfigurationError(f"line {number} of the ledger of erasures {path} is malformed; restore the file from its copy") from None
