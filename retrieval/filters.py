"""The second lock: what passed the statements is checked again here, one memory at a time, before anything is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from governance.scopes import ScopeFilter
from memdb.models.memory import Memory, Status
from memdb.storage.memories import Stored
from retrieval.fusion import Fused
from retrieval.modifiers import FACTOR_MAX
from retrieval.query import Filters

FLOOR = 0.09
"""Fused score below which a memory has nothing to do with the question. Chosen on the demo conversation and on 200 questions of one data
set asked of another as 0.12 of the weights of lexical, vector and graph; the other two, which often find nothing, make it 0.09 of all."""

OUTSTANDING = 2.0
"""How many times the score of the next memory the best one has to have to be an answer from half the floor on: a question in another
language shares a name or a number with its answer, and nothing with the rest. Measured on questions of one data set asked of another, of
which 0 to 6 % got evidence, it is 1 to 8 % with this; of 50 questions of rooms_dev 29 instead of 26 find their memory among the first five.
"""
NEARLY = 0.8
"""Share of the score of a best hit above the floor from which another one is as good."""

MEANT = 0.5
"""Cosine from which a memory means what is asked, whatever its score: an answer in other words, or in another language, shares none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fused hit with the version of the memory that it shows, and the current row that guards it."""

    fused: Fused
    memory: Memory
    current: Stored


def admit(
    ranked: Sequence[Fused],
    current: Mapping[UUID, Stored],
    versions: Mapping[tuple[UUID, int], Memory],
    scope: ScopeFilter,
    filters: Filters,
) -> list[Candidate]:
    """What may be shown, in the order of `ranked`: in scope, not held, sealed, active, valid, not expired. One version per memory."""
    admitted: list[Candidate] = []
    seen: set[UUID] = set()
    for fused in ranked:
        row = current.get(fused.memory_id)
        if row is None or fused.memory_id in seen or not is_servable(row, scope, filters.now):
            continue
        memory = row.memory if fused.version == 0 else versions.get((fused.memory_id, fused.version))
        if memory is None or not scope.allows(memory.org_id, memory.brain_id) or not holds_at(memory, filters):
            continue
        seen.add(fused.memory_id)
        admitted.append(Candidate(fused, memory, row))
    return admitted


def is_servable(row: Stored, scope: ScopeFilter, now: datetime) -> bool:
    """True when the current state of a memory lets any door show it."""
    memory = row.memory
    return (
        scope.allows(memory.org_id, memory.brain_id)
        and memory.status is Status.ACTIVE
        and not row.held
        and row.intact
        and (memory.expires_at is None or memory.expires_at > now)
    )


def holds_at(memory: Memory, filters: Filters) -> bool:
    """True when that version of a memory is valid at the time that is asked about."""
    starts_by = memory.valid_from is None or memory.valid_from <= filters.valid_at
    # Of an older version this is the end that it was written with; when the next one took over, the statement has checked.
    lasts = memory.valid_to is None or memory.valid_to > filters.valid_at
    return starts_by and lasts


def relevant(ranked: Sequence[Fused], min_score: float | None) -> list[Fused]:
    """Hits that have something to do with the question, in their order.

    With `min_score` those whose score can still become it. Without: what is above the floor, or nearly as good as a best hit that is; a
    best hit below the floor that stands out from all others; and a meaning that is near by itself.

    Args:
        ranked: best first.
        min_score: asked for by the request.
    """
    if min_score is not None:
        return [fused for fused in ranked if fused.score * FACTOR_MAX >= min_score]
    cut = _cut(ranked)
    return [fused for fused in ranked if fused.score >= cut or _is_meant(fused)]


def _cut(ranked: Sequence[Fused]) -> float:
    if not ranked:
        return FLOOR
    best = ranked[0]
    if best.score >= FLOOR:
        return min(FLOOR, NEARLY * best.score)
    second = next((fused.score for fused in ranked if fused.memory_id != best.memory_id), 0.0)
    return best.score if best.score >= FLOOR / 2 and best.score >= OUTSTANDING * second else FLOOR


def _is_meant(fused: Fused) -> bool:
    meaning = fused.branches.get("vector")
    return meaning is not None and meaning.raw >= MEANT
