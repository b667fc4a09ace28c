"""Signatures are of one payload and one key."""

from __future__ import annotations

from governance.signing import canonical, is_signed, public_key, sign

SEED = bytes(range(32))


def test_a_signature_is_of_its_payload_and_its_key() -> None:
    payload = canonical({"b": 1, "a": "é"})
    assert payload == b'{"a":"\\u00e9","b":1}'
    signature = sign(SEED, payload)
    assert is_signed(public_key(SEED), payload, signature)
    assert not is_signed(public_key(SEED), payload + b" ", signature)
    assert not is_signed(public_key(bytes(32)), payload, signature)
    assert not is_signed("no key", payload, signature)
    assert not is_signed(public_key(SEED), payload, "AAAA")


def test_a_key_is_the_same_each_time() -> None:
    assert public_key(SEED) == public_key(SEED) != public_key(bytes(32))
