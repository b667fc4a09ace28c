"""Memories, evidence and principals as values, for tests without a database: each takes what the test is about and fills the rest."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from governance.principals import Principal, Role
from governance.trust import Trust
from memdb.ids import make_id
from memdb.models.memory import Kind, Memory, Placement, Status
from memdb.storage.memories import Stored

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ORG = UUID("01980000-0000-7000-8000-0000000000a0")
BRAIN = UUID("01980000-0000-7000-8000-0000000000b0")
SUBJECT = UUID("01980000-0000-7000-8000-0000000000c0")


def make_memory_value(content: str = "Ana likes tea", **changes: Any) -> Memory:
    """A current memory of BRAIN in ORG; `changes` are its fields."""
    fields: dict[str, Any] = {
        "org_id": ORG, "id": make_id(), "brain_id": BRAIN, "kind": Kind.SEMANTIC, "version": 1, "status": Status.ACTIVE, "topic": None,
        "content": content, "data": {}, "tags": (), "about": (), "said_by": None, "language": "en", "placement": Placement.DRAWER,
        "importance": 0.4, "trust": "member", "source_kind": None, "valid_from": None, "valid_to": None, "event_from": None,
        "event_to": None, "expires_at": None, "redactions": (), "text_cut": False, "written_by": SUBJECT, "written_key": "k",
        "writer_label": "tests", "created_at": NOW, "updated_at": NOW, "confirmed_at": NOW,
    }  # fmt: skip
    return Memory(**(fields | changes))


def make_stored(content: str = "Ana likes tea", *, holds: tuple[UUID, ...] = (), intact: bool = True, **changes: Any) -> Stored:
    """The same as a row with what guards it."""
    return Stored(make_memory_value(content, **changes), holds, intact)


def make_principal(**changes: Any) -> Principal:
    """A member with a key of their own in ORG."""
    fields: dict[str, Any] = {
        "org_id": ORG, "key_id": "k", "key_subject_id": SUBJECT, "subject_id": SUBJECT, "writer_label": "tests", "max_role": Role.ADMIN,
        "capabilities": frozenset(), "trust": Trust.MEMBER,
    }  # fmt: skip
    return Principal(**(fields | changes))
