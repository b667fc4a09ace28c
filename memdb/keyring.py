"""The root secret and what is derived from it.

One file outside the database holds the root keys, one line each: `<key id> <base64 of 32 bytes>`, newest first. The first line seals new
rows; the others still open old ones. Every purpose and org gets its own key by HKDF-SHA256 (RFC 5869), so that no derived key says
anything about another one. A key id is derived from its key, so a mistyped line is noticed at once.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import os
import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memdb.errors import ConfigurationError, WrongSecret

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

ROOT_KEY_BYTES = 32


class Purpose(StrEnum):
    """What a derived key is for; the name is part of the derivation and never changes."""

    MAC = "row-mac"
    AUDIT = "audit-digest"
    PSEUDONYM = "pseudonym"
    IDENTITY = "external-identity"
    DUPLICATE = "duplicate"
    FRAGMENT = "fragment"
    TURN = "turn"
    IDEMPOTENCY = "idempotency"
    CHAIN = "audit-chain"
    HEAD = "audit-head"
    ERASURE = "erasure-ledger"
    SIGNING = "signing"


@dataclass(frozen=True, slots=True)
class RootKey:
    """One root key. `secret` is never shown."""

    key_id: str
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Keyring:
    """The root keys of this installation; the first one is current."""

    keys: tuple[RootKey, ...]

    @property
    def current_id(self) -> str:
        """The key id that new rows carry."""
        return self.keys[0].key_id

    @property
    def key_ids(self) -> frozenset[str]:
        return frozenset(k.key_id for k in self.keys)

    def derive(self, purpose: Purpose, org_id: UUID, *, context: str = "", key_id: str | None = None) -> bytes:
        """The 32-byte key of a purpose in an org; `context` narrows it further (a brain id, for pseudonyms).

        Raises:
            WrongSecret: `key_id` is not in the secret file.
        """
        root = self._root(key_id or self.current_id)
        return _expand(root.secret, purpose.value, str(org_id), context)

    def _root(self, key_id: str) -> RootKey:
        for key in self.keys:
            if key.key_id == key_id:
                return key
        raise WrongSecret(f"the secret file has no root key {key_id}; restore the file that this database was sealed with")


@lru_cache(maxsize=4096)
def _expand(secret: bytes, purpose: str, org: str, context: str) -> bytes:
    info = f"memdb\x1f{purpose}\x1f{org}\x1f{context}".encode()
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(secret)


def make_root_key() -> RootKey:
    """A new random root key."""
    secret = secrets.token_bytes(ROOT_KEY_BYTES)
    return RootKey(_id_of(secret), secret)


def write_new(path: Path, key: RootKey) -> None:
    """Write a secret file, mode 0600, that does not exist yet.

    Raises:
        ConfigurationError: the file exists or cannot be written.
    """
    line = f"{key.key_id} {base64.b64encode(key.secret).decode()}\n"
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ConfigurationError(f"cannot write the secret file {path}: {error.strerror}") from None
    try:
        with os.fdopen(fd, "w", encoding="ascii") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        with contextlib.suppress(OSError):
            path.unlink()  # half a key is worse than none
        raise ConfigurationError(f"cannot write the secret file {path}: {error.strerror}") from None


def load(path: Path) -> Keyring:
    """Read a secret file.

    Raises:
        ConfigurationError: the file is missing, open to other accounts, or a line is malformed (the line number is named, never its text).
    """
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"cannot read the secret file {path}; set MEMDB_SECRET_FILE or restore the file") from None
    if mode & 0o077:
        raise ConfigurationError(f"the secret file {path} is open to other accounts; run chmod 600 on it")
    keys = tuple(_parse(line, number, path) for number, line in enumerate(text.splitlines(), 1) if line.strip())
    if not keys:
        raise ConfigurationError(f"the secret file {path} is empty; restore it from your backup")
    return Keyring(keys)


def _parse(line: str, number: int, path: Path) -> RootKey:
    problem = ConfigurationError(f"line {number} of the secret file {path} is not a root key; restore it from your backup")
    parts = line.split()
    if len(parts) != 2:
        raise problem
    try:
        secret = base64.b64decode(parts[1], validate=True)
    except (binascii.Error, ValueError):
        raise problem from None
    if len(secret) != ROOT_KEY_BYTES or _id_of(secret) != parts[0]:
        raise problem
    return RootKey(parts[0], secret)


def _id_of(secret: bytes) -> str:
    return "k" + HKDF(algorithm=hashes.SHA256(), length=6, salt=None, info=b"memdb\x1fkey-id").derive(secret).hex()
