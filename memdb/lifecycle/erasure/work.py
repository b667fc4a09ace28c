"""What the parts of an erasure share: whom it is of, what was decided, what it has counted, and when it has to let others work."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from governance.audit import Actor, AuditEvent, DetailValue
from memdb.lifecycle.erasure.labels import Finder
from memdb.runtime import Runtime
from memdb.storage.audit import Auditor
from memdb.storage.database import Identity
from memdb.storage.erasing import Sought
from memdb.storage.erasures import Choice
from memdb.storage.ledger import CUT, KEEP, digests

AMBIGUOUS: Final = "ambiguous"
UNSEALED: Final = "unsealed"


class Paused(Exception):
    """The time of this turn is over; what was done is kept, and the next turn goes on."""


@dataclass(slots=True)
class Work:
    """One turn at an erasure, or a look at what it would do.

    Args:
        runtime: what the process holds.
        org_id: the org.
        ids: all that are one with the subject; none for a memory, a session or a source.
        homes: their own brains, which go whole.
        finder: of what they were called.
        since: when the erasure began.
        actor: who asked for it.
        apply: False only looks.
        decided: what was decided, by kind and id of the object.
        remembered: digests of decisions of an earlier erasure, in the ledger, by `cut` and `keep`.
        deadline: of the event loop; None for as long as it takes.
    """

    runtime: Runtime
    org_id: UUID
    ids: tuple[UUID, ...]
    homes: frozenset[UUID]
    finder: Finder
    since: datetime
    actor: Actor
    apply: bool
    decided: dict[tuple[str, UUID], str] = field(default_factory=dict)
    remembered: Mapping[str, frozenset[bytes]] = field(default_factory=dict)
    deadline: float | None = None
    counts: Counter[str] = field(default_factory=Counter)
    left: dict[tuple[str, UUID], Choice] = field(default_factory=dict)
    changed: int = 0

    def identity(self, brain_id: UUID) -> Identity:
        """Of a job bound to a brain."""
        return Identity(self.org_id, job_brain_id=brain_id)

    def sought(self, brain_id: UUID) -> Sought:
        """What is looked for in a brain."""
        return Sought(
            self.org_id, brain_id, self.ids, self.finder.expression(), brain_id in self.homes, self.finder.expression(unsure=False)
        )

    def event(
        self,
        action: str,
        target: tuple[str, UUID],
        brain_id: UUID | None = None,
        *,
        commitment: bytes | None = None,
        **detail: DetailValue,
    ) -> AuditEvent:
        """A sealed event of this erasure."""
        auditor = Auditor(self.runtime.keyring, self.org_id, self.actor, at=self.runtime.clock.now(), request_id=None)
        return auditor.event(action, target, brain_id=brain_id, detail=detail, commitment=commitment)

    def count(self, **rows: int) -> None:
        """Count rows by table; of what changed, another pass has to look."""
        self.counts.update({name: number for name, number in rows.items() if number})
        self.changed += sum(rows.values())

    def decision_on(self, kind: str, object_id: UUID) -> str | None:
        """`erase`, `keep`, or None while nobody decided."""
        found = self.decided.get((kind, object_id))
        if found is None and self.remembered:
            for name, verdict in ((CUT, "erase"), (KEEP, "keep")):
                if digests(self.runtime.keyring, self.org_id, name, [object_id.bytes]) & self.remembered.get(name, frozenset()):
                    self.decided[kind, object_id] = found = verdict
        return found

    def leave(self, kind: str, object_id: UUID, brain_id: UUID | None, reason: str) -> None:
        """Leave an object to a person."""
        self.left[kind, object_id] = Choice(kind, object_id, brain_id, reason, None)

    def pause(self) -> None:
        """Raise Paused when the time is over."""
        if self.deadline is not None and asyncio.get_running_loop().time() > self.deadline:
            raise Paused
