"""Step 8: policy answers. A rejection ends the write; a hold stores it where no door serves it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from governance.errors import PolicyRejected
from governance.policy.decide import decide as ask_policy
from governance.policy.decision import Effect, WriteRequest
from memdb.formation.episode import held_key
from memdb.formation.stages import Decided, Drafted, grow


def decide(item: Drafted, *, channel: str) -> Decided:
    """Attach the decision. What is held gets another duplicate key, so that it meets only its like: it neither changes a memory that is
    served, nor stands in the way of the same statement from somebody else.

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
            attributed=item.attributed,
        )
    )
    if decision.effect is Effect.REJECT:
        raise PolicyRejected("policy rejects this write: " + ", ".join(v.reason_code for v in decision.reasons))
    key = item.duplicate_key
    if decision.effect is Effect.HOLD and key is not None:
        key = held_key(key)
    return grow(Decided, replace(item, duplicate_key=key), decision=decision)
