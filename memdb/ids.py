"""Ids: UUIDv7, so that the order of ids is the order of time and a page by id never repeats or skips."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from uuid import UUID

import uuid_utils

KEY_ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # no 0/o, 1/l/i: people read key ids aloud
KEY_ID_LENGTH = 12
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def make_id() -> UUID:
    """A new UUIDv7; increasing within this process."""
    return UUID(bytes=uuid_utils.uuid7().bytes)


def floor_id(moment: datetime) -> UUID:
    """The smallest UUIDv7-ordered value at `moment`; the same as `mem.uuid_floor`.

    >>> str(floor_id(datetime(2026, 1, 1, tzinfo=UTC)))
    '019b76da-a800-0000-0000-000000000000'
    """
    return UUID(int=((moment - _EPOCH) // timedelta(milliseconds=1)) << 80)


def make_key_id() -> str:
    """A new public key id: 12 characters, about 59 bits."""
    return "".join(secrets.choice(KEY_ID_ALPHABET) for _ in range(KEY_ID_LENGTH))
