"""Which memory a statement takes the place of: one that tells the same attribute of the same subjects, said to hold since before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from governance.policy.decision import Effect
from memdb.storage import claims

if TYPE_CHECKING:
    from memdb.formation.stages import Decided
    from memdb.storage.database import WriteConn


async def lock_claims(conn: WriteConn, items: Sequence[Decided]) -> None:
    """One writer at a time says what an attribute of some subjects is, so that two who say it at once do not both add."""
    names = {_name(item, item.claim.attribute) for item in items if item.claim is not None and item.claim.attribute is not None}
    await claims.lock_names(conn, sorted(names))


async def find_former(conn: WriteConn, item: Decided, now: datetime) -> UUID | None:
    """The memory that gets a new version by this statement; None: it is one of its own. What is held changes nothing that is served."""
    if item.claim is None or item.claim.attribute is None or not item.about or item.decision.effect is Effect.HOLD:
        return None
    since = item.valid_from or item.claim.since or now
    return await claims.find(conn, (item.principal.org_id, item.brain_id, item.kind), item.about, item.claim.attribute, since)


def _name(item: Decided, attribute: str) -> str:
    return f"memdb.claim.{item.brain_id}.{item.kind.value}.{attribute}.{','.join(map(str, item.about))}"
