"""Seals: what a memory row commits to, as bytes, and the keyed digests over them.

`mac_version` covers what never changes within a version; `mac_state` covers mac_version, the status, the holds and what else may change
within one. Both are checked on every memory served, so an edit behind the product's back is refused on read. What search finds it by, its
words and vectors, has seals of its own, which verification checks.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from governance.redaction.findings import JsonValue

FORMAT = "memdb-seal-1"  # part of the sealed bytes; a change of the fields below needs a new one
STATE_FORMAT = "memdb-seal-2"
INDEX_FORMAT = "memdb-index-1"


@dataclass(frozen=True, slots=True)
class SealedVersion:
    """The fields that one version of a memory commits to."""

    org_id: UUID
    memory_id: UUID
    version: int
    brain_id: UUID
    kind: str
    topic: str | None
    content: str | None
    data: JsonValue
    about: tuple[UUID, ...]
    said_by: UUID | None
    trust: str
    source_kind: str | None
    valid_from: datetime | None
    valid_to: datetime | None
    written_by: UUID
    written_key: str
    writer_label: str


def seal_version(key: bytes, sealed: SealedVersion) -> bytes:
    """HMAC-SHA256 over the version's fields, 32 bytes."""
    fields = [
        FORMAT,
        sealed.org_id,
        sealed.memory_id,
        sealed.version,
        sealed.brain_id,
        sealed.kind,
        sealed.topic,
        sealed.content,
        json.dumps(sealed.data, sort_keys=True, ensure_ascii=True, separators=(",", ":")),
        *sorted(str(a) for a in sealed.about),
        "said_by",
        sealed.said_by,
        sealed.trust,
        sealed.source_kind,
        _moment(sealed.valid_from),
        _moment(sealed.valid_to),
        sealed.written_by,
        sealed.written_key,
        sealed.writer_label,
    ]
    return hmac.digest(key, _frame(fields), hashlib.sha256)


@dataclass(frozen=True, slots=True)
class SealedState:
    """What a memory commits to beside its version: what may change without a new one."""

    status: str
    holds: tuple[UUID, ...]
    tags: tuple[str, ...]
    placement: str
    event_from: datetime | None
    event_to: datetime | None
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime
    confirmed_at: datetime
    language: str
    importance: float
    redactions: tuple[tuple[str, str, str, int, int, str | None], ...]


def seal_state(key: bytes, mac_version: bytes, sealed: SealedState) -> bytes:
    """HMAC-SHA256 over a version's seal and its state, 32 bytes."""
    fields = [
        STATE_FORMAT,
        mac_version.hex(),
        sealed.status,
        len(sealed.holds),
        *sorted(str(h) for h in sealed.holds),
        len(sealed.tags),
        *sorted(sealed.tags),
        sealed.placement,
        _moment(sealed.event_from),
        _moment(sealed.event_to),
        _moment(sealed.expires_at),
        _moment(sealed.created_at),
        _moment(sealed.updated_at),
        _moment(sealed.confirmed_at),
        sealed.language,
        struct.pack("<f", sealed.importance).hex(),  # the database keeps a single float
        *(part for redaction in sealed.redactions for part in redaction),
    ]
    return hmac.digest(key, _frame(fields), hashlib.sha256)


def seal_former_state(key: bytes, mac_version: bytes, status: str, holds: Iterable[UUID]) -> bytes:
    """The same as a release before this one made it: over status and holds alone."""
    return hmac.digest(key, _frame([FORMAT, mac_version.hex(), status, *sorted(str(h) for h in holds)]), hashlib.sha256)


def seal_found_by(key: bytes, memory_id: UUID, what: str, value: bytes) -> bytes:
    """HMAC-SHA256 over what a memory is found by, 32 bytes.

    Args:
        key: of the seals.
        memory_id: whose.
        what: `words`, `context`, or the field of a vector.
        value: in its canonical form, see `memdb/storage/seals.py`.
    """
    return hmac.digest(key, _frame([INDEX_FORMAT, memory_id, what]) + value, hashlib.sha256)


def matches(expected: bytes, stored: bytes) -> bool:
    """Compare two seals in constant time."""
    return hmac.compare_digest(expected, stored)


def _frame(fields: Iterable[object]) -> bytes:
    # Length-prefixed, so that no two lists of fields give the same bytes; None differs from the empty text.
    parts = []
    for value in fields:
        raw = b"" if value is None else str(value).encode("utf-8", "surrogatepass")
        parts.append(b"-" if value is None else b"+")
        parts.append(len(raw).to_bytes(8, "big"))
        parts.append(raw)
    return b"".join(parts)


def _moment(value: datetime | None) -> str | None:
    # Microseconds since 1970 in UTC: the precision of a timestamptz, whatever zone the session shows it in.
    return None if value is None else str(round(value.timestamp() * 1_000_000))
