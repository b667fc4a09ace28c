"""Statements of this installation that anybody can check without the root secret; the keys are derived from it.

A signed statement is a JSON object with `key_id`, `public_key` and `signature` (base64) beside its own fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance import signing
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
    seed = keyring.derive(purpose, _NO_ORG)
    named = {**statement, "key_id": keyring.current_id, "public_key": signing.public_key(seed)}
    return {**named, "signature": signing.sign(seed, _payload(purpose, named))}


def is_signed(purpose: Purpose, signed: Mapping[str, object], *, public_key: str) -> bool:
    """True when a statement was signed for this purpose by the holder of a public key.

    Args:
        purpose: what was signed.
        signed: as `sign` gives it.
        public_key: base64, from somewhere else than the statement.
    """
    signature = signed.get("signature")
    if not isinstance(signature, str) or signed.get("public_key") != public_key:
        return False
    named = {name: value for name, value in signed.items() if name != "signature"}
    return signing.is_signed(public_key, _payload(purpose, named), signature)


def public_key_of(keyring: Keyring, purpose: Purpose, key_id: str | None = None) -> str | None:
    """The public key of this installation for a purpose, base64; None when the ring has no such root key."""
    try:
        seed = keyring.derive(purpose, _NO_ORG, key_id=key_id)
    except WrongSecret:
        return None
    return signing.public_key(seed)


def _payload(purpose: Purpose, statement: Mapping[str, object]) -> bytes:
    # The purpose is signed as well: a head is no receipt.
    return f"memdb {purpose.value}\n".encode() + signing.canonical(statement)
