"""The receipt of an erasure: what went, what stays and why, who asked and when; signed, and verified after any time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from governance import signing
from memdb.errors import WrongSecret
from memdb.keyring import Keyring, Purpose
from memdb.storage.erasures import Erasure

FORMAT: Final = "memdb-erasure-1"
_SIGNATURE: Final = "signature"
_ALWAYS_LEFT: Final = (
    ("audit_events", "who did what and when, by id; no text"),
    ("memories", "tombstones: id, brain, kind, times and who wrote, by id; no text"),
    ("forgotten", "keyed digests of statements, so that they are not learned again"),
    ("erasure_ledger", "keyed digests of ids, so that imports and older backups do not bring it back"),
    ("idempotency_keys", "ids of what was written, for 24 hours, so that a repeated request writes nothing"),
    (
        "dead rows, write-ahead log and older backups",
        "until VACUUM, recycling and their own retention remove them; a restore is erased again",
    ),
)


def make_receipt(
    keyring: Keyring, org_id: UUID, erasure: Erasure, decisions: Mapping[str, int], now: datetime, *, exported: bool
) -> dict[str, Any]:
    """The signed receipt of a complete erasure.

    Args:
        keyring: the root secret, whose current key signs.
        org_id: the org.
        erasure: with its counts.
        decisions: how many were decided, by `erase` and `keep`.
        now: when it was complete.
        exported: the ledger outside the database has it.
    """
    left = [{"what": what, "why": why} for what, why in _ALWAYS_LEFT]
    if decisions.get("keep"):
        left.append({"what": f"{decisions['keep']} objects with a name that others share", "why": "kept by decision"})
    if not exported:
        left.append(
            {"what": "the ledger outside the database", "why": "could not be written; run `memdb forget ledger` beside the secret file"}
        )
    left += [
        {"what": f"{erasure.counts[name]} {name.replace('_', ' ')}", "why": "other memories or sources rest on them as well"}
        for name in ("turns_shared", "memories_of_other_sources")
        if erasure.counts.get(name)
    ]
    document: dict[str, Any] = {
        "format": FORMAT,
        "erasure_id": str(erasure.id),
        "org_id": str(org_id),
        "kind": erasure.kind.value,
        "target_id": str(erasure.target_id),
        "subject_ids": [str(one) for one in erasure.subject_ids],
        "requested_by": None if erasure.requested_by is None else str(erasure.requested_by),
        "requested_key": erasure.requested_key,
        "requested_at": erasure.created_at.isoformat(),
        "completed_at": now.isoformat(),
        "counts": {name: number for name, number in sorted(erasure.counts.items()) if name != "written_meanwhile"},
        "decisions": dict(sorted(decisions.items())),
        "remains": left,
    }
    return sign_receipt(keyring, org_id, document)


def sign_receipt(keyring: Keyring, org_id: UUID, document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its signature by the org's key under the current root key."""
    seed = keyring.derive(Purpose.SIGNING, org_id)
    signed = {**document, "algorithm": signing.ALGORITHM, "key_id": keyring.current_id, "public_key": signing.public_key(seed)}
    return {**signed, _SIGNATURE: signing.sign(seed, signing.canonical(signed))}


def is_genuine(receipt: Mapping[str, Any], keyring: Keyring | None) -> bool:
    """True when a receipt is as it was signed; with the root secret also that this installation signed it.

    Raises:
        WrongSecret: the secret file lacks the root key that the receipt names.
    """
    document = {name: value for name, value in receipt.items() if name != _SIGNATURE}
    public, signature = document.get("public_key"), receipt.get(_SIGNATURE)
    if document.get("format") != FORMAT or not isinstance(public, str) or not isinstance(signature, str):
        return False
    if keyring is not None:
        try:
            org_id, key_id = UUID(str(document["org_id"])), str(document["key_id"])
        except (KeyError, ValueError):
            return False
        if key_id not in keyring.key_ids:
            raise WrongSecret(f"the secret file has no root key {key_id}, which signed this receipt; verify it with the file that does")
        if signing.public_key(keyring.derive(Purpose.SIGNING, org_id, key_id=key_id)) != public:
            return False
    try:
        payload = signing.canonical(document)
    except (TypeError, ValueError):
        return False
    return signing.is_signed(public, payload, signature)
