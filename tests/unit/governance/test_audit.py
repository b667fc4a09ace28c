"""Audit events: any change of a field changes the digest, and text does not fit into the detail."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from governance.audit import Actor, AuditEvent, detail_json, seal

KEY = b"k" * 32
ONE, TWO = UUID(int=1), UUID(int=2)
EVENT = AuditEvent(
    org_id=ONE,
    id=TWO,
    at=datetime(2026, 1, 31, tzinfo=UTC),
    actor=Actor(ONE, "abcd", None),
    action="memory.add",
    object_kind="memory",
    object_id=str(TWO),
    brain_id=ONE,
    detail={"version": 1, "ids": [ONE]},
    request_id="r",
)
CHANGES: list[dict[str, Any]] = [
    {"org_id": TWO},
    {"id": ONE},
    {"at": EVENT.at + timedelta(microseconds=1)},
    {"actor": Actor(TWO, "abcd", None)},
    {"actor": Actor(ONE, "abcd", TWO)},
    {"actor": Actor(ONE, "abce", None)},
    {"action": "memory.edit"},
    {"object_kind": "brain"},
    {"object_id": str(ONE)},
    {"brain_id": None},
    {"detail": {"version": 2, "ids": [ONE]}},
    {"detail": {}},
    {"request_id": None},
]


def digest(event: AuditEvent, commitment: bytes = b"", *, key: bytes = KEY, key_id: str = "k1") -> bytes:
    sealed = seal(event, key_id=key_id, key=key, commitment=commitment)
    assert sealed.mac_key_id == key_id
    assert sealed.digest is not None
    return sealed.digest


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_each_field_is_under_the_digest(change: dict[str, Any]) -> None:
    assert digest(replace(EVENT, **change)) != digest(EVENT)


def test_commitment_key_and_key_id_are_under_the_digest() -> None:
    digests = {digest(EVENT), digest(EVENT, b"s"), digest(EVENT, key=b"j" * 32), digest(EVENT, key_id="k2")}
    assert len(digests) == 4


def test_the_same_event_has_the_same_digest_whatever_its_zone() -> None:
    elsewhere = replace(EVENT, at=EVENT.at.astimezone(tz=None))
    assert digest(elsewhere) == digest(EVENT)


@pytest.mark.parametrize("value", ["Ana is allergic", "ana@example.com", "a" * 81, ["ok", "not ok"], "x\ny"])
def test_text_does_not_fit_into_the_detail(value: Any) -> None:
    with pytest.raises(AssertionError):
        replace(EVENT, detail={"note": value})


def test_the_detail_is_stored_as_json() -> None:
    assert detail_json({"id": ONE, "ids": [ONE, TWO], "n": 1, "flag": True, "word": "ADD", "none": None}) == {
        "id": str(ONE),
        "ids": [str(ONE), str(TWO)],
        "n": 1,
        "flag": True,
        "word": "ADD",
        "none": None,
    }
