"""Contexts that were derived from fragments which went, may not be used any more, or read otherwise now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from memdb.formation.context import CONTEXT_CHARS_MAX, CONTEXT_FRAGMENTS_MAX, context_words
from memdb.keyring import Keyring
from memdb.storage import contexts, origins
from memdb.storage.database import WriteConn
from memdb.storage.origins import StoredFragment

REACH = 4 * CONTEXT_FRAGMENTS_MAX
"""How many places behind a fragment its text may be part of a context: those between may be withheld and are passed over."""


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


async def restore_contexts(conn: WriteConn, keyring: Keyring, org_id: UUID, back: Sequence[UUID], now: datetime) -> None:
    """Put fragments back into the contexts that they were taken out of; in the transaction in which they may be used again.

    Args:
        conn: allowed to write in their brain, where the holds are gone already.
        keyring: seals what memories are found by.
        org_id: theirs.
        back: fragments that came back.
        now: when what waits for new vectors is due.
    """
    if not back:
        return
    behind = await contexts.list_after(conn, org_id, back, REACH)
    present = await contexts.list_fragments_of(conn, org_id, {memory_id for memory_id, *_ in behind})
    episodes: dict[UUID, list[StoredFragment]] = {}
    changed: set[UUID] = set()
    seen: set[UUID] = set()
    for memory_id, episode_id, position, language in behind:
        if memory_id in seen:
            continue  # of several excerpts the first is that which its context stands before
        seen.add(memory_id)
        if episode_id not in episodes:
            episodes[episode_id] = await origins.list_fragments(conn, org_id, episode_id)
        kept = _nearest(episodes[episode_id], {*present[memory_id], *back}, position)
        ids = tuple(sorted(one.id for one in kept))
        if ids != tuple(sorted(present[memory_id])):
            await contexts.set_context(conn, keyring, (org_id, memory_id), context_words([one.text for one in kept], language), ids)
            changed.add(memory_id)
    if changed:
        await contexts.renew_context_vectors(conn, org_id, changed, now)


def _nearest(fragments: Sequence[StoredFragment], allowed: Collection[UUID], position: int) -> list[StoredFragment]:
    """What stands before a place, as it is taken at write: the last few, within the bound, in their order."""
    before = [one for one in fragments if one.position < position and one.id in allowed and not one.withheld]
    kept: list[StoredFragment] = []
    size = 0
    for one in reversed(before[-CONTEXT_FRAGMENTS_MAX:]):
        size += len(one.text)
        if size > CONTEXT_CHARS_MAX and kept:
            break
        kept.append(one)
    return kept[::-1]
