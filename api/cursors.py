"""Cursors of lists: where the last page ended, bound to the question. Opaque to callers; they hold nothing that the page did not show."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from typing import TYPE_CHECKING
from uuid import UUID

from api.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

_VERSION = b"\x01"
_DIGEST_BYTES = 12
_LAST_MAX = 800  # a topic of 200 characters
_CURSOR_MAX = 1_100
_DIGITS_MAX = 9


def encode(last: UUID | str, question: Mapping[str, object]) -> str:
    """The cursor behind `last`.

    Args:
        last: id of the last item of the page, or its name where items have names.
        question: list, org, subject and filters: everything that decides which items there are.
    """
    raw = _VERSION + _digest(question) + str(last).encode()
    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")


def decode(cursor: str, question: Mapping[str, object]) -> str:
    """The id or name that the page ended with.

    Raises:
        Problem: malformed, or made for another question (`invalid_cursor`).
    """
    invalid = Problem("invalid_cursor", "the cursor does not belong to this list with these filters; ask for the first page again")
    if len(cursor) > _CURSOR_MAX:
        raise invalid
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise invalid from None
    head = _VERSION + _digest(question)
    last = raw[len(head) :]
    if raw[: len(head)] != head or not 1 <= len(last) <= _LAST_MAX:
        raise invalid
    try:
        return last.decode()
    except UnicodeDecodeError:
        raise invalid from None


def decode_id(cursor: str, question: Mapping[str, object]) -> UUID:
    """The same where ids are UUIDs.

    Raises:
        Problem: as `decode`.
    """
    try:
        return UUID(decode(cursor, question))
    except ValueError:
        raise Problem("invalid_cursor", "the cursor is not one of this list; ask for the first page again") from None


def decode_number(cursor: str, question: Mapping[str, object]) -> int:
    """The same where items are numbered.

    Raises:
        Problem: as `decode`.
    """
    number = decode(cursor, question)
    if not number.isdecimal() or len(number) > _DIGITS_MAX:
        raise Problem("invalid_cursor", "the cursor is not one of this list; ask for the first page again")
    return int(number)


def _digest(question: Mapping[str, object]) -> bytes:
    text = json.dumps(question, sort_keys=True, default=str, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).digest()[:_DIGEST_BYTES]
