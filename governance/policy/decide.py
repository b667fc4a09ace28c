"""Step 8 of formation, the only maker of decisions: every rule is asked, the strictest verdict holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.policy.decision import Decision, Effect, WriteRequest
from governance.policy.rules import RULES, Rule

if TYPE_CHECKING:
    from collections.abc import Sequence


def decide(request: WriteRequest, rules: Sequence[Rule] = RULES) -> Decision:
    """Return the decision on a write.

    Another rule can only make it stricter. An exception of a rule crosses, and nothing is stored then.
    """
    verdicts = [verdict for rule in rules if (verdict := rule(request)) is not None and verdict.effect is not Effect.ALLOW]
    effect = max((verdict.effect for verdict in verdicts), default=Effect.ALLOW)
    # A stable sort: within one effect the order of the rules stays.
    return Decision(effect, tuple(sorted(verdicts, key=lambda verdict: -verdict.effect)))
