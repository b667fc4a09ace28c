"""Files of an archive: for each segment of a log the rows, as gzipped JSON lines, and beside it a signed statement of what they are."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from memdb.errors import ConfigurationError
from memdb.keyring import Purpose
from memdb.signing import is_signed, public_key_of, sign

if TYPE_CHECKING:
    from pathlib import Path

    from memdb.keyring import Keyring

FORMAT: Final = "memdb-archive-1"
LINE_BYTES_MAX: Final = 1_000_000
_IDS: Final = ("event_id", "org_id", "id", "actor_subject", "acting_for", "brain_id")
_MOMENTS: Final = ("sealed_at", "at")
_BYTES: Final = ("link", "digest", "commitment")
_PLAIN: Final = ("position", "chain_key_id", "action", "actor_key", "object_kind", "object_id", "detail", "mac_key_id", "request_id")


@dataclass(frozen=True, slots=True)
class Segment:
    """Places `first` to `last` of a log, that were written to a file.

    link_before: of the place before the first, empty for the first of all. link: of the last. sha256: of the file.
    head: the position of the head that was exported when it was archived.
    carried, carried_key: the sum over what was left behind of this and all earlier segments, and the root key that it is made with.
    """

    org_id: UUID
    first: int
    last: int
    link_before: bytes
    link: bytes
    sha256: str
    head: int
    carried: int
    carried_key: str
    archived_at: datetime

    @property
    def name(self) -> str:
        """Both positions, as reports name it."""
        return f"{self.first}-{self.last}"

    def path(self, folder: Path) -> Path:
        """Where its rows are."""
        return path_of(folder, self.org_id, self.first, self.last)

    def to_statement(self, keyring: Keyring) -> dict[str, object]:
        """Signed by this installation."""
        statement: dict[str, object] = {
            "format": FORMAT,
            "org_id": str(self.org_id),
            "first": self.first,
            "last": self.last,
            "link_before": self.link_before.hex(),
            "link": self.link.hex(),
            "sha256": self.sha256,
            "head": self.head,
            "carried": f"{self.carried:064x}",
            "carried_key": self.carried_key,
            "archived_at": self.archived_at.isoformat(),
        }
        return sign(keyring, Purpose.ARCHIVE, statement)


def path_of(folder: Path, org_id: UUID, first: int, last: int) -> Path:
    """Where the rows of a segment are."""
    return folder / str(org_id) / f"{first:012d}-{last:012d}.jsonl.gz"


def statement_path(rows: Path) -> Path:
    """Where the statement about a file of rows is."""
    return rows.with_name(rows.name.removesuffix(".jsonl.gz") + ".json")


def read_statement(signed: Mapping[str, Any], keyring: Keyring) -> tuple[Segment, bool] | None:
    """What a statement says, and whether this installation signed it; None for what is no statement."""
    try:
        if signed["format"] != FORMAT:
            return None
        segment = Segment(
            org_id=UUID(signed["org_id"]),
            first=int(signed["first"]),
            last=int(signed["last"]),
            link_before=bytes.fromhex(signed["link_before"]),
            link=bytes.fromhex(signed["link"]),
            sha256=str(signed["sha256"]),
            head=int(signed["head"]),
            carried=int(signed["carried"], 16),
            carried_key=str(signed["carried_key"]),
            archived_at=datetime.fromisoformat(signed["archived_at"]),
        )
        public_key = public_key_of(keyring, Purpose.ARCHIVE, str(signed["key_id"]))
    except (KeyError, TypeError, ValueError):
        return None
    return segment, public_key is not None and is_signed(Purpose.ARCHIVE, signed, public_key=public_key)


def write_rows(path: Path, rows: Iterable[Any]) -> str:
    """Write rows of `evidence.list_chain`; the SHA-256 of the file, which is on disk when this returns.

    Raises:
        ConfigurationError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                for row in rows:
                    packed.write(json.dumps(_line(row), separators=(",", ":"), sort_keys=True).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        return sha256_of(path)
    except OSError as error:
        raise ConfigurationError(f"cannot write the archive to {path.parent}: {error.strerror}") from None


def write_statement(path: Path, statement: Mapping[str, object]) -> None:
    """Write a signed statement.

    Raises:
        ConfigurationError: it cannot be written.
    """
    try:
        with path.open("w", encoding="ascii") as file:
            json.dump(statement, file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ConfigurationError(f"cannot write the archive to {path.parent}: {error.strerror}") from None


def read_rows(path: Path) -> Iterator[Any]:
    """The rows of a file, in the shape of `evidence.list_chain`.

    Raises:
        ValueError: the file is no such file from here on.
        FileNotFoundError: there is none.
        ConfigurationError: it cannot be read.
    """
    try:
        with gzip.open(path, "rb") as file:
            while line := file.readline(LINE_BYTES_MAX):
                yield _row(line)
    except FileNotFoundError:
        raise
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ValueError("not a whole gzip file") from None
    except OSError as error:
        raise ConfigurationError(f"cannot read the archive {path}: {error.strerror}") from None


def sha256_of(path: Path) -> str:
    """Of a whole file, in hex. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _line(row: Any) -> dict[str, object]:  # noqa: ANN401 - a database row
    line: dict[str, object] = {name: getattr(row, name) for name in _PLAIN}
    line |= {name: None if (value := getattr(row, name)) is None else str(value) for name in _IDS}
    line |= {name: None if (value := getattr(row, name)) is None else value.isoformat() for name in _MOMENTS}
    return line | {name: None if (value := getattr(row, name)) is None else bytes(value).hex() for name in _BYTES}


def _row(line: bytes) -> SimpleNamespace:
    try:
        found = json.loads(line)
        row = {name: found[name] for name in _PLAIN}
        row |= {name: None if found[name] is None else UUID(found[name]) for name in _IDS}
        row |= {name: None if found[name] is None else datetime.fromisoformat(found[name]) for name in _MOMENTS}
        row |= {name: None if found[name] is None else bytes.fromhex(found[name]) for name in _BYTES}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a row of a log") from error
    return SimpleNamespace(**row)
