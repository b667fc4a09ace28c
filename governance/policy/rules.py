"""The rules over writes. Each is a pure function of the request; together the strictest wins, so that order means nothing.

To add a rule: a function here, its line in `RULES`, a case in the tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from governance.policy.decision import Effect, Verdict, WriteRequest
from governance.trust import Trust

if TYPE_CHECKING:
    from collections.abc import Callable

    from governance.inspection.signals import Signal

Rule: TypeAlias = "Callable[[WriteRequest], Verdict | None]"
"""None means that the rule has nothing against the write."""

UNATTRIBUTED: Final = "unattributed"
"""Reason code of what waits in the queue of its brain, and the kind of the action that holds it when there is no other reason."""


def _worst(request: WriteRequest) -> Signal | None:
    return max(request.signals, key=lambda signal: signal.score, default=None)


def hold_instructions_of_strangers(request: WriteRequest) -> Verdict | None:
    """Tools, web pages and imports report; they have no say in what agents do."""
    worst = _worst(request)
    if worst is None or worst.score < request.thresholds.moderate or request.trust > Trust.TOOL:
        return None
    return Verdict(Effect.HOLD, "instructions_from_low_trust", f"a source of trust {request.trust.label} gives instructions ({worst.code})")


def hold_plain_attacks(request: WriteRequest) -> Verdict | None:
    """Nobody's credential makes a plain attack harmless: it may have been pasted, or the credential stolen."""
    worst = _worst(request)
    if worst is None or worst.score < request.thresholds.high:
        return None
    return Verdict(Effect.HOLD, "instructions_high", f"the text looks like an attack on its readers ({worst.code})")


def hold_procedures_of_agents(request: WriteRequest) -> Verdict | None:
    """A procedural memory is followed, so an agent cannot put a doubtful one into force without a person."""
    worst = _worst(request)
    if worst is None or worst.score < request.thresholds.moderate or request.kind != "procedural" or request.trust >= Trust.MEMBER:
        return None
    return Verdict(Effect.HOLD, "procedure_with_instructions", f"an agent's procedure gives orders beyond its task ({worst.code})")


def flag_doubtful(request: WriteRequest) -> Verdict | None:
    """What may be meant well is stored, and shown to reviewers."""
    worst = _worst(request)
    if worst is None or worst.score < request.thresholds.moderate:
        return None
    return Verdict(Effect.FLAG, "instructions_moderate", f"the text may give instructions to its readers ({worst.code})")


def hold_unattributed(request: WriteRequest) -> Verdict | None:
    """A statement of which nobody knows whom it is about would be taken for anybody's."""
    if request.attributed:
        return None
    return Verdict(Effect.HOLD, UNATTRIBUTED, "nobody has said yet whom the statement is about")


RULES: Final[tuple[Rule, ...]] = (
    hold_instructions_of_strangers,
    hold_plain_attacks,
    hold_procedures_of_agents,
    flag_doubtful,
    hold_unattributed,
)
