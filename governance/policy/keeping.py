"""How long an org keeps what, and what it must keep: retention and legal hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from governance.errors import InvalidInput, UnderLegalHold

RECALLS_DAYS: Final = 30
DAYS_MAX: Final = 36_500
LEGAL_HOLDS_MAX: Final = 1_000
KINDS_KEPT: Final = ("semantic", "episodic", "procedural", "taxonomic")
"""Kinds that may be kept for a time; a working memory says itself how long it lives."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long is kept: questions with what they found, and memories by kind since they were last confirmed; None: for ever."""

    recalls: timedelta | None = timedelta(days=RECALLS_DAYS)
    memories: Mapping[str, timedelta] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class LegalHold:
    """What neither a request nor retention may delete: all that lies in these brains, and all about, said or written by these subjects."""

    subjects: frozenset[UUID] = frozenset()
    brains: frozenset[UUID] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.subjects or self.brains)

    def covers(self, brain_id: UUID, subjects: Collection[UUID]) -> bool:
        """True for a memory of that brain with these subjects."""
        return brain_id in self.brains or not self.subjects.isdisjoint(subjects)

    def require_free(self, brain_id: UUID, subjects: Collection[UUID]) -> None:
        """Raise UnderLegalHold when it covers the memory."""
        if self.covers(brain_id, subjects):
            raise UnderLegalHold


@dataclass(frozen=True, slots=True)
class KeepingDocument:
    """Both as they are set and stored: only what differs from the defaults. Days; 0 recalls_days: for ever."""

    recalls_days: int | None = None
    memories_days: Mapping[str, int] = field(default_factory=dict)
    subjects: tuple[UUID, ...] = ()
    brains: tuple[UUID, ...] = ()

    def check(self) -> None:
        """Raise InvalidInput for a kind that is not kept for a time, or a value out of range."""
        if self.recalls_days is not None and not 0 <= self.recalls_days <= DAYS_MAX:
            raise InvalidInput(f"recalls_days must be 1 to {DAYS_MAX}, or 0 for ever", field="retention.recalls_days")
        if not set(self.memories_days) <= set(KINDS_KEPT):
            raise InvalidInput("memories_days names kinds of " + ", ".join(KINDS_KEPT), field="retention.memories_days")
        if not all(1 <= days <= DAYS_MAX for days in self.memories_days.values()):
            raise InvalidInput(f"memories are kept 1 to {DAYS_MAX} days", field="retention.memories_days")
        for name in ("subjects", "brains"):
            if len(getattr(self, name)) > LEGAL_HOLDS_MAX:
                raise InvalidInput(f"a legal hold names at most {LEGAL_HOLDS_MAX} {name}", field=f"legal_hold.{name}")

    def compile(self) -> tuple[Retention, LegalHold]:
        days = RECALLS_DAYS if self.recalls_days is None else self.recalls_days
        memories = {kind: timedelta(days=each) for kind, each in self.memories_days.items() if kind in KINDS_KEPT}
        recalls = timedelta(days=days) if days else None
        return Retention(recalls, MappingProxyType(memories)), LegalHold(frozenset(self.subjects), frozenset(self.brains))

    def to_json(self) -> tuple[dict[str, object], dict[str, object]]:
        """As it is stored: `retention` and `legal_hold`."""
        retention: dict[str, object] = {} if self.recalls_days is None else {"recalls_days": self.recalls_days}
        if self.memories_days:
            retention["memories_days"] = dict(sorted(self.memories_days.items()))
        both = (("subjects", self.subjects), ("brains", self.brains))
        return retention, {name: [str(each) for each in sorted(ids)] for name, ids in both if ids}

    @classmethod
    def from_json(cls, retention: Mapping[str, Any], legal_hold: Mapping[str, Any]) -> KeepingDocument:
        """The reverse of `to_json`."""
        return cls(
            retention.get("recalls_days"),
            retention.get("memories_days", {}),
            tuple(UUID(each) for each in legal_hold.get("subjects", ())),
            tuple(UUID(each) for each in legal_hold.get("brains", ())),
        )
