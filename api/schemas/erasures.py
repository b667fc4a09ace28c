"""Bodies of the routes that forget for good."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import ConfigDict, Field

from api.schemas.base import Body, Moment, Reply
from memdb.lifecycle.erasure.requests import Look
from memdb.storage.erasures import Choice, Erasure

_EXAMPLE = "01980000-0000-7000-8000-0000000000e1"


class ForgetBody(Body):
    """With `dry_run` nothing changes: the reply says what would."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"dry_run": True}]})

    dry_run: bool = False


class LeftOut(Reply):
    """An object that is left to a person: its text holds a name that others share (`ambiguous`), or its seal is broken (`unsealed`)."""

    object_kind: str
    object_id: UUID
    brain_id: UUID | None
    reason: str
    decision: str | None

    @classmethod
    def of(cls, one: Choice) -> LeftOut:
        return cls(object_kind=one.object_kind, object_id=one.object_id, brain_id=one.brain_id, reason=one.reason, decision=one.decision)


class ErasureOut(Reply):
    """An erasure, or with `dry_run` what one would do.

    state: `looked`, `running`, `deciding` (objects are left to a person), or `complete` with its signed receipt. counts: rows by table;
    those that end in `_rewritten` stay without the name.
    """

    id: UUID | None
    kind: str
    target_id: UUID
    state: str
    counts: dict[str, int]
    labels: list[str]
    ambiguous_labels: list[str]
    decisions: dict[str, int]
    left: list[LeftOut]
    created_at: Moment | None
    changed_at: Moment | None
    completed_at: Moment | None
    receipt: dict[str, Any] | None

    @classmethod
    def looked(cls, look: Look) -> ErasureOut:
        """Of a dry run."""
        return cls(
            id=None,
            kind=look.kind.value,
            target_id=look.target_id,
            state="looked",
            counts=dict(look.counts),
            labels=list(look.labels.sure),
            ambiguous_labels=list(look.labels.unsure),
            decisions={"open": look.left_total} if look.left_total else {},
            left=[LeftOut.of(one) for one in look.left],
            created_at=None,
            changed_at=None,
            completed_at=None,
            receipt=None,
        )

    @classmethod
    def of(cls, erasure: Erasure, decisions: Mapping[str, int]) -> ErasureOut:
        """Of one that has begun."""
        labels = erasure.labels or {}
        return cls(
            id=erasure.id,
            kind=erasure.kind.value,
            target_id=erasure.target_id,
            state=erasure.state.value,
            counts=dict(erasure.counts),
            labels=list(labels.get("sure", ())),
            ambiguous_labels=list(labels.get("unsure", ())),
            decisions=dict(decisions),
            left=[],
            created_at=erasure.created_at,
            changed_at=erasure.changed_at,
            completed_at=erasure.completed_at,
            receipt=None if erasure.receipt is None else dict(erasure.receipt),
        )


class Verdict(StrEnum):
    """What becomes of an object: the name in it means the subject, or somebody else."""

    ERASE = "erase"
    KEEP = "keep"


class DecideBody(Body):
    """What is decided of these objects; of every open one without `objects`."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"decision": "keep", "objects": [_EXAMPLE]}]})

    decision: Verdict
    objects: list[UUID] | None = Field(None, min_length=1, max_length=1_000)
