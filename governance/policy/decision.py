"""What policy may see of a write, and what it answers. None of these hold text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from governance.policy.thresholds import DEFAULT_THRESHOLDS, Thresholds

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
class WriteRequest:
    """All that policy may see of a write.

    `kind` is the kind of memory, `channel` the door (`http`, `mcp`, `cli`, `import`, `extraction`), `redaction_counts` how many findings of
    each entity type were replaced, `attributed` False when somebody has to say first whom it is about. `thresholds`: of this trust and
    kind. `brain_kind` is personal, agent, team, room or org, None where no rule asks for it; `vouched` True when the person whose brain it
    is brings the text along, with a credential of a member's trust or more.
    """

    kind: str
    trust: Trust
    channel: str
    signals: tuple[Signal, ...]
    redaction_counts: Mapping[str, int]
    attributed: bool = True
    thresholds: Thresholds = DEFAULT_THRESHOLDS
    brain_kind: str | None = None
    vouched: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome for a write. SECURITY: only `governance/policy/decide.py` makes one; an architecture test looks.

    `reasons` holds every verdict that is not `allow`, strictest first, ties in the order of the rules.
    """

    effect: Effect
    reasons: tuple[Verdict, ...] = ()
