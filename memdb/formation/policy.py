"""Step 8: policy answers. A rejection ends the write; a hold stores it where no door serves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import UUID

from governance.errors import PolicyRejected
from governance.policy.decide import decide as ask_policy
from governance.policy.decision import Effect, WriteRequest
from governance.trust import Trust
from memdb.formation.batch import Batch
from memdb.formation.episode import held_key
from memdb.formation.stages import Decided, Drafted, grow
from memdb.models.submission import SourceKind
from memdb.storage.brains import BrainKind, list_kinds
from memdb.storage.database import Database, identity_of

if TYPE_CHECKING:
    from memdb.formation.pipeline import Writer

BROUGHT = (SourceKind.FILE, SourceKind.IMPORTED)


async def decide(batch: Batch[Drafted], writer: Writer, *, database: Database) -> Batch[Decided]:
    """Attach the decisions. What is held gets another duplicate key, so that it meets only its like: it neither changes a memory that is
    served, nor stands in the way of the same statement from somebody else.

    Raises per item:
        PolicyRejected: with the reason codes.
    """
    asked = {item.brain_id for item in batch.values if writer.screening.asks_for_brain(item.trust)}
    kinds: Mapping[UUID, BrainKind] = {}
    if asked:  # most writes need it not, and a transaction costs milliseconds
        async with database.read(identity_of(writer.principal)) as conn:
            kinds = await list_kinds(conn, writer.principal.org_id, asked)
    return batch.each(lambda item: _decide(item, writer, kinds.get(item.brain_id)))


def _decide(item: Drafted, writer: Writer, brain_kind: BrainKind | None) -> Decided:
    decision = ask_policy(
        WriteRequest(
            kind=item.kind.value,
            trust=item.trust,
            channel=writer.channel,
            signals=item.signals,
            redaction_counts=Counter(r.entity for r in item.redactions),
            attributed=item.attributed,
            thresholds=writer.screening.thresholds_for(item.trust, item.kind.value),
            brain_kind=None if brain_kind is None else brain_kind.value,
            vouched=_is_vouched(item, writer),
        ),
        writer.screening.rules,
    )
    if decision.effect is Effect.REJECT:
        raise PolicyRejected("policy rejects this write: " + ", ".join(v.reason_code for v in decision.reasons))
    key = item.duplicate_key
    if decision.effect is Effect.HOLD and key is not None:
        key = held_key(key)
    return grow(Decided, replace(item, duplicate_key=key), decision=decision)


def _is_vouched(item: Drafted, writer: Writer) -> bool:
    """True when a person brings a file along, or edits what is served already, in their own brain and with a member's credential.

    A page that their agent read for them is none of it: nobody has looked at it.
    """
    own = item.brain_id == writer.home_brain_id and item.principal.trust >= Trust.MEMBER
    return own and (item.replaces is not None or item.source_kind in BROUGHT)
