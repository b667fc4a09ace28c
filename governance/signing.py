"""Signatures that anybody can check who has the public half: Ed25519 over the canonical form of a document. Pure."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

ALGORITHM = "ed25519"


def canonical(document: Mapping[str, object]) -> bytes:
    """The bytes that a signature is over: JSON with sorted names, ASCII, nothing between its parts."""
    return json.dumps(document, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode()


def public_key(seed: bytes) -> str:
    """The public half of a key of 32 bytes, in base64."""
    return _text(Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def sign(seed: bytes, payload: bytes) -> str:
    """The signature, in base64.

    Args:
        seed: 32 bytes, the private key.
        payload: what is signed.
    """
    return _text(Ed25519PrivateKey.from_private_bytes(seed).sign(payload))


def is_signed(public: str, payload: bytes, signature: str) -> bool:
    """True when the signature is of this payload and by the owner of the public key; whatever is malformed is not."""
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        key.verify(base64.b64decode(signature, validate=True), payload)
    except (ValueError, binascii.Error, InvalidSignature):
        return False
    return True


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
