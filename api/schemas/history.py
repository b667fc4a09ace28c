"""What a memory was before, and what conversations had to do with it."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from api.schemas.base import Moment, Reply
from api.schemas.memories import MemoryOut
from memdb.models.reconciling import Reconciliation
from memdb.storage.extractions import Derivation


class VersionOut(Reply):
    """An older version, and when and by what it was replaced."""

    memory: MemoryOut
    replaced_at: Moment
    replaced_by: str


class DerivationOut(Reply):
    """That a memory came of a conversation, or was confirmed, changed or ended by it: what was done and why, the version that this made,
    and the turns that it rests on.
    """

    memory_id: UUID
    version: int
    action: str
    reason: str
    handler: str
    snapshot_id: UUID
    turn_ids: list[UUID]
    created_at: Moment

    @classmethod
    def of(cls, derivation: Derivation) -> DerivationOut:
        return cls(
            memory_id=derivation.memory_id,
            version=derivation.version,
            action=derivation.action,
            reason=derivation.reason,
            handler=derivation.handler.value,
            snapshot_id=derivation.snapshot_id,
            turn_ids=list(derivation.turn_ids),
            created_at=derivation.created_at,
        )


class DecisionOut(Reply):
    """What a write was when it was compared with what the brain held: an ADD, an UPDATE or a REINFORCE of this memory, at this version, or
    an END of it, and why. `neighbours`: memories that it was near, as far as they are served, the nearest first. `model`: the language
    model that was asked, with its prompt; `refused`: why what it answered was not done, or why an END that somebody told is none.
    """

    version: int
    action: str
    reason: str
    neighbours: list[UUID]
    model: str | None
    refused: str | None
    created_at: Moment

    @classmethod
    def of(cls, row: Reconciliation, served: Collection[UUID]) -> DecisionOut:
        return cls(
            version=row.version,
            action=row.action,
            reason=row.reason,
            neighbours=[one for one in row.neighbour_ids if one in served],
            model=row.model,
            refused=row.refused,
            created_at=row.created_at,
        )


class HistoryOut(Reply):
    """Older versions, oldest first, the current one, and what conversations had to do with them and what was decided, the earliest first. A
    write that was near nothing is in no decision.
    """

    current: MemoryOut
    versions: list[VersionOut]
    derivations: list[DerivationOut]
    decisions: list[DecisionOut]
