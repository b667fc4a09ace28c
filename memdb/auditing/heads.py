"""Heads of logs, kept outside what a restore of the database brings back: one signed file for each org in a folder.

A log that does not extend its head was cut, or the database is older than the head. Nobody who writes the database alone can hide that.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import UUID

from memdb.errors import ConfigurationError
from memdb.keyring import Purpose
from memdb.signing import is_signed, public_key_of, sign

if TYPE_CHECKING:
    from memdb.keyring import Keyring

FORMAT: Final = "memdb-head-1"
BYTES_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class Head:
    """The end of an org's log at a moment.

    since: when the org got its log, if an earlier release wrote before that; events of then vouch for nothing, and rows of then may lack
        seals. None: it had it from the first.
    complete: every row got its seals since, by `memdb audit reseal`.
    accepted: up to which position the owner of the database took the log as it was, with `memdb audit reseal`.
    genuine: signed by this installation.
    """

    org_id: UUID
    position: int
    link: bytes
    exported_at: datetime
    since: datetime | None = None
    complete: bool = True
    accepted: int = 0
    genuine: bool = True


def path_of(folder: Path, org_id: UUID) -> Path:
    """Where the head of an org is."""
    return folder / f"{org_id}.json"


def write_head(folder: Path, keyring: Keyring, head: Head) -> Path:
    """Sign a head and put it in the place of the former one; it is on disk when this returns.

    Raises:
        ConfigurationError: it cannot be written.
    """
    statement: dict[str, object] = {
        "format": FORMAT,
        "org_id": str(head.org_id),
        "position": head.position,
        "link": head.link.hex(),
        "exported_at": head.exported_at.isoformat(),
        "since": None if head.since is None else head.since.isoformat(),
        "complete": head.complete,
        "accepted": head.accepted,
    }
    path = path_of(folder, head.org_id)
    fresh = path.with_suffix(f".{secrets.token_hex(4)}.new")  # several processes may be at it
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with fresh.open("w", encoding="ascii") as file:
            json.dump(sign(keyring, Purpose.HEAD, statement), file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise ConfigurationError(f"cannot write the head of the audit to {folder}: {error.strerror}") from None
    return path


def put_aside(path: Path, now: datetime) -> bool:
    """Keep a head beside its place as `<org>.<moment>.former.json`; False when there is none.

    Raises:
        ConfigurationError: it cannot be renamed.
    """
    try:
        path.replace(path.with_suffix(f".{now:%Y%m%dT%H%M%S%f}.former.json"))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ConfigurationError(f"cannot put the head of the audit {path} aside: {error.strerror}") from None
    return True


def read_head(path: Path, keyring: Keyring) -> Head | None:
    """The head in a file; None when there is no file. One that was not signed by this installation is not `genuine`.

    Raises:
        ConfigurationError: it cannot be read, or is no head.
    """
    try:
        with path.open("rb") as file:
            content = file.read(BYTES_MAX + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigurationError(f"cannot read the head of the audit {path}: {error.strerror}") from None
    try:
        signed = json.loads(content)
        if not isinstance(signed, Mapping) or signed["format"] != FORMAT:
            raise ValueError
        key_id = signed["key_id"]
        public_key = public_key_of(keyring, Purpose.HEAD, str(key_id))
        return Head(
            org_id=UUID(signed["org_id"]),
            position=int(signed["position"]),
            link=bytes.fromhex(signed["link"]),
            exported_at=datetime.fromisoformat(signed["exported_at"]),
            since=None if signed["since"] is None else datetime.fromisoformat(signed["since"]),
            complete=bool(signed["complete"]),
            accepted=int(signed["accepted"]),
            genuine=public_key is not None and is_signed(Purpose.HEAD, signed, public_key=public_key),
        )
    except (ValueError, KeyError, TypeError):
        raise ConfigurationError(f"{path} is no head of an audit; take the one that memdb wrote, or a copy of it") from None
