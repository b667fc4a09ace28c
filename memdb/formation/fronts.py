"""The cap of a front, at write: a memory that finds the front of one of its subjects full goes to the drawer and its receipt says so.

Nothing is dropped, and nothing that stands there is pushed out. A front belongs to one brain and one subject; what counts is what a card
would show: active, not held, not expired. A held write takes no place until it is released; the card, which has the same cap, then counts
what does not fit in its last line.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from governance.policy.decision import Effect
from governance.policy.memory_rules import MemoryRules
from memdb.errors import FrontFull
from memdb.formation.placement import FRONT_FULL, GIVEN, KEPT, Proposal
from memdb.formation.stages import Compared, Decided
from memdb.models.memory import Memory, Placement
from memdb.storage.database import WriteConn
from memdb.storage.fronts import FrontKey, Standing, list_standing, lock_fronts


@dataclass(frozen=True, slots=True)
class Fronts:
    """The fronts that a batch may add to, locked, and what stands there with what the batch has added so far."""

    rules: MemoryRules
    standing: dict[FrontKey, Standing]

    @classmethod
    async def open(cls, conn: WriteConn, items: Sequence[Compared], rules: MemoryRules, now: datetime) -> Fronts:
        """Lock and count; the first thing that a transaction does."""
        fronts = {front for item in items for front in claims(item)}
        if not fronts:
            return cls(rules, {})
        org_id = items[0].principal.org_id
        await lock_fronts(conn, org_id, fronts)
        return cls(rules, await list_standing(conn, org_id, fronts, now))

    def admit(self, items: Sequence[Compared]) -> list[Compared]:
        """New memories with their places: of those that want the front as many as fit, the first that were written first."""
        admitted = {item.memory_id: self._admit(item) for item in sorted(items, key=lambda item: item.memory_id)}
        return [admitted[item.memory_id] for item in items]

    def _admit(self, item: Compared) -> Compared:
        if item.proposal.placement is Placement.DRAWER:
            return item
        if self._find_full(item, claims(item)) is not None:
            return replace(item, placement=None, proposal=Proposal(Placement.DRAWER, FRONT_FULL))
        self._take(item, claims(item))
        return item

    def give_back(self, item: Compared) -> None:
        """Undo what `admit` took for a memory that was not stored after all."""
        for front in claims(item):
            standing = self.standing[front]
            if item.memory_id in standing.entries:
                standing.entries.remove(item.memory_id)
                standing.characters -= len(item.content.text)

    def move(self, item: Compared, before: Memory) -> Compared | FrontFull:
        """The same for a write onto a memory that exists. What stands at a front stays there; a statement that wants the front in vain
        leaves the memory where it is, and an edit is refused.
        """
        after = item.placement or before.placement
        if after is Placement.DRAWER:
            return item
        new = _new_fronts(item, before) & self.standing.keys()
        full = self._find_full(item, new)
        if full is None:
            self._take(item, new)
            return item
        if item.replaces is not None:
            return self._refusal(full)
        return replace(item, placement=before.placement, proposal=Proposal(before.placement, FRONT_FULL))

    def _find_full(self, item: Compared, fronts: Collection[FrontKey]) -> FrontKey | None:
        size = len(item.content.text)
        for front in sorted(fronts):
            standing = self.standing[front]
            if len(standing.entries) >= self.rules.front_entries or standing.characters + size > self.rules.front_characters:
                return front
        return None

    def _take(self, item: Compared, fronts: Collection[FrontKey]) -> None:
        if item.decision.effect is Effect.HOLD:
            return
        for front in fronts:
            self.standing[front].entries.insert(0, item.memory_id)
            self.standing[front].characters += len(item.content.text)

    def _refusal(self, front: FrontKey) -> FrontFull:
        standing = self.standing[front]
        return FrontFull(
            f"the front of subject {front[1]} holds {len(standing.entries)} memories of {standing.characters} characters, at most"
            f" {self.rules.front_entries} of {self.rules.front_characters}; move one of them to the drawer first",
            field="placement",
            facts={
                "front": [str(memory_id) for memory_id in standing.entries],
                "subject_id": str(front[1]),
                "brain_id": str(front[0]),
                "entries": len(standing.entries),
                "characters": standing.characters,
                "entries_max": self.rules.front_entries,
                "characters_max": self.rules.front_characters,
            },
        )


def claims(item: Decided) -> frozenset[FrontKey]:
    """Fronts that a write may add to. Of a statement that turns out to repeat a memory at the front, none of them."""
    if item.replaces is not None:
        after = item.placement or item.replaces.placement
        return _new_fronts(item, item.replaces) if after is Placement.FRONT else frozenset()
    return _fronts(item.brain_id, item.about) if item.proposal.placement is Placement.FRONT else frozenset()


def reason_of(item: Decided) -> str:
    """Why a memory that was there before stands where it stands: the writer said so, there was no room, or it was left there."""
    return item.proposal.reason if item.placement is not None and item.proposal.reason in {GIVEN, FRONT_FULL} else KEPT


def _new_fronts(item: Decided, before: Memory) -> frozenset[FrontKey]:
    about = item.about if item.replaces is not None or item.about else before.about
    there = _fronts(before.brain_id, before.about) if before.placement is Placement.FRONT else frozenset()
    return _fronts(before.brain_id, about) - there


def _fronts(brain_id: UUID, about: Collection[UUID]) -> frozenset[FrontKey]:
    return frozenset((brain_id, subject_id) for subject_id in about)
