"""Contexts that were derived from fragments which may not be used any more: deleted, or of memories that are held."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from memdb.formation.context import context_words
from memdb.storage import memories, origins
from memdb.storage.database import WriteConn


async def rebuild_contexts(conn: WriteConn, org_id: UUID, brain_ids: Collection[UUID], gone: Sequence[UUID]) -> None:
    """Take the words of fragments that went out of every context that was derived from them; in the transaction in which they go.

    Args:
        conn: allowed to write in these brains.
        org_id: of the fragments.
        brain_ids: the brains that the fragments are of; a context holds fragments of its own brain alone.
        gone: fragments.
    """
    if not gone:
        return
    for memory_id, fragment_ids, language in await memories.list_depending(conn, org_id, brain_ids, gone):
        kept = [f for f in fragment_ids if f not in set(gone)]
        texts = await origins.list_texts(conn, org_id, kept) if kept else []
        context = context_words([text for _, text in texts], language)
        await memories.set_context(conn, org_id, memory_id, context, kept)
