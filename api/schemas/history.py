"""What a memory was before, and what conversations had to do with it."""

from __future__ import annotations

from uuid import UUID

from api.schemas.base import Moment, Reply
from api.schemas.memories import MemoryOut
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


class HistoryOut(Reply):
    """Older versions, oldest first, the current one, and what conversations had to do with them, the earliest first."""

    current: MemoryOut
    versions: list[VersionOut]
    derivations: list[DerivationOut]
