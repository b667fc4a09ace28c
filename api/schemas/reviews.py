"""Bodies of what a reviewer sees."""

from __future__ import annotations

from api.schemas.base import Flag, Reply
from api.schemas.memories import MemoryOut
from api.schemas.recall import SourceOut
from memdb.lifecycle.reviewing import Held


class HeldOut(Reply):
    """A memory that is held. `reasons`: codes of what policy said; `sources`: the excerpts that it came from; `intact` false: its seal is
    broken, so that it can only be purged.
    """

    memory: MemoryOut
    reasons: list[str]
    sources: list[SourceOut]
    intact: Flag

    @classmethod
    def of(cls, held: Held) -> HeldOut:
        return cls(
            memory=MemoryOut.of(held.memory),
            reasons=list(held.reasons),
            sources=[SourceOut.of(source) for source in held.sources],
            intact=held.intact,
        )
