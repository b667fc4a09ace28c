"""Statements that anybody can check without the root secret: Ed25519 (RFC 8032), with keys that are derived from it.

A signed statement is a JSON object with `key_id`, `public_key` and `signature` (hexadecimal) beside its own fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from memdb.errors import WrongSecret

if TYPE_CHECKING:
    from memdb.keyring import Keyring, Purpose

_NO_ORG: Final = UUID(int=0)
_SEAL: Final = frozenset({"key_id", "public_key", "signature"})


def sign(keyring: Keyring, purpose: Purpose, statement: Mapping[str, object]) -> dict[str, object]:
    """The statement with the signature of this installation for a purpose.

    Args:
        keyring: the root secret.
        purpose: what is signed; each has a key of its own.
        statement: JSON values without the names of a signature.
    """
    assert _SEAL.isdisjoint(statement), "a statement is signed once"
    key = Ed25519PrivateKey.from_private_bytes(keyring.derive(purpose, _NO_ORG))
    named = {**statement, "key_id": keyring.current_id, "public_key": key.public_key().public_bytes_raw().hex()}
    return {**named, "signature": key.sign(_canonical(purpose, named)).hex()}


def is_signed(purpose: Purpose, signed: Mapping[str, object], *, public_key: str) -> bool:
    """True when a statement was signed for this purpose by the holder of a public key.

    Args:
        purpose: what was signed.
        signed: as `sign` gives it.
        public_key: hexadecimal, from somewhere else than the statement.
    """
    signature = signed.get("signature")
    if not isinstance(signature, str) or signed.get("public_key") != public_key:
        return False
    named = {name: value for name, value in signed.items() if name != "signature"}
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), _canonical(purpose, named))
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key_of(keyring: Keyring, purpose: Purpose, key_id: str | None = None) -> str | None:
    """The public key of this installation for a purpose, hexadecimal; None when the ring has no such root key."""
    try:
        seed = keyring.derive(purpose, _NO_ORG, key_id=key_id)
    except WrongSecret:
        return None
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw().hex()


def _canonical(purpose: Purpose, statement: Mapping[str, object]) -> bytes:
    return f"memdb {purpose.value}\n".encode() + json.dumps(statement, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()
