"""What the parts of step 9 share: the transaction, what it has stored of sources so far, and what it will tell of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from governance.audit import AuditEvent
from governance.principals import Principal
from governance.scopes import ScopeFilter, readable_by
from memdb.formation.fronts import Fronts
from memdb.formation.mentioned import mentions_of
from memdb.formation.stages import Compared
from memdb.ids import make_id
from memdb.models.memory import Memory, WriteAction
from memdb.models.reconciling import Neighbour, Reason, Reconciliation
from memdb.runtime import Runtime
from memdb.storage import audit, links, neighbours, origins
from memdb.storage.database import WriteConn
from memdb.storage.memories import Indexed
from memdb.storage.rows import redaction_json
from memdb.storage.seals import make_seals

SIMILAR_MAX = 3
"""Links of a memory to those that it is near: a few."""
SIMILAR_WEIGHT = 0.5
"""Of a cosine of 1 in the graph: what is near says mostly the same, so a walk should sooner go to what it mentions."""


@dataclass(frozen=True, slots=True)
class Work:
    """One transaction of writes."""

    runtime: Runtime
    principal: Principal
    conn: WriteConn
    now: datetime
    auditor: audit.Auditor
    fronts: Fronts
    events: list[AuditEvent] = field(default_factory=list)
    fragments: dict[UUID, UUID] = field(default_factory=dict)
    held: list[UUID] = field(default_factory=list)
    flagged: list[tuple[UUID, UUID, list[str]]] = field(default_factory=list)
    decided: list[Reconciliation] = field(default_factory=list)

    def scope_of(self, brain_id: UUID) -> ScopeFilter:
        """One brain, as far as the writer reaches."""
        return readable_by(self.principal, {brain_id: self.principal.max_role})

    def tell(self, action: str, memory: Memory, holds: tuple[UUID, ...], item: Compared) -> None:
        """Let the audit tell of a change."""
        self.events.append(event_of(self, action, memory, holds, item))

    def note(self, item: Compared, memory: Memory, action: WriteAction | str, reason: Reason) -> None:
        """Keep what was decided of a statement; of an edit and of a unit, which are compared with nothing, there is nothing to keep."""
        if item.replaces is not None or item.unit is not None:
            return
        verdict = item.verdict
        row = Reconciliation(
            id=make_id(),
            brain_id=memory.brain_id,
            memory_id=memory.id,
            version=memory.version,
            action=str(action),
            reason=reason.value,
            neighbour_ids=tuple(one.memory_id for one in item.neighbours if one.memory_id != memory.id),
            model=None if verdict is None else verdict.model,
            refused=None if verdict is None or verdict.refused is None else verdict.refused.value,
            created_at=self.now,
        )
        self.decided.append(row)


async def keep_fragments(w: Work, items: Sequence[Compared]) -> None:
    """Store episodes and fragments before the memories: a concurrent writer may have stored the same ones, and then their ids are used."""
    episodes: dict[UUID, UUID] = {}
    for item in items:
        fragment, place = item.fragment, item.place
        if fragment is None or place is None:
            continue
        if place.episode_id not in episodes:
            moments = (fragment.started_at, w.now)
            episodes[place.episode_id] = await origins.keep_episode(
                w.conn, w.principal.org_id, item.brain_id, place.episode_id, fragment.episode, moments
            )
        new = origins.NewFragment(
            id=place.fragment_id,
            brain_id=item.brain_id,
            episode_id=episodes[place.episode_id],
            position=place.position,
            speaker=fragment.speaker,
            said_by=item.said_by,
            said_at=fragment.said_at,
            text=fragment.text,
            redactions=[redaction_json(r) for r in item.redactions if r.field.startswith("source.")],
            text_hash=place.text_hash,
            turn_id=fragment.turn_id,
        )
        w.fragments[place.fragment_id] = await origins.keep_fragment(w.conn, w.principal.org_id, new, w.now)


async def link_fragments(w: Work, items: Sequence[tuple[Compared, UUID, int]]) -> None:
    """Say of each version of a memory (item, memory, version) what it came from."""
    sources = [(memory_id, version, w.fragments[item.place.fragment_id], item.brain_id) for item, memory_id, version in items if item.place]
    await origins.link_fragments(w.conn, w.principal.org_id, sources, w.now)


async def keep_mentions(w: Work, items: Sequence[tuple[Compared, UUID]]) -> None:
    """Say of each memory what it mentions."""
    mentions = [mention for item, memory_id in items for mention in mentions_of(item, memory_id)]
    await links.keep_mentions(w.conn, w.principal.org_id, mentions, w.now)


async def link_similar(w: Work, items: Sequence[tuple[Compared, UUID]]) -> None:
    """Link each memory to the nearest of those that its text is near."""
    made = [
        neighbours.Link(memory_id, one.memory_id, item.brain_id, weight_of(one))
        for item, memory_id in items
        for one in [near for near in item.neighbours if near.memory_id != memory_id][:SIMILAR_MAX]
    ]
    await neighbours.add_similar(w.conn, w.principal.org_id, made, w.now)


def weight_of(neighbour: Neighbour) -> float:
    """Of a link to it, for the graph: at most SIMILAR_WEIGHT."""
    return round(min(1.0, neighbour.similarity) * SIMILAR_WEIGHT, 4)


def indexed(w: Work, item: Compared) -> Indexed:
    """What search needs of an item."""
    before = tuple(sorted(w.fragments.get(f, f) for f in item.context_fragments))
    return Indexed(words=item.words, context=item.context, context_fragments=before, vector=item.vector, context_vector=item.context_vector)


def event_of(w: Work, action: str, memory: Memory, holds: tuple[UUID, ...], item: Compared) -> AuditEvent:
    """The audit event of a change."""
    detail = {"version": memory.version, "kind": memory.kind.value, "effect": item.decision.effect.label, "reasons": reasons_of(item)}
    commitment = make_seals(w.runtime.keyring, memory, holds)[2]
    return w.auditor.event(action, ("memory", memory.id), brain_id=memory.brain_id, detail=detail, commitment=commitment)


def reasons_of(item: Compared) -> list[str]:
    """Codes of what policy said of an item."""
    return [verdict.reason_code for verdict in item.decision.reasons]


def without_claim(item: Compared) -> Compared:
    """A repetition of what is known: since when it holds, and of what attribute, is known as well."""
    return replace(item, claim=None)
