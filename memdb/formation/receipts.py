"""Receipts as they are kept for replays: ids, places and codes, no text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from memdb.formation.stages import Receipt
from memdb.models.memory import Placement, StoredRedaction, WriteAction


def receipt_json(receipt: Receipt) -> dict[str, object]:
    """A receipt as JSON, without the linkable tokens of its redactions."""
    return {
        "id": str(receipt.id),
        "version": receipt.version,
        "action": receipt.action.value,
        "status": receipt.status,
        "brain_id": str(receipt.brain_id),
        "placement": receipt.placement.value,
        "redactions": [[r.field, r.entity, r.action, r.start, r.end] for r in receipt.redactions],
        "reasons": list(receipt.reasons),
        "embedding": receipt.embedding,
        "text_cut": receipt.text_cut,
        # A topic suggestion is made of words of the text, so it is not kept.
    }


def receipts_of(stored: object) -> list[Receipt]:
    """The receipts of a kept result, marked as replayed."""
    assert isinstance(stored, list), "a kept result is a list of receipts"
    return [replace(_receipt(item), replayed=True) for item in stored]


def _receipt(item: dict[str, Any]) -> Receipt:
    return Receipt(
        id=UUID(item["id"]),
        version=item["version"],
        action=WriteAction(item["action"]),
        status=item["status"],
        brain_id=UUID(item["brain_id"]),
        placement=Placement(item["placement"]),
        redactions=tuple(StoredRedaction(f, e, a, s, end, None) for f, e, a, s, end in item["redactions"]),
        reasons=tuple(item["reasons"]),
        embedding=item["embedding"],
        text_cut=item["text_cut"],
        suggested_topic=None,
    )
