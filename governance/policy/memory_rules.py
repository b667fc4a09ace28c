"""What an org says of the life of its memories: how long they stay fresh, when two writes are a conflict, how large a front may grow, and
what is learned from its conversations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from governance.errors import InvalidInput

HALF_LIFE_DAYS: Final[Mapping[str, int]] = MappingProxyType(
    {"semantic": 180, "episodic": 365, "procedural": 365, "taxonomic": 730, "working": 1}
)
"""Time after which half of what is believed of a kind may have changed. Chosen by hand: facts about people move fastest, what a term means
hardly does, and a working note is of its day."""

HALF_LIFE_DAYS_MAX: Final = 36_500
CONFLICT_WINDOW_S: Final = 600
CONFLICT_WINDOW_S_MAX: Final = 7 * 24 * 3600
FRONT_ENTRIES: Final = 12
FRONT_ENTRIES_MAX: Final = 50
FRONT_CHARACTERS: Final = 1_200
FRONT_CHARACTERS_MAX: Final = 8_000
EXTRACTIONS: Final = ("semantic", "episodic", "procedural", "taxonomic")
"""Kinds of memory that are learned from turns, each by a handler of its own."""
TOPICS_MAX: Final = 200
TOKENS_PER_DAY_MAX: Final = 10**12
TOPIC_CHARACTERS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class MemoryRules:
    """Half-lives in days by kind, and by topic for it and all below it; the conflict window in seconds; the caps of a front; the kinds that
    are learned from turns, None: as the server is set; and the tokens that learning may take in 24 hours, None: as the server is set.

    Topics are folded as in the index.
    """

    half_life_days: Mapping[str, int] = field(default_factory=lambda: HALF_LIFE_DAYS)
    topic_half_life_days: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    conflict_window_s: int = CONFLICT_WINDOW_S
    front_entries: int = FRONT_ENTRIES
    front_characters: int = FRONT_CHARACTERS
    extractions: tuple[str, ...] | None = None
    tokens_per_day: int | None = None

    def half_life(self, kind: str, topic: str | None) -> int:
        """Days: of the topic itself, else of the nearest above it, else of the kind.

        >>> MemoryRules(topic_half_life_days={"brand": 300}).half_life("semantic", "brand/voice")
        300
        """
        path = topic or ""
        while path:
            days = self.topic_half_life_days.get(path)
            if days is not None:
                return days
            path = path.rpartition("/")[0]
        return self.half_life_days.get(kind, HALF_LIFE_DAYS[kind])


@dataclass(frozen=True, slots=True)
class MemoryDocument:
    """The same as it is set and stored: only what differs from the defaults."""

    half_life_days: Mapping[str, int] = field(default_factory=dict)
    topic_half_life_days: Mapping[str, int] = field(default_factory=dict)
    conflict_window_s: int | None = None
    front_entries: int | None = None
    front_characters: int | None = None
    extractions: tuple[str, ...] | None = None
    tokens_per_day: int | None = None

    def check(self) -> None:
        """Raise InvalidInput for a kind that does not exist, a value out of range, or too many topics."""
        if not self.half_life_days.keys() <= HALF_LIFE_DAYS.keys():
            raise InvalidInput("half_life_days names a kind that does not exist", field="memory.half_life_days")
        for name in ("half_life_days", "topic_half_life_days"):
            if not all(1 <= days <= HALF_LIFE_DAYS_MAX for days in getattr(self, name).values()):
                raise InvalidInput(f"a half-life must be 1 to {HALF_LIFE_DAYS_MAX} days", field=f"memory.{name}")
        if len(self.topic_half_life_days) > TOPICS_MAX:
            raise InvalidInput(f"more than {TOPICS_MAX} topics have a half-life of their own", field="memory.topic_half_life_days")
        if not all(1 <= len(topic) <= TOPIC_CHARACTERS_MAX for topic in self.topic_half_life_days):
            message = f"a topic must be 1 to {TOPIC_CHARACTERS_MAX} characters"
            raise InvalidInput(message, field="memory.topic_half_life_days")
        if not set(self.extractions or ()) <= set(EXTRACTIONS):
            raise InvalidInput("enabled lists kinds of " + ", ".join(EXTRACTIONS), field="memory.extraction.enabled")
        for name, least, most in (
            ("conflict_window_s", 0, CONFLICT_WINDOW_S_MAX),
            ("front_entries", 1, FRONT_ENTRIES_MAX),
            ("front_characters", 100, FRONT_CHARACTERS_MAX),
        ):
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise InvalidInput(f"{name} must be {least} to {most}", field=f"memory.{name}")

        if self.tokens_per_day is not None and not 1 <= self.tokens_per_day <= TOKENS_PER_DAY_MAX:
            raise InvalidInput(f"tokens_per_day must be 1 to {TOKENS_PER_DAY_MAX}", field="memory.extraction.tokens_per_day")

    def compile(self) -> MemoryRules:
        """The rules that this document makes."""
        return MemoryRules(
            half_life_days=MappingProxyType({**HALF_LIFE_DAYS, **self.half_life_days}),
            topic_half_life_days=MappingProxyType(dict(self.topic_half_life_days)),
            conflict_window_s=CONFLICT_WINDOW_S if self.conflict_window_s is None else self.conflict_window_s,
            front_entries=self.front_entries or FRONT_ENTRIES,
            front_characters=self.front_characters or FRONT_CHARACTERS,
            extractions=self.extractions,
            tokens_per_day=self.tokens_per_day,
        )

    def to_json(self) -> dict[str, object]:
        """As it is stored."""
        values: dict[str, object] = {
            "half_life_days": dict(sorted(self.half_life_days.items())),
            "topic_half_life_days": dict(sorted(self.topic_half_life_days.items())),
            "conflict_window_s": self.conflict_window_s,
            "front_entries": self.front_entries,
            "front_characters": self.front_characters,
            "extraction": self._extraction_json(),
        }
        return {name: value for name, value in values.items() if value not in (None, {})}

    def _extraction_json(self) -> dict[str, object]:
        enabled = None if self.extractions is None else list(self.extractions)
        values = {"enabled": enabled, "tokens_per_day": self.tokens_per_day}
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> MemoryDocument:
        """The reverse of `to_json`; a document of an earlier release says nothing of what it did not know."""
        names = ("half_life_days", "topic_half_life_days", "conflict_window_s", "front_entries", "front_characters")
        extraction = stored.get("extraction", {})
        enabled = extraction.get("enabled")
        known = None if enabled is None else tuple(kind for kind in EXTRACTIONS if kind in enabled)
        return cls(
            **{name: stored[name] for name in names if name in stored}, extractions=known, tokens_per_day=extraction.get("tokens_per_day")
        )
