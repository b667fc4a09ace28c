"""Behind policy, before anything is stored: which memories a statement is near. Without a model that makes links, and never a merge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from governance.policy.decision import Effect
from memdb.formation.batch import Batch
from memdb.formation.embed import keeps_text
from memdb.formation.stages import Compared, Decided, grow
from memdb.models.memory import RECONCILED
from memdb.models.reconciling import Neighbour
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.storage.database import Database, identity_of
from memdb.storage.neighbours import LOOKED_AT_MAX, NEIGHBOURS_MAX, Near, find_neighbours

SIMILARITY_MIN: Final = 0.75
"""Cosine from which on two statements are near: the least at which at most one in twenty pairs that people call different is linked, by
`python -m benchmarks.reconcile --pairs`; docs/decisions/0016."""


async def compare(batch: Batch[Decided], *, database: Database, space: EmbeddingSpace) -> Batch[Compared]:
    """Attach to each statement those that it is near: of its brain and kind, about the same subjects, valid at the same time.

    One read for all of them, with a bound on what it looks at. What is held is compared with nothing, and an edit that keeps its text keeps
    its links. Of a batch, what comes before counts as well.
    """
    near = [_near(place, item) for place, item in enumerate(batch.values)]
    asked = [one for one in near if one is not None]
    if not asked:
        return batch.each(lambda item: grow(Compared, item, neighbours=(), verdict=None))
    principal, now = batch.values[0].principal, batch.values[0].now
    stored = await find_neighbours(
        partial(database.search_alone, identity_of(principal)), principal.org_id, space, asked, now, SIMILARITY_MIN
    )
    beside = _within(batch.values, asked)
    found = [_nearest([*stored.get(place, ()), *beside.get(place, ())]) for place in range(len(near))]
    return batch.replaced([grow(Compared, item, neighbours=n, verdict=None) for item, n in zip(batch.values, found, strict=True)])


def _near(place: int, item: Decided) -> Near | None:
    if item.kind not in RECONCILED or item.vector is None or item.decision.effect is Effect.HOLD or keeps_text(item):
        return None
    since = item.valid_from or (item.claim.since if item.claim is not None else None) or item.now
    but = None if item.replaces is None else item.replaces.id
    return Near(place, item.brain_id, item.kind.value, item.about, item.vector, since, item.valid_to, but)


def _within(items: Sequence[Decided], asked: Sequence[Near]) -> dict[int, list[Neighbour]]:
    """Near ones among the items before each, by place."""
    scopes: dict[tuple[object, ...], list[Near]] = defaultdict(list)
    for one in asked:
        scopes[one.brain_id, one.kind, one.about].append(one)
    found: dict[int, list[Neighbour]] = {}
    for members in scopes.values():
        vectors = np.stack([one.vector for one in members])
        for number in range(1, len(members)):
            first = max(0, number - LOOKED_AT_MAX)
            alike = vectors[first:number] @ vectors[number]
            found[members[number].place] = [
                Neighbour(items[members[first + at].place].memory_id, float(alike[at])) for at in np.flatnonzero(alike >= SIMILARITY_MIN)
            ]
    return found


def _nearest(found: Sequence[Neighbour]) -> tuple[Neighbour, ...]:
    return tuple(sorted(found, key=lambda one: (-one.similarity, one.memory_id))[:NEIGHBOURS_MAX])
