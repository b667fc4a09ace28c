"""What an audit event is: who did what to which object, without memory text. Rows are stored by `memdb/storage/audit.py`.

SECURITY: `detail` holds ids, counts, flags and names of things that the product defines; free text does not fit into it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID

if TYPE_CHECKING:
    from datetime import datetime

    from governance.principals import Principal

CHAIN_FORMAT = "memdb-chain-1"
FORMAT = "memdb-audit-1"  # part of the bytes under the digest; a change of the fields below needs a new one

DetailValue: TypeAlias = "bool | int | str | UUID | Sequence[str] | Sequence[UUID] | None"
_ACTION = re.compile(r"[a-z_]+(\.[a-z_]+)+")
_WORD = re.compile(r"[A-Za-z0-9_.:-]{0,80}")


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acted: the key and its subject, and whom it acted for. All None: the owner of the database."""

    subject_id: UUID | None = None
    key_id: str | None = None
    acting_for: UUID | None = None


OWNER = Actor()


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One event. `action` is like `brain.create`; `digest` (32 bytes), `mac_key_id` and `commitment` are set by `seal`.

    commitment: what the event vouches for: the `mac_state` of the memory as this write left it. None: it changed no memory.
    """

    org_id: UUID
    id: UUID
    at: datetime
    actor: Actor
    action: str
    object_kind: str
    object_id: str
    brain_id: UUID | None = None
    detail: Mapping[str, DetailValue] = field(default_factory=dict)
    request_id: str | None = None
    mac_key_id: str | None = None
    digest: bytes | None = None
    commitment: bytes | None = None

    def __post_init__(self) -> None:
        assert _ACTION.fullmatch(self.action), "an audit action is words joined by dots"
        assert all(_is_short(value) for value in self.detail.values()), "text in the detail of an audit event"


def actor_of(principal: Principal) -> Actor:
    """The actor of a principal's events."""
    return Actor(principal.key_subject_id, principal.key_id, principal.subject_id if principal.acting else None)


def seal(event: AuditEvent, *, key_id: str, key: bytes, commitment: bytes | None = None) -> AuditEvent:
    """The event with its digest: HMAC-SHA256 over every field and over what the event vouches for.

    Args:
        event: not yet sealed.
        key_id: names `key`; stored beside the digest.
        key: of the audit, 32 bytes.
        commitment: the seal of the state that the event's write made.
    """
    return replace(event, mac_key_id=key_id, digest=_digest(event, key_id, key, commitment), commitment=commitment)


def is_genuine(event: AuditEvent, *, key: bytes) -> bool:
    """True when a stored event is as it was sealed.

    Args:
        event: as it was read, with digest, key id and commitment.
        key: of the audit, by the event's key id.
    """
    if event.digest is None or event.mac_key_id is None:
        return False
    return hmac.compare_digest(_digest(event, event.mac_key_id, key, event.commitment), event.digest)


def _digest(event: AuditEvent, key_id: str, key: bytes, commitment: bytes | None) -> bytes:
    return hmac.digest(key, _canonical(event, key_id) + b"\x00" + hashlib.sha256(commitment or b"").digest(), hashlib.sha256)


def first_link(org_id: UUID, *, key: bytes) -> bytes:
    """What the first event of an org's log is chained to, 32 bytes."""
    return hmac.digest(key, f"{CHAIN_FORMAT} {org_id}".encode(), hashlib.sha256)


def next_link(previous: bytes, position: int, event: tuple[UUID, bytes], *, key: bytes) -> bytes:
    """The link of an event at a position of the log, 32 bytes: HMAC-SHA256 over the link before it, the position, id and digest.

    It is keyed, so that who can write the database and does not have the root secret cannot make the chain anew.
    """
    event_id, digest = event
    return hmac.digest(key, previous + position.to_bytes(8, "big") + event_id.bytes + digest, hashlib.sha256)


def detail_json(detail: Mapping[str, DetailValue]) -> dict[str, object]:
    """The detail as it is stored: UUIDs as text, sequences as lists."""
    return {name: _plain(value) for name, value in detail.items()}


def _canonical(event: AuditEvent, key_id: str) -> bytes:
    fields = [
        FORMAT,
        str(event.org_id),
        str(event.id),
        round(event.at.timestamp() * 1_000_000),
        event.action,
        _plain(event.actor.subject_id),
        event.actor.key_id,
        _plain(event.actor.acting_for),
        _plain(event.brain_id),
        event.object_kind,
        event.object_id,
        detail_json(event.detail),
        event.request_id,
        key_id,
    ]
    return json.dumps(fields, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()


def _plain(value: DetailValue) -> object:
    if isinstance(value, UUID):
        return str(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    return [str(item) for item in value]


def _is_short(value: DetailValue) -> bool:
    if isinstance(value, str):
        return _WORD.fullmatch(value) is not None
    if value is None or isinstance(value, bool | int | UUID):
        return True
    return all(isinstance(item, UUID) or _WORD.fullmatch(item) is not None for item in value)
