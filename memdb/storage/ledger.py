"""Tombstones: keyed digests of ids, by which what was erased is known again without being kept."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from memdb.errors import Erased
from memdb.keyring import Keyring, Purpose
from memdb.storage import erasures
from memdb.storage.erasures import Tombstone

if TYPE_CHECKING:
    from memdb.storage.database import ReadConn, WriteConn

CUT: Final = "cut"
KEEP: Final = "keep"
IDENTITY: Final = "identity"
ORG: Final = "org"


def bury(keyring: Keyring, org_id: UUID, kind: str, values: Collection[bytes], now: datetime) -> list[Tombstone]:
    """Tombstones under the current root key.

    Args:
        keyring: the root secret.
        org_id: of what is erased.
        kind: of it.
        values: the bytes of ids, or keyed hashes of platform ids.
        now: the time of the erasure.
    """
    key_id = keyring.current_id
    return [Tombstone(org_id, kind, digest(keyring, org_id, kind, value, key_id), key_id, now) for value in sorted(values)]


def digests(keyring: Keyring, org_id: UUID, kind: str, values: Collection[bytes]) -> frozenset[bytes]:
    """Every digest that a tombstone of one of the values may have, under whichever root key."""
    return frozenset(digest(keyring, org_id, kind, value, key_id) for key_id in keyring.key_ids for value in values)


def digest(keyring: Keyring, org_id: UUID, kind: str, value: bytes, key_id: str) -> bytes:
    """HMAC-SHA256 of a value under one root key, 32 bytes."""
    return hmac.digest(keyring.derive(Purpose.ERASURE, org_id, key_id=key_id), kind.encode() + b"\x1f" + value, hashlib.sha256)


async def refuse_erased(conn: ReadConn | WriteConn, keyring: Keyring, org_id: UUID, external_hashes: Collection[bytes], field: str) -> None:
    """Let a platform id into the directory, unless whoever had it was erased.

    Raises:
        Erased: they were.
    """
    if await erasures.is_buried(conn, org_id, IDENTITY, digests(keyring, org_id, IDENTITY, external_hashes)):
        raise Erased("whoever had this platform id was erased from this org, and is not brought back by an import", field=field)
