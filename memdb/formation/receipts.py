"""Receipts: what a write did, and as it is kept for replays. Ids, places and codes, no text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from governance.errors import ServiceError
from memdb.formation.batch import Batch
from memdb.formation.embed import keeps_text
from memdb.formation.fronts import reason_of
from memdb.formation.placement import KEPT
from memdb.formation.stages import Decided, Receipt
from memdb.models.memory import Memory, Placement, StoredRedaction, WriteAction
from memdb.models.reconciling import Reason


def receipt_of(item: Decided, memory: Memory, did: tuple[WriteAction, Reason], *, held: bool, conflicted: bool = False) -> Receipt:
    """What a write did to a memory, and why: the receipt for its writer."""
    action, reason = did
    embedding = "kept" if action is WriteAction.REINFORCE or keeps_text(item) else "stored" if item.vector is not None else "pending"
    return Receipt(
        id=memory.id,
        version=memory.version,
        action=action,
        status="held" if held else memory.status.value,
        brain_id=memory.brain_id,
        placement=memory.placement,
        placement_reason=item.proposal.reason if action is WriteAction.ADD else reason_of(item),
        redactions=memory.redactions,
        reasons=tuple(verdict.reason_code for verdict in item.decision.reasons),
        embedding=embedding,
        text_cut=memory.text_cut,
        suggested_topic=item.suggested_topic,
        conflicted=conflicted,
        reason=reason.value,
    )


def receipt_json(receipt: Receipt) -> dict[str, object]:
    """A receipt as JSON, without the linkable tokens of its redactions."""
    return {
        "id": str(receipt.id),
        "version": receipt.version,
        "action": receipt.action.value,
        "status": receipt.status,
        "brain_id": str(receipt.brain_id),
        "placement": receipt.placement.value,
        "placement_reason": receipt.placement_reason,
        "redactions": [[r.field, r.entity, r.action, r.start, r.end] for r in receipt.redactions],
        "reasons": list(receipt.reasons),
        "embedding": receipt.embedding,
        "text_cut": receipt.text_cut,
        "conflicted": receipt.conflicted,
        # A topic suggestion is made of words of the text, so it is not kept.
    }


def result_json(done: Batch[Receipt]) -> list[dict[str, object]]:
    """What is kept of a request: a receipt or an error for each submission, in order."""
    return [error_json(o) if isinstance(o, ServiceError) else receipt_json(o) for o in done.outcomes()]


def error_json(error: ServiceError) -> dict[str, object]:
    """An error as it is kept; messages hold no input text."""
    return {"error": error.code, "message": error.message, "field": error.field}


def replayed(kept: object) -> Batch[Receipt]:
    """The batch of an earlier request, marked as replayed."""
    assert isinstance(kept, list), "a kept result is a list"
    receipts = [(place, replace(_receipt(item), replayed=True)) for place, item in enumerate(kept) if "error" not in item]
    errors = [(place, _error(item)) for place, item in enumerate(kept) if "error" in item]
    return Batch(tuple(receipts), tuple(errors))


def _error(item: dict[str, Any]) -> ServiceError:
    waiting: list[type[ServiceError]] = [ServiceError]
    while waiting:
        cls = waiting.pop()
        if cls.code == item["error"]:
            return cls(item["message"], field=item["field"])
        waiting += cls.__subclasses__()
    return ServiceError(item["message"], field=item["field"])


def _receipt(item: dict[str, Any]) -> Receipt:
    return Receipt(
        id=UUID(item["id"]),
        version=item["version"],
        action=WriteAction(item["action"]),
        status=item["status"],
        brain_id=UUID(item["brain_id"]),
        placement=Placement(item["placement"]),
        placement_reason=item.get("placement_reason", KEPT),  # not in receipts of the former release
        redactions=tuple(StoredRedaction(f, e, a, s, end, None) for f, e, a, s, end in item["redactions"]),
        reasons=tuple(item["reasons"]),
        embedding=item["embedding"],
        text_cut=item["text_cut"],
        suggested_topic=None,
        conflicted=item.get("conflicted", False),  # not in receipts of the former release
    )
