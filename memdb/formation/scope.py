"""Step 5: place the memory. Its subjects exist; its context comes from what its own brain holds, and from nowhere else."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from governance.errors import InvalidInput, ServiceError
from memdb.formation.batch import Batch
from memdb.formation.check import POSITION_MAX
from memdb.formation.context import CONTEXT_CHARS_MAX, CONTEXT_FRAGMENTS_MAX, NO_WORDS, context_document, context_words
from memdb.formation.stages import Enriched, Placed, RedactedFragment, Scoped, grow
from memdb.ids import make_id
from memdb.keyring import Keyring, Purpose
from memdb.storage import origins, subjects
from memdb.storage.database import Database, ReadConn, identity_of
from memdb.text.lexemes import Analysis


async def scope(batch: Batch[Enriched], *, database: Database, keyring: Keyring) -> Batch[Scoped]:
    """Check subjects and read context for all items in one transaction; without subjects and sources there is nothing to read.

    Raises per item:
        InvalidInput: `about` or `said_by` names a subject that the org does not have.
    """
    if not batch.items:
        return Batch((), batch.errors)
    principal = batch.values[0].principal
    wanted = {s for item in batch.values for s in _subjects(item)}
    known: Collection[UUID] = ()
    placed: list[_Context | None] = [None] * len(batch.items)
    if wanted or any(item.fragment for item in batch.values):  # most writes ask nothing, and a transaction costs milliseconds
        async with database.read(identity_of(principal)) as conn:
            known = await subjects.list_known(conn, principal.org_id, wanted) if wanted else ()
            placed = await _place_fragments(conn, batch.values, keyring)
    results: list[Scoped | ServiceError] = []
    for item, place in zip(batch.values, placed, strict=True):
        unknown = [s for s in _subjects(item) if s not in known]
        if unknown:
            results.append(InvalidInput("about or said_by names a subject that this org does not have", field="about"))
            continue
        results.append(
            grow(
                Scoped,
                item,
                place=place.placed if place else None,
                context=place.context if place else NO_WORDS,
                context_fragments=place.before if place else (),
                context_text=place.text if place else None,
            )
        )
    return batch.replaced(results)


def _subjects(item: Enriched) -> tuple[UUID, ...]:
    return item.about if item.said_by is None else (*item.about, item.said_by)


@dataclass(frozen=True, slots=True)
class _Context:
    placed: Placed
    context: Analysis
    before: tuple[UUID, ...]
    text: str | None = field(repr=False)


@dataclass(slots=True)
class _Episode:
    """What is known of one episode: its fragments in the database, then those of this batch, as (position, id, text)."""

    id: UUID
    fragments: list[origins.StoredFragment] = field(default_factory=list)


async def _place_fragments(conn: ReadConn, items: Sequence[Enriched], keyring: Keyring) -> list[_Context | None]:
    org_id = items[0].principal.org_id
    names = {(item.brain_id, item.fragment.episode) for item in items if item.fragment is not None and item.fragment.episode is not None}
    episodes: dict[tuple[UUID, str], _Episode] = {}
    for found in await origins.find_episodes(conn, org_id, names):
        episodes[found.brain_id, found.external_id] = _Episode(found.id, await origins.list_fragments(conn, org_id, found.id))
    placed: list[_Context | None] = []
    for item in items:
        fragment = item.fragment
        if fragment is None:
            placed.append(None)
            continue
        episode = (
            _Episode(make_id()) if fragment.episode is None else episodes.setdefault((item.brain_id, fragment.episode), _Episode(make_id()))
        )
        placed.append(_place(item, fragment, episode, keyring.derive(Purpose.FRAGMENT, org_id)))
    return placed


def _place(item: Enriched, fragment: RedactedFragment, episode: _Episode, key: bytes) -> _Context:
    position = fragment.position
    if position is None:
        # Behind the last possible place there is none: what comes later shares it, in the order of its id.
        position = min(max((f.position for f in episode.fragments), default=-1) + 1, POSITION_MAX)
    text_hash = hmac.digest(key, fragment.text.text.encode(), hashlib.sha256)
    same = next((f for f in episode.fragments if f.position == position and f.text_hash == text_hash), None)
    speaker = None if fragment.speaker is None else fragment.speaker.text
    stored = same or origins.StoredFragment(make_id(), position, speaker, fragment.text.text, text_hash)
    usable = (f for f in episode.fragments if f.position < position and not f.withheld)
    before = sorted(usable, key=lambda f: (f.position, f.id))[-CONTEXT_FRAGMENTS_MAX:]
    kept: list[origins.StoredFragment] = []
    size = 0
    for earlier in reversed(before):  # nearest first, until the bound is reached
        size += len(earlier.text)
        if size > CONTEXT_CHARS_MAX and kept:
            break
        kept.append(earlier)
    context = context_words([f.text for f in reversed(kept)], item.language)
    if same is None:
        episode.fragments.append(stored)
    return _Context(
        placed=Placed(episode_id=episode.id, fragment_id=stored.id, position=position, text_hash=text_hash),
        context=context,
        before=tuple(sorted(f.id for f in kept)),
        text=context_document((kept[0].speaker, kept[0].text) if kept else None, speaker, item.content.text),
    )
