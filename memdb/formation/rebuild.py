"""Contexts that were derived from fragments which went, may not be used any more, or read otherwise now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from memdb.formation.context import context_words
from memdb.keyring import Keyring
from memdb.storage import contexts, origins
from memdb.storage.database import WriteConn


async def rebuild_contexts(
    conn: WriteConn,
    keyring: Keyring,
    identity: tuple[UUID, Collection[UUID]],
    now: datetime,
    *,
    gone: Sequence[UUID] = (),
    changed: Sequence[UUID] = (),
) -> None:
    """Make every context anew that was derived from some fragments; in the transaction in which they go or change.

    Args:
        conn: allowed to write in these brains.
        keyring: seals what memories are found by.
        identity: org, and the brains that the fragments are of; a context holds fragments of its own brain alone.
        now: when what waits for new vectors is due.
        gone: fragments that were deleted, or of which every memory is held.
        changed: fragments with another text.
    """
    org_id, brain_ids = identity
    touched = [*gone, *changed]
    if not touched:
        return
    depending = await contexts.list_depending(conn, org_id, brain_ids, touched)
    for memory_id, fragment_ids, language in depending:
        kept = [f for f in fragment_ids if f not in set(gone)]
        texts = await origins.list_texts(conn, org_id, kept) if kept else []
        context = context_words([text for _, text in texts], language)
        await contexts.set_context(conn, keyring, (org_id, memory_id), context, kept)
    # The vector over a context holds the speaker of the memory's own fragment as well.
    told = await origins.list_told(conn, org_id, changed)
    await contexts.renew_context_vectors(conn, org_id, {memory_id for memory_id, _, _ in depending} | set(told), now)
