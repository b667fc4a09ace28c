"""Legal hold: what an org must keep is not deleted, neither on request nor because its time is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.errors import UnderLegalHold
from memdb.storage import subjects

if TYPE_CHECKING:
    from uuid import UUID

    from governance.policy.keeping import LegalHold
    from memdb.models.memory import Memory
    from memdb.storage.database import ReadConn, WriteConn


async def require_deletable(conn: ReadConn | WriteConn, hold: LegalHold, memory: Memory) -> None:
    """Let a memory be deleted, unless its brain or one of its subjects, by whatever of their ids, is under legal hold.

    Raises:
        UnderLegalHold: it is.
    """
    if not hold:
        return
    named = {*memory.about, *(one for one in (memory.said_by, memory.written_by) if one is not None)}
    hold.require_free(memory.brain_id, await _with_merged(conn, memory.org_id, named))


async def _with_merged(conn: ReadConn | WriteConn, org_id: UUID, named: set[UUID]) -> set[UUID]:
    return named | set((await subjects.expand(conn, org_id, named)).members) if named else named


async def is_deletable(conn: ReadConn | WriteConn, hold: LegalHold, memory: Memory) -> bool:
    """False when a legal hold covers the memory."""
    try:
        await require_deletable(conn, hold, memory)
    except UnderLegalHold:
        return False
    return True
