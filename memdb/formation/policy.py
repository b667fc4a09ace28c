"""Step 8: policy answers. A rejection ends the write; a hold stores it where no door serves it."""

from __future__ import annotations

from collections import Counter

from governance.errors import PolicyRejected
from governance.policy.decide import decide as ask_policy
from governance.policy.decision import Effect, WriteRequest
from memdb.formation.stages import Decided, Drafted, grow


def decide(item: Drafted, *, channel: str) -> Decided:
    """Attach the decision.

    Raises:
        PolicyRejected: with the reason codes.
    """
    decision = ask_policy(
        WriteRequest(
            kind=item.kind.value,
            trust=item.trust,
            channel=channel,
            signals=item.signals,
            redaction_counts=Counter(r.entity for r in item.redactions),
        )
    )
    if decision.effect is Effect.REJECT:
        raise PolicyRejected("policy rejects this write: " + ", ".join(v.reason_code for v in decision.reasons))
    return grow(Decided, item, decision=decision)
