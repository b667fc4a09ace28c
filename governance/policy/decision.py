"""What policy may see of a write, and what it answers. None of these hold text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from governance.inspection.signals import Signal
    from governance.trust import Trust


class Effect(IntEnum):
    """From loosest to strictest; `max` of two effects is the one that holds. `label` is the stored and served form."""

    ALLOW = 0
    FLAG = 1  # stored and served, with the reason shown to reviewers
    HOLD = 2  # stored, served by no door until a reviewer decides
    REJECT = 3  # not stored

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of one rule. `reason_code` is stable snake_case; `detail` is one sentence without text of the memory."""

    effect: Effect
    reason_code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else is known when a write is decided: counts and facts about other memories, no text of them.

    `sources_alike` counts the distinct sources of low trust that gave the same statement before; `contradicts_trusted` says that it denies
    what somebody of higher trust said.
    """

    sources_alike: int = 0
    contradicts_trusted: bool = False


NOTHING_AROUND: Final = Surroundings()


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """All that policy may see of a write.

    `kind` is the kind of memory, `channel` the door (`http`, `mcp`, `cli`, `import`, `extraction`), `redaction_counts` how many findings of
    each entity type were replaced, `attributed` False when somebody has to say first whom it is about, `surroundings`
    what is known of other memories.
    """

    kind: str
    trust: Trust
    channel: str
    signals: tuple[Signal, ...]
    redaction_counts: Mapping[str, int]
    attributed: bool = True
    surroundings: Surroundings = NOTHING_AROUND


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome for a write. SECURITY: only `governance/policy/decide.py` makes one; an architecture test looks.

    `reasons` holds every verdict that is not `allow`, strictest first, ties in the order of the rules.
    """

    effect: Effect
    reasons: tuple[Verdict, ...] = ()
