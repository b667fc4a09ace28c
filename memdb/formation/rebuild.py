"""Contexts that were derived from fragments which went, may not be used any more, or read otherwise now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from memdb.formation.context import context_words
from memdb.storage import memories, origins
from memdb.storage.database import WriteConn


async def rebuild_contexts(
    conn: WriteConn, org_id: UUID, brain_ids: Collection[UUID], gone: Sequence[UUID], changed: Sequence[UUID] = ()
) -> None:
    """Make every context anew that was derived from some fragments; in the transaction in which they go or change.

    Args:
        conn: allowed to write in these brains.
        org_id: of the fragments.
        brain_ids: the brains that the fragments are of; a context holds fragments of its own brain alone.
        gone: fragments that were deleted, or of which every memory is held.
        changed: fragments with another text.
    """
    touched = [*gone, *changed]
    if not touched:
        return
    for memory_id, fragment_ids, language in await memories.list_depending(conn, org_id, brain_ids, touched):
        kept = [f for f in fragment_ids if f not in set(gone)]
        texts = await origins.list_texts(conn, org_id, kept) if kept else []
        context = context_words([text for _, text in texts], language)
        await memories.set_context(conn, org_id, memory_id, context, kept)
